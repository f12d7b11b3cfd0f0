package extension

import (
	"slices"
	"testing"

	"toposearch/report"
	"toposearch/search"
	"toposearch/search/run"
	"toposearch/study"
	"toposearch/topology/family"
	"toposearch/topology/topotest"
)

func TestCocktail(t *testing.T) { topotest.Family(t, Cocktail, topotest.Options{}) }

// A study that names the family beside built-in ones is searched completely, and the family is on its front.
func TestStudy(t *testing.T) {
	const text = `
[endpoints]
count = { min = 256, max = 256 }
bandwidth = "400 Gb/s"
[space]
families = ["cocktail", "hypercube", "fattree"]
[space.fattree]
l = 2
[[objective]]
metric = "cost"
[[objective]]
metric = "mean_hops"
[[objective]]
metric = "uniform_throughput"
[verify]
finalists = 0
`
	st, faults := study.LoadFrom("study.toml", func(string) ([]byte, error) { return []byte(text), nil }, append(family.All(), Cocktail)...)
	if st == nil {
		t.Fatal(faults.Err())
	}
	dir, err := run.Create(st, t.TempDir(), "", run.Origin{Program: "extension"})
	if err != nil {
		t.Fatal(err)
	}
	defer dir.Close()
	out, err := run.Run(t.Context(), st, dir, search.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, r := range out.Front.Front {
		names = append(names, r.Design)
	}
	if !out.Front.Complete || !slices.ContainsFunc(out.Front.Front, func(r search.Record) bool { return r.Family == Cocktail.Name }) {
		t.Errorf("complete %t, front %q: want a complete one with a design of %s", out.Front.Complete, names, Cocktail.Name)
	}
	// What is read from the run afterwards knows the family, too.
	if _, err := run.Explain(t.Context(), dir.Path, "cocktail(n=16,t=16)", st.Known...); err != nil {
		t.Error(err)
	}
	if err := report.WriteRun(t.Context(), dir.Path, st.Known...); err != nil {
		t.Error(err)
	}
	if figures, err := report.Plots(dir.Path, st.Known...); err != nil || len(figures) == 0 {
		t.Errorf("%d figures: %v", len(figures), err)
	}
}
