package report

import (
	"math"

	"toposearch/evaluator/metric"
	"toposearch/report/number"
	"toposearch/study"
)

// jsonPoint is a design of the JSON form.
type jsonPoint struct {
	Design     string                   `json:"design"`
	Family     string                   `json:"family"`
	Also       []string                 `json:"also,omitempty"` // other names of the same network with the same figures
	Params     map[string]string        `json:"params"`
	Picks      []string                 `json:"picks,omitempty"`
	Metrics    map[string]metric.Figure `json:"metrics"`
	Absent     map[string]string        `json:"absent,omitempty"`
	Bottleneck string                   `json:"bottleneck,omitempty"`
	Routing    string                   `json:"routing,omitempty"` // of throughput
	Unfit      string                   `json:"routing_unfit,omitempty"`
	Vouched    string                   `json:"vouched,omitempty"`   // which level vouches for each objective
	Simulated  string                   `json:"simulated,omitempty"` // agrees, differs, contradicts
	Notes      []string                 `json:"notes,omitempty"`
	Simulation *jsonSim                 `json:"simulation,omitempty"`
	Detail     *jsonDetail              `json:"detail,omitempty"` // of picks and finalists
}

type jsonSim struct {
	Routing string `json:"routing"`
	Model   string `json:"model,omitempty"` // cut_through: latencies and cycles are ns
	VCs     int    `json:"vcs"`
	Cycles  int    `json:"cycles"`
	// Precision is that of the loads below saturation, 0 if all were measured for Cycles.
	Precision float64       `json:"precision,omitempty"`
	Traffic   []jsonTraffic `json:"traffic"`
}

// jsonTraffic holds loads as fractions of an endpoint's bandwidth and latencies in cycles; null is unknown.
type jsonTraffic struct {
	Name            string      `json:"name"`
	Saturation      *float64    `json:"saturation"`
	Predicted       *float64    `json:"predicted_saturation"`
	Expected        *float64    `json:"expected_saturation"`
	LimitedBy       string      `json:"limited_by,omitempty"`
	ZeroLoad        *float64    `json:"zero_load"`
	PredictedZero   *float64    `json:"predicted_zero_load"`
	LatencyHalfLoad *float64    `json:"latency_half_load"`
	Curve           []jsonCurve `json:"curve"`
}

type jsonCurve struct {
	Offered   *float64 `json:"offered"`
	Accepted  *float64 `json:"accepted"`
	Latency   *float64 `json:"latency"`
	P99       *float64 `json:"p99"`
	Saturated bool     `json:"saturated"` // latencies are lower bounds
}

// jsonDetail is what is bought for a design.
type jsonDetail struct {
	Dir      string      `json:"dir,omitempty"` // with bom.csv and the rest, relative to the run
	Unpriced []string    `json:"unpriced,omitempty"`
	Notes    []string    `json:"notes,omitempty"`
	BOM      []jsonPart  `json:"bom"`
	Cables   []jsonCable `json:"cables"`
}

// jsonPart has prices as decimal texts, which are exact; "" without a price.
type jsonPart struct {
	PartNo        string  `json:"part_no"`
	Description   string  `json:"description"`
	Quantity      int64   `json:"quantity"`
	OrderQuantity int64   `json:"order_quantity"`
	UnitPrice     string  `json:"unit_price"`
	ExtendedPrice string  `json:"extended_price"`
	Currency      string  `json:"currency"`
	LeadWeeks     float64 `json:"lead_time_weeks"`
	UsedIn        string  `json:"used_in"`
	Derived       bool    `json:"price_derived,omitempty"`
	ValidUntil    string  `json:"valid_until,omitempty"`
	// Spares are in no cost; ExtendedWith is the price of OrderWith, the order with them.
	Spares       int64    `json:"spares"`
	OrderWith    int64    `json:"order_with_spares"`
	ExtendedWith string   `json:"extended_price_with_spares"`
	Alternates   []string `json:"alternates,omitempty"` // part numbers, the cheapest first
}

type jsonCable struct {
	Link     string  `json:"link"`
	Gbps     int     `json:"gbps"`
	Medium   string  `json:"medium"`
	Count    int64   `json:"count"`
	StockM   float64 `json:"bought_m"`
	LongestM float64 `json:"longest_laid_m"`
}

// jsonIncumbent is a network that the study names, and what became of it; without a design there is no such network.
type jsonIncumbent struct {
	Name    string   `json:"name,omitempty"`
	Asked   string   `json:"asked"`
	Chosen  string   `json:"chosen,omitempty"` // how it was chosen where a family was named
	Verdict string   `json:"verdict"`
	Why     string   `json:"why"`
	Admit   []string `json:"admit,omitempty"` // what would put it on the front
	*jsonPoint
}

