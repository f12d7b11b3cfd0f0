package reproduce

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"toposearch/evaluator"
	"toposearch/evaluator/metric"
	"toposearch/internal/disk"
	"toposearch/search"
	"toposearch/search/run"
	"toposearch/study"
)

// atopFront is a search of ATOP's space, and what its paper compares at that size.
type atopFront struct {
	example   string // study
	published []string
}

var (
	atop256 = atopFront{"atop-1-256", []string{"zcube(n=16,k=2)", "hpn(k=32,segments=2)", "roft(k=16,pods=4)", "dragonfly(p=4,a=8,h=4,g=8)", "bcube(n=16,l=2)"}}
	// Those of its Table 6 whose accelerators all reach one another over switches, and BCube.
	atop1024 = atopFront{"atop-1", []string{"zcube(n=32,k=2)", "hpn(k=64,segments=4)", "roft(k=32,pods=4)", "dragonfly(p=4,a=8,h=4,g=32)", "bcube(n=32,l=2)"}}
)

// atopSearch runs the search in a folder of its own, and puts what it found beside the published networks, by the same objectives and
// the same price list. A published network agrees if the found front has a design that is at least as good in every objective.
func atopSearch(ctx context.Context, workers int, x *atopFront) (*Table, error) {
	dir, err := os.MkdirTemp("", "toposearch-atop")
	if err != nil {
		return nil, fmt.Errorf("cannot make a folder for the search: %w", err)
	}
	defer disk.RemoveAll(dir)
	files, err := study.InitExample(dir, x.example)
	if err != nil {
		return nil, err
	}
	st, diags := study.Load(files[0])
	if st == nil {
		return nil, fmt.Errorf("%s: %v", x.example, diags)
	}
	rd, err := run.Create(st, filepath.Join(dir, "runs"), "", run.Origin{Program: "reproduce"})
	if err != nil {
		return nil, err
	}
	defer rd.Close()
	out, err := run.Run(ctx, st, rd, search.Options{Workers: workers})
	if err != nil {
		return nil, err
	}
	if out.Front == nil {
		return nil, fmt.Errorf("the search of %s ended without a front: %s", x.example, out.Reason)
	}
	ev, err := evaluator.New(st.Options)
	if err != nil {
		return nil, err
	}
	t := &Table{
		Source:   "ATOP (SIGCOMM 2025, doi 10.1145/3718958.3750503), sections 4 and 5; study " + x.example,
		Compared: &[2]string{"published", "found"},
		Notes: []string{
			"Published are the objectives of the networks that the paper compares, found those of the design of the front that is at least as good in all of them, and cheapest; none: the search found no such design.",
			"BCube's accelerators relay, which those of layered do not: it is a network of layered_relay, which the search does not name.",
			"The paper prints no prices and its 14 objectives only in figures: both sides are computed here, with the built-in price list.",
			fmt.Sprintf("%d designs evaluated, %d on the front.", out.Front.Counts.Evaluated, len(out.Front.Front)),
		},
	}
	for _, name := range x.published {
		row, err := atopAgainst(ctx, ev, st, out.Front, name)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		t.Rows = append(t.Rows, row)
	}
	return t, nil
}

// atopSlack is by how much sums in another order may differ.
const atopSlack = 1e-9

// atopAgainst finds the cheapest design of the front that is at least as good as a published network.
func atopAgainst(ctx context.Context, ev *evaluator.Evaluator, st *study.Study, front *search.Front, name string) (Row, error) {
	d, _, err := sized(name)
	if err != nil {
		return Row{}, err
	}
	keys := make([]metric.Key, len(st.Objectives))
	for i, o := range st.Objectives {
		keys[i] = o.Key
	}
	res, err := ev.Evaluate(ctx, d, evaluator.Request{Keys: keys, BudgetNs: atopBudgetNs})
	if err != nil {
		return Row{}, err
	}
	row := Row{Name: name}
	var best *search.Record
	for i := range front.Front {
		r := &front.Front[i]
		good := true
		for _, k := range keys {
			found, ok := r.Metrics[metric.Keys[k].Name]
			if !ok || !res.Have[k] {
				good = good && !res.Have[k]
				continue
			}
			was := res.Metrics[k].Value
			if metric.Keys[k].Better == metric.Higher {
				good = good && found.Value >= was*(1-atopSlack)
			} else {
				good = good && found.Value <= was*(1+atopSlack)
			}
		}
		if good && (best == nil || r.Metrics["cost"].Value < best.Metrics["cost"].Value) {
			best = r
		}
	}
	for _, k := range keys {
		c := Cell{Column: metric.Keys[k].Name, Agrees: best != nil}
		if res.Have[k] {
			c.Published = round(res.Metrics[k].Value, 5)
		}
		if best != nil {
			c.Computed = round(best.Metrics[metric.Keys[k].Name].Value, 5)
		}
		row.Cells = append(row.Cells, c)
	}
	if best != nil {
		row.Cells[0].Note = best.Design
	} else {
		row.Cells[0].Note = "not found"
	}
	return row, nil
}
