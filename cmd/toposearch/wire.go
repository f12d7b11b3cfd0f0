package main

import (
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"toposearch/internal/disk"
	"toposearch/search/wire"
)

// wireDoc is what was found.
type wireDoc struct {
	Schema      string  `json:"schema"`
	Switches    int     `json:"switches"`
	Links       int     `json:"links"`
	Hosts       int     `json:"hosts"`
	Diameter    int     `json:"diameter"`
	Mean        float64 `json:"mean_distance"`
	DiameterMin int     `json:"diameter_bound"`
	MeanMin     float64 `json:"mean_distance_bound"`
	Gap         float64 `json:"gap"`
	Symmetry    int     `json:"symmetry"`
	Start       string  `json:"start"`
	Judged      int64   `json:"judged"`
	CableM      float64 `json:"mean_cable_m"`
	UnplacedM   float64 `json:"mean_cable_unplaced_m"`
	File        string  `json:"file,omitempty"`
}

func (a *app) wireCmd() *cobra.Command {
	var p wire.Problem
	var out, format string
	c := &cobra.Command{
		Use:   "wire",
		Short: "The wiring of so many switches with the shortest distances",
		Long: `Chooses the links between switches by annealing: least diameter, then least
mean distance. Two problems, as in the Graph Golf competition: switches of a
degree (--switches, --degree), or hosts on switches of a radix (--hosts,
--radix), whose number is near that with the least bound unless --switches says
it.

Links move by 2-opt, hosts by swings from switch to switch (not with --metre),
under a rotational symmetry, which makes the search faster and the wiring the
same in every sector. All that fit are tried with a part of the effort each, beside algebraic graphs (PolarFly, Slim Fly) with switches left
out or put in. Effort is counted in operations: about what a core does in that
time, and the same graph on any machine.

Switches are put into racks so that cables are short (4 servers of 8 a rack,
beside at most 16 switches, which stand in racks of their own where there are
more; the hall as square as the pitches allow): as the floor plan of the file
has them. With --metre, wiring and cables are weighed together. What is found
is a network file:
  toposearch wire --hosts 1024 --radix 16 --out net.csv
  toposearch eval file:net.csv`,
		Example: `  toposearch wire --switches 64 --degree 8 --effort 5s
  toposearch wire --hosts 432 --radix 12 --out net.csv
  toposearch wire --switches 256 --degree 8 --hosts 2048 --metre 0.01 --json`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if format != "csv" && format != "edges" {
				return usagef("--format %q: there are csv and edges", format)
			}
			p.Seed = max(a.seed, 1)
			if faults := p.Check(); len(faults) > 0 {
				return joinUsage(faults...)
			}
			r, err := p.Solve(c.Context(), a.workers)
			if err != nil {
				return err
			}
			write := r.WriteCSV
			if format == "edges" {
				write = r.WriteEdges
			}
			if out != "" {
				if err := disk.Write(out, func(w io.Writer) error { return write(w) }); err != nil {
					return err
				}
			}
			return a.wired(&p, r, out)
		},
	}
	f := c.Flags()
	f.IntVar(&p.Switches, "switches", 0, "number of switches")
	f.IntVar(&p.Degree, "degree", 0, "links of a switch")
	f.IntVar(&p.Hosts, "hosts", 0, "hosts, evenly on the switches (default: one each)")
	f.IntVar(&p.Radix, "radix", 0, "ports of a switch for hosts and links, instead of a degree")
	f.IntVar(&p.Turns, "symmetry", 0, "turns of the rotational symmetry, 1 for none (default: what comes out best)")
	f.DurationVar(&p.Effort, "effort", 30*time.Second, "of one core, counted in operations")
	f.Float64Var(&p.Metre, "metre", 0, "links of mean distance that a metre of the mean cable is worth")
	f.StringVarP(&out, "out", "o", "", "network file to write")
	f.StringVar(&format, "format", "csv", "csv, a network file with hosts, or edges, two numbers a line")
	return c
}

// wired prints what was found.
func (a *app) wired(p *wire.Problem, r *wire.Result, out string) error {
	hosts := 0
	for s := range r.Graph.Switches() {
		hosts += r.Graph.Hosts(s)
	}
	doc := wireDoc{Schema: "toposearch.wire/1", Switches: r.Graph.Switches(), Links: r.Graph.Links(), Hosts: hosts,
		Diameter: r.Diameter, Mean: r.Mean, DiameterMin: r.AtLeastD, MeanMin: r.AtLeast, Gap: r.Mean/r.AtLeast - 1,
		Symmetry: r.Graph.Turns, Start: r.Start, Judged: r.Judged, CableM: r.CableM, UnplacedM: r.UnplacedM, File: out}
	if a.json {
		return printJSON(a.out, doc)
	}
	between, switches := "switches", whole(doc.Switches)+" switches"
	if doc.Switches == 1 {
		switches = "1 switch"
	}
	if p.Radix > 0 {
		between = "hosts"
	}
	fmt.Fprintf(a.out, "%s, %s, %s\n", switches, count(doc.Links, "link"), count(doc.Hosts, "host"))
	fmt.Fprintf(a.out, "  distance between %s: %.4f links on average, at most %d\n", between, doc.Mean, doc.Diameter)
	fmt.Fprintf(a.out, "  no wiring has less than %.4f and %d (%.2f %% above)\n", doc.MeanMin, doc.DiameterMin, 100*doc.Gap)
	fmt.Fprintf(a.out, "  symmetry of %s, from a %s graph, %s judged\n", count(doc.Symmetry, "turn"), doc.Start, count(int(doc.Judged), "graph"))
	fmt.Fprintf(a.out, "  mean cable %.1f m, %.1f m in the order of the construction\n", doc.CableM, doc.UnplacedM)
	if !r.Connected {
		fmt.Fprintln(a.out, "  NOT CONNECTED: the effort did not find a network in which all reach each other")
	}
	if out != "" {
		fmt.Fprintln(a.out, "  "+out)
	}
	return nil
}
