package reproduce

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"toposearch/evaluator"
	"toposearch/evaluator/metric"
	"toposearch/internal/disk"
	"toposearch/objectives"
	"toposearch/search"
	"toposearch/search/run"
	"toposearch/study"
	"toposearch/topology"
	"toposearch/topology/family"
)

// atopFront is a search of ATOP's space, and what its paper compares at that size.
type atopFront struct {
	example   string // study
	published []string
	// evaluations, if not 0, are all that the search may take, in place of the study's.
	evaluations int64
}

var (
	atop256 = atopFront{example: "atop-1-256", published: []string{"zcube(n=16,k=2)", "hpn(k=32,segments=2)", "roft(k=16,pods=4)", "dragonfly(p=4,a=8,h=4,g=8)", "bcube(n=16,l=2)"}}
	// Those of its Table 6 whose accelerators all reach one another over switches, and BCube.
	atop1024 = atopFront{example: "atop-1", published: []string{"zcube(n=32,k=2)", "hpn(k=64,segments=4)", "roft(k=32,pods=4)", "dragonfly(p=4,a=8,h=4,g=32)", "bcube(n=32,l=2)"}}
)

// atopSearch runs the search in a folder of its own, and puts what it found beside the published networks.
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
	if x.evaluations > 0 {
		st.Search.Evaluations = x.evaluations
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
	return atopFronts(ctx, st, out.Front, x)
}

// atopPoint is a network by the objectives of the study: a published one, or one of the front found.
type atopPoint struct {
	name   string
	d      topology.Design
	values []float64 // by objective; NaN: absent
	found  bool
	net    *topology.Network
}

// atopFronts puts both fronts into one table, by cost: the published networks, each beside the design that is at least as good, and
// the designs found, each with what it is beside the published ones. All are judged by the same evaluator and price list.
func atopFronts(ctx context.Context, st *study.Study, front *search.Front, x *atopFront) (*Table, error) {
	ev, err := evaluator.New(st.Options)
	if err != nil {
		return nil, err
	}
	keys := make([]metric.Key, len(st.Objectives))
	for i, o := range st.Objectives {
		keys[i] = o.Key
	}
	published, found, err := atopPoints(ctx, ev, front, x.published, keys)
	if err != nil {
		return nil, err
	}
	t := &Table{
		Source:   "ATOP (SIGCOMM 2025, doi 10.1145/3718958.3750503), sections 4 and 5; study " + x.example,
		Compared: &[2]string{"published", "found"},
		Notes: []string{
			"Both fronts, by cost. Published are the objectives of the networks that the paper compares; beside them stand those of the design of the found front that is at least as good in all of them, and " +
				"cheapest; none: the search found no such design. Rows without published figures are the found front, but for designs within 2 % of another one.",
			"BCube's accelerators relay, which those of layered do not: it is a network of layered_relay, which the search does not name.",
			"Throughputs above 1 count as equal where networks are compared, as in the search. The paper prints no prices and its 14 objectives only in figures: both sides are computed here, with the built-in price list.",
			fmt.Sprintf("%d designs evaluated, %d on the front.", front.Counts.Evaluated, len(front.Front)),
		},
	}
	shown := map[string]bool{} // not by another
	for i := range front.Front {
		r := &front.Front[i]
		shown[r.Design] = r.ShownBy == "" && r.SameAs == ""
	}
	same := map[*atopPoint]*atopPoint{} // networks of the two fronts that are one graph
	for _, p := range published {
		f, err := atopSame(p, found)
		if err != nil {
			return nil, err
		}
		if f != nil {
			same[p], same[f], shown[f.name] = f, p, true
		}
	}
	all := slices.Concat(published, found)
	slices.SortStableFunc(all, func(a, b *atopPoint) int { return cmp.Compare(a.values[0], b.values[0]) })
	for _, p := range all {
		if !p.found {
			t.Rows = append(t.Rows, atopPublished(p, same[p], published, found, st.Objectives))
		} else if shown[p.name] {
			t.Rows = append(t.Rows, atopFound(p, same[p], published, st.Objectives))
		}
	}
	return t, nil
}

