package report

import (
	"fmt"
	"html/template"
	"math"
	"strings"

	"toposearch/catalog"
	"toposearch/evaluator"
	"toposearch/evaluator/market"
	"toposearch/evaluator/metric"
	"toposearch/internal/unit"
)

type detailView struct {
	ID, Name, Marker, Summary string
	Style                     int
	Open                      bool
	Badges                    []badge
	Title, Source             string
	Notes                     []note
	Params                    []Param
	Slacks                    []slackView
	Sim                       *simView
	Groups                    []groupView
	Absent                    string
	Switches                  []switchView
	BOM                       []bomView
	BOMTotal                  []Fact
	Stack                     []stackView
	StackLabel                string
	Cables                    []cableView
	Floor                     template.HTML
	Dir                       string
}

type slackView struct{ Name, Origin, Value, Bound, Margin, Class string }

type simView struct {
	Chart template.HTML
	Rows  []simRow
	Note  string
}

type simRow struct {
	Name  string
	Cells []string
}

type groupView struct {
	Name string
	Rows []metricView
}

type metricView struct{ Title, Doc, Value, Bounds, Level, Method string }

type switchView struct{ Class, Model, Description, Count, Ports string }

type bomView struct {
	Part, Description, UsedIn, Need, Order, Unit, Total, Currency, Lead string
	Derived                                                             bool
}

type stackView struct {
	Name, Text, Grow string
	Style            int
}

type cableView struct{ Link, Gbps, Medium, Count, Total, Max, Lengths string }

// details fills the designs shown in full.
func (p *page) details() {
	for i := range p.Data.Details {
		det := &p.Data.Details[i]
		v := p.detail(det)
		v.Open = i == 0
		p.Details = append(p.Details, v)
	}
}

func (p *page) detail(det *Detail) detailView {
	d := p.Data
	pt := &d.Points[det.Point]
	st := p.styles.of(pt.Family)
	v := detailView{ID: p.detailOf[det.Point], Name: pt.Name, Style: st % colours, Marker: legendMarker(st),
		Summary: summary(d, pt), Title: det.Title, Source: det.Source, Params: pt.Params, Dir: det.Dir}
	for _, name := range picksOf(p.picks, det.Point) {
		v.Badges = append(v.Badges, badge{"pick", name})
	}
	if c := check(pt); c.Text != "–" {
		if pt.Sim != nil {
			c.Text = "simulation " + c.Text
		}
		v.Badges = append(v.Badges, c)
	}
	v.Notes = detailNotes(det, pt)
	for _, s := range Slacks(d, det.Point) {
		v.Slacks = append(v.Slacks, slackRow(d, s))
	}
	if pt.Sim != nil && len(pt.Sim.Traffic) > 0 {
		v.Sim = simOf(pt)
	}
	v.Groups, v.Absent = metricGroups(d, pt)
	if det.Plan != nil {
		v.Switches = switchRows(det.Plan.Switches)
		v.BOM, v.BOMTotal = bomRows(det.Plan.BOM)
		v.Stack, v.StackLabel = stackOf(det.Plan.BOM)
		v.Cables = cableRows(det.Plan.Classes)
		if det.Plan.Floor.Racks > 0 {
			v.Floor = template.HTML(floorPlan(pt.Name, &det.Plan.Floor, false))
		}
	}
	return v
}

// detailNotes are the findings about a design that a reader must not miss.
func detailNotes(det *Detail, pt *Point) []note {
	var out []note
	add := func(class, label, text string) { out = append(out, note{Class: class, Label: label, Text: text}) }
	if s := pt.Sim; s != nil {
		class, label := "", "Simulation"
		switch {
		case s.Contradicts:
			class, label = "bad", "Contradiction"
		case !s.Agrees:
			class, label = "warn", "Differs"
		}
		for _, n := range s.Notes {
			add(class, label, n)
		}
		if s.Contradicts && len(s.Notes) == 0 {
			add(class, label, "The measurement lies outside what the model certifies.")
		}
	}
	if len(det.Unpriced) > 0 {
		add("warn", "Unpriced", "No cost is stated, since these parts have no price: "+strings.Join(det.Unpriced, ", ")+".")
	}
	if pt.Bottleneck != "" {
		add("", "Bottleneck", sentence(pt.Bottleneck))
	}
	if det.VCReason != "" {
		add("", "Deadlock-free", sentence(det.VCReason))
	}
	for _, n := range det.Notes {
		add("", "Note", sentence(n))
	}
	return out
}

// sentence gives a remark a capital and a full stop.
func sentence(s string) string {
	if s == "" {
		return s
	}
	return strings.ToUpper(s[:1]) + strings.TrimSuffix(s[1:], ".") + "."
}

