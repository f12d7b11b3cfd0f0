package where

import (
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"

	"toposearch/diag"
)

// shared are designs and conditions, which the script of the report is held to as well (report/browser_test.go).
type shared struct {
	Metrics map[string]string
	Designs []struct {
		Name   string
		Values map[string]float64
	}
	Cases []struct {
		Q     string
		Want  []int
		Wrong bool
	}
}

func load(t testing.TB) (s shared, names []string) {
	data, err := os.ReadFile("testdata/where.json")
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, &s); err != nil {
		t.Fatal(err)
	}
	for _, d := range s.Designs {
		names = append(names, d.Name)
	}
	return s, names
}

func (s *shared) value(i int, key string) (float64, bool) {
	x, ok := s.Designs[i].Values[key]
	return x, ok
}

func (s *shared) meet(f Filter) (out []int) {
	for i, d := range s.Designs {
		if f.Holds(d.Name, func(key string) (float64, bool) { return s.value(i, key) }) {
			out = append(out, i)
		}
	}
	return out
}

func TestWhere(t *testing.T) {
	s, names := load(t)
	for _, c := range s.Cases {
		f, err := Parse(c.Q, names, s.Metrics)
		if (err != nil) != c.Wrong {
			t.Errorf("%q: error %v", c.Q, err)
		} else if got := s.meet(f); err == nil && !slices.Equal(got, c.Want) {
			t.Errorf("%q: %v, want %v", c.Q, got, c.Want)
		}
	}
	f, err := Parse("cost<4 power<60kW", names, s.Metrics)
	if err != nil {
		t.Fatal(err)
	}
	if got := f.Unmet(len(names), s.value); !slices.Equal(got, []string{"cost<4 is met by none, cost is 3.5e+06 to 4.2e+06"}) {
		t.Errorf("unmet: %q", got)
	}
}

// FuzzWhere: conditions that are read mean the same when they are joined in another way, and what is refused is shown
// without anything that is not seen.
func FuzzWhere(f *testing.F) {
	s, names := load(f)
	for _, c := range s.Cases {
		f.Add(c.Q)
	}
	f.Add("cost != 0x1p-2 && power>=inf,mean_hops==3")
	f.Add("cost\x1b<1")
	f.Add("and and and")
	f.Fuzz(func(t *testing.T, q string) {
		filter, err := Parse(q, names, s.Metrics)
		if err != nil {
			if c, i := diag.FirstHidden(err.Error()); i >= 0 {
				t.Errorf("%q: the error holds %U: %q", q, c, err)
			}
			return
		}
		for _, join := range []string{" and ", " && ", ", "} {
			var parts []string
			for _, c := range filter {
				if c.key != "" {
					parts = append(parts, c.text)
					continue
				}
				parts = append(parts, map[bool]string{true: "-"}[c.not]+c.word)
			}
			back, err := Parse(strings.Join(parts, join), names, s.Metrics)
			if err != nil || !slices.Equal(s.meet(back), s.meet(filter)) {
				t.Errorf("%q, joined by %q: %v, %v, before %v", q, join, err, s.meet(back), s.meet(filter))
			}
		}
	})
}
