package report

import (
	"context"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"slices"
	"strings"

	"toposearch/constraints"
	"toposearch/evaluator"
	"toposearch/evaluator/metric"
	"toposearch/search"
	"toposearch/search/run"
	"toposearch/study"
	"toposearch/topology"
)

// Formats are the forms of a report by name.
var Formats = map[string]func(io.Writer, *Data) error{
	"html": WriteHTML,
	"text": func(w io.Writer, d *Data) error { return WriteText(w, d, TextOptions{}) },
	"json": WriteJSON,
	"csv":  WriteCSV,
	"xlsx": WriteXLSX,
}

// Load reads what a report shows from a run directory. Plans of the designs shown in full are
// computed again from the copied inputs. families are as in study.Load.
func Load(dir string, families ...*topology.Family) (*Data, error) {
	r, err := open(context.Background(), dir, families)
	if err != nil {
		return nil, err
	}
	return r.data, nil
}

// run is an opened run directory.
type loaded struct {
	dir     string
	front   *search.Front
	study   *study.Study
	eval    *evaluator.Evaluator
	designs []topology.Design // of data.Details
	data    *Data
}

func open(ctx context.Context, dir string, families []*topology.Family) (*loaded, error) {
	m, err := run.ReadManifest(dir)
	if err != nil {
		return nil, err
	}
	f, err := run.ReadFront(dir)
	if err != nil {
		return nil, err
	}
	st, err := run.LoadStudy(dir, families...)
	if err != nil {
		return nil, err
	}
	ev, err := evaluator.New(st.Options)
	if err != nil {
		return nil, fmt.Errorf("report: %w", err)
	}
	r := &loaded{dir: dir, front: f, study: st, eval: ev, data: FromFront(f, m, st)}
	return r, r.details(ctx)
}

// FromFront gathers what front, manifest and study say. Details, which need an evaluation, are
// left empty.
func FromFront(f *search.Front, m *run.Manifest, st *study.Study) *Data {
	d := &Data{
		Study: f.Study, Program: m.Program, Evaluator: m.Evaluator, Seed: m.Seed,
		BandwidthGbps: st.BandwidthGbps, Currency: st.Currency.Code,
		Strategy: f.Strategy, Complete: f.Complete, LocallyComplete: f.LocallyComplete, Stopped: f.Stopped,
		Counts: Counts{Enumerated: f.Counts.Enumerated, Dominated: f.Counts.Dominated, Evaluated: f.Counts.Evaluated, Feasible: f.Counts.Feasible},
		Wanted: wanted(st), Asked: asked(st),
	}
	if st.Catalogue != nil {
		d.Catalogue = st.Catalogue.Name
		if date := st.Catalogue.Date; date != "" && !strings.Contains(d.Catalogue, date) {
			d.Catalogue += ", prices of " + date
		}
	}
	for _, o := range st.Objectives {
		d.Objectives = append(d.Objectives, Objective{o.Key, o.Better})
	}
	for _, fam := range st.Families() {
		d.Families = append(d.Families, fam.Name)
	}
	for _, in := range m.Inputs {
		d.Inputs = append(d.Inputs, Input{in.Path, in.SHA256})
	}
	for _, c := range f.Counts.Families {
		d.Counts.Families = append(d.Counts.Families, FamilyCounts{c.Family, c.Space, c.Enumerated, c.Evaluated, c.Feasible, c.OnFront, c.Complete})
	}
	d.Limits = limitsOf(st)
	for i := range f.Front {
		p := pointOf(&f.Front[i])
		nameParams(&p, st)
		d.Points = append(d.Points, p)
	}
	d.Reject = rejections(f, st)
	for i := range f.Closest {
		d.Closest = append(d.Closest, closestFrom(&f.Closest[i], d.Limits))
	}
	d.Warnings = warnings(st)
	if s := f.Simulated; s != nil {
		d.Warnings = append(d.Warnings, measuredText(s))
	}
	return d
}

// mostWarnings are told in a report; check tells all.
const mostWarnings = 10

