package family

import (
	"testing"

	"toposearch/internal/stream"
	"toposearch/topology"
)

// Where a family names the ends of a link class, every link has them, and all switches of an end
// have equally many.
func TestJoins(t *testing.T) {
	for _, f := range All() {
		if f.Joins == nil {
			continue
		}
		rng := stream.New(8, "joins "+f.Name)
		found := 0
		for range 2000 {
			v := draw(f, rng)
			var s topology.Size
			if f.Size(v, &s) != nil || s.Endpoints > 3000 || s.AllSwitches() > 3000 {
				continue
			}
			found++
			var end [topology.MaxClasses]topology.SwitchID // of each class
			last := topology.SwitchID(0)
			for i := range f.SwitchClasses {
				last += topology.SwitchID(s.Switch[i].Count)
				end[i] = last
			}
			classOf := func(x topology.SwitchID) int {
				i := 0
				for x >= end[i] {
					i++
				}
				return i
			}
			links := make(map[[2]int]int) // by class and switch
			f.Wire(v, func(class int, a, b topology.SwitchID) {
				j := f.Joins[class]
				if j[0] < 0 {
					return
				}
				if x, y := classOf(a), classOf(b); [2]int{x, y} != j && [2]int{y, x} != j {
					t.Fatalf("%s%v: a link of class %d joins switches of classes %d and %d", f.Name, v, class, x, y)
				}
				links[[2]int{class, int(a)}]++
				links[[2]int{class, int(b)}]++
			})
			for at, n := range links {
				if want := int(s.Switch[classOf(topology.SwitchID(at[1]))].Ports[at[0]]); n != want {
					t.Fatalf("%s%v: switch %d has %d links of class %d, and not %d", f.Name, v, at[1], n, at[0], want)
				}
			}
		}
		if found < 50 {
			t.Errorf("%s: %d designs test little", f.Name, found)
		}
	}
}