func incumbentJSON(d *Data, x *Incumbent) jsonIncumbent {
	j := jsonIncumbent{Name: x.Name, Asked: x.Asked, Chosen: x.Chosen, Verdict: x.Verdict, Why: x.Why, Admit: x.Admit}
	if !x.None {
		p := pointJSON(d, &x.Point)
		p.Detail = detailJSON(&x.Detail)
		j.jsonPoint = &p
	}
	return j
}

func jsonOf(d *Data, i int, picks []Pick) jsonPoint {
	j := pointJSON(d, &d.Points[i])
	j.Picks = picksOf(picks, i)
	return j
}

func pointJSON(d *Data, p *Point) jsonPoint {
	j := jsonPoint{Design: p.Name, Family: p.Family, Also: p.Also, Params: map[string]string{},
		Metrics: map[string]metric.Figure{}, Absent: map[string]string{}, Bottleneck: p.Bottleneck, Routing: p.Routing, Unfit: p.Unfit}
	for _, x := range p.Params {
		j.Params[x.Name] = x.Value
	}
	for k := range metric.Count {
		m := d.metric(p, k)
		switch {
		case p.Have[k] && isFinite(m.Value) && isFinite(m.Lo) && isFinite(m.Hi):
			j.Metrics[metric.Keys[k].Name] = m
		case p.Have[k]:
			j.Absent[metric.Keys[k].Name] = "not finite"
		case p.Absent[k] != "":
			j.Absent[metric.Keys[k].Name] = p.Absent[k]
		}
	}
	j.Vouched = p.Vouched
	if p.Sim != nil {
		j.Simulated, j.Notes, j.Simulation = check(p).Text, p.Sim.Notes, simJSON(p.Sim)
	}
	return j
}

func simJSON(s *Sim) *jsonSim {
	j := &jsonSim{Routing: s.Routing, VCs: s.VCs, Cycles: s.Cycles, Precision: s.Precision, Traffic: []jsonTraffic{}}
	if s.CutThrough {
		j.Model = study.CutThrough
	}
	for _, t := range s.Traffic {
		x := jsonTraffic{t.Name, known(t.Saturation), known(t.Predicted), known(t.Expected), t.LimitedBy, known(t.ZeroLoad), known(t.PredictedZero), known(t.LatencyHalf), []jsonCurve{}}
		for _, c := range t.Curve {
			x.Curve = append(x.Curve, jsonCurve{known(c.Offered), known(c.Accepted), known(c.Latency), known(c.P99), c.Saturated})
		}
		j.Traffic = append(j.Traffic, x)
	}
	return j
}

func detailJSON(det *Detail) *jsonDetail {
	j := &jsonDetail{Dir: det.Dir, Unpriced: det.Unpriced, Notes: det.Notes, BOM: []jsonPart{}, Cables: []jsonCable{}}
	if det.Plan == nil {
		return j
	}
	for i := range det.Plan.BOM {
		l := &det.Plan.BOM[i]
		p := jsonPart{Quantity: l.Quantity, OrderQuantity: l.Order, Currency: l.Currency, UsedIn: l.UsedIn}
		if l.Part != nil {
			p.PartNo, p.Description, p.LeadWeeks, p.Derived = l.Part.PartNo, l.Part.Description, l.LeadWeeks(), l.Part.Derived
			p.ValidUntil = l.Part.ValidUntil
		}
		if l.Priced {
			n := number.MinorDigits(l.Currency)
			p.UnitPrice, p.ExtendedPrice = number.ExactMoney(int64(l.Unit), n), number.ExactMoney(int64(l.Total), n)
			p.ExtendedWith = number.ExactMoney(int64(det.Supply[i].Total), n)
		}
		p.Spares, p.OrderWith = det.Supply[i].Spares, det.Supply[i].Order
		for j := range det.Supply[i].Alternates {
			p.Alternates = append(p.Alternates, det.Supply[i].Alternates[j].Part.PartNo)
		}
		j.BOM = append(j.BOM, p)
	}
	for _, c := range det.Plan.Classes {
		j.Cables = append(j.Cables, jsonCable{c.Link, c.Gbps, c.Medium, c.Count, c.StockM, c.MaxM})
	}
	return j
}

func isFinite(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }

// known is a figure for JSON: null if it is not known.
func known(v float64) *float64 {
	if !isFinite(v) {
		return nil
	}
	return &v
}