func slackRow(d *Data, s Slack) slackView {
	u := d.unitOf(s.Limit.Key)
	v := slackView{Name: s.Limit.Name, Origin: shortOrigin(s.Limit.Origin), Value: "not stated", Margin: "–"}
	v.Bound = limitText(s.Limit, u)
	if math.IsNaN(s.Value) {
		return v
	}
	v.Value = quantity(s.Value, u)
	v.Margin = percent(s.Margin)
	switch {
	case s.Margin < -1e-12:
		v.Class = "past"
	case s.Margin < closeTo:
		v.Class = "near"
	}
	return v
}

func limitText(l *Limit, unit string) string {
	if l.Max {
		return "≤" + unitSpace + quantity(l.Bound, unit)
	}
	return "≥" + unitSpace + quantity(l.Bound, unit)
}

// shortOrigin drops the column: file and line are what a person opens.
func shortOrigin(o string) string {
	if parts := strings.Split(o, ":"); len(parts) >= 3 {
		return strings.Join(parts[:len(parts)-1], ":")
	}
	return o
}

func simOf(pt *Point) *simView {
	s := pt.Sim
	v := &simView{Chart: template.HTML(curve(pt.Name, s))}
	for _, t := range s.Traffic {
		v.Rows = append(v.Rows, simRow{t.Name, []string{figure(t.Predicted), figure(t.Saturation),
			figure(t.PredictedZero), figure(t.ZeroLoad), figure(t.LatencyHalf)}})
	}
	v.Note = fmt.Sprintf("Flit-level simulation: %s routing, %s, %s measured cycles a load. Dashed: the model’s saturation and zero-load latency. Hollow: saturated, the latency is a lower bound.",
		s.Routing, count(s.VCs, "virtual channel", "virtual channels"), figure(float64(s.Cycles)))
	return v
}

// groups of metrics as a reader thinks of them.
var groups = []struct {
	name string
	keys []metric.Key
}{
	{"Performance", []metric.Key{metric.UniformThroughput, metric.UniformThroughputOptimal, metric.WorstThroughput, metric.TUB,
		metric.Bisection, metric.NonblockingRegion, metric.Latency, metric.MeanHops, metric.MaxHops, metric.MeanPathLinks,
		metric.MaxPathLinks, metric.MeanPathSwitches, metric.MaxPathSwitches, metric.GraphDiameter, metric.SimSaturation,
		metric.SimLatencyHalfLoad, metric.AllreduceTime, metric.AlltoallTime, metric.StepTime}},
	{"Cost and power", []metric.Key{metric.Cost, metric.CostPerEndpoint, metric.Power, metric.PowerPerEndpoint, metric.BuildingPower, metric.LeadTime}},
	{"Size and ports", []metric.Key{metric.Endpoints, metric.Switches, metric.EmbeddedSwitches, metric.SwitchLinks, metric.EndpointLinks,
		metric.Radix, metric.PhysicalPorts, metric.EndpointPorts, metric.PortsPerEndpoint, metric.PortsBoughtPerEndpoint, metric.MooreEfficiency}},
	{"Cables and floor", []metric.Key{metric.CableMax, metric.CableTotal, metric.CablesCopper, metric.CablesOptical, metric.Racks, metric.RackCables, metric.FloorArea}},
	{"Robustness and routing", []metric.Key{metric.MeanPathLinksFail, metric.ShortestPaths, metric.DisjointPaths, metric.VCsMinimal,
		metric.VCsAdaptive, metric.VCsFixed, metric.TableEntries, metric.Availability, metric.MTBF}},
}

// metricGroups gives every figure of a design, and those that are missing with their reason.
func metricGroups(d *Data, pt *Point) (out []groupView, absent string) {
	var missing []string
	for _, g := range groups {
		v := groupView{Name: g.name}
		for _, k := range g.keys {
			if !pt.Have[k] {
				if why := pt.Absent[k]; why != "" {
					missing = append(missing, strings.ToLower(Title(k))+" ("+why+")")
				}
				continue
			}
			m := d.metric(pt, k)
			v.Rows = append(v.Rows, metricView{Title(k), metric.Keys[k].Doc, quantity(m.Value, m.Unit), bounds(m),
				fmt.Sprint(metric.Keys[k].Level), m.Method})
		}
		if len(v.Rows) > 0 {
			out = append(out, v)
		}
	}
	return out, strings.Join(missing, ", ")
}

