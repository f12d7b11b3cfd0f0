package report

import (
	"encoding/json"
	"fmt"
	"html/template"
	"math"
	"strconv"

	"toposearch/evaluator/metric"
)

// front fills charts and table.
func (p *page) front() {
	d := p.Data
	p.FrontTitle = frontTitle(d)
	if len(d.Points) == 0 {
		return
	}
	kx, ky := d.scatterKeys()
	pk := d.parallelKeys()
	p.Scatter = template.HTML(scatter(d, p.styles, p.picks, kx, ky))
	p.Parallel = template.HTML(parallel(d, p.styles, pk))
	p.ScatterLabel = fmt.Sprintf("Scatter chart of %d designs. The table below holds the same figures. Arrow keys move the last compared design.", len(d.Points))
	p.ParallelLabel = fmt.Sprintf("Parallel coordinates of %d designs. The table below holds the same figures.", len(d.Points))
	p.FrontNote = "Designs of which none is better than another in every objective. Every figure is the model’s, but for the column Simulation."
	p.legend()
	keys := d.tableKeys()
	scales := make([]Scale, len(keys))
	for j, k := range keys {
		scales[j] = ScaleOf(d.unitOf(k), column(d.Points, k))
		p.Columns = append(p.Columns, columnView{metric.Keys[k].Name, Title(k), scales[j].Unit, metric.Keys[k].Doc})
	}
	for i := range d.Points {
		pt := &d.Points[i]
		st := p.styles.of(pt.Family)
		r := row{I: i, ID: p.detailOf[i], Name: pt.Name, Style: st % colours, Marker: legendMarker(st),
			Picks: picksOf(p.picks, i), Check: check(pt)}
		for j, k := range keys {
			c := cell{Text: "–"}
			if pt.Have[k] {
				c = cell{scales[j].format(pt.Value(k)), bounds(d.metric(pt, k))}
			} else if why := pt.Absent[k]; why != "" {
				c.Bounds = why
			}
			r.Cells = append(r.Cells, c)
		}
		p.Rows = append(p.Rows, r)
	}
}

// frontTitle does not let a part of a front pass for all of it.
func frontTitle(d *Data) string {
	if d.Complete {
		return "The front"
	}
	return "The front so far (not complete)"
}

// metric is a metric with the unit in which it is printed.
func (d *Data) metric(p *Point, k metric.Key) metric.Figure {
	m := p.Metrics[k]
	m.Unit = d.unitOf(k)
	return m
}

func (p *page) legend() {
	n := map[string]int{}
	for i := range p.Data.Points {
		n[p.Data.Points[i].Family]++
	}
	for i, f := range p.styles {
		if n[f] > 0 {
			p.Legend = append(p.Legend, legend{f, legendMarker(i), i % colours, figure(float64(n[f]))})
		}
	}
}

// The data of the scripts, in columns: names repeat once for a thousand designs.
type payloadData struct {
	Schema   string          `json:"schema"`
	Study    string          `json:"study"`
	Names    []string        `json:"names"`
	Families []payloadFamily `json:"families"`
	Fam      []int           `json:"fam"`
	Sim      []string        `json:"sim"`
	Axes     []payloadAxis   `json:"axes"`
	Table    []string        `json:"table"`
	Parallel []string        `json:"parallel"`
	X        string          `json:"x"`
	Y        string          `json:"y"`
	Picks    []payloadPick   `json:"picks"`
	Detail   map[int]string  `json:"detail"`
	Methods  []string        `json:"methods"`
}

type payloadFamily struct {
	Name  string `json:"name"`
	Color int    `json:"color"`
	Shape string `json:"shape"`
	Mark  string `json:"mark"` // path in a 16 x 16 box
}

type payloadPick struct {
	Name string `json:"name"`
	I    int    `json:"i"`
}

type payloadAxis struct {
	Key    string   `json:"key"`
	Title  string   `json:"title"`
	Unit   string   `json:"unit"`
	Div    float64  `json:"div"`
	Dec    int      `json:"dec"`
	Better int      `json:"better"`
	V      []number `json:"v"`
	Lo     []number `json:"lo,omitempty"` // only where a bound differs from the value
	Hi     []number `json:"hi,omitempty"`
	Method []int    `json:"method"` // into Methods
}

// number is a figure of nine significant digits, null if absent: enough to sort and filter by
// without a byte to spare in a thousand rows.
type number float64

// MarshalJSON writes the shortest text of nine digits.
func (n number) MarshalJSON() ([]byte, error) {
	f := float64(n)
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return []byte("null"), nil
	}
	if f == math.Trunc(f) && math.Abs(f) < 1e15 {
		return strconv.AppendInt(nil, int64(f), 10), nil
	}
	return strconv.AppendFloat(nil, f, 'g', 9, 64), nil
}

// payload is the JSON that the scripts read. encoding/json escapes <, > and &, so that no name can
// end the element that holds it.
func payload(p *page) ([]byte, error) {
	d := p.Data
	out := payloadData{Schema: Schema, Study: d.Study, Detail: p.detailOf, Methods: []string{}}
	for i, f := range p.styles {
		out.Families = append(out.Families, payloadFamily{f, i % colours, shapes[shapeOf(i)], legendMarker(i)})
	}
	for i := range d.Points {
		pt := &d.Points[i]
		out.Names = append(out.Names, pt.Name)
		out.Fam = append(out.Fam, p.styles.of(pt.Family))
		out.Sim = append(out.Sim, check(pt).Text)
	}
	for _, k := range p.picks {
		out.Picks = append(out.Picks, payloadPick{k.Name, k.Point})
	}
	if len(d.Points) > 0 {
		x, y := d.scatterKeys()
		out.X, out.Y = metric.Keys[x].Name, metric.Keys[y].Name
	}
	methods := map[string]int{}
	for k := range metric.Count {
		if d.has(k) {
			out.Axes = append(out.Axes, payloadColumn(d, k, methods, &out.Methods))
		}
	}
	for _, k := range d.tableKeys() {
		out.Table = append(out.Table, metric.Keys[k].Name)
	}
	for _, k := range d.parallelKeys() {
		out.Parallel = append(out.Parallel, metric.Keys[k].Name)
	}
	return json.Marshal(out)
}

func payloadColumn(d *Data, k metric.Key, methods map[string]int, list *[]string) payloadAxis {
	s := ScaleOf(d.unitOf(k), column(d.Points, k))
	a := payloadAxis{Key: metric.Keys[k].Name, Title: Title(k), Unit: s.Unit, Div: s.Div, Dec: s.Decimals,
		Better: int(metric.Keys[k].Better)}
	exact := true
	for i := range d.Points {
		pt := &d.Points[i]
		a.V = append(a.V, number(pt.Value(k)))
		m := pt.Metrics[k]
		text := m.Method
		if !pt.Have[k] {
			m.Lo, m.Hi, text = math.NaN(), math.NaN(), pt.Absent[k]
		} else {
			exact = exact && m.Lo == m.Hi
		}
		a.Lo, a.Hi = append(a.Lo, number(m.Lo)), append(a.Hi, number(m.Hi))
		at, ok := methods[text]
		if !ok {
			at = len(*list)
			methods[text] = at
			*list = append(*list, text)
		}
		a.Method = append(a.Method, at)
	}
	if exact {
		a.Lo, a.Hi = nil, nil
	}
	return a
}
