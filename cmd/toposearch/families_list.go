package main

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"toposearch/evaluator"
	"toposearch/evaluator/metric"
	"toposearch/search/branch"
	"toposearch/topology"
	"toposearch/topology/survey"
)

// fitRow is what a family can do within a radix.
type fitRow struct {
	Family    string   `json:"family"`
	Design    string   `json:"design"`
	Endpoints int64    `json:"endpoints"`
	Switches  int64    `json:"switches"`
	Links     int64    `json:"links"` // between switches
	Radix     int      `json:"radix"`
	Hops      *float64 `json:"max_hops"`         // null: too large a graph without a closed form
	Moore     *float64 `json:"moore_efficiency"` // as hops
	PortsPer  *float64 `json:"ports_per_endpoint"`
	Middle    *float64 `json:"middle_bisection"` // null: the family has no such formula
	Uniform   *float64 `json:"uniform_bound"`    // null: nothing that links would limit
	Complete  bool     `json:"complete"`         // whether all its designs were looked at
	RangeEnd  string   `json:"range_end,omitempty"`
}

type fitDoc struct {
	Schema    string   `json:"schema"`
	Radix     int      `json:"radix"`
	Endpoints int64    `json:"endpoints"`
	Uniform   float64  `json:"uniform"` // the least bound on uniform traffic that was admitted
	Rule      string   `json:"rule"`
	Designs   []fitRow `json:"designs"`
	None      []string `json:"none"` // families without any
}

const (
	commonRule = " Admitted are designs whose links could carry the share --uniform of uniform traffic if all distances were as " +
		"short as the Moore bound allows (half, a quarter, ... of it where a family has none); parameters that change no count, and tapers, stay at their defaults; endpoints that forward " +
		"count as switches of no radix, and their own ports are limited. "
	closestRule = "Of each family the closest design with endpoints enough, in steps of 10 % of the number asked for; then the fewest " +
		"switches, the fewest endpoints, the most links." + commonRule + "Sorted by switch ports per endpoint, hops, switches."
	largestRule = "Of each family the design with the most endpoints; then the fewest switches, the most links." + commonRule +
		"Sorted by endpoints, most first."
)

// listFits prints what each family can do.
func (a *app) listFits(ctx context.Context, list []*topology.Family, q branch.Wanted) error {
	doc := fitDoc{Schema: "toposearch.families/1", Radix: q.Radix, Endpoints: q.Endpoints, Uniform: q.Uniform, Rule: closestRule, Designs: []fitRow{}, None: []string{}}
	if q.Endpoints == 0 {
		doc.Rule = largestRule
	}
	ev, err := evaluator.New(evaluator.Options{})
	if err != nil {
		return err
	}
	for _, f := range list {
		if err := ctx.Err(); err != nil {
			return err
		}
		best := branch.BestFit(f, q)
		if best.V == nil {
			name := f.Name
			if !best.Complete {
				name += " (not searched completely)"
			}
			doc.None = append(doc.None, name)
			continue
		}
		row, err := rowOf(ctx, ev, f, &best)
		if err != nil {
			return err
		}
		doc.Designs = append(doc.Designs, row)
	}
	sortFits(doc.Designs, q.Endpoints == 0)
	if a.json {
		return printJSON(a.out, doc)
	}
	a.printFits(&doc)
	return nil
}

// Where distances have no closed form, they are computed for graphs of up to graphMost switches,
// embedded ones included, or if a few searches from representatives suffice: under a second.
const (
	graphMost = 10_000
	walkMost  = 2_000_000 // switches times representatives
)

// walkable tells whether the distances of a design are quickly known.
func walkable(f *topology.Family, v []int, s *topology.Size) bool {
	switch n := s.AllSwitches(); {
	case closedForm(f, v) || n <= graphMost:
		return true
	case f.Orbits == nil || n > walkMost:
		return false
	default:
		k := int64(len(f.Orbits(v).Switches))
		return k > 0 && n*k <= walkMost
	}
}

