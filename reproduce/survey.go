package reproduce

import (
	"context"
	"fmt"

	"toposearch/evaluator"
	"toposearch/evaluator/metric"
	"toposearch/topology"
)

// surveyRow is a row of Table 3: what is published, and the design that it describes.
type surveyRow struct {
	name        string
	design      func(k int) string
	endpoints   func(k float64) float64 // the published formula
	hops        float64
	bisection   float64 // percent
	nonblocking func(k float64) float64
	copper      float64 // cables per endpoint
	optical     float64
	ports       float64
	cost        float64 // USD per endpoint
	watts       float64
	cables      []cableUse
}

const (
	cu200 = 246.0  // USD, copper cable 200 Gb/s (survey Table 3, January 2026)
	op200 = 1350.0 // USD, optical cable 200 Gb/s, modules included
	cu100 = 159.0
	op100 = 751.0
	port  = 497.0 // USD per switch port of 200 Gb/s; a port of 100 Gb/s is half of one

	nicW    = 20.0 // W per endpoint, one NIC whatever its ports
	portW   = 6.75 // W per switch port of 200 Gb/s
	mod200W = 4.5  // W per optical module, two per cable
	mod100W = 3.0
)

func sprintf(format string, div ...int) func(int) string {
	return func(k int) string {
		a := make([]any, len(div))
		for i, d := range div {
			a[i] = k / d
		}
		return fmt.Sprintf(format, a...)
	}
}

// surveyRows are the twelve rows. The packaging (which class is copper) follows the survey's
// text and reproduces its cable columns; copper is what stays inside a rack or a group.
func surveyRows() []surveyRow {
	p := func(a, b float64, e int) func(float64) float64 { // a*k^e/b
		return func(k float64) float64 {
			x := a / b
			for range e {
				x *= k
			}
			return x
		}
	}
	sum := func(f, g func(float64) float64) func(float64) float64 {
		return func(k float64) float64 { return f(k) + g(k) }
	}
	return []surveyRow{
		{"2-level fat tree", sprintf("fattree(k=%d,l=2)", 1), p(1, 2, 2), 2, 100, p(1, 2, 2), 1, 1, 3, 3087, 49.3,
			[]cableUse{{"nic", 1, 1, 200, false}, {between, 1, 1, 200, true}}},
		{"2-level BCube", sprintf("bcube(n=%d,l=2)", 1), p(1, 1, 2), 2, 100, p(1, 1, 2), 1, 1, 2, 2590, 42.5,
			[]cableUse{{"nic", 1, 2, 200, false}, {"nic", 1, 2, 200, true}}},
		{"2-level Rail-only", sprintf("railonly(k=%d)", 1), p(4, 1, 2), 2, 100, p(4, 1, 2), 0, 2, 3, 4191, 58.3,
			[]cableUse{{"nic", 1, 1, 200, true}, {between, 1, 1, 200, true}}},
		{"HPN 7.0 group", func(k int) string { return fmt.Sprintf("hpn(k=%d,segments=%d)", 2*k, k/8) }, p(1, 1, 2), 2, 100, p(1, 1, 2), 0, 3, 4, 4343, 61.3,
			[]cableUse{{"nic", 1, 1, 100, true}, {between, 1, 1, 200, true}}},
		{"2-level ZCube", sprintf("zcube(n=%d,k=2)", 1), p(1, 1, 2), 1, 100, p(1, 1, 2), 1, 2, 4, 2655, 45.5,
			[]cableUse{{"nic", 1, 2, 100, false}, {"nic", 1, 2, 100, true}, {between, 1, 1, 100, true}}},
		{"3-level fat tree", sprintf("fattree(k=%d,l=3)", 1), p(1, 4, 3), 4, 100, p(1, 4, 3), 1, 2, 5, 5431, 71.8,
			[]cableUse{{"nic", 1, 1, 200, false}, {between, 1, 1, 200, true}}},
		{"3D HyperX", sprintf("hyperx(s1=%d,s2=%d,s3=%d,t=%d)", 4, 4, 4, 4), p(1, 256, 4), 3, 50, p(1, 4, 1), 1.5, 1, 4, 3707, 56.0,
			[]cableUse{{"nic", 1, 1, 200, false}, {"dim1", 1, 1, 200, false}, {"dim2", 1, 1, 200, true}, {"dim3", 1, 1, 200, true}}},
		{"Dragonfly", sprintf("dragonfly(p=%d,a=%d,h=%d)", 4, 2, 4), sum(p(1, 64, 4), p(1, 8, 2)), 3, 50, p(1, 8, 2), 2, 0.5, 4, 3155, 51.5,
			[]cableUse{{"nic", 1, 1, 200, false}, {"local", 1, 1, 200, false}, {"global", 1, 1, 200, true}}},
		{"Dragonfly+", sprintf("dragonflyplus(l=%d,m=%d,p=%d,h=%d)", 2, 2, 2, 2), sum(p(1, 16, 4), p(1, 4, 2)), 3, 50, p(1, 4, 2), 2, 0.5, 4, 3155, 51.5,
			[]cableUse{{"nic", 1, 1, 200, false}, {"local", 1, 1, 200, false}, {"global", 1, 1, 200, true}}},
		{"Mesh-Tree", sprintf("meshtree(k=%d)", 1), p(1, 4, 4), 6, 50, p(1, 4, 2), 1, 2, 5, 5431, 71.8,
			[]cableUse{{"nic", 1, 1, 200, false}, {"local", 1, 1, 200, true}, {"row", 1, 1, 200, true}, {"column", 1, 1, 200, true}}},
		{"Zettafly-3", sprintf("zettafly3(a=%d,p=%d,h=%d)", 2, 4, 4), sum(p(1, 64, 4), p(1, 16, 3)), 3, 50, p(1, 16, 3), 2, 1, 5, 4327, 62.8,
			[]cableUse{{"nic", 1, 1, 200, false}, {"local", 1, 1, 200, false}, {"global", 1, 1, 200, true}}},
		{"Zettafly-4", sprintf("zettafly4(a=%d,p=%d,h=%d)", 1, 2, 2), sum(p(1, 16, 4), p(1, 8, 3)), 4, 50, p(1, 8, 3), 1, 2, 5, 5431, 71.8,
			[]cableUse{{"nic", 1, 1, 200, false}, {"local", 1, 1, 200, true}, {"global", 1, 1, 200, true}}},
	}
}

