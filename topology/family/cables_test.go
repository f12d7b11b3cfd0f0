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
		between[[3]int{class, int(a), int(b)}]++
	})
	for class := range c.f.LinkClasses {
		if x := c.f.Cables(c.v, class); x.Parts > 0 && class > 0 && c.s.Link[class] > 0 {
			c.spread(class, x, between)
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
			times := between[[3]int{class, a, from + p*each}]
			all := times > 0
			for k := range each {
				all = all && between[[3]int{class, a, from + p*each + k}] == times
			}
			if all && times*each == int(c.s.Switch[x.I].Ports[class]) {
				even++
			}
		}
		if even != 1 {
			c.t.Fatalf("%s%v: switch %d is linked by class %d to all of %d parts", c.f.Name, c.v, a, class, even)
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