// warnings are the findings about the inputs that did not keep the study from running.
func warnings(st *study.Study) []string {
	var out []string
	for i, w := range st.Warnings {
		if i == mostWarnings {
			out = append(out, fmt.Sprintf("The inputs gave %d more warnings; toposearch check prints them all.", len(st.Warnings)-i))
			break
		}
		s := strings.TrimSuffix(strings.ToUpper(w.Summary[:1])+w.Summary[1:], ".")
		if w.Pos.File != "" {
			s += " (" + place(constraints.Origin{Pos: w.Pos}) + ")"
		}
		if w.Detail != "" {
			s += ": " + w.Detail
		}
		out = append(out, s+".")
	}
	return out
}

// measuredText says how measured metrics made the front.
func measuredText(s *search.Simulated) string {
	text := strings.ToUpper(s.Note[:1]) + s.Note[1:] + fmt.Sprintf(". %d of %d candidates were simulated", s.Measured, s.Candidates)
	if n := len(s.Rejected); n > 0 {
		text += fmt.Sprintf("; %d misses of measured limits", n)
	}
	if n := len(s.Dominated); n > 0 {
		text += fmt.Sprintf("; %d turned out to be dominated", n)
	}
	if n := len(s.NotMeasured); n > 0 {
		text += fmt.Sprintf("; %d were not simulated and may be as good (more finalists in [verify] simulates more)", n)
	}
	return text + "."
}

// place is the file name, line and column of an origin.
func place(o constraints.Origin) string {
	pos := o.Pos
	if pos.File != "" {
		pos.File = filepath.Base(pos.File)
	}
	return pos.String()
}

func span(lo, hi int64) string {
	if lo == hi {
		return plain(figure(float64(lo)))
	}
	return plain(figure(float64(lo))) + " to " + plain(figure(float64(hi)))
}

func wanted(st *study.Study) string {
	s := span(st.MinEndpoints, st.MaxEndpoints) + " endpoints"
	if st.BandwidthGbps > 0 {
		s += " at " + Quantity(st.BandwidthGbps, "Gb/s")
	}
	return s
}

// scaleupText says how endpoints are joined beside the network.
func scaleupText(d *topology.Domain, per int) string {
	s := "joined by a scale-up mesh"
	switch d.Levels {
	case 1:
		s = fmt.Sprintf("joined by a level of %d scale-up switches", d.Switches)
	case 2:
		s = fmt.Sprintf("joined by two levels of scale-up switches: %d leaves for every %d, %d spines", d.Switches, d.Box, d.Spines)
	}
	if d.Endpoints > 0 && d.Endpoints != per {
		s += fmt.Sprintf(" in domains of %d", d.Endpoints)
	}
	return s
}

func asked(st *study.Study) []Fact {
	out := []Fact{{"Endpoints", span(st.MinEndpoints, st.MaxEndpoints)}}
	if st.BandwidthGbps > 0 {
		out = append(out, Fact{"Bandwidth of an endpoint", Quantity(st.BandwidthGbps, "Gb/s") + ", all its network ports together"})
	}
	if st.PerServer > 0 {
		s := fmt.Sprint(st.PerServer)
		if st.Scaleup {
			s += ", " + scaleupText(&st.Domain, st.PerServer)
		}
		out = append(out, Fact{"Endpoints in a server", s})
	}
	for _, o := range st.Constraints.Settings {
		out = append(out, Fact{o.Name, o.Text})
	}
	for i := range st.Constraints.Limits {
		l := &st.Constraints.Limits[i]
		// A limit that the evaluation needs to know, such as that on ports, is a setting too.
		if f := (Fact{l.Name, l.Origin.Text}); !slices.Contains(out, f) {
			out = append(out, f)
		}
	}
	return out
}

func limitsOf(st *study.Study) []Limit {
	var out []Limit
	add := func(ls []constraints.Limit, require bool) {
		for _, l := range ls {
			out = append(out, Limit{l.Name, l.Key, l.Max, l.Bound, l.Origin.Text, place(l.Origin), require})
		}
	}
	add(st.Constraints.Limits, false)
	add(st.Require, true)
	return out
}