// atopPoints are the published networks, evaluated, and the designs of the front.
func atopPoints(ctx context.Context, ev *evaluator.Evaluator, front *search.Front, names []string, keys []metric.Key) (published, found []*atopPoint, err error) {
	for _, name := range names {
		d, _, err := sized(name)
		if err != nil {
			return nil, nil, err
		}
		res, err := ev.Evaluate(ctx, d, evaluator.Request{Keys: keys, BudgetNs: atopBudgetNs})
		if err != nil {
			return nil, nil, fmt.Errorf("%s: %w", name, err)
		}
		p := &atopPoint{name: name, d: d}
		for _, k := range keys {
			v := math.NaN()
			if res.Have[k] {
				v = res.Metrics[k].Value
			}
			p.values = append(p.values, v)
		}
		published = append(published, p)
	}
	for i := range front.Front {
		r := &front.Front[i]
		p := &atopPoint{name: r.Design, found: true}
		if p.d, err = topology.ParseDesign(r.Design, family.Known()); err != nil {
			return nil, nil, err
		}
		for _, k := range keys {
			v := math.NaN()
			if m, ok := r.Metrics[metric.Keys[k].Name]; ok {
				v = m.Value
			}
			p.values = append(p.values, v)
		}
		found = append(found, p)
	}
	return published, found, nil
}

// atopSlack is by how much sums in another order may differ.
const atopSlack = 1e-9

// asGood tells whether a is at least as good as b in all objectives, and better whether it is better in one. What is absent of b is
// the worst there is.
func asGood(a, b *atopPoint, by []objectives.Objective) (good, better bool) {
	good = true
	for i := range by {
		x, y := by[i].Cost(a.values[i]), by[i].Cost(b.values[i]) // throughput of more than endpoints send is worth no more
		slack := 0.0
		if !math.IsInf(y, 1) {
			slack = atopSlack * math.Abs(y)
		}
		good = good && x <= y+slack
		better = better || x < y-slack
	}
	return good, good && better
}

// atopSameSteps bounds a comparison of two networks as a run does: a second.
const atopSameSteps = 2e8

// atopSame is the first of the found designs that is the same graph.
func atopSame(p *atopPoint, found []*atopPoint) (*atopPoint, error) {
	for _, o := range found {
		for _, x := range []*atopPoint{p, o} {
			if x.net == nil {
				n, err := x.d.Build()
				if err != nil {
					return nil, err
				}
				x.net = n
			}
		}
		if s, _ := topology.Isomorphic(p.net, o.net, atopSameSteps); s == topology.Same {
			return o, nil
		}
	}
	return nil, nil
}

// names lists points, or says none.
func names(list []*atopPoint) string {
	if len(list) == 0 {
		return "none"
	}
	var out []string
	for _, p := range list {
		out = append(out, p.name)
	}
	return strings.Join(out, ", ")
}

// atopPublished is the row of a published network: it agrees if the found front has a design that is at least as good.
func atopPublished(p, same *atopPoint, published, found []*atopPoint, by []objectives.Objective) Row {
	var best *atopPoint // the cheapest
	var over []*atopPoint
	better := 0
	for _, f := range found {
		good, more := asGood(f, p, by)
		if good && (best == nil || f.values[0] < best.values[0]) {
			best = f
		}
		if more {
			better++
		}
	}
	for _, o := range published {
		if _, more := asGood(o, p, by); more {
			over = append(over, o)
		}
	}
	row := Row{Name: p.name}
	for i := range by {
		c := Cell{Column: metric.Keys[by[i].Key].Name, Agrees: best != nil}
		if !math.IsNaN(p.values[i]) {
			c.Published = round(p.values[i], 5)
		}
		if best != nil {
			c.Computed = round(best.values[i], 5)
		}
		row.Cells = append(row.Cells, c)
	}
	note := "not found"
	switch {
	case same != nil && same == best:
		note = "the same network: " + same.name
	case same != nil && best == nil:
		note = "not found as good: the same network stands on the front as " + same.name + ", whose family has other routes or another floor plan"
	case same != nil:
		note = "by " + best.name + "; the same network stands on the front as " + same.name
	case best != nil:
		note = "by " + best.name
	}
	row.Cells[0].Note = fmt.Sprintf("%s; better in one objective and worse in none: of the published %s, of those found %d", note, names(over), better)
	return row
}

// atopFound is the row of a design of the front.
func atopFound(p, same *atopPoint, published []*atopPoint, by []objectives.Objective) Row {
	var under []*atopPoint
	for _, o := range published {
		if _, more := asGood(p, o, by); more {
			under = append(under, o)
		}
	}
	row := Row{Name: p.name}
	for i := range by {
		var v any
		if !math.IsNaN(p.values[i]) {
			v = round(p.values[i], 5)
		}
		row.Cells = append(row.Cells, extra(metric.Keys[by[i].Key].Name, v, ""))
	}
	note := "better than, and worse in nothing: " + names(under)
	if same != nil {
		note = "the same network as " + same.name + "; " + note
	}
	row.Cells[0].Note = note
	return row
}
