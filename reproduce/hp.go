package reproduce

import (
	"context"
	"math"

	"toposearch/evaluator/metric"
	"toposearch/topology"
)

// hpColumn is a column of Figure F.15: 64 nodes; NaN where the book prints none.
type hpColumn struct {
	name, design           string
	bisection              float64
	hops, mean             float64
	ports, switches, links float64
	total                  float64
	stages                 bool   // hops are counted in switches
	meanNote, bisNote      string // explanations of what differs
}

func hpFigures(ctx context.Context) (*Table, error) {
	t := &Table{
		Source: "J. L. Hennessy, D. A. Patterson, Computer Architecture, Appendix F, Figure F.15 (64 nodes)",
		Notes: []string{
			"The printed figures are recalled from the book, not read from it: the figure was not available. All were checked by an independent program.",
			"The book counts hops of direct networks in links and averages over all pairs, a node with itself included; hops of the fat tree are switches, over distinct pairs.",
			"Bisection is the least number of links that separate the first half of the nodes from the second.",
			"Figure F.16 (commercial machines) was not available either: sizes are computed here from shapes that are recalled, with nothing published beside them.",
		},
	}
	for _, c := range []hpColumn{
		{"bus", "bus(n=64)", 1, 1, 1, dash, dash, 1, 1, false, "", ""},
		{"ring", "ring(n=64)", 2, 32, 16, 3, 64, 64, 128, false, "", ""},
		{"2D mesh", "mesh(k1=8,k2=8)", 8, 14, 7, 5, 64, 112, 176, false, "the book's 7 is half of the longest path; the mean is 2 * 63/24 = 5.25", ""},
		{"2D torus", "torus(k1=8,k2=8)", 16, 8, 4, 5, 64, 128, 192, false, "", ""},
		{"hypercube", "hypercube(n=6)", 32, 6, 3, 7, 64, 192, 256, false, "", ""},
		{"fat tree of 4-port switches", "kntree(k=2,n=6)", 32, 11, 9, 4, 192, 320, 384, true, "", ""},
		{"fully connected", "complete(n=64)", 1024, 1, 1, 64, 64, 2016, 2080, false, "", ""},
	} {
		row, err := c.row(ctx)
		if err != nil {
			return nil, err
		}
		t.Rows = append(t.Rows, row)
	}
	for _, m := range []struct{ name, design, note string }{
		{"F.16: ASCI Red", "mesh(k1=64,k2=64)", "recalled: 64 x 64 mesh, 400 MB/s each way, 51.2 GB/s: 64 links, both ways"},
		{"F.16: Cray XT3", "torus(k1=40,k2=32,k3=24)", "recalled: 40 x 32 x 24 torus"},
		{"F.16: Blue Gene/L", "torus(k1=64,k2=32,k3=32)", "recalled: 64 x 32 x 32 torus, 175 MB/s, 358.4 GB/s: 2048 links, one way"},
	} {
		d, s, err := sized(m.design)
		if err != nil {
			return nil, err
		}
		hops := 0.0
		for _, k := range d.V[:3] {
			if d.Family.Name == "torus" {
				hops += float64(k / 2)
			} else {
				hops += float64(k - 1)
			}
		}
		// The middle cut through the longest dimension, against endpoints/2.
		cut := d.Family.Middle(d.V) * float64(s.Endpoints) / 2
		t.Rows = append(t.Rows, Row{m.name, []Cell{
			extra("switches", s.Switches(), m.note), extra("links", s.SwitchLinks(), ""), extra("ports", s.Radix(), "one for the node"),
			extra("max_hops", hops, ""), extra("bisection_links", round(cut, 0), ""),
		}})
	}
	return t, nil
}

