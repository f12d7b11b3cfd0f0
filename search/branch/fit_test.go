package branch

import (
	"testing"

	"toposearch/internal/racing"
	"toposearch/topology"
	"toposearch/topology/family"
)

func familyOf(t *testing.T, name string) *topology.Family {
	t.Helper()
	f, ok := family.ByName(name)
	if !ok {
		t.Fatalf("there is no family %s", name)
	}
	return f
}

// exhaust is the plain twin of FindFit: it looks at every tuple of values up to most.
func exhaust(f *topology.Family, q Wanted, most int) (best topology.Size, found bool) {
	var s topology.Size
	v := make([]int, len(f.Params))
	var walk func(i int)
	walk = func(i int) {
		if i < len(v) {
			p := f.Params[i]
			if p.Default != nil && (p.Divides != "" || p.Name == "arrangement" || p.Name == "seed" || p.Name == "d") {
				v[i] = p.Default(v)
				walk(i + 1)
				return
			}
			for v[i] = p.Min; v[i] <= min(p.Max, most); v[i]++ {
				walk(i + 1)
			}
			return
		}
		if f.Size(v, &s) == nil && q.admits(&s) && (!found || q.better(&s, &best)) {
			best, found = s, true
		}
	}
	walk(0)
	return best, found
}

// TestFitTwin compares the search with looking at everything up to a value that no parameter of
// a design of that radix and size exceeds.
func TestFitTwin(t *testing.T) {
	racing.Figures(t)
	for _, c := range []struct {
		family    string
		radix     int
		endpoints int64
		uniform   float64
		most      int
	}{
		{"dragonfly", 9, 0, 0.9, 20}, {"dragonfly", 10, 100, 0.9, 26}, {"dragonfly", 8, 77, 0, 17},
		{"fattree", 12, 0, 0.9, 12}, {"fattree", 16, 300, 0.9, 16}, {"slimfly", 24, 0, 0.9, 24}, {"slimfly", 40, 900, 0, 40},
		{"zettafly3", 7, 60, 0.5, 7}, {"mlfm", 40, 500, 0.9, 40}, {"hypercube", 9, 50, 0.9, 9}, {"complete", 20, 90, 0.9, 20},
		{"polarfly", 20, 200, 0.9, 20},
	} {
		f := familyOf(t, c.family)
		q := Wanted{c.radix, c.endpoints, c.uniform}
		got := FindFit(f, q)
		want, found := exhaust(f, q, c.most)
		if found != (got.V != nil) || !got.Complete {
			t.Errorf("%s %+v: found %v, want %v; complete %v", c.family, q, got.V, found, got.Complete)
			continue
		}
		if found && (got.Size.Endpoints != want.Endpoints || got.Size.Switches() != want.Switches() || got.Size.SwitchLinks() != want.SwitchLinks()) {
			t.Errorf("%s %+v: %v has %d endpoints, %d switches, %d links; want %d, %d, %d", c.family, q, got.V, got.Size.Endpoints,
				got.Size.Switches(), got.Size.SwitchLinks(), want.Endpoints, want.Switches(), want.SwitchLinks())
		}
	}
}

// TestLargestKnown: published sizes for switches of 64 ports.
func TestLargestKnown(t *testing.T) {
	for _, c := range []struct {
		family    string
		endpoints int64
	}{
		{"mlfm", 32*32*32 + 32*32}, {"oft", 2 * 32 * (1 + 32*31)}, {"meshtree", 64 * 64 * 64 * 64 / 4}, {"crossbar", 64},
		{"roft", 64 * 64 * 64 / 4}, {"dragonflyplus", 1_049_600},
	} {
		if got := FindFit(familyOf(t, c.family), Wanted{Radix: 64, Uniform: 0.9}); got.Size.Endpoints != c.endpoints {
			t.Errorf("%s: %v has %d endpoints, want %d", c.family, got.V, got.Size.Endpoints, c.endpoints)
		}
	}
}