// perEndpoint is what one endpoint's share of a design buys.
type perEndpoint struct {
	copper, optical        float64 // cables
	ports                  float64 // as the survey counts them: raw, split ports one by one
	cost, watts, bisection float64
	region                 float64 // endpoints of the non-blocking region
}

func (r *surveyRow) count(k int) (perEndpoint, topology.Design, *topology.Size, error) {
	d, s, err := sized(r.design(k))
	if err != nil {
		return perEndpoint{}, d, nil, err
	}
	var e perEndpoint
	n := float64(s.Endpoints)
	equivalents := float64(k) * float64(s.Switches()) / n // whole switches of k ports of 200 Gb/s
	e.ports = equivalents
	e.cost, e.watts = port*equivalents, nicW+portW*equivalents
	injection := 0.0 // of an endpoint, in 200 Gb/s
	for _, u := range r.cables {
		c, err := links(s, u.class)
		if err != nil {
			return e, d, s, err
		}
		x := float64(c*u.num/u.den) / n
		price, module := cu200, 0.0
		switch {
		case u.optical && u.gbps == 200:
			price, module = op200, mod200W
		case u.optical:
			price, module = op100, mod100W
		case u.gbps == 100:
			price = cu100
		}
		if u.optical {
			e.optical += x
		} else {
			e.copper += x
		}
		if u.gbps == 100 {
			// Two ports of 100 Gb/s share a physical one; each counts in the raw column. A nic
			// link has one switch end, the others two.
			ends := 2.0
			if u.class == topology.ClassNic {
				ends = 1
			}
			e.ports += x * ends / 2
		}
		e.cost += price * x
		e.watts += 2 * module * x
		if u.class == topology.ClassNic {
			injection += x * float64(u.gbps) / 200
		}
	}
	if d.Family.Middle != nil {
		e.bisection = d.Family.Middle(d.V)
		if injection > 1 { // all rows are held against 200 Gb/s of an endpoint
			e.bisection = min(1, e.bisection*injection)
		}
	}
	if d.Family.NonBlocking == nil {
		return e, d, s, fmt.Errorf("family %s has no non-blocking region", d.Family.Name)
	}
	e.region = float64(d.Family.NonBlocking(d.V))
	if injection > 1 && e.bisection == 1 {
		e.region = n
	}
	return e, d, s, nil
}

// limit is the value at k to infinity of a figure f(k) = c + b/k + O(1/k^2), by Richardson's
// extrapolation from k and 2k: the survey's "idealised" counts.
func limit(atK, at2K float64) float64 { return 2*at2K - atK }

func surveyTable3(ctx context.Context) (*Table, error) {
	const k = 64 // the radix of Table 3
	t := &Table{
		Source: "Dong, Wang, Lei: survey of interconnect topologies, J. NUDT 48(2), 2026, Table 3",
		Notes: []string{
			"Prices of the survey, January 2026: copper 246 (200G) and 159 (100G), optical 1350 and 751, 497 per 200G port; no NIC in the cost, one NIC of 20 W in the power.",
			"Idealised counts are the limit of the exact counts for large k, extrapolated from k = 64 and k = 128; the survey prints those. Exact counts at k = 64 stand beside them.",
			"Bisection is the survey's cut through the middle of levels or dimensions, in the limit of large k; the smallest cut that we find, on the sibling with k = 16, stands beside it as [certified, found].",
			"BCube uses two 200G NIC ports per endpoint, twice the injection of the other rows; bisection and region are held against one of them, and one NIC is counted, as the survey does.",
			"HPN and ZCube count ports raw: two ports of 100 Gb/s are one of 200 Gb/s in cost and power.",
		},
	}
	ev, err := evaluator.New(evaluator.Options{})
	if err != nil {
		return nil, err
	}
	for _, r := range surveyRows() {
		row, err := r.reproduce(ctx, ev, k)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", r.name, err)
		}
		t.Rows = append(t.Rows, row)
	}
	return t, nil
}

