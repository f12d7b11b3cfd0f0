package report

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"slices"
	"strings"

	"toposearch/catalog"
	"toposearch/compare"
	"toposearch/evaluator"
	"toposearch/evaluator/metric"
	"toposearch/report/number"
	"toposearch/search/run"
	"toposearch/topology"
)

// Bounds of what a sensitivity takes.
const (
	mostBrief = 5_000 // designs in a journal that a report goes through for each limit, some 20 us each
	// briefEndpoints are those up to which a report moves limits and prices at all: a bill of more takes tenths of a second.
	briefEndpoints = 16_384
	mostBills      = 200 // designs of the front whose bills are made out, some milliseconds each
	mostEvens      = 12  // break-evens that are verified and shown, two evaluations each,
	briefEvens     = 5   // and those in a report
	mostPaired     = 8   // designs of the front that are compared beside the picks and the incumbents
	evenRange      = 2   // from half of a price to twice of it
	priceRange     = 0.3 // by which kinds of parts are made dearer and cheaper: what quotations of one part differ by
)

// reportEffort is what a report takes for it: a second or two, for which limits on metrics are moved and others are not.
var reportEffort = run.Effort{Evaluations: 16, Visits: 1 << 17, Brief: true}

// sensitivity moves limits and prices; what a run judged by simulation cannot answer stands in its notes.
func (r *loaded) sensitivity(ctx context.Context, most run.Effort, workers int, families []*topology.Family) (*Sensitivity, error) {
	s := &Sensitivity{Schema: SensitivitySchema, Study: r.data.Study, Currency: r.data.Currency, Curves: []run.Curve{}, BreakEvens: []compare.BreakEven{}, Picks: []StablePick{}}
	if s.Currency == "" {
		s.Currency = "USD"
	}
	if most.Brief && r.hurried() {
		s.Notes = append(s.Notes, "limits and prices are not moved in the report of a run that was stopped, or that a short budget of time ended: toposearch what-if does that")
		return s, nil
	}
	if most.Brief && r.study.MaxEndpoints > briefEndpoints {
		s.Notes = append(s.Notes, "limits and prices are not moved in the report of networks this large: toposearch what-if does that")
		return s, nil
	}
	var curves []run.Curve
	var err error
	if most.Brief && r.front.Counts.Evaluated > mostBrief {
		s.Notes = append(s.Notes, "limits are not moved, since the journal is long: toposearch what-if does that")
	} else {
		curves, err = run.Curves(ctx, r.dir, most, workers, families...)
	}
	switch {
	case errors.Is(err, run.ErrSimulated):
		s.Notes = append(s.Notes, "limits are not moved: the front was judged by simulation, which is not repeated")
	case err != nil:
		return nil, err
	default:
		s.Curves = append(s.Curves, curves...)
	}
	bills, err := r.bills(ctx)
	if err != nil {
		return nil, err
	}
	if len(r.data.Points) > len(bills) {
		s.Notes = append(s.Notes, fmt.Sprintf("prices are moved for the first %d designs of the front alone, of %d", len(bills), len(r.data.Points)))
	}
	s.stability(r.data, bills)
	shown := mostEvens
	if most.Brief {
		shown = briefEvens
	}
	return s, s.evens(ctx, r, bills, shown, families)
}

// bills makes out those of the first designs of the front.
func (r *loaded) bills(ctx context.Context) ([]compare.Priced, error) {
	var out []compare.Priced
	for i := range r.data.Points[:min(len(r.data.Points), mostBills)] {
		p, err := priced(ctx, r.eval, r.data.Points[i].Name, r.study.Known)
		if err != nil {
			return nil, err
		}
		out = append(out, p)
	}
	return out, nil
}

// priced is a design with its bill.
func priced(ctx context.Context, ev *evaluator.Evaluator, name string, families []*topology.Family) (compare.Priced, error) {
	d, err := topology.ParseDesign(name, families)
	if err != nil {
		return compare.Priced{}, fmt.Errorf("report: front.json holds %s: %w", name, err)
	}
	res, err := ev.Evaluate(ctx, d, evaluator.Request{Level: 0, Keys: []metric.Key{metric.Cost}})
	if err != nil {
		return compare.Priced{}, err
	}
	return compare.PricedOf(name, res.Plan), nil
}

// evens finds and verifies break-evens between picks.
func (s *Sensitivity) evens(ctx context.Context, r *loaded, bills []compare.Priced, shown int, families []*topology.Family) error {
	var designs []compare.Priced
	at := map[string]compare.Priced{}
	take := func(b compare.Priced) {
		if at[b.Design].Design == "" {
			at[b.Design] = b
			designs = append(designs, b)
		}
	}
	for _, p := range Picks(r.data) {
		if p.Point < len(bills) {
			take(bills[p.Point])
		}
	}
	for i := range bills[:min(len(bills), mostPaired)] {
		take(bills[i])
	}
	for i := range r.data.Incumbents {
		if x := &r.data.Incumbents[i]; !x.None && !strings.HasPrefix(x.Asked, "file:") {
			b, err := priced(ctx, r.eval, x.Point.Name, r.study.Known)
			if err != nil {
				return err
			}
			take(b)
		}
	}
	all := compare.BreakEvens(designs, evenRange, s.Currency)
	for i := range all[:min(len(all), shown)] {
		b := &all[i]
		change := new(big.Rat).Sub(b.Rat(), big.NewRat(1, 1))
		change.Mul(change, big.NewRat(100, 1))
		st, err := run.LoadChanged(r.dir, fmt.Sprintf("\n[what_if.prices]\n%s = \"%s %%\"\n", quoted(b.Part), change.RatString()), families...)
		if err != nil {
			return err
		}
		ev, err := evaluator.New(st.Options)
		if err != nil {
			return err
		}
		var then [2]compare.Priced
		for side, name := range []string{b.Cheaper, b.Beyond} {
			if then[side], err = priced(ctx, ev, name, r.study.Known); err != nil {
				return err
			}
		}
		b.Check([2]compare.Priced{at[b.Cheaper], at[b.Beyond]}, then, s.Currency)
		s.BreakEvens = append(s.BreakEvens, *b)
	}
	if n := len(all) - shown; n > 0 {
		s.Notes = append(s.Notes, fmt.Sprintf("%s between half and twice of the present price are farther off and not shown", number.Count(n, "break-even", "break-evens")))
	}
	return nil
}

