package family

import (
	"math"
	"testing"

	"toposearch/topology"
)

// eccentricity is the sum of and the largest distance from switch s to all switches.
func eccentricity(n *topology.Network, s topology.SwitchID) (sum, most int) {
	dist := make([]int, n.Switches())
	for i := range dist {
		dist[i] = -1
	}
	dist[s] = 0
	queue := []topology.SwitchID{s}
	for i := 0; i < len(queue); i++ {
		sum += dist[queue[i]]
		most = max(most, dist[queue[i]])
		for _, y := range n.Neighbors(queue[i]) {
			if dist[y] < 0 {
				dist[y] = dist[queue[i]] + 1
				queue = append(queue, y)
			}
		}
	}
	return sum, most
}

// TestTPUCounts: a cube has 144 copper links and 96 optical ends; 64 cubes are 4,096 chips whose
// circuit switches take 6,144 fibres.
func TestTPUCounts(t *testing.T) {
	for _, c := range []struct {
		design                  string
		chips, copper, opticals int64
	}{{"tpuocs(x=1,y=1,z=1)", 64, 144, 48}, {"tpuocs(x=4,y=4,z=4)", 4096, 64 * 144, 3072}, {"tpuocs(x=4,y=6,z=6)", 9216, 144 * 144, 144 * 48}} {
		d := design(t, c.design)
		var s topology.Size
		if err := d.Family.Size(d.V, &s); err != nil {
			t.Fatal(err)
		}
		var copper, optical int64
		for i := range 3 {
			copper += s.Link[tpuCopper+i]
			optical += s.Link[tpuOCS+i] + s.Link[tpuWrap+i]
		}
		if s.Endpoints != c.chips || copper != c.copper || optical != c.opticals || s.SwitchLinks() != 3*c.chips || s.EmbeddedSwitches() != c.chips {
			t.Errorf("%s: %d chips, %d copper, %d optical links, want %+v", d, s.Endpoints, copper, optical, c)
		}
	}
}

// TestTPUDistances: a torus of sides 4, 4, 8 has mean distance 1 + 1 + 2 with itself included and
// diameter 2 + 2 + 4. Twisted it is still alike from every chip, but nearer.
func TestTPUDistances(t *testing.T) {
	plain, twisted := network(t, "tpuocs(x=1,y=1,z=2)"), network(t, "tpuocs(x=1,y=1,z=2,twist=long)")
	if sum, most := eccentricity(plain, 0); sum != 128*4 || most != 8 {
		t.Errorf("torus 4x4x8: sum of distances %d, diameter %d, want 512 and 8", sum, most)
	}
	want, most := eccentricity(twisted, 0)
	if want >= 128*4 || most >= 8 {
		t.Errorf("twisted 4x4x8: sum of distances %d, diameter %d, want below 512 and 8", want, most)
	}
	for s := range twisted.Switches() {
		if got, _ := eccentricity(twisted, topology.SwitchID(s)); got != want {
			t.Errorf("twisted 4x4x8: sum of distances from chip %d is %d, from chip 0 %d", s, got, want)
		}
	}
	if got, want := closedLinks(t, design(t, "tpuocs(x=1,y=1,z=2)")), 512./127; math.Abs(got-want) > 1e-12 {
		t.Errorf("torus 4x4x8: mean links by formula %v, want %v", got, want)
	}
}

// TestHammingMeshVectors: Hx1 of 4 x 4 boards has 16 accelerators and 8 switches; Hx2 of 4 x 4 has
// 64, 16 switches, 64 links of each kind, and 4 links between the farthest accelerators.
func TestHammingMeshVectors(t *testing.T) {
	for _, c := range []struct {
		design                        string
		endpoints, switches, pcb, nic int64
		farthest                      int
		middle                        float64
	}{
		{"hammingmesh(a=1,b=1,x=4,y=4,k=64)", 16, 8, 0, 64, 4, 0.5},
		{"hammingmesh(a=2,b=2,x=4,y=4,k=64)", 64, 16, 64, 128, 4, 0.25},
		{"hammingmesh(a=4,b=4,x=2,y=2,k=64)", 64, 16, 96, 64, 0, 0.125},
	} {
		d := design(t, c.design)
		var s topology.Size
		if err := d.Family.Size(d.V, &s); err != nil {
			t.Fatal(err)
		}
		if pcb := s.Link[hammingBoardX] + s.Link[hammingBoardY]; s.Endpoints != c.endpoints || s.Switches() != c.switches ||
			pcb != c.pcb || s.EndpointLinks() != c.nic {
			t.Errorf("%s: %d accelerators, %d switches, %d traces, %d nic links, want %+v", d, s.Endpoints, s.Switches(), pcb, s.EndpointLinks(), c)
		}
		if got := d.Family.Middle(d.V); got != c.middle {
			t.Errorf("%s: middle cut %v, want %v", d, got, c.middle)
		}
		if c.farthest == 0 {
			continue
		}
		n, most := network(t, c.design), 0
		for e := int(s.Switches()); e < n.Switches(); e++ {
			most = max(most, farthestEmbedded(n, topology.SwitchID(e)))
		}
		if most != c.farthest {
			t.Errorf("%s: farthest accelerators are %d links apart, want %d", d, most, c.farthest)
		}
	}
}

func farthestEmbedded(n *topology.Network, s topology.SwitchID) (most int) {
	dist := map[topology.SwitchID]int{s: 0}
	queue := []topology.SwitchID{s}
	for i := 0; i < len(queue); i++ {
		if n.Embedded(queue[i]) {
			most = max(most, dist[queue[i]])
		}
		for _, y := range n.Neighbors(queue[i]) {
			if _, ok := dist[y]; !ok {
				dist[y] = dist[queue[i]] + 1
				queue = append(queue, y)
			}
		}
	}
	return most
}
