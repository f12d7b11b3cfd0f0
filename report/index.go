package report

import (
	"fmt"
	"strings"
	"time"

	"toposearch/report/number"
	"toposearch/search/run"
)

// Index lists the runs that a page serves, and what can be started.
type Index struct {
	Title   string
	Runs    []IndexRun
	Studies []IndexStudy
	Notes   []string // such as starts that failed
}

// IndexRun is a run of several; State as on its own page.
type IndexRun struct {
	Name, Dir string
	*Live
}

// IndexStudy is a study that can be started; Name is what a request names it by.
type IndexStudy struct{ Name, Text string }

// Study is the name that the study has.
func (r IndexRun) Study() string {
	if r.Status == nil {
		return ""
	}
	return r.Status.Manifest.Study
}

// Text is where a run stands in a line, with the figures of `toposearch status`.
func (r IndexRun) Text() string {
	s := r.Status
	if s == nil {
		return r.Fault
	}
	p := &s.Progress
	n := func(x int64) string { return number.PageFigure(float64(x)) }
	parts := []string{"evaluated " + n(p.Evaluated), "within limits " + n(p.Feasible), "front " + n(int64(p.Front))}
	if p.Finalists > 0 {
		parts = append(parts, fmt.Sprintf("simulated %d of %d", p.Simulated, p.Finalists))
	}
	if s.State == run.StateRunning {
		if left, ok := p.ToGo(); ok {
			parts = append(parts, "phase ends "+s.Saved.Add(time.Duration(left*float64(time.Second))).Format("15:04"))
		}
		if len(s.Waiting) > 0 {
			parts = append(parts, "then "+strings.Join(s.Waiting, ", "))
		}
	} else if s.Reason != "" {
		parts = append(parts, s.Reason)
	}
	return strings.Join(parts, ", ")
}

// Running reports whether a process works on the run.
func (r IndexRun) Running() bool { return r.Status != nil && r.Status.State == run.StateRunning }