func (r *surveyRow) reproduce(ctx context.Context, ev *evaluator.Evaluator, k int) (Row, error) {
	at, d, s, err := r.count(k)
	if err != nil {
		return Row{}, err
	}
	at2, _, _, err := r.count(2 * k)
	if err != nil {
		return Row{}, err
	}
	hops, note, err := surveyHops(ctx, ev, d)
	if err != nil {
		return Row{}, err
	}
	ideal := func(f func(perEndpoint) float64) float64 { return limit(f(at), f(at2)) }
	row := Row{Name: r.name}
	add := func(c ...Cell) { row.Cells = append(row.Cells, c...) }
	fk := float64(k)
	add(number("endpoints", r.endpoints(fk), float64(s.Endpoints), 0, "k = 64: "+d.String()))
	add(number("hops", r.hops, hops, 0, note))
	add(number("bisection_percent", r.bisection, 100*ideal(func(e perEndpoint) float64 { return e.bisection }), 0,
		fmt.Sprintf("middle cut, limit; exactly %.1f at k = 64", round(100*at.bisection, 1))))
	add(number("nonblocking_region", r.nonblocking(fk), at.region, 0, ""))
	copper := func(e perEndpoint) float64 { return e.copper }
	optical := func(e perEndpoint) float64 { return e.optical }
	add(number("copper_per_endpoint", r.copper, ideal(copper), 3, fmt.Sprintf("idealised; exactly %.4f at k = 64", at.copper)))
	add(number("optical_per_endpoint", r.optical, ideal(optical), 3, fmt.Sprintf("idealised; exactly %.4f at k = 64", at.optical)))
	add(number("ports_per_endpoint", r.ports, at.ports, 3, "switch ports, whole switches"))
	add(number("cost_per_endpoint", r.cost, ideal(func(e perEndpoint) float64 { return e.cost }), 0,
		fmt.Sprintf("idealised; exactly %.2f at k = 64", at.cost)))
	add(number("power_per_endpoint", r.watts, ideal(func(e perEndpoint) float64 { return e.watts }), 1,
		fmt.Sprintf("idealised; exactly %.3f at k = 64", at.watts)))
	add(extra("copper_exact", at.copper, "k = 64"), extra("optical_exact", at.optical, "k = 64"))
	return r.smallestCut(ctx, ev, row)
}

// surveyHops is the survey's D: the largest number of switch-to-switch hops. The scale-up mesh of
// a Rail-only server is not one of its links, so the hop over it is left out.
func surveyHops(ctx context.Context, ev *evaluator.Evaluator, d topology.Design) (float64, string, error) {
	scaleup := -1
	for i, c := range d.Family.LinkClasses {
		if c.Name == topology.ClassScaleup {
			scaleup = i
		}
	}
	res, err := ev.Evaluate(ctx, d, evaluator.Request{Keys: []metric.Key{metric.MaxHops}})
	if err != nil {
		return 0, "", err
	}
	hops := res.Metrics[metric.MaxHops].Value
	if scaleup < 0 {
		return hops, "largest number of switch-to-switch hops", nil
	}
	var p topology.Paths
	p.Reset()
	if d.Family.Paths == nil || !d.Family.Paths(d.V, &p) {
		return 0, "", fmt.Errorf("%s has no closed form of its routes", d)
	}
	most := 0
	for _, t := range p.Types {
		n := -2 // the first and the last nic link
		for c := range d.Family.LinkClasses {
			if c != scaleup && d.Family.LinkClasses[c].Name != topology.ClassInternal {
				n += int(t.Cross[c])
			}
		}
		most = max(most, n)
	}
	return float64(most), fmt.Sprintf("inside a rail; %g with the hop over the scale-up mesh of the server", hops), nil
}

// smallestCut adds what our own search for a small balanced cut finds on the sibling of k = 16.
func (r *surveyRow) smallestCut(ctx context.Context, ev *evaluator.Evaluator, row Row) (Row, error) {
	d, _, err := sized(r.design(16))
	if err != nil {
		return row, err
	}
	res, err := ev.Evaluate(ctx, d, evaluator.Request{Keys: []metric.Key{metric.Bisection}})
	if err != nil {
		return row, err
	}
	if !res.Have[metric.Bisection] {
		row.Cells = append(row.Cells, extra("smallest_cut", nil, res.Absent[metric.Bisection]))
		return row, nil
	}
	m := res.Metrics[metric.Bisection]
	row.Cells = append(row.Cells, extra("smallest_cut", m.Hi,
		fmt.Sprintf("k = 16, %s: [%.3f, %.3f] of half the endpoints' bandwidth", d, m.Lo, m.Hi)))
	return row, nil
}
