// Package reproduce puts published tables beside what this program computes from its own
// constructions: the check that a reader can repeat before trusting a figure of a report.
package reproduce

import (
	"context"
	"fmt"
	"math"

	"toposearch/diag"
	"toposearch/topology"
	"toposearch/topology/family"
)

// Cell is one figure of a published table with its computed twin.
type Cell struct {
	Column    string `json:"column"`
	Published any    `json:"published"` // number, or null if the publication has none
	Computed  any    `json:"computed"`  // number, or null if it cannot be computed here
	Agrees    bool   `json:"agrees"`    // to the printed digits, or within the tolerance of the note; true where nothing is published
	Note      string `json:"note,omitempty"`
}

// Row is one row of a published table.
type Row struct {
	Name  string `json:"name"`
	Cells []Cell `json:"cells"`
}

// Table is a published table reproduced.
type Table struct {
	Schema string   `json:"schema"`
	Table  string   `json:"table"`
	Title  string   `json:"title"`
	Source string   `json:"source"`
	Rows   []Row    `json:"rows"`
	Notes  []string `json:"notes,omitempty"`
}

// Schema of the JSON form of a Table.
const Schema = "toposearch.reproduce/1"

// Entry is a table that can be reproduced.
type Entry struct {
	Name, Title string
	run         func(ctx context.Context, workers int) (*Table, error)
}

// Tables lists what can be reproduced.
func Tables() []Entry {
	return []Entry{
		{"survey-table3", "Dong, Wang, Lei: survey of interconnect topologies, Table 3 (k = 64)", alone(surveyTable3)},
		{"survey-claims", "The survey's sentences on the cost of Dragonfly, Slim Fly and Jellyfish", alone(surveyClaims)},
		{"survey-radix", "The survey, equations 4-6 and 9-11: optimal radix and Moore bound", alone(surveyRadix)},
		{"atop-table2", "ATOP (SIGCOMM 2025), Table 2: most switches on a path", alone(atopTable2)},
		{"atop-table3", "ATOP (SIGCOMM 2025), Table 3: average path lengths, single failures", atopTable3},
		{"atop-table6", "ATOP (SIGCOMM 2025), Table 6: configurations of the networks", alone(atopTable6)},
		{"atop-table7", "ATOP (SIGCOMM 2025), Tables 6 and 7: switches, ports and cables", alone(atopTable7)},
		{"hp-f15", "Hennessy and Patterson, Appendix F, Figure F.15: 64 nodes", alone(hpFigures)},
		{"hp-costs", "Hennessy and Patterson, Appendix F: ratios of cost", alone(hpCosts)},
		{"hp-news", "Hennessy and Patterson, Appendix F: NEWS communication of 64 nodes", alone(hpNews)},
		{"slimfly-sizes", "Slim Fly and PolarFly: graphs of diameter 2", alone(slimflySizes)},
		{"polarstar-sizes", "PolarStar, Bundlefly and SpectralFly: graphs of diameter 3 and more", alone(polarstarSizes)},
		{"railonly-counts", "Rail-only: switches and transceivers of 32,768 GPUs", alone(railonlyCounts)},
		{"hammingmesh-cost", "HammingMesh (SC 2022): table of costs", alone(hammingCosts)},
		{"booksim", "BookSim2: latency, hops and accepted rate at all published points (two minutes of one core)",
			func(ctx context.Context, workers int) (*Table, error) { return booksimTable(ctx, workers, nil) }},
		{"booksim-fast", "BookSim2: the same at the lowest load, half of saturation and full load",
			func(ctx context.Context, workers int) (*Table, error) { return booksimTable(ctx, workers, booksimFast) }},
	}
}

// alone is for tables that need no workers.
func alone(f func(context.Context) (*Table, error)) func(context.Context, int) (*Table, error) {
	return func(ctx context.Context, _ int) (*Table, error) { return f(ctx) }
}

// Run reproduces a table by name. The answer does not depend on the number of workers (0: as many
// as there are cores).
func Run(ctx context.Context, name string, workers int) (*Table, error) {
	var names []string
	for _, e := range Tables() {
		if e.Name == name {
			t, err := e.run(ctx, workers)
			if err != nil {
				return nil, fmt.Errorf("reproduce %s: %w", name, err)
			}
			t.Schema, t.Table = Schema, e.Name
			if t.Title == "" {
				t.Title = e.Title
			}
			return t, nil
		}
		names = append(names, e.Name)
	}
	return nil, fmt.Errorf("there is no table %q%s", name, diag.Hint(name, names))
}

// Disagreements counts the cells that differ from the publication.
func (t *Table) Disagreements() int {
	n := 0
	for _, r := range t.Rows {
		for _, c := range r.Cells {
			if !c.Agrees {
				n++
			}
		}
	}
	return n
}

// number compares a published figure with a computed one, both rounded half up to the printed
// digits: fmt rounds the binary value half to even and would print 49.25 as 49.2.
func number(column string, published, computed float64, digits int, note string) Cell {
	return Cell{column, published, computed, round(published, digits) == round(computed, digits), note}
}

// round rounds half up to a number of decimal digits; the nudge absorbs the binary
// representation of decimal halves, at a millionth of the last digit.
func round(x float64, digits int) float64 {
	p := math.Pow(10, float64(digits))
	return math.Floor(x*p+0.5+1e-6) / p
}

// extra is a computed figure without a published twin.
func extra(column string, computed any, note string) Cell {
	return Cell{column, nil, computed, true, note}
}

// sized parses a design and counts it.
func sized(name string) (topology.Design, *topology.Size, error) {
	d, err := topology.ParseDesign(name, family.All())
	if err != nil {
		return d, nil, err
	}
	s := new(topology.Size)
	if err := d.Family.Size(d.V, s); err != nil {
		return d, nil, fmt.Errorf("%s: %w", name, err)
	}
	return d, s, nil
}

// between stands for every class of links between switches.
const between = "between switches"

// links is the number of links of a class.
func links(s *topology.Size, class string) (int64, error) {
	if class == between {
		return s.SwitchLinks(), nil
	}
	for i, c := range s.Family.LinkClasses {
		if c.Name == class {
			return s.Link[i], nil
		}
	}
	return 0, fmt.Errorf("family %s has no link class %q", s.Family.Name, class)
}

// lanesUsed is the radix in ports at the rate of one lane: a port of twice the rate counts twice.
func lanesUsed(s *topology.Size) int32 {
	var most int32
	for i, c := range s.Family.SwitchClasses {
		if c.Embedded || s.Switch[i].Count == 0 {
			continue
		}
		var p int32
		for l := range s.Family.LinkClasses {
			p += s.Switch[i].Ports[l] * s.Lanes[l]
		}
		most = max(most, p)
	}
	return most
}
