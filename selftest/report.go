package selftest

import (
	"fmt"

	"toposearch/evaluator/bound"
	"toposearch/topology"
)

// Report is what a test found.
type Report struct {
	Designs, Networks int           // designs checked at levels 0 and 1; networks built
	None              int           // numbers for which no design was found within the attempts
	Checks            [checks]int64 // how many were made, by Check
	Failed            int64         // checks that failed
	Failures          []Failure     // the first of them, in the order of numbers
}

// Failure is a check that failed.
type Failure struct {
	Number  int  // of the design
	Network bool // among networks; otherwise among designs
	Check   Check
	Design  string
	Words   string // what was found
}

// mostFailures bounds those that are kept.
const mostFailures = 100

// Total is the number of checks of all kinds.
func (r *Report) Total() (n int64) {
	for _, x := range r.Checks {
		n += x
	}
	return n
}

func (r *Report) add(o *Report) {
	r.Designs, r.Networks, r.None, r.Failed = r.Designs+o.Designs, r.Networks+o.Networks, r.None+o.None, r.Failed+o.Failed
	for check, n := range o.Checks {
		r.Checks[check] += n
	}
	r.Failures = append(r.Failures, o.Failures[:min(len(o.Failures), mostFailures-len(r.Failures))]...)
}

// tester checks one design.
type tester struct {
	report *Report
	number int
	built  bool
	d      topology.Design
	small  bool // it is evaluated, not only enclosed
	ladder *bound.Ladder
}

// holds counts a check, and keeps what was found if it failed.
func (t *tester) holds(check Check, ok bool, format string, args ...any) {
	t.report.Checks[check]++
	if ok {
		return
	}
	t.report.Failed++
	if len(t.report.Failures) < mostFailures {
		t.report.Failures = append(t.report.Failures, Failure{t.number, t.built, check, t.d.String(), fmt.Sprintf(format, args...)})
	}
}
