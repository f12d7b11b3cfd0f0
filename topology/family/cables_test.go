package family

import (
	"testing"

	"toposearch/internal/stream"
	"toposearch/topology"
)

// What a family knows of its cables holds for every link: the classes of the switches at its ends,
// the blocks they stand in, and an even spread over all switches of a part.
func TestCables(t *testing.T) {
	for _, f := range All() {
		if f.Cables == nil {
			continue
		}
		rng := stream.New(8, "cables "+f.Name)
		found := 0
		for range 60000 {
			v := draw(f, rng)
			var s topology.Size
			if f.Size(v, &s) != nil || s.Endpoints > 600 || s.SwitchLinks() > 6000 {
				continue
			}
			if found == 100 {
				break
			}
			found++
			newCableCheck(t, f, v, &s).links()
		}
		if found < 50 {
			t.Errorf("%s: %d designs test little", f.Name, found)
		}
	}
}

// cableCheck looks at the links of one design.
type cableCheck struct {
	t      *testing.T
	f      *topology.Family
	v      []int
	s      *topology.Size
	blocks int
	end    [topology.MaxClasses]int // of the switches of each class
}

func newCableCheck(t *testing.T, f *topology.Family, v []int, s *topology.Size) *cableCheck {
	c := &cableCheck{t: t, f: f, v: v, s: s, blocks: max(f.Place(v).Blocks, 1)}
	last := 0
	for i := range f.SwitchClasses {
		last += int(s.Switch[i].Count)
		c.end[i] = last
	}
	return c
}

// of gives the class of a switch, its index in it, and its block.
func (c *cableCheck) of(x topology.SwitchID) (class, index, block int) {
	for int(x) >= c.end[class] {
		class++
	}
	n := int(c.s.Switch[class].Count)
	index = int(x) - c.end[class] + n
	return class, index, index * c.blocks / n
}

func (c *cableCheck) links() {
	between := map[[3]int]int{} // links by class, lower and upper switch
	c.f.Wire(c.v, func(class int, a, b topology.SwitchID) {
		x := c.f.Cables(c.v, class)
		i, _, p := c.of(a)
		j, _, q := c.of(b)
		if i > j {
			i, j, a, b = j, i, b, a
		}
		if i != x.I || j != x.J {
			c.t.Fatalf("%s%v: a link of class %d joins switches of classes %d and %d, not %d and %d", c.f.Name, c.v, class, i, j, x.I, x.J)
		}
		if x.Scope == topology.OneBlock && p != q || x.Scope == topology.OtherBlocks && p == q {
			c.t.Fatalf("%s%v: a link of class %d joins blocks %d and %d, scope %d", c.f.Name, c.v, class, p, q, x.Scope)
		}
		between[[3]int{class, min(int(a), int(b)), max(int(a), int(b))}]++
	})
	for class := range c.f.LinkClasses {
		if x := c.f.Cables(c.v, class); x.Parts > 0 && class > 0 && c.s.Link[class] > 0 {
			c.spread(class, x, between)
		} else if x.Ranges > 0 {
			c.ranges(class, x, between)
		}
	}
	if x := c.f.Cables(c.v, 0); x.Parts > 0 {
		c.endpoints(x)
	}
}

// spread checks that every lower switch has equally many links to all switches of one part.
func (c *cableCheck) spread(class int, x topology.Cables, between map[[3]int]int) {
	n := int(c.s.Switch[x.J].Count)
	in := n
	if x.Scope == topology.OneBlock {
		in = n / c.blocks
	}
	each := in / x.Parts
	if in%x.Parts != 0 {
		c.t.Fatalf("%s%v: %d switches of class %d in %d parts", c.f.Name, c.v, in, x.J, x.Parts)
	}
	first := c.end[x.J] - n
	for a := c.end[x.I] - int(c.s.Switch[x.I].Count); a < c.end[x.I]; a++ {
		_, _, block := c.of(topology.SwitchID(a))
		from := first
		if x.Scope == topology.OneBlock {
			from += block * in
		}
		even := 0
		for p := range x.Parts {
			if c.joined(class, a, from+p*each, each, between) {
				even++
			}
		}
		if even != 1 {
			c.t.Fatalf("%s%v: switch %d is linked by class %d to all of %d parts", c.f.Name, c.v, a, class, even)
		}
	}
}

// joined tells whether a switch has equally many links to all of a run of switches, itself aside, and no
// other links of the class.
func (c *cableCheck) joined(class, a, from, count int, between map[[3]int]int) bool {
	times, all := 0, 0
	for b := from; b < from+count; b++ {
		if a == b {
			continue
		}
		n := between[[3]int{class, min(a, b), max(a, b)}]
		if n == 0 || times > 0 && n != times {
			return false
		}
		times = n
		all += n
	}
	i, _, _ := c.of(topology.SwitchID(a))
	return all == int(c.s.Switch[i].Ports[class])
}

// ranges checks that every lower switch has equally many links to all switches of the parts of its range.
func (c *cableCheck) ranges(class int, x topology.Cables, between map[[3]int]int) {
	n, m := int(c.s.Switch[x.I].Count), int(c.s.Switch[x.J].Count)
	pairs := x.Ranges * (x.Ranges - 1) / 2
	if n%x.Ranges != 0 || m%pairs != 0 {
		c.t.Fatalf("%s%v: %d and %d switches in %d ranges and %d parts", c.f.Name, c.v, n, m, x.Ranges, pairs)
	}
	first, second := c.end[x.I]-n, c.end[x.J]-m
	pair := 0
	for i := range x.Ranges {
		for j := i + 1; j < x.Ranges; j++ {
			for a := range n {
				r := a * x.Ranges / n
				for b := pair * m / pairs; b < (pair+1)*m/pairs; b++ {
					want := 0
					if r == i || r == j {
						want = int(c.s.Switch[x.I].Ports[class]) / (m / pairs * (x.Ranges - 1))
					}
					if got := between[[3]int{class, first + a, second + b}]; got != want {
						c.t.Fatalf("%s%v: switches %d and %d have %d links of class %d, want %d", c.f.Name, c.v, first+a, second+b, got, class, want)
					}
				}
			}
			pair++
		}
	}
}

// endpoints checks that every endpoint has equally many ports on all switches of its block.
func (c *cableCheck) endpoints(x topology.Cables) {
	e, perBlock := 0, int(c.s.Endpoints)/c.blocks
	c.f.Attach(c.v, func(count int, ports []topology.SwitchID) {
		on := map[topology.SwitchID]int{}
		for _, p := range ports {
			on[p]++
		}
		first, last := e/perBlock, (e+count-1)/perBlock
		if each := int(c.s.Switch[x.I].Count) / c.blocks; len(on) != each || first != last {
			c.t.Fatalf("%s%v: endpoints of blocks %d to %d on %d switches, not all %d", c.f.Name, c.v, first, last, len(on), each)
		}
		for p, n := range on {
			if i, _, block := c.of(p); i != x.I || block != first || n != len(ports)/len(on) {
				c.t.Fatalf("%s%v: endpoints of block %d have %d ports on a switch of class %d in block %d", c.f.Name, c.v, first, n, i, block)
			}
		}
		e += count
	})
}
