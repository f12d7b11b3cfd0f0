package topology

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestSetsPlainTwin: the sets of ports of thousands of endpoints, some in another order or with a port twice, against a map.
func TestSetsPlainTwin(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 15))
	b := NewBuilder([]SwitchClass{{Name: "switch"}}, []LinkClass{{Name: ClassNic}, {Name: "link"}})
	const switches = 60
	b.Switch(0, switches)
	for s := range SwitchID(switches) {
		b.Link(1, s, (s+1)%switches)
	}
	for range 4000 {
		ports := make([]SwitchID, 3)
		for i := range ports {
			ports[i] = SwitchID(rng.IntN(switches))
		}
		b.Endpoints(1+rng.IntN(2), ports)
	}
	n, err := b.Build("sets")
	if err != nil {
		t.Fatal(err)
	}
	p := newProbe(n, -1)
	byPorts, count := map[string]int32{}, map[int32]int64{}
	for g, set := range p.setOf {
		first, end, ports := n.Group(g)
		sorted := slices.Sorted(slices.Values(ports))
		key := fmt.Sprint(slices.Compact(sorted))
		if old, ok := byPorts[key]; ok && old != set {
			t.Fatalf("group %d on %s: set %d, before %d", g, key, set, old)
		}
		byPorts[key] = set
		count[set] += int64(end - first)
	}
	if len(byPorts) != len(p.count) {
		t.Errorf("%d sets, want %d", len(p.count), len(byPorts))
	}
	for set, k := range count {
		if p.count[set] != k {
			t.Errorf("set %d: %d endpoints, want %d", set, p.count[set], k)
		}
	}
}