func rowOf(ctx context.Context, ev *evaluator.Evaluator, f *topology.Family, best *branch.Fit) (fitRow, error) {
	d, s := topology.Design{Family: f, V: best.V}, &best.Size
	row := fitRow{Family: f.Name, Design: d.String(), Endpoints: s.Endpoints, Switches: s.Switches(), Links: s.SwitchLinks(),
		Radix: s.Radix(), Complete: best.Complete, RangeEnd: atRange(f, best.V)}
	if u := survey.UniformBound(s); !math.IsInf(u, 0) {
		row.Uniform = &u
	}
	if f.Middle != nil {
		m := f.Middle(best.V)
		row.Middle = &m
	}
	keys := []metric.Key{metric.PortsPerEndpoint}
	if walkable(f, best.V, s) {
		keys = append(keys, metric.MaxHops, metric.MooreEfficiency)
	}
	res, err := ev.Evaluate(ctx, d, evaluator.Request{Keys: keys})
	if err != nil {
		return row, fmt.Errorf("%s: %w", d, err)
	}
	for _, x := range []struct {
		key metric.Key
		to  **float64
	}{{metric.PortsPerEndpoint, &row.PortsPer}, {metric.MaxHops, &row.Hops}, {metric.MooreEfficiency, &row.Moore}} {
		if res.Have[x.key] {
			value := res.Metrics[x.key].Value
			*x.to = &value
		}
	}
	return row, nil
}

// closedForm tells whether the routes of a design, and its shortest paths, are known without its graph.
func closedForm(f *topology.Family, v []int) bool {
	var p topology.Paths
	p.Reset()
	if f.Paths == nil || !f.Paths(v, &p) {
		return false
	}
	return p.Shortest || f.Distances != nil && f.Distances(v, &p)
}

func sortFits(rows []fitRow, bySize bool) {
	value := func(x *float64) float64 {
		if x == nil {
			return 1e18
		}
		return *x
	}
	slices.SortStableFunc(rows, func(a, b fitRow) int {
		size := 0
		if bySize {
			size = cmp.Compare(b.Endpoints, a.Endpoints)
		}
		return cmp.Or(size, cmp.Compare(value(a.PortsPer), value(b.PortsPer)), cmp.Compare(value(a.Hops), value(b.Hops)),
			cmp.Compare(a.Switches, b.Switches), cmp.Compare(a.Design, b.Design))
	})
}

func (a *app) printFits(doc *fitDoc) {
	rows := [][]string{{"design", "endpoints", "switches", "links", "radix", "hops", "Moore", "ports", "middle", "uniform"}}
	short := false
	for i := range doc.Designs {
		r := &doc.Designs[i]
		mark := ""
		if !r.Complete {
			mark, short = " *", true
		}
		if r.RangeEnd != "" && doc.Endpoints == 0 {
			mark += " <" + r.RangeEnd
		}
		rows = append(rows, []string{r.Design + mark, whole(r.Endpoints), whole(r.Switches), whole(r.Links), fmt.Sprint(r.Radix),
			optional(r.Hops, "%.0f"), optional(r.Moore, "%.3f"), optional(r.PortsPer, "%.3f"), optional(r.Middle, "%.3f"), optional(r.Uniform, "%.3f")})
	}
	printColumns(a.out, rows)
	if len(doc.None) > 0 {
		fmt.Fprint(a.out, "\n", wrap("None within the radix: "+strings.Join(doc.None, ", "), 80, ""))
	}
	fmt.Fprint(a.out, "\n", wrap(doc.Rule, 80, ""))
	fmt.Fprint(a.out, wrap("hops: most switch-to-switch hops; Moore: endpoints against the most that the radix and the hops allow; ports: switch "+
		"ports in use per endpoint; middle: share of full bisection by the cut through the middle, where a formula is known; uniform: the bound on uniform traffic; "+
		"-: the graph is too large to walk here, and eval computes it.", 80, ""))
	if short {
		fmt.Fprintln(a.out, "*: not searched completely.")
	}
	if doc.Endpoints == 0 {
		fmt.Fprint(a.out, wrap("<x: parameter x is at the end of its range, so the ports are not what limits the size.", 80, ""))
	}
}

func optional(x *float64, format string) string {
	if x == nil {
		return "-"
	}
	return fmt.Sprintf(format, *x)
}