// quoted is a part number as a key of TOML.
func quoted(s string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(s) + `"`
}

// moved is a list of prices: a factor by kind of part.
type moved struct {
	name   string
	factor map[string]float64
}

// lists are the prices under which picks are looked for again: each kind of parts alone dearer and cheaper, and each alone as it is while all others are.
func lists(bills []compare.Priced) []moved {
	var kinds []string
	for i := range bills {
		for k := range bills[i].Lines {
			if kind := bills[i].Lines[k].Part.Kind; !slices.Contains(kinds, kind) {
				kinds = append(kinds, kind)
			}
		}
	}
	slices.Sort(kinds)
	var out []moved
	for _, kind := range kinds {
		for _, by := range []float64{priceRange, -priceRange} {
			percent := fmt.Sprintf("%+.0f %%", 100*by)
			out = append(out, moved{kindsText(kind) + " " + percent, map[string]float64{kind: 1 + by}})
			if len(kinds) < 3 {
				continue
			}
			others := map[string]float64{}
			for _, k := range kinds {
				if k != kind {
					others[k] = 1 + by
				}
			}
			out = append(out, moved{"all but " + kindsText(kind) + " " + percent, others})
		}
	}
	return out
}

// kindsText is the plural of a kind of parts.
func kindsText(kind string) string {
	switch kind {
	case catalog.KindSwitch:
		return "switches"
	case catalog.KindNIC:
		return "network cards"
	case catalog.KindOCS:
		return "circuit switches"
	}
	return strings.ReplaceAll(kind, "_", " ") + "s"
}

// stability looks for the picks under other prices, with the parts that designs buy now: what they would save by buying others is not counted.
func (s *Sensitivity) stability(d *Data, bills []compare.Priced) {
	all := *d
	all.Points = slices.Clone(d.Points[:len(bills)])
	picks := Picks(&all)
	for _, p := range picks {
		s.Picks = append(s.Picks, StablePick{Pick: p.Name, Design: all.Points[p.Point].Name, Rivals: rivals(&all, p)})
	}
	for _, l := range lists(bills) {
		then := all
		then.Points = slices.Clone(all.Points)
		for i := range bills {
			cost := 0.0
			for k := range bills[i].Lines {
				x := &bills[i].Lines[k]
				f := 1.0
				if g, ok := l.factor[x.Part.Kind]; ok {
					f = g
				}
				cost += f * float64(x.Total)
			}
			p := &then.Points[i]
			if p.Have[metric.Cost] {
				p.Metrics[metric.Cost].Value = cost
				p.Metrics[metric.CostPerEndpoint].Value = cost / p.Value(metric.Endpoints)
			}
		}
		again := Picks(&then)
		for i := range s.Picks {
			k := slices.IndexFunc(again, func(q Pick) bool { return q.Name == s.Picks[i].Pick })
			s.Picks[i].Prices++
			if k >= 0 && again[k].Point == picks[i].Point {
				s.Picks[i].Kept++
			} else if k >= 0 {
				s.Picks[i].Loses = append(s.Picks[i].Loses, Loss{l.name, then.Points[again[k].Point].Name})
			}
		}
	}
}

// rivals are the designs whose bounds overlap those of a pick in the figure that it was picked for.
func rivals(d *Data, p Pick) []string {
	keys := map[string]metric.Key{"Cheapest": metric.Cost, "Fastest": metric.Latency, "Best per watt": metric.UniformThroughput, "Any traffic": metric.WorstThroughput}
	k, ok := keys[p.Name]
	a := &d.Points[p.Point]
	if !ok || !a.Have[k] {
		return nil
	}
	var out []string
	for i := range d.Points {
		b := &d.Points[i]
		if i == p.Point || !b.Have[k] {
			continue
		}
		x, y := a.Metrics[k], b.Metrics[k]
		if x.Lo == x.Hi && y.Lo == y.Hi {
			continue
		}
		scale := 1.0 // of throughput a watt: what an endpoint can use of it
		if k == metric.UniformThroughput {
			wa, wb := a.Value(metric.Power), b.Value(metric.Power)
			if !(wa > 0) || !(wb > 0) {
				continue
			}
			scale = b.Value(metric.Endpoints) / wb / (a.Value(metric.Endpoints) / wa)
			if min(1, y.Hi)*scale > min(1, x.Lo) {
				out = append(out, b.Name)
			}
			continue
		}
		if y.Lo < x.Hi {
			out = append(out, b.Name)
		}
	}
	return out
}