// switchRows gives the model bought for each class of switches.
func switchRows(buys []evaluator.SwitchBuy) []switchView {
	var out []switchView
	for _, b := range buys {
		if b.Part == nil {
			continue
		}
		out = append(out, switchView{b.Class, b.Part.PartNo, b.Part.Description, figure(float64(b.Count)),
			fmt.Sprintf("%s of %s", figure(float64(b.PhysicalPorts)), figure(float64(b.Part.Ports)))})
	}
	return out
}

// minorDigits of a currency; two where it is not known.
func minorDigits(currency string) int {
	if n, ok := unit.MinorDigits(currency); ok {
		return n
	}
	return 2
}

// bomRows gives the lines, and a total per currency in the order of first use.
func bomRows(lines []market.Line) (rows []bomView, totals []Fact) {
	var order []string
	sum := map[string]catalog.Money{}
	for i := range lines {
		l := &lines[i]
		v := bomView{UsedIn: l.UsedIn, Need: figure(float64(l.Quantity)), Order: figure(float64(l.Order)), Unit: "no price", Currency: l.Currency}
		if p := l.Part; p != nil {
			v.Part, v.Description, v.Derived = p.PartNo, p.Description, p.Derived
			v.Lead = figure(p.LeadWeeks)
		}
		if l.Priced {
			n := minorDigits(l.Currency)
			v.Unit, v.Total = money(int64(l.Unit), n), money(int64(l.Total), n)
			if _, ok := sum[l.Currency]; !ok {
				order = append(order, l.Currency)
			}
			sum[l.Currency] += l.Total
		}
		rows = append(rows, v)
	}
	for _, c := range order {
		totals = append(totals, Fact{c, money(int64(sum[c]), minorDigits(c))})
	}
	return rows, totals
}

// kinds of parts in the order of the cost bar.
var kinds = []struct{ kind, name string }{
	{catalog.KindSwitch, "Switches"}, {catalog.KindTransceiver, "Transceivers"}, {catalog.KindCable, "Cables"},
	{catalog.KindFibre, "Fibres"}, {catalog.KindOCS, "Circuit switches"}, {catalog.KindTrace, "Traces"}, {"", "Other"},
}

// stackOf sums the bill of materials by kind of part; nothing if it mixes currencies.
func stackOf(lines []market.Line) (out []stackView, label string) {
	sum := make([]float64, len(kinds))
	total, currency := 0.0, ""
	for i := range lines {
		l := &lines[i]
		if !l.Priced || l.Part == nil {
			continue
		}
		if currency != "" && currency != l.Currency {
			return nil, ""
		}
		currency = l.Currency
		at := len(kinds) - 1
		for j := range kinds {
			if kinds[j].kind == l.Part.Kind {
				at = j
			}
		}
		sum[at] += float64(l.Total)
		total += float64(l.Total)
	}
	var words []string
	for j, s := range sum {
		if s > 0 {
			out = append(out, stackView{kinds[j].name, percent(s / total), fmt.Sprintf("%.4f", 100*s/total), j})
			words = append(words, strings.ToLower(kinds[j].name)+" "+plain(percent(s/total)))
		}
	}
	return out, "Share of the cost: " + strings.Join(words, ", ")
}

// maxLengths bounds the lengths that a line of the cabling lists.
const maxLengths = 14

// cableRows sums the cables by link class, rate and medium, with the lengths bought.
func cableRows(classes []evaluator.CableClass) []cableView {
	type sums struct {
		count    int64
		total, m float64
		lengths  []string
	}
	var order []evaluator.CableClass
	at := map[string]*sums{}
	for _, c := range classes {
		id := fmt.Sprintf("%s|%d|%s", c.Link, c.Gbps, c.Medium)
		s := at[id]
		if s == nil {
			s = &sums{}
			at[id] = s
			order = append(order, c)
		}
		s.count += c.Count
		s.total += float64(c.Count) * c.StockM
		s.m = max(s.m, c.MaxM)
		s.lengths = append(s.lengths, fmt.Sprintf("%s\u00a0×\u00a0%s\u00a0m", figure(float64(c.Count)), figure(c.StockM)))
	}
	var out []cableView
	for _, c := range order {
		s := at[fmt.Sprintf("%s|%d|%s", c.Link, c.Gbps, c.Medium)]
		text := strings.Join(s.lengths[:min(len(s.lengths), maxLengths)], ", ")
		if n := len(s.lengths) - maxLengths; n > 0 {
			text += fmt.Sprintf(" and %d more", n)
		}
		out = append(out, cableView{c.Link, figure(float64(c.Gbps)), c.Medium, figure(float64(s.count)),
			figure(math.Round(s.total)), figure(math.Round(s.m*10) / 10), text})
	}
	return out
}