func (c *hpColumn) row(ctx context.Context) (Row, error) {
	keys := []metric.Key{metric.MaxHops, metric.MeanHops}
	if c.stages {
		keys = []metric.Key{metric.MaxPathSwitches, metric.MeanPathSwitches}
	}
	m, s, err := measure(ctx, c.design, keys...)
	if err != nil {
		return Row{}, err
	}
	cut, err := middleCut(c.design)
	if err != nil {
		return Row{}, err
	}
	mean := m[1]
	if !c.stages {
		mean *= float64(s.Endpoints-1) / float64(s.Endpoints)
	}
	links, total := float64(s.SwitchLinks()), float64(s.SwitchLinks()+s.EndpointLinks())
	if s.Family.Unidirectional {
		total = links // the book draws the bus as one link that all nodes share
	}
	row := Row{Name: c.name}
	add := func(column string, published, computed float64, why string) {
		if math.IsNaN(published) {
			return
		}
		row.Cells = append(row.Cells, noted(number(column, published, round(computed, 4), 0, c.design), why))
	}
	add("bisection_links", c.bisection, float64(cut), c.bisNote)
	add("max_hops", c.hops, m[0], "")
	add("mean_hops", c.mean, mean, c.meanNote)
	add("ports", c.ports, float64(s.Radix()), "")
	add("switches", c.switches, float64(s.Switches()), "")
	add("network_links", c.links, links, "")
	add("total_links", c.total, total, "")
	return row, nil
}

// crosspoints is the cost of a design's switches as the book counts it: inputs times outputs.
func crosspoints(s *topology.Size) float64 {
	sum := 0.0
	for i, c := range s.Family.SwitchClasses {
		if c.Embedded {
			continue
		}
		p := 0.0
		for l := range s.Family.LinkClasses {
			p += float64(s.Switch[i].Ports[l])
		}
		if s.Family.Unidirectional {
			p /= 2 // half of its ports are inputs
		} else if s.Family.Name == "kntree" {
			p = float64(s.Radix()) // the root's switches are the same
		}
		sum += float64(s.Switch[i].Count) * p * p
	}
	return sum
}

// channels counts links in one direction, those of endpoints included.
func channels(s *topology.Size) float64 {
	n := float64(s.SwitchLinks() + s.EndpointLinks())
	if !s.Family.Unidirectional {
		n *= 2
	}
	return n
}

func hpCosts(ctx context.Context) (*Table, error) {
	t := &Table{
		Source: "J. L. Hennessy, D. A. Patterson, Computer Architecture, Appendix F, sections F.4 and F.5: ratios of cost",
		Notes:  []string{"Switches cost inputs times outputs; links are counted in one direction, those of nodes included."},
	}
	for _, r := range []struct {
		name, a, b      string
		switches, links float64
		digits          int
		full            bool
	}{
		{"crossbar against multistage, 4096 nodes, k = 2", "crossbar(n=4096)", "omega(k=2,n=12)", 170.67, 0.1538, 2, false},
		{"crossbar against multistage, 4096 nodes, k = 4", "crossbar(n=4096)", "omega(k=4,n=6)", 170.67, 0.2857, 2, false},
		{"crossbar against multistage, 4096 nodes, k = 16", "crossbar(n=4096)", "omega(k=16,n=3)", 85.33, 0.5, 2, false},
		{"fully connected against crossbar, 64 nodes", "complete(n=64)", "crossbar(n=64)", 2 * 63. / 64, 65. / 2, 4, true},
		{"2-D torus against fat tree of k = 4, 64 nodes", "torus(k1=8,k2=8)", "kntree(k=2,n=6)", 25. / (2 * 4 * 6), 3. / 6, 4, false},
		{"3-D torus against fat tree of k = 8, 4096 nodes", "torus(k1=16,k2=16,k3=16)", "kntree(k=4,n=6)", 49. / (2 * 8 * 6), 4. / 6, 4, false},
	} {
		_, a, err := measure(ctx, r.a)
		if err != nil {
			return nil, err
		}
		_, b, err := measure(ctx, r.b)
		if err != nil {
			return nil, err
		}
		cost, note := crosspoints(a), r.a+" / "+r.b
		if r.full {
			// The book: each node selects among N-1 outputs, and among N-1 inputs.
			cost = 2 * 2 * float64(a.SwitchLinks())
			note = "selectors of N-1 inputs and outputs at every node"
		}
		t.Rows = append(t.Rows, Row{r.name, []Cell{
			number("switch_cost_ratio", round(r.switches, 4), round(cost/crosspoints(b), 4), r.digits, note),
			number("link_ratio", round(r.links, 4), round(channels(a)/channels(b), 4), 4, ""),
		}})
	}
	return t, nil
}
