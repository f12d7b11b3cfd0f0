package report

import (
	"cmp"
	"encoding/json"
	"math"
	"strconv"
	"strings"

	"toposearch/evaluator/metric"
	"toposearch/report/draw"
	"toposearch/report/number"
	"toposearch/report/where"
)

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
	// Bills and Curves are of designs shown in full, by their place: what is bought, and the simulated latencies.
	Bills  map[int]payloadBill    `json:"bills"`
	Curves map[int][]payloadCurve `json:"curves"`
	// Beside are the incumbents, with their figures by axis.
	Beside []payloadBeside `json:"beside,omitempty"`
	Digits int             `json:"digits"` // of the minor unit of costs
	Money  string          `json:"money"`  // their currency
}

type payloadBeside struct {
	Title string                 `json:"title"`
	Name  string                 `json:"name"`
	Sim   string                 `json:"sim"`
	V     map[string]shortNumber `json:"v"`
}

// payloadBill is a bill of materials: part, what it is used in, how many, and what they cost in minor units.
type payloadBill [][4]any

// payloadCurve is what was simulated under a traffic: offered load, latency and 1 where it is saturated.
type payloadCurve struct {
	Traffic string           `json:"traffic"`
	Unit    string           `json:"unit"`
	Points  [][3]shortNumber `json:"points"`
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
	Key    string  `json:"key"`
	Title  string  `json:"title"`
	Unit   string  `json:"unit"`
	Div    float64 `json:"div"`
	Dec    int     `json:"dec"`
	Better int     `json:"better"`
	// Base is the unit of V, and Units are those in which the filter box takes values, in that unit.
	Base   string             `json:"base,omitempty"`
	Units  map[string]float64 `json:"units"`
	V      []shortNumber      `json:"v"`
	Lo     []shortNumber      `json:"lo,omitempty"` // only where a bound differs from the value
	Hi     []shortNumber      `json:"hi,omitempty"`
	Method []int              `json:"method"` // into Methods
}

// shortNumber is a figure of nine significant digits, null if absent: enough to sort and filter by
// without a byte to spare in a thousand rows.
type shortNumber float64

// MarshalJSON writes the shortest text of nine digits.
func (n shortNumber) MarshalJSON() ([]byte, error) {
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
func payload(p *page) ([]byte, error) { return json.Marshal(newPayload(p)) }

func newPayload(p *page) *payloadData {
	d := p.Data
	out := &payloadData{Schema: Schema, Study: d.Study, Detail: p.detailOf, Methods: []string{}}
	for i, f := range p.styles {
		out.Families = append(out.Families, payloadFamily{f, i % colours, draw.Shapes[shapeOf(i)], legendMarker(i)})
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
	for _, x := range d.beside() {
		b := payloadBeside{x.title(), x.Point.Name, check(&x.Point).Text, map[string]shortNumber{}}
		for k := range metric.Count {
			if d.has(k) {
				b.V[metric.Keys[k].Name] = shortNumber(x.Point.Value(k))
			}
		}
		out.Beside = append(out.Beside, b)
	}
	payloadDetails(d, out)
	return out
}

// payloadDetails adds what the comparison of designs shows of those in full. A bill with a part without a price is left out: it has no sum.
func payloadDetails(d *Data, out *payloadData) {
	out.Money = cmp.Or(d.Currency, "USD")
	out.Digits = number.MinorDigits(out.Money)
	out.Bills, out.Curves = map[int]payloadBill{}, map[int][]payloadCurve{}
	for i := range d.Details {
		det := &d.Details[i]
		if det.Plan == nil || len(det.Unpriced) > 0 {
			continue
		}
		var bill payloadBill
		for _, l := range det.Plan.BOM {
			if l.Part != nil && l.Priced {
				bill = append(bill, [4]any{l.Part.PartNo, l.UsedIn, l.Order, int64(l.Total)})
			}
		}
		out.Bills[det.Point] = bill
	}
	for i := range d.Points {
		s := d.Points[i].Sim
		if s == nil {
			continue
		}
		for _, t := range s.Traffic {
			c := payloadCurve{Traffic: t.Name, Unit: s.unit()}
			for _, p := range t.Curve {
				c.Points = append(c.Points, [3]shortNumber{shortNumber(p.Offered), shortNumber(p.Latency), shortNumber(boolNumber(p.Saturated))})
			}
			if len(c.Points) > 0 {
				out.Curves[i] = append(out.Curves[i], c)
			}
		}
	}
}

func boolNumber(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

func payloadColumn(d *Data, k metric.Key, methods map[string]int, list *[]string) payloadAxis {
	s := number.ScaleOf(d.unitOf(k), column(d.Points, k))
	a := payloadAxis{Key: metric.Keys[k].Name, Title: Title(k), Unit: s.Unit, Div: s.Div, Dec: s.Decimals,
		Better: int(metric.Keys[k].Better), Base: strings.TrimPrefix(d.unitOf(k), "1"), Units: where.Units(d.unitOf(k))}
	exact := true
	for i := range d.Points {
		pt := &d.Points[i]
		a.V = append(a.V, shortNumber(pt.Value(k)))
		m := pt.Metrics[k]
		text := m.Method
		if !pt.Have[k] {
			m.Lo, m.Hi, text = math.NaN(), math.NaN(), pt.Absent[k]
		} else {
			exact = exact && m.Lo == m.Hi
		}
		a.Lo, a.Hi = append(a.Lo, shortNumber(m.Lo)), append(a.Hi, shortNumber(m.Hi))
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
