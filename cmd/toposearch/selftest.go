package main

import (
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"toposearch/report/number"
	"toposearch/selftest"
	"toposearch/topology/family"
)

// Numbers of designs that a test takes unless it is told: about twenty seconds of one core.
const (
	selftestDesigns  = 3000
	selftestNetworks = 200
)

func (a *app) selftestCmd() *cobra.Command {
	var opt selftest.Options
	c := &cobra.Command{
		Use:   "selftest [FAMILY...]",
		Short: "Check figures of random designs against relations that must hold",
		Long: `Draws designs of all families, or of those named, with random price lists and sites, and checks
figures by relations that hold whatever the right figures are: bounds enclose values, loads sum up
to distances, more links make no path longer, other names change nothing, and the like. It ends
with status 1 if a check fails; what is drawn depends on --seed and the number of a design alone.`,
		Example: `  toposearch selftest
  toposearch selftest --designs 1000000 --networks 10000
  toposearch selftest dragonfly torus --seed 7
  toposearch selftest --first 4711 --designs 1 --networks 0    one design again`,
		RunE: func(c *cobra.Command, args []string) error { return a.selftest(c, args, opt) },
	}
	c.Flags().IntVar(&opt.Designs, "designs", selftestDesigns, "designs checked at levels 0 and 1")
	c.Flags().IntVar(&opt.Networks, "networks", selftestNetworks, "networks checked at level 2, link by link")
	c.Flags().IntVar(&opt.First, "first", 0, "number of the first design and of the first network")
	return c
}

func (a *app) selftest(c *cobra.Command, args []string, opt selftest.Options) error {
	if opt.Designs < 0 || opt.Networks < 0 || opt.First < 0 {
		return usagef("--designs, --networks and --first must not be negative")
	}
	var err error
	if opt.Families, err = familiesNamed(args); err != nil {
		return err
	}
	opt.Seed, opt.Workers = a.seedOr(1), a.cores()
	p := newProgress(a.err, a.now)
	if !a.quiet {
		opt.Progress = func(done int) { p.count("selftest", done, opt.Designs+opt.Networks) }
	}
	r, err := selftest.Run(c.Context(), opt)
	if !a.quiet {
		p.clear()
	}
	if err != nil {
		return err
	}
	if a.json {
		err = printJSON(a.out, selftestDoc(r, &opt))
	} else {
		err = printSelftest(a.out, r, &opt)
	}
	if err == nil && r.Failed > 0 {
		err = errors.New("figures contradict each other: please report them, with what toposearch version prints")
	}
	return err
}

// printSelftest prints how many checks of each kind were made, and what was found.
func printSelftest(w io.Writer, r *selftest.Report, opt *selftest.Options) error {
	fmt.Fprint(w, hanging(fmt.Sprintf("%s of %s checked at levels 0 and 1, %s at level 2, seed %d, from number %d on:",
		number.Count(r.Designs, "design", "designs"), number.Count(len(opt.Families), "family", "families"),
		number.Count(r.Networks, "network", "networks"), opt.Seed, opt.First)))
	for i, c := range selftest.Checks {
		fmt.Fprint(w, labelled(fmt.Sprintf("%12s  %s", number.Figure(float64(r.Checks[i])), c.Name), 26, c.Doc))
	}
	for _, f := range r.Failures {
		fmt.Fprintf(w, "\n! %s\n%s", f.Design, wrap(fmt.Sprintf("%s: %s (%s)", f.Check, f.Words, again(f, opt)), 80, "  "))
	}
	if r.None > 0 {
		fmt.Fprintf(w, "\n%s gave no design: none that was drawn exists in the sizes checked\n", number.Count(r.None, "number", "numbers"))
	}
	_, err := fmt.Fprintf(w, "\n%s checks, %s failed\n", number.Figure(float64(r.Total())), number.Figure(float64(r.Failed)))
	return err
}

// again is the command line by which one design is drawn again.
func again(f selftest.Failure, opt *selftest.Options) string {
	designs, networks := 1, 0
	if f.Network {
		designs, networks = 0, 1
	}
	line := fmt.Sprintf("selftest --seed %d --first %d --designs %d --networks %d", opt.Seed, f.Number, designs, networks)
	if len(opt.Families) < len(family.All()) {
		for _, f := range opt.Families {
			line += " " + f.Name
		}
	}
	return line
}

// selftestReport is toposearch.selftest/1.
type selftestReport struct {
	Schema   string            `json:"schema"`
	Seed     uint64            `json:"seed"`
	First    int               `json:"first"`
	Designs  int               `json:"designs"`
	Networks int               `json:"networks"`
	None     int               `json:"none"`
	Checks   map[string]int64  `json:"checks"`
	Failed   int64             `json:"failed"`
	Failures []selftestFailure `json:"failures"`
}

type selftestFailure struct {
	Design string `json:"design"`
	Check  string `json:"check"`
	Found  string `json:"found"`
	Again  string `json:"again"`
}

func selftestDoc(r *selftest.Report, opt *selftest.Options) *selftestReport {
	doc := &selftestReport{Schema: "toposearch.selftest/1", Seed: opt.Seed, First: opt.First, Designs: r.Designs, Networks: r.Networks,
		None: r.None, Checks: map[string]int64{}, Failed: r.Failed, Failures: []selftestFailure{}}
	for i, c := range selftest.Checks {
		doc.Checks[c.Name] = r.Checks[i]
	}
	for _, f := range r.Failures {
		doc.Failures = append(doc.Failures, selftestFailure{f.Design, f.Check.String(), f.Words, again(f, opt)})
	}
	return doc
}
