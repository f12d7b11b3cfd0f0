package study

import (
	"slices"
	"strings"
	"time"

	"toposearch/diag"
	"toposearch/internal/tomlfile"
	"toposearch/internal/unit"
	"toposearch/simcore/traffic"
)

// search reads strategy and budget.
func (ld *loader) search(t *tomlfile.Table) {
	s := &ld.s.Search
	s.Strategy, s.Batch = Auto, DefaultBatch
	if t == nil {
		return
	}
	known := []string{Auto, Enumerate, NSGA2, Local, Random}
	if v := t.Take("strategy"); v != nil {
		if name, ok := v.Text(); ok && !slices.Contains(known, name) {
			v.Errorf("there is no strategy %q\n%s", name, diag.Suggest(name, known))
		} else if ok {
			s.Strategy = name
		}
	}
	if v := t.Take("batch"); v != nil {
		n, _ := v.Integer(DefaultBatch, mostTogether)
		s.Batch = int(n)
	}
	if x, ok := t.Take("tolerance").Number(0, mostTolerance); ok {
		s.Tolerance = x
	}
	if v := t.Take("budget"); v != nil {
		ld.budget(v)
	}
	t.Done(map[string]string{"time": "budget", "evaluations": "budget", "wall": "budget", "algorithm": "strategy", "method": "strategy", "epsilon": "tolerance"})
}

// mostTolerance is the largest difference that may be left out: with more, designs of every price stand for one another.
const mostTolerance = 0.1

// Sizes of a generation of NSGA-II by the number of families.
const (
	perFamily       = 25
	leastGeneration = 100
	mostGeneration  = 300
)

// Generation is how many designs a generation of NSGA-II has in a search of so many families: at least a batch that was asked for.
func Generation(families, batch int) int {
	n := min(max(perFamily*families, leastGeneration), mostGeneration)
	if batch > DefaultBatch {
		n = max(n, batch)
	}
	return n
}

// budget reads "8h", or { time = "8h", evaluations = 1_000_000 }.
func (ld *loader) budget(v *tomlfile.Value) {
	s := &ld.s.Search
	span := func(v *tomlfile.Value) time.Duration {
		if v == nil || !v.Is(tomlfile.String) {
			return 0
		}
		var d unit.Duration
		if err := d.UnmarshalText([]byte(v.Str)); err != nil {
			v.Errorf("%q is not a duration\n%s", v.Str, unit.KindDuration.Remedy())
			return 0
		}
		if d.D <= 0 {
			v.Errorf("the budget is 0")
		}
		return d.D
	}
	if v.Kind != tomlfile.TableKind {
		if v.Kind == tomlfile.Int {
			v.Errorf("%s has no unit\nwrite \"8h\", or { evaluations = %s }", v.Raw, v.Raw)
			return
		}
		s.Time = span(v)
		return
	}
	if d := v.Table.Take("time"); d != nil {
		s.Time = span(d)
	}
	if n := v.Table.Take("evaluations"); n != nil {
		s.Evaluations, _ = n.Integer(1, 1<<53)
		s.EvaluationsAt = n.Pos
	}
	if len(v.Table.Entries) == 0 {
		v.Errorf("the budget says neither a time nor a number of evaluations\nwrite \"8h\", or { time = \"8h\", evaluations = 2000 }, or leave it out to search until all is decided")
	}
	v.Table.Done(map[string]string{"wall": "time", "evals": "evaluations"})
}

// Precisions that can be asked for: a ten times finer one than the default takes a hundred times as many cycles, and a
// coarser one than a tenth tells no loads apart.
const leastPrecision, mostPrecision = 0.001, 0.1

// Simulations at two fidelities: fewer correct nothing, more take days.
const fewestSimulations, mostSimulations = 4, 100_000

// fidelity reads what measured objectives do.
func (ld *loader) fidelity(t *tomlfile.Table) {
	s := &ld.s.Verify
	if v := t.Take("fidelity"); v != nil {
		known := []string{FidelityFinalists, FidelitySearch}
		if name, ok := v.Text(); ok && !slices.Contains(known, name) {
			v.Errorf("there is no fidelity %q\n%s", name, diag.Suggest(name, known))
		} else if ok && name == FidelitySearch {
			s.Fidelity, s.Simulations = name, DefaultSimulations
			ld.fidelityAt = v.Pos
		}
	}
	if v := t.Take("simulations"); v != nil {
		if n, ok := v.Integer(fewestSimulations, mostSimulations); ok && s.Fidelity == "" {
			v.Errorf("simulations are those of a search at two fidelities\nwrite fidelity = \"search\" beside it, or finalists = %d", n)
		} else if ok {
			s.Simulations = int(n)
		}
	}
}

// verify reads how finalists are simulated.
func (ld *loader) verify(t *tomlfile.Table) {
	s := &ld.s.Verify
	*s = Verify{Finalists: 12, Traffic: []string{"uniform", "worst"}, Precision: DefaultPrecision, Packet: 4, Loads: 6}
	if ld.s.Options.Training != nil {
		s.Traffic = append(s.Traffic, Workload)
	}
	if t == nil {
		return
	}
	whole := func(key string, to *int, lo, hi int64) {
		if n, ok := t.Take(key).Integer(lo, hi); ok {
			*to = int(n)
		}
	}
	whole("finalists", &s.Finalists, 0, 1000)
	ld.verifyRouting(t)
	ld.fidelity(t)
	if whole("cycles", &s.Cycles, 100, 100_000_000); s.Cycles > 0 {
		s.Precision = 0
	}
	if v := t.Take("precision"); v != nil {
		if s.Cycles > 0 {
			v.Errorf("with cycles each load is measured for that long, whatever its precision\nleave one of the two out")
		} else if x, ok := v.Number(leastPrecision, mostPrecision); ok {
			s.Precision = x
		}
	}
	whole("packet", &s.Packet, 1, 1<<16)
	whole("loads", &s.Loads, 1, 1000)
	whole("vcs", &s.VCs, 1, 32)
	if v := t.Take("traffic"); v != nil {
		s.Traffic = nil
		if list, ok := v.Texts(); ok {
			for i, name := range list {
				name = strings.ReplaceAll(name, " ", "") // the journal tells traffic and design apart by a blank
				if strings.Contains(name, "file:") {
					v.Items[i].Errorf("traffic %q: numbers of endpoints in a file fit one design, and a study has many\nwrite a pattern (toposearch help traffic), or use toposearch simulate --traffic %s", name, name)
				} else if err := traffic.CheckName(name); name != Workload && err != nil {
					v.Items[i].Errorf("%v", err)
				} else if name == Workload && ld.s.Options.Training == nil {
					v.Items[i].Errorf("there is no [workload] whose traffic it could be\nadd one, or leave it out")
				} else if !slices.Contains(s.Traffic, name) {
					s.Traffic = append(s.Traffic, name)
				}
			}
			if len(list) == 0 && s.Finalists > 0 {
				v.Errorf("no traffic is named\nwrite traffic = [\"uniform\", \"worst\"], or finalists = 0 to verify none")
			}
		}
	}
	t.Done(map[string]string{"flits": "packet", "points": "loads", "patterns": "traffic", "algorithm": "routing", "simulator": "model"})
}
