package run

import (
	"slices"
	"strings"
	"testing"

	"toposearch/catalog"
	"toposearch/evaluator"
	"toposearch/internal/racing"
	"toposearch/search"
	"toposearch/search/searchtest"
	"toposearch/study"
)

// priced is a study of small networks over metrics of the network, with every n-th price of the catalogue changed and another floor.
func priced(t *testing.T, n int, keys ...string) *study.Study {
	t.Helper()
	text := "[endpoints]\ncount = { min = 16, max = 24 }\nbandwidth = \"400 Gb/s\"\n[space]\nfamilies = [\"dragonfly\", \"fattree\", \"torus\"]\n" +
		"[space.dragonfly]\np = [1, 2]\na = [2, 3, 4]\nh = [1, 2]\ng = [3, 5]\narrangement = \"palmtree\"\n" +
		"[space.fattree]\nk = [4, 6, 8]\nl = 2\n[space.torus]\nk1 = [2, 4]\nk2 = [2, 3]\nk3 = [1, 2]\nk4 = 1\nk5 = 1\nk6 = 1\nt = [1, 2]\n[verify]\nfinalists = 0\n[search]\nstrategy = \"enumerate\"\n"
	for _, key := range append([]string{"cost"}, keys...) {
		text += "[[objective]]\nmetric = \"" + key + "\"\n"
	}
	st, faults := study.LoadFrom("study.toml", func(string) ([]byte, error) { return []byte(text), nil })
	searchtest.Must(t, faults.Err())
	if n > 0 {
		c := *st.Options.Catalog
		c.Parts = slices.Clone(c.Parts)
		for i := range c.Parts {
			if i%n == 0 {
				c.Parts[i].UnitPrice *= 3
				c.Parts[i].PowerW *= 2
			}
		}
		st.Options.Catalog, st.Catalogue = &c, &c
		st.Options.Site.RowPitchM = 5
	}
	return st
}

// Under other prices, watts and pitches the journal of a run gives what follows from the network, and the run is the same to the last
// byte as one that computes all.
func TestRepriced(t *testing.T) {
	racing.Figures(t)
	for _, c := range []struct {
		keys, first []string
		algorithms  []string
		taken       bool
	}{
		{keys: []string{"bisection", "disjoint_paths"}, taken: true},
		{keys: []string{"worst_throughput"}, algorithms: []string{evaluator.RoutingDeployed}, taken: true},
		{keys: []string{"worst_throughput"}, first: []string{"worst_throughput", "tub"}, taken: true},
		{keys: []string{"bisection"}, first: []string{"bisection", "uniform_throughput_optimal"}}, // the flow narrows what is known of the cut
		{keys: []string{"tub"}, first: []string{"bisection"}},
	} {
		first := c.first
		if first == nil {
			first = c.keys
		}
		old, now := priced(t, 0, first...), priced(t, 3, c.keys...)
		old.Options.Algorithms, now.Options.Algorithms = c.algorithms, c.algorithms
		problem := func(st *study.Study) *search.Problem {
			m, err := evaluator.New(st.Options)
			searchtest.Must(t, err)
			return searchtest.ProblemOf(t, st, m)
		}
		from := create(t, old)
		runIn(t, problem(old), from, search.Options{})
		_, want, front := runIn(t, problem(now), create(t, now), search.Options{})
		var last search.Progress
		_, got, again := runIn(t, problem(now), create(t, now), search.Options{Reuse: []string{from.Path}, Progress: func(p search.Progress) { last = p }})
		if got != want || again != front {
			t.Errorf("%v after %v: the run with --reuse differs: journal %v, front %v\n%s", c.keys, first, got != want, again != front, firstDifference(got, want))
		}
		if (last.Repriced > 0) != c.taken || last.Reused > 0 {
			t.Errorf("%v after %v: %d repriced, %d answered whole of %d", c.keys, first, last.Repriced, last.Reused, last.Evaluated)
		}
		t.Logf("%v after %v: %d repriced of %d", c.keys, first, last.Repriced, last.Evaluated)
		idle, err := CheckReuse(now, []string{from.Path})
		if searchtest.Must(t, err); len(idle) != 1 || strings.Contains(idle[0], "answers nothing") == c.taken {
			t.Errorf("%v after %v: %q", c.keys, first, idle)
		}
	}
}

func firstDifference(a, b string) string {
	x, y := strings.Split(a, "\n"), strings.Split(b, "\n")
	for i := range min(len(x), len(y)) {
		if x[i] != y[i] {
			return x[i] + "\n" + y[i]
		}
	}
	return "one is shorter"
}

// Other rates on sale, another bandwidth or other routings are other facts of the network; prices and floor are not.
func TestNetworkFacts(t *testing.T) {
	base, err := newJournalHead(priced(t, 0))
	searchtest.Must(t, err)
	for _, c := range []struct {
		name   string
		change func(st *study.Study)
		same   bool
	}{
		{"prices and pitches", func(st *study.Study) { *st = *priced(t, 2) }, true},
		{"bandwidth", func(st *study.Study) { st.Options.BandwidthGbps *= 2 }, false},
		{"routing", func(st *study.Study) { st.Options.Routing = evaluator.RoutingMinimal }, false},
		{"VCs", func(st *study.Study) { st.Options.MaxVCs = 3 }, false},
		{"a rate no longer sold", func(st *study.Study) {
			c := *st.Options.Catalog
			c.Parts = slices.DeleteFunc(slices.Clone(c.Parts), func(p catalog.Part) bool { return p.Kind == catalog.KindSwitch && p.RateGbps > 400 })
			st.Options.Catalog, st.Catalogue = &c, &c
		}, false},
	} {
		st := priced(t, 0)
		c.change(st)
		h, err := newJournalHead(st)
		searchtest.Must(t, err)
		if (h.Network == base.Network) != c.same {
			t.Errorf("%s: same facts %v, want %v", c.name, h.Network == base.Network, c.same)
		}
	}
	if len(base.asked()) != 0 {
		t.Errorf("asked %v", base.asked())
	}
}