// pointOf turns a record into a point; parameters are in the order of their names until
// nameParams knows better.
func pointOf(r *search.Record) Point {
	p := Point{Name: r.Design, Family: r.Family, Bottleneck: r.Bottleneck, Finalist: r.Finalist, Absent: map[metric.Key]string{}}
	for name, m := range r.Metrics {
		if k, ok := metric.KeyOf(name); ok {
			p.Metrics[k], p.Have[k] = m, true
		}
	}
	for name, why := range r.Absent {
		if k, ok := metric.KeyOf(name); ok {
			p.Absent[k] = why
		}
	}
	names := make([]string, 0, len(r.Params))
	for n := range r.Params {
		names = append(names, n)
	}
	slices.Sort(names)
	for _, n := range names {
		p.Params = append(p.Params, Param{Name: n, Value: fmt.Sprint(r.Params[n])})
	}
	if v := r.Verified; v != nil {
		p.Sim = simFrom(v)
		measured(&p, metric.SimSaturation, v.Saturation, "largest load accepted to 97 %, found to 2 %", satWidth)
		measured(&p, metric.SimLatencyHalfLoad, v.LatencyHalfLoad, "mean at half the saturation load", 0)
	}
	return p
}

// satWidth is how far above the load found the saturation may lie, as a fraction (DESIGN.md
// section 6, [verify]).
const satWidth = 0.02

// measured enters what was simulated under uniform traffic as a metric.
func measured(p *Point, k metric.Key, by map[string]float64, how string, width float64) {
	v, ok := by["uniform"]
	if !ok {
		return
	}
	p.Metrics[k] = metric.Figure{Value: v, Lo: v, Hi: v * (1 + width), Unit: metric.Keys[k].Unit,
		Method: "flit-level simulation, uniform traffic: " + how}
	p.Have[k] = true
	delete(p.Absent, k)
}

// simFrom orders the traffics: uniform first, then by name.
func simFrom(v *search.Verified) *Sim {
	s := &Sim{Agrees: v.Agrees, Contradicts: v.Contradicts, Notes: v.Notes, Cycles: v.Cycles, VCs: v.VCs, Routing: v.Routing}
	seen := map[string]bool{}
	for _, m := range []map[string]float64{v.Saturation, v.LatencyHalfLoad, v.ZeroLoadLatency} {
		for name := range m {
			seen[name] = true
		}
	}
	for name := range v.Curves {
		seen[name] = true
	}
	names := make([]string, 0, len(seen))
	for n := range seen {
		names = append(names, n)
	}
	slices.SortFunc(names, func(a, b string) int {
		if (a == "uniform") != (b == "uniform") {
			if a == "uniform" {
				return -1
			}
			return 1
		}
		return strings.Compare(a, b)
	})
	at := func(m map[string]float64, key string) float64 {
		if x, ok := m[key]; ok {
			return x
		}
		return math.NaN()
	}
	for _, n := range names {
		t := Traffic{Name: n, Saturation: at(v.Saturation, n), Predicted: at(v.Predicted, n), LatencyHalf: at(v.LatencyHalfLoad, n),
			ZeroLoad: at(v.ZeroLoadLatency, n), PredictedZero: math.NaN()}
		if t.PredictedZero = at(v.Predicted, "zero_load_latency."+n); math.IsNaN(t.PredictedZero) && n == "uniform" {
			t.PredictedZero = at(v.Predicted, "zero_load_latency")
		}
		for _, c := range v.Curves[n] {
			t.Curve = append(t.Curve, CurvePoint{c.Offered, c.Accepted, c.Latency, c.P99, c.Saturated})
		}
		s.Traffic = append(s.Traffic, t)
	}
	return s
}

// nameParams puts the parameters into the family's order, with their meaning.
func nameParams(p *Point, st *study.Study) {
	for _, f := range st.Families() {
		if f.Name != p.Family {
			continue
		}
		d, err := topology.ParseDesign(p.Name, []*topology.Family{f})
		if err != nil {
			return
		}
		p.Params = p.Params[:0]
		for i := range f.Params {
			x := &f.Params[i]
			p.Params = append(p.Params, Param{x.Name, x.Doc, x.Format(d.V[i]), x.Default != nil && x.Default(d.V) == d.V[i]})
		}
	}
}
