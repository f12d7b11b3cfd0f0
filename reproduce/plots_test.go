package reproduce

import (
	"testing"

	"toposearch/internal/chart"
)

// A column of three numbers has a panel, shorter ones share a figure of ratios, and what is no
// number or not published is left out. Figures that differ are named.
func TestPlots(t *testing.T) {
	cells := func(a, b int, agrees bool) []Cell {
		return []Cell{{"switches", a, b, agrees, ""}, extra("links", 7, ""), {"kind", "a", "b", true, ""}}
	}
	table := &Table{Table: "t", Rows: []Row{{"one", cells(1, 1, true)}, {"two", cells(20, 20, true)},
		{"a row with a very long name, k = 3", append(cells(40, 30, false), number("mean_hops", 2, 2.5, 1, ""), number("zero", 0, 0, 1, ""))}}}
	plots := table.Plots()
	if len(plots) != 2 || plots[0].Name != "t" || plots[1].Name != "t-ratios" {
		t.Fatalf("figures %+v", plots)
	}
	p := plots[0].Figure.Panels
	if len(p) != 1 || !p[0].X.Log || len(p[0].Labels) != 1 || p[0].Labels[0].Text != "a row with a … k = 3" || len(p[0].Series) != 2 {
		t.Errorf("panels %+v", p)
	}
	r := plots[1].Figure.Panels[0]
	if len(r.Y.Names) != 1 || r.Y.Names[0] != "mean hops" || r.Series[0].X[0] != 1.25 {
		t.Errorf("ratios %+v", r)
	}
	for _, f := range plots {
		if _, err := chart.Encode(f.Figure, "svg"); err != nil {
			t.Error(err)
		}
	}
	if p := (&Table{Rows: []Row{{"one", []Cell{extra("links", 7, "")}}}}).Plots(); len(p) != 0 {
		t.Errorf("nothing published gives %d figures", len(p))
	}
}
