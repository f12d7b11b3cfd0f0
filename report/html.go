package report

import (
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"html/template"
	"io"
	"math"
	"strings"
	"sync"

	"toposearch/evaluator/metric"
)

// page is what the templates show: every figure is text already.
type page struct {
	Data                        *Data
	CSP                         string
	Style                       template.CSS
	Scripts                     []template.JS
	JSON                        template.JS
	Question, Verdict           string
	Badge                       badge
	Required                    []note
	Cards                       []card
	Scatter, Parallel           template.HTML
	ScatterLabel, ParallelLabel string
	FrontTitle, FrontNote       string
	Legend                      []legend
	Columns                     []columnView
	Rows                        []row
	Details                     []detailView
	Rejections                  []rejectView
	RejectNote                  string
	Closest                     []closestView
	Families                    []familyView
	Asked, Searched, Levels     []Fact
	PickRules, Footer           string
	picks                       []Pick
	styles                      styles
	detailOf                    map[int]string // id of the detail of a point
}

type badge struct{ Class, Text string }

type note struct {
	Badge       badge
	Class       string
	Label, Text string
}

type legend struct {
	Name, Marker string
	Style        int
	Count        string
}

type columnView struct{ Key, Title, Unit, Doc string }

type row struct {
	I      int
	ID     string
	Name   string
	Marker string
	Style  int
	Picks  []string
	Cells  []cell
	Check  badge
}

type cell struct{ Text, Bounds string }

var pageTemplate = sync.OnceValue(func() *template.Template {
	return template.Must(template.New("page.html").Funcs(template.FuncMap{"breakable": breakable}).ParseFS(assets, "assets/*.html"))
})

// breakable lets the name of a design wrap after its commas.
func breakable(name string) template.HTML {
	return template.HTML(strings.ReplaceAll(template.HTMLEscapeString(clean(name)), ",", ",<wbr>"))
}

// WriteHTML writes the report as one page that loads nothing from anywhere: styles, scripts and
// data are inside it, and its content security policy forbids the rest. Without scripts, and on
// paper, it shows the same figures with static charts.
func WriteHTML(w io.Writer, d *Data) error {
	p := &page{Data: d, Style: template.CSS(asset("app.css")), picks: Picks(d), styles: newStyles(d), detailOf: map[int]string{}}
	var hashes []string
	for _, name := range scripts {
		s := asset(name)
		sum := sha256.Sum256([]byte(s))
		hashes = append(hashes, "'sha256-"+base64.StdEncoding.EncodeToString(sum[:])+"'")
		p.Scripts = append(p.Scripts, template.JS(s))
	}
	p.CSP = "default-src 'none'; script-src " + strings.Join(hashes, " ") +
		"; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'"
	for i, det := range d.Details {
		p.detailOf[det.Point] = fmt.Sprintf("d-%d", i+1)
	}
	p.head()
	p.cards()
	p.front()
	p.details()
	p.rejected()
	p.run()
	js, err := payload(p)
	if err != nil {
		return fmt.Errorf("report: %w", err)
	}
	p.JSON = template.JS(js)
	if err := pageTemplate().ExecuteTemplate(w, "page.html", p); err != nil {
		return fmt.Errorf("report: cannot write the page: %w", err)
	}
	return nil
}

// legendMarker is the marker of a family in a 16 x 16 box.
func legendMarker(style int) string { return marker(shapeOf(style), 8, 8, 5.5) }

// mentioned lists the metrics that a short view of a design shows: what the search improved, and
// cost, latency and throughput in any case.
func (d *Data) mentioned() []metric.Key {
	var keys []metric.Key
	for _, k := range []metric.Key{metric.Cost, metric.Latency, metric.UniformThroughput} {
		keys = appendNew(keys, k)
	}
	for _, o := range d.Objectives {
		keys = appendNew(keys, o.Key)
	}
	return keys
}

func appendNew(keys []metric.Key, k metric.Key) []metric.Key {
	for _, have := range keys {
		if have == k {
			return keys
		}
	}
	return append(keys, k)
}

// tableKeys are the metrics of the table: objectives first, then what a buyer asks about, without
// those that few designs have.
func (d *Data) tableKeys() []metric.Key {
	var want []metric.Key
	for _, o := range d.Objectives {
		want = appendNew(want, o.Key)
	}
	for _, k := range []metric.Key{metric.Cost, metric.Latency, metric.UniformThroughput,
		metric.Power, metric.Endpoints, metric.Switches, metric.CostPerEndpoint,
		metric.MeanHops, metric.Bisection, metric.CableMax} {
		want = appendNew(want, k)
	}
	return d.had(want, len(d.Points)/2)
}

// present keeps the metrics that at least one design has.
func (d *Data) present(keys []metric.Key) []metric.Key { return d.had(keys, 1) }

// had keeps the metrics that at least n designs have.
func (d *Data) had(keys []metric.Key, n int) []metric.Key {
	var out []metric.Key
	for _, k := range keys {
		have := 0
		for i := range d.Points {
			if d.Points[i].Have[k] {
				have++
			}
		}
		if have >= max(n, 1) {
			out = append(out, k)
		}
	}
	return out
}

// parallelKeys are the axes of the parallel coordinates: the objectives, and power, hops and
// longest cable where they differ among the designs; seven at most can be read.
func (d *Data) parallelKeys() []metric.Key {
	var keys []metric.Key
	for _, o := range d.Objectives {
		keys = appendNew(keys, o.Key)
	}
	for _, k := range []metric.Key{metric.Power, metric.MeanHops, metric.Bisection, metric.CableMax, metric.Switches} {
		lo, hi := math.Inf(1), math.Inf(-1)
		for _, v := range column(d.Points, k) {
			if !math.IsNaN(v) {
				lo, hi = min(lo, v), max(hi, v)
			}
		}
		if lo < hi {
			keys = appendNew(keys, k)
		}
	}
	keys = d.had(keys, len(d.Points)/2)
	return keys[:min(len(keys), 7)]
}

// scatterKeys are the two metrics that the scatter chart starts with: cost across where it is
// known, and the first other objective.
func (d *Data) scatterKeys() (x, y metric.Key) {
	keys := d.present(d.mentioned())
	x, y = metric.Endpoints, metric.Switches
	if len(keys) > 0 {
		x = keys[0]
	}
	if len(keys) > 1 {
		y = keys[1]
	}
	for _, o := range d.Objectives {
		if o.Key != x && d.has(o.Key) {
			return x, o.Key
		}
	}
	return x, y
}

func (d *Data) has(k metric.Key) bool { return len(d.present([]metric.Key{k})) > 0 }

// check says in two words what simulation said of a design.
func check(p *Point) badge {
	switch {
	case p.Sim == nil && p.Finalist:
		return badge{"warn", "not simulated"}
	case p.Sim == nil:
		return badge{"", "–"}
	case p.Sim.Contradicts:
		return badge{"bad", "contradicts"}
	case !p.Sim.Agrees:
		return badge{"warn", "differs"}
	}
	return badge{"good", "agrees"}
}
