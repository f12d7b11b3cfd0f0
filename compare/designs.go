package compare

import (
	"cmp"
	"context"
	"encoding/json"
	"math"

	"toposearch/evaluator"
	"toposearch/evaluator/metric"
	"toposearch/report/number"
	"toposearch/search"
	"toposearch/search/run"
)

// Schema names the form of `compare --json` of designs.
const Schema = "toposearch.compare/1"

// Designs are designs side by side under one study.
type Designs struct {
	Schema   string   `json:"schema"`
	Study    string   `json:"study"`
	Currency string   `json:"currency"`
	Designs  []Design `json:"designs"`
	// Against compares every further design with the first.
	Against []Difference `json:"against"`
}

// Design is one of them. Name is the letter by which sentences call it.
type Design struct {
	Name    string                   `json:"name"`
	Design  string                   `json:"design"`
	Chosen  string                   `json:"chosen,omitempty"` // how, of a family
	Verdict string                   `json:"verdict,omitempty"`
	Why     string                   `json:"why,omitempty"`
	Routing string                   `json:"routing"`
	Cost    json.Number              `json:"cost,omitempty"` // exact; absent where a part has no price or there is no plan
	Metrics map[string]metric.Figure `json:"metrics"`
	Absent  map[string]string        `json:"absent,omitempty"`
	Bill    []Part                   `json:"bill"`
	Classes []Class                  `json:"classes"`
	Hops    *evaluator.Histogram     `json:"hops"`
	Sim     *search.Verified         `json:"simulation,omitempty"`

	minor  int64
	priced bool
}

// Difference is what one design has more or less of than another.
type Difference struct {
	Design  string         `json:"design"`
	Than    string         `json:"than"`
	Reasons []string       `json:"reasons"`        // in sentences
	Change  json.Number    `json:"cost,omitempty"` // of the cost: that of all groups, and of all parts
	Groups  []GroupChange  `json:"groups"`
	Parts   []PartChange   `json:"parts"`
	Classes []ClassChange  `json:"classes"`
	Metrics []MetricChange `json:"metrics"`
	Hops    []Shift        `json:"hops,omitempty"` // shares of endpoint pairs by how many links more their routes have
}

// Of compares designs that were evaluated under a problem.
func Of(ctx context.Context, p *search.Problem, views []run.View) (*Designs, error) {
	cur := cmp.Or(p.Study.Options.Currency, "USD")
	out := &Designs{Schema: Schema, Study: p.Study.Name, Currency: cur, Against: []Difference{}}
	ev, err := evaluator.New(p.Study.Options)
	if err != nil {
		return nil, err
	}
	for i := range views {
		v := &views[i]
		d := Design{Name: letter(i), Design: v.Record.Design, Chosen: v.Chosen, Verdict: v.Verdict, Why: v.Why, Routing: v.Record.Routing, Metrics: v.Record.Metrics,
			Absent: v.Record.Absent, Sim: v.Record.Verified, Bill: billOf(v.Result.Plan, cur), Classes: classesOf(v.Result.Plan)}
		if c := v.Result.Metrics[metric.Cost]; v.Result.Have[metric.Cost] {
			d.priced = true
			d.minor = int64(math.Round(c.Value * math.Pow10(number.MinorDigits(cur))))
			d.Cost = money(d.minor, cur)
		}
		if d.Hops, err = ev.Histogram(ctx, v.Design); err != nil {
			return nil, err
		}
		out.Designs = append(out.Designs, d)
	}
	var objectives []metric.Key
	for _, o := range p.Objectives {
		objectives = append(objectives, o.Key)
	}
	for i := 1; i < len(views); i++ {
		out.Against = append(out.Against, between(&out.Designs[0], &out.Designs[i], &views[0], &views[i], metricsSaid(objectives), cur))
	}
	return out, nil
}

// letter names the designs of a comparison: A, B, C.
func letter(i int) string { return string(rune('A' + i)) }

// between compares b with a.
func between(a, b *Design, va, vb *run.View, said []metric.Key, cur string) Difference {
	x := Difference{Design: b.Design, Than: a.Design, Reasons: []string{}, Groups: []GroupChange{}, Metrics: metricChanges(va.Record, vb.Record)}
	x.Parts = partChanges(a.Bill, b.Bill, cur)
	x.Classes = classChanges(a.Classes, b.Classes)
	if pa, pb := va.Result.Plan, vb.Result.Plan; pa != nil && pb != nil {
		x.Groups = groupChanges(x.Parts, pa, pb, cur)
	}
	switch {
	case a.priced && b.priced:
		minor := b.minor - a.minor
		x.Change = money(minor, cur)
		x.Reasons = append(x.Reasons, costSentence(b.Name, float64(minor)/math.Pow10(number.MinorDigits(cur)), x.Groups,
			[2]int64{va.Result.Size.Endpoints, vb.Result.Size.Endpoints},
			[2]float64{va.Result.Metrics[metric.CostPerEndpoint].Value, vb.Result.Metrics[metric.CostPerEndpoint].Value}, cur))
	default:
		for i, d := range []*Design{a, b} {
			if !d.priced {
				x.Reasons = append(x.Reasons, d.Name+" has no cost: "+[]*run.View{va, vb}[i].Result.Absent[metric.Cost])
			}
		}
	}
	for _, k := range said {
		c, ok := changeOf(k, va.Record, vb.Record)
		if !ok {
			continue
		}
		text := metricSentence(b.Name, &c)
		if pa, pb := va.Result.Plan, vb.Result.Plan; k == metric.Power && text != "" && pa != nil && pb != nil {
			text += powerTerms(&c, pa, pb)
		}
		if text != "" {
			x.Reasons = append(x.Reasons, text)
		}
	}
	if a.Hops.Why == "" && b.Hops.Why == "" {
		x.Hops = shifts(a.Hops.Pairs, b.Hops.Pairs)
		x.Reasons = append(x.Reasons, hopsSentence(b.Name, x.Hops))
	} else {
		for _, d := range []*Design{a, b} {
			if d.Hops.Why != "" {
				x.Reasons = append(x.Reasons, "routes are not compared pair by pair: of "+d.Name+", "+d.Hops.Why)
			}
		}
	}
	return x
}
