package main

import (
	"context"
	"fmt"
	"math/big"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"toposearch/search/run"
	"toposearch/study"
)

func (a *app) planCmd() *cobra.Command {
	return &cobra.Command{
		Use:   "plan [STUDY]",
		Short: "What would be searched, how large each space is, how long it takes",
		Example: `  toposearch plan pod.toml
  toposearch plan pod.toml --json`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			st, err := a.loadStudy(c.Context(), args)
			if err != nil {
				return err
			}
			p, err := run.NewPlan(c.Context(), st, a.workers, processorTime())
			if err != nil {
				return err
			}
			if a.json {
				return printJSON(a.out, p)
			}
			a.printPlan(p)
			return nil
		},
	}
}

// loadStudy reads the study named, or the built-in example.
func (a *app) loadStudy(ctx context.Context, args []string) (*study.Study, error) {
	st, faults := study.LoadExample()
	if len(args) > 0 {
		st, faults = a.loadToSearch(ctx, args[0])
	}
	if err := a.refuse(faults); err != nil {
		return nil, err
	}
	if a.seedSet {
		st.Seed = a.seed
	}
	return st, nil
}

func (a *app) printPlan(p *run.Plan) {
	fmt.Fprintf(a.out, "%s: %s\n%s\n", p.Study, p.Strategy, wrap(p.Reason, 80, ""))
	if p.Barred != "" {
		fmt.Fprintf(a.out, "%s\n", wrap(p.Barred, 80, ""))
	}
	rows := [][]string{{"family", "tuples", "within bounds", "strategy", "a design", "a finalist"}}
	total := new(big.Int)
	for _, f := range p.Families {
		designs := bigText(big.NewInt(f.Designs))
		if f.Stopped {
			designs = ">= " + designs
		}
		rows = append(rows, []string{f.Family, bigText(f.Tuples), designs, f.Strategy, seconds(f.Evaluation), orDash(f.Simulation)})
		total.Add(total, f.Tuples)
	}
	printColumns(a.out, append(rows, []string{"all", bigText(total), "", "", "", orDash(simulationSeconds(p))}))
	fmt.Fprint(a.out, "\n", routingLines(p))
	if len(p.LeftOut) > 0 {
		fmt.Fprint(a.out, "\n", wrap("Left out unless named in [space] families: "+strings.Join(p.LeftOut, ", ")+".", 80, ""))
	}
	if p.Finalists > 0 {
		fmt.Fprint(a.out, "\n", wrap(simulationText(p), 80, ""))
	}
	if p.Simulated != "" {
		fmt.Fprint(a.out, wrap(p.Simulated+".", 80, ""))
	}
	if len(p.Assumed) > 0 {
		fmt.Fprint(a.out, "\n", wrap(assumedText(p.Assumed), 80, ""))
	}
	fmt.Fprint(a.out, "\n", wrap(estimateText(p.Run), 80, ""))
}

// assumedText says what no file does, table by table.
func assumedText(all []study.Assumption) string {
	text, table := "Assumed, because no file says otherwise (toposearch help study, constraints, workload):", ""
	for i, x := range all {
		name, key, _ := strings.Cut(x.Key, " ")
		switch {
		case name != table:
			text += map[bool]string{true: " ", false: "; "}[i == 0] + name + " "
		default:
			text += ", "
		}
		text, table = text+key+" = "+x.Value, name
	}
	return text + "."
}

// estimateText says what the run will take, and what for.
func estimateText(e *run.Estimate) string {
	machine := "as it is modelled"
	if e.Measured {
		machine = "of this machine, on which the beginning was tried out"
	}
	parts := []string{fmt.Sprintf("%s for the search, of which evaluations of %s designs %s", seconds(e.Search), evaluationsText(e), seconds(e.Evaluation))}
	for _, x := range []struct {
		s    float64
		what string
	}{{e.Planning, "planning"}, {e.Proof, "proving how much the front may lack"}, {e.Closest, "finding what comes closest to the limits"}, {e.Simulation, "simulations"}, {e.Report, "the report"}} {
		if x.s > 0 {
			parts = append(parts, seconds(x.s)+" for "+x.what)
		}
	}
	return fmt.Sprintf("The run will take about %s, %s to %s, of the processor, %s: %s. It ends when %s. %s.",
		seconds(e.Seconds), seconds(e.Low), seconds(e.High), machine, strings.Join(parts, "; "), e.Ends, strings.ToUpper(e.Dominates[:1])+e.Dominates[1:])
}

// evaluationsText says how many designs will be evaluated, and within which bounds where it is not known.
func evaluationsText(e *run.Estimate) string {
	if e.EvaluationsLow == e.EvaluationsHigh {
		return whole(e.Evaluations)
	}
	return fmt.Sprintf("about %s (%s to %s)", whole(e.Evaluations), whole(e.EvaluationsLow), whole(e.EvaluationsHigh))
}

// routingLines say which routings designs may take, families with the same together.
func routingLines(p *run.Plan) string {
	var order []string
	of := map[string][]string{}
	for _, f := range p.Families {
		names := strings.Join(f.Routings, ", ")
		if of[names] == nil {
			order = append(order, names)
		}
		of[names] = append(of[names], f.Family)
	}
	var b strings.Builder
	for _, names := range order {
		b.WriteString(wrap(fmt.Sprintf("routing of %s: %s", strings.Join(of[names], ", "), names), 80, ""))
	}
	return b.String()
}

// simulationSeconds is what all simulations take, a budget of time aside: by the front that a trial foresees, where there was one.
func simulationSeconds(p *run.Plan) float64 {
	if p.Run != nil {
		return p.Run.Finalists
	}
	return p.Simulation
}

// simulationText says what the simulations of finalists cost, and by what.
func simulationText(p *run.Plan) string {
	text := fmt.Sprintf("%d finalists, or one of each family on the front where these are more, will be simulated, for %s in all", p.Finalists, seconds(simulationSeconds(p)))
	if p.Run != nil {
		text += ", as the designs of the front take that is foreseen"
		if p.Run.Simulation < p.Run.Finalists {
			text += fmt.Sprintf(", of which the budget leaves time for %s", seconds(p.Run.Simulation))
		}
		text += ". The time of a finalist is that of a design of middle size of its family."
	} else {
		text += ", if each takes as long as one of middle size of its family, and they are of all families alike."
	}
	dearest := run.FamilyPlan{}
	for _, f := range p.Families {
		if f.FlitHops > dearest.FlitHops {
			dearest = f
		}
	}
	if dearest.FlitHops > 0 {
		text += fmt.Sprintf(" It costs by the flits that cross switches: %.2g for one of %s, whose loads are measured for %s cycles at first.",
			dearest.FlitHops, dearest.Family, bigText(big.NewInt(int64(dearest.Cycles))))
	}
	return text
}

// orDash is a time, or a dash where none is known.
func orDash(s float64) string {
	if s == 0 {
		return "-"
	}
	return seconds(s)
}

func seconds(s float64) string {
	d := time.Duration(s * float64(time.Second))
	digits := time.Microsecond // three digits: what is estimated is not known better
	for d >= 1000*digits {
		digits *= 10
	}
	return d.Round(digits).String()
}
