package family

import (
	"math/bits"

	"toposearch/topology"
)

// eachLink gives the links of a pair of layers, nodes of each numbered from 0.
func (l *layeredNet) eachLink(pair int, emit func(lower, upper int)) {
	p := &l.pair[pair]
	if !p.on() {
		return
	}
	block, part := l.n[layeredPairOf[pair][0]]/p.hi, l.n[layeredPairOf[pair][1]]/p.hj
	for b := range p.hi {
		from, to := b*block, b%p.hj*part
		y := 0
		for x := range block {
			for range p.e {
				emit(from+x, to+y)
				if y++; y == part {
					y = 0
				}
			}
		}
	}
}

// bitRows is a square matrix of bits.
type bitRows struct {
	words int
	bits  []uint64
}

func newBitRows(rows, columns int) bitRows {
	w := (columns + 63) / 64
	return bitRows{w, make([]uint64, rows*w)}
}

func (m *bitRows) row(i int) []uint64 { return m.bits[i*m.words : (i+1)*m.words] }

func (m *bitRows) set(i, j int) { m.bits[i*m.words+j/64] |= 1 << (j % 64) }

// join adds what is in b to a, and tells whether that is new.
func join(a, b []uint64) (more bool) {
	for i, x := range b {
		more = more || x&^a[i] != 0
		a[i] |= x
	}
	return more
}

// each calls f with every member of a set.
func each(set []uint64, f func(int)) {
	for w, x := range set {
		for ; x != 0; x &= x - 1 {
			f(w*64 + bits.TrailingZeros64(x))
		}
	}
}

// neighbours is who is linked to whom within a layer; ok is false if there are no links.
func (l *layeredNet) neighbours(layer int) (m bitRows, ok bool) {
	r, n := &l.in[layer], l.n[layer]
	if !r.on() || n < 2 {
		return m, false
	}
	m = newBitRows(n, n)
	size := r.sizes(n)
	var at [layeredDims]int
	for x := range n {
		at[0], at[1] = x%size[0], x/size[0]
		for k := range r.d {
			for i := 1; i <= r.p[k]; i++ {
				to := 0
				for t := layeredDims - 1; t >= 0; t-- {
					a := &r.a[k]
					y := (a[0][t]*i + a[1][t]*at[0] + a[2][t]*at[1] + r.c[k][t]) % size[t]
					if y < 0 {
						y += size[t]
					}
					to = to*size[t] + y
				}
				if to != x {
					m.set(x, to)
					m.set(to, x)
				}
			}
		}
	}
	return m, true
}

// first gives the number of the first node of each layer, switches coming first.
func (l *layeredNet) first() (at [layeredLayers]int) {
	at[2] = l.n[1]
	at[3] = at[2] + l.n[2]
	at[0] = at[3] + l.n[3]
	return at
}

func layeredWire(v []int, relay bool, emit func(int, topology.SwitchID, topology.SwitchID)) {
	var l layeredNet
	l.decode(v, relay)
	at := l.first()
	for i, p := range layeredPairOf {
		if p[0] == 0 && !relay {
			continue
		}
		class, from, to := layeredPairClass(relay, i), at[p[0]], at[p[1]]
		l.eachLink(i, func(x, y int) { emit(class, topology.SwitchID(from+x), topology.SwitchID(to+y)) })
	}
	for k := range layeredInners(relay) {
		layer := layeredInnerOf[k]
		if m, ok := l.neighbours(layer); ok {
			for x := range l.n[layer] {
				each(m.row(x), func(y int) {
					if x < y {
						emit(layeredInnerClass(relay, k), topology.SwitchID(at[layer]+x), topology.SwitchID(at[layer]+y))
					}
				})
			}
		}
	}
}

// accelerators gives the switches of each accelerator in turn, numbered as those of the network.
func (l *layeredNet) accelerators(emit func(ports []int)) {
	at, ports := l.first(), make([]int, 0, 8)
	for x := range l.n[0] {
		ports = ports[:0]
		for i := range layeredLayers - 1 {
			p := &l.pair[i]
			if !p.on() {
				continue
			}
			block, part := l.n[0]/p.hi, l.n[i+1]/p.hj
			b, y := x/block, x%block*p.e
			for m := range p.e {
				ports = append(ports, at[i+1]+b%p.hj*part+(y+m)%part)
			}
		}
		emit(ports)
	}
}

// layeredAttach gives neighbours with the same ports together.
func layeredAttach(v []int, relay bool, emit func(int, []topology.SwitchID)) {
	var l layeredNet
	l.decode(v, relay)
	if relay {
		first, at := l.first()[0], make([]topology.SwitchID, 1)
		for x := range l.n[0] {
			at[0] = topology.SwitchID(first + x)
			emit(1, at)
		}
		return
	}
	var last, now []topology.SwitchID
	count := 0
	l.accelerators(func(ports []int) {
		now = now[:0]
		same := len(ports) == len(last)
		for i, p := range ports {
			now = append(now, topology.SwitchID(p))
			same = same && last[i] == now[i]
		}
		if !same {
			if count > 0 {
				emit(count, last)
			}
			last, now, count = now, last, 0
		}
		count++
	})
	emit(count, last)
}

// layeredPlace makes blocks of what stands together: pods of layer 3, or else the switches of layer 2 with their accelerators.
func layeredPlace(v []int, relay bool) topology.Placement {
	var l layeredNet
	l.decode(v, relay)
	p := topology.Placement{Blocks: 1, Homes: []topology.Home{topology.Central, topology.Central, topology.Central}}
	if relay {
		p.Homes = append(p.Homes, topology.Inside)
	}
	edge, pods := &l.pair[0], &l.pair[3]
	if !edge.on() || edge.hi != edge.hj {
		if edge.on() && l.n[2]+l.n[3] > 0 {
			p.Homes[0] = topology.InBlock
		}
		return p
	}
	p.Homes[0], p.Blocks = topology.WithEndpoints, edge.hi
	for i := 1; i < layeredLayers-1; i++ { // the layer in most blocks stands with them, whatever its number
		if q := &l.pair[i]; q.on() && q.hi == q.hj && q.hi > p.Blocks {
			p.Homes = append([]topology.Home{topology.Central, topology.Central, topology.Central}, p.Homes[layeredLayers-1:]...)
			p.Homes[i], p.Blocks = topology.WithEndpoints, q.hi
		}
	}
	if p.Homes[0] != topology.WithEndpoints {
		return p
	}
	if pods.on() && pods.hi == pods.hj && pods.hi > 1 && edge.hi%pods.hi == 0 && !l.pair[1].on() && !l.in[2].on() {
		p.Homes[1], p.Blocks = topology.InBlock, pods.hi
	}
	return p
}
