package report

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"time"

	"toposearch/evaluator/metric"
	"toposearch/report/number"
	"toposearch/search"
	"toposearch/search/run"
)

// Live is what a page says of its run beside the report, while somebody serves it.
type Live struct {
	// Name is that of the run in addresses; Version names what the page holds, so that what came after it can be asked for.
	Name, Version string
	// Token goes with every request that changes something.
	Token string
	// Status is where the run stands; nil if that cannot be read, for Fault.
	Status *run.RunStatus
	Fault  string
	Now    time.Time
	// SoFar: the page shows what is journalled, not a front that the run has written.
	SoFar bool
	// Actions are what can be asked of the run now: "pause", "stop", "resume".
	Actions []string
	// Notes say what a person has to know of them, of why a process ended, or why nothing can be asked.
	Notes []string
	Log   string // what the process said last; "" if nothing is known
	// Grown and Volumes are the front on the way here (run.Watch); Volumes may be nil.
	Grown   []run.Grown
	Volumes []float64
	// Simulated were simulated and are not on the front.
	Simulated []search.Record
}

// State is where the run stands, in a word.
func (l *Live) State() (class, text string) {
	s := l.Status
	switch {
	case s == nil:
		return "bad", "Cannot be read"
	case s.State == run.StateFinished:
		switch s.Exit {
		case search.Done:
			return "good", "Finished"
		case search.NoFeasible, search.BudgetEnded:
			return "warn", "Finished without a design"
		}
		return "warn", "Finished"
	case s.State == run.StateStopped && l.Log != "":
		return "bad", "Failed"
	case s.State == run.StateStopped:
		return "warn", "Paused"
	}
	switch s.Progress.Phase {
	case search.PhaseVerify, search.PhaseSimulate:
		return "pick", "Verifying"
	case "":
		return "pick", "Starting"
	}
	return "pick", "Running"
}

// Class and Word are State for a template.
func (l *Live) Class() string { class, _ := l.State(); return class }

// Word is the text of State.
func (l *Live) Word() string { _, text := l.State(); return text }

// Done is the part of the work of the phase that is done, in percent.
func (l *Live) Done() string {
	if l.Status == nil {
		return "0"
	}
	return fmt.Sprintf("%.1f", 100*l.Status.Progress.Fraction)
}

// phases are those of a run in words.
var phases = map[string]string{search.PhaseSearch: "search", search.PhaseExplain: "closest designs of families without one",
	search.PhaseFigures: "figures of the designs on the front",
	search.PhaseLayers:  "designs behind the front", search.PhaseSimulate: "simulation of candidates", search.PhaseVerify: "simulation of finalists", search.PhaseFinished: "finished"}

// Facts say of a run what `toposearch status` says, figure by figure.
func (l *Live) Facts() []Fact {
	s := l.Status
	if s == nil {
		return nil
	}
	p := &s.Progress
	var out []Fact
	fact := func(label, text string) { out = append(out, Fact{label, text}) }
	n := func(x int64) string { return number.PageFigure(float64(x)) }
	if s.State != run.StateFinished && p.Phase != "" {
		text := phases[p.Phase]
		if p.Stage != "" {
			text = searchWords.Replace(p.Stage)
		}
		fact("Phase", text)
		fact("Done of it", fmt.Sprintf("%.1f %%", 100*p.Fraction))
		if p.Families > 0 {
			fact("Families decided", fmt.Sprintf("%d of %d", p.Done, p.Families))
		}
	}
	if s.State == run.StateRunning {
		fact("Running for", duration(l.Now.Sub(s.Manifest.Started)))
		ends := "not known yet"
		if left, ok := p.ToGo(); ok {
			ends = s.Saved.Add(time.Duration(left * float64(time.Second))).Format("15:04")
		}
		fact("Phase ends", ends)
	}
	fact("Evaluated", n(p.Evaluated))
	fact("Within limits", n(p.Feasible))
	fact("On the front", n(int64(p.Front)))
	if p.Finalists > 0 {
		fact("Simulated", fmt.Sprintf("%d of %d", p.Simulated, p.Finalists))
	}
	if text := p.Helped(); text != "" {
		fact("Workers", strings.TrimPrefix(text, "workers: "))
	}
	if p.Proved > 0 && s.State != run.StateFinished {
		fact("Hypervolume proved", fmt.Sprintf("at least %s %%", number.PageFigure(math.Floor(1000*p.Proved)/10)))
		if part := search.WithinText(p.Within); part != "" {
			fact("Complete within", part)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(p.Best)) {
		title, unit := strings.ReplaceAll(name, "_", " "), ""
		if k, ok := metric.KeyOf(name); ok {
			title, unit = Title(k), (&Data{Currency: p.Currency}).unitOf(k)
		}
		fact("Best "+strings.ToLower(title[:1])+title[1:], number.PageQuantity(p.Best[name], unit))
	}
	return out
}

// duration is a time in hours, minutes and seconds, the two largest.
func duration(d time.Duration) string {
	d = max(d, 0).Round(time.Second)
	switch h, m, s := int(d.Hours()), int(d.Minutes())%60, int(d.Seconds())%60; {
	case h > 0:
		return fmt.Sprintf("%d h %02d min", h, m)
	case m > 0:
		return fmt.Sprintf("%d min %02d s", m, s)
	default:
		return fmt.Sprintf("%d s", s)
	}
}
