package main

import (
	"fmt"
	"io"
	"log/slog"
	"math"
	"slices"
	"strings"
	"time"

	"toposearch/evaluator/metric"
	"toposearch/report/number"
	"toposearch/search"
)

// progress prints where a run stands: on a terminal one line, at most five times a second;
// elsewhere a log line a minute.
type progress struct {
	w       io.Writer
	now     func() time.Time
	started time.Time
	last    time.Time
	tty     bool
	log     *slog.Logger
}

const (
	ttyEvery = 200 * time.Millisecond
	logEvery = time.Minute
)

// newProgress prints to w past the guard against control characters: a line on a terminal is overwritten by them.
func newProgress(w io.Writer, now func() time.Time) *progress {
	w = raw(w)
	p := &progress{w: w, now: now, started: now(), tty: isTerminal(w)}
	p.log = slog.New(slog.NewTextHandler(w, nil))
	p.last = p.started
	return p
}

// due says whether it is time to print again, and if so notes the time as the last.
func (p *progress) due() bool {
	every := logEvery
	if p.tty {
		every = ttyEvery
	}
	t := p.now()
	if t.Sub(p.last) < every {
		return false
	}
	p.last = t
	return true
}

// show prints the state if it is time.
func (p *progress) show(s search.Progress) {
	if !p.due() {
		return
	}
	t := p.last
	eta := eta(s, t)
	rate := float64(s.Evaluated) / max(1e-3, t.Sub(p.started).Seconds())
	if !p.tty {
		p.log.Info("progress", "phase", phaseName(s), "families", fmt.Sprintf("%d/%d", s.Done, s.Families), "evaluated", s.Evaluated, "per_second", int(rate),
			"feasible", s.Feasible, "front", s.Front, "simulated", fmt.Sprintf("%d/%d", s.Simulated, s.Finalists), "done", fmt.Sprintf("%.1f%%", 100*s.Fraction), "proved", fmt.Sprintf("%.0f%%", math.Floor(100*s.Proved)), "hypervolume", gained(s), "ends", eta, "best", strings.TrimSpace(best(s.Best, s.Currency, 200)))
		return
	}
	line := fmt.Sprintf("%s %3.0f%%  eval %d (%.0f/s)  front %d", phaseName(s), 100*s.Fraction, s.Evaluated, rate, s.Front)
	if s.Families > 0 {
		line += fmt.Sprintf("  families %d/%d", s.Done, s.Families)
	}
	if s.Proved > 0 {
		line += fmt.Sprintf("  proved %.0f%%", math.Floor(100*s.Proved))
	}
	if s.Phase == search.PhaseVerify {
		line = fmt.Sprintf("%s %3.0f%%  simulated %d/%d", s.Phase, 100*s.Fraction, s.Simulated, s.Finalists)
	}
	if s.Phase == search.PhaseSimulate {
		line = fmt.Sprintf("simulating %d of ~%d", min(s.Simulated+1, s.Finalists), s.Finalists)
	}
	line += "  ends " + eta
	line += best(s.Best, s.Currency, 79-len(line))
	fmt.Fprintf(p.w, "\r\x1b[K%s", line)
}

// count prints how many of a number are done if it is time.
func (p *progress) count(what string, done, all int) {
	if !p.due() {
		return
	}
	if p.tty {
		fmt.Fprintf(p.w, "\r\x1b[K%s: %d of %d", what, done, all)
	} else {
		p.log.Info(what, "done", done, "of", all)
	}
}

// phaseName names what is under way: the strategy of a search, or the phase.
func phaseName(s search.Progress) string {
	if s.Stage != "" {
		return s.Stage
	}
	return s.Phase
}

// eta is the hour at which what is under way ends at its pace so far: people plan mornings.
func eta(s search.Progress, t time.Time) string {
	left, ok := s.ToGo()
	if !ok {
		return "--:--"
	}
	return t.Add(time.Duration(left * float64(time.Second))).Format("15:04")
}

// gained is what the front's hypervolume gained of late.
func gained(s search.Progress) string {
	if s.GainedIn == 0 {
		return "-"
	}
	return fmt.Sprintf("+%.2g%% in %d", 100*s.Gained, s.GainedIn)
}

// best gives the best value of each objective, costs in a currency, as many as fit into width characters.
func best(m map[string]float64, currency string, width int) string {
	var keys []string
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	var b strings.Builder
	for _, k := range keys {
		unit := ""
		if key, ok := metric.KeyOf(k); ok {
			unit = key.UnitIn(currency)
		}
		part := "  " + strings.ReplaceAll(k, "_", " ") + " " + number.Quantity(m[k], unit)
		if b.Len()+len(part) > width {
			break
		}
		b.WriteString(part)
	}
	return b.String()
}

// clear ends the line on a terminal.
func (p *progress) clear() {
	if p.tty {
		fmt.Fprint(p.w, "\r\x1b[K")
	}
}
