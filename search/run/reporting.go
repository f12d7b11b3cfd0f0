package run

import (
	"context"
	"fmt"
	"math"
	"runtime"
	"time"

	"toposearch/evaluator"
	"toposearch/search"
	"toposearch/search/verify"
	"toposearch/study"
	"toposearch/topology"
)

// What a report takes, measured on one core of 2.5 GHz on fronts of 102, 344 and 1,738 designs with 12, 18 and 4 shown in full, of 4,096, 1,024
// and 1,048,576 endpoints.
const (
	reportsNs = 1e8    // the page and what is read for it,
	reportNs  = 5e5    // for each design of the front;
	shownNs   = 6e7    // its page, its drawings and the heads of its files for each design that is shown in full, beside its figures,
	lineNs    = 1.5e3  // for each of its cables and boxes a line of the lists,
	rowNs     = 1e4    // and a row of the workbook where the list is of rowsMost lines or fewer:
	rowsMost  = 10_000 // longer lists have no sheet
)

// detailNs bounds, by the cost model, the time that a design shown in full may take for metrics that the search did not need: a report of twenty stays
// within seconds.
const detailNs = 5e8

// DetailNs is that time: a tenth in a hurry.
func DetailNs(hurried bool) float64 {
	if hurried {
		return detailNs / 10
	}
	return detailNs
}

// unhurried is the budget of time from which on a report in full, of some seconds, is less than a fiftieth of it: what a run may take beyond.
const unhurried = 400 * time.Second

// Hurried tells whether the report of a study whose budget of time has ended is waited for.
func Hurried(st *study.Study) bool {
	return st.Search.Time > 0 && time.Duration(st.Search.Time) < unhurried
}

const (
	ShownMost  = 20 // designs of a front that a report shows in full: finalists,
	pickedMost = 5  // and picks
)

// shownSeconds is what a design takes that is shown in full, s on one core.
func shownSeconds(ctx context.Context, p *search.Problem, d topology.Design) float64 {
	var size topology.Size
	if d.Family.Size(d.V, &size) != nil {
		return 0
	}
	boxes, cables := size.Switches(), size.Endpoints
	for c := range d.Family.LinkClasses {
		cables += size.Link[c]
	}
	ns := float64(shownNs)
	for _, lines := range []int64{boxes, cables} {
		ns += lineNs * float64(lines)
		if lines <= rowsMost {
			ns += rowNs * float64(lines)
		}
	}
	if m, ok := p.Model.(modelled); ok {
		if figures, err := m.Modelled(ctx, d, evaluator.Request{Level: 2, BudgetNs: DetailNs(Hurried(p.Study))}); err == nil { // else it is told when it is shown
			ns += figures
		}
	}
	return ns / 1e9
}

// reported is what the report of a front takes, s on one core: of so many designs that take shown seconds each in full.
func reported(p *search.Problem, front int, shown float64) float64 {
	n := min(front, ShownMost, p.Study.Verify.Finalists+pickedMost)
	return (reportsNs+reportNs*float64(front))/1e9 + float64(n)*shown
}

// modelledMost is how many designs of a front are modelled: some milliseconds each.
const modelledMost = 16

// shownOf is the mean of shownSeconds over the finalists of a front, or some of it where none are simulated.
func shownOf(ctx context.Context, p *search.Problem, front []search.Member) float64 {
	some := make([]search.Member, 0, len(front))
	for _, i := range verify.Finalists(p, front) {
		some = append(some, front[i])
	}
	if len(some) == 0 {
		some = front
	}
	sum, n := 0.0, min(len(some), modelledMost)
	for k := range n {
		m := &some[k*len(some)/n]
		sum += shownSeconds(ctx, p, p.Design(m.Space, m.V))
	}
	return sum / math.Max(float64(n), 1)
}

const (
	// finishMost is the part of a budget of time that what follows the search and the simulations may have kept.
	finishMost = 0.25
	// expectedFront is how many designs a front is taken to have before there is one.
	expectedFront = 100
)

// budgetEnds says in words what ends a search.
func budgetEnds(limit time.Duration) string { return fmt.Sprintf("the budget of %s ends", limit) }

// finishing is the part of a budget of time that is kept for comparing the networks of a front and for its report. It says when a search ends,
// not how.
func finishing(p *search.Problem, front int, shown float64) time.Duration {
	budget := p.Study.Search.Time
	s := reported(p, front, shown) / float64(runtime.GOMAXPROCS(0)) // details and folders are made side by side
	return min(time.Duration(s*float64(time.Second))+budget/sameShare, time.Duration(finishMost*float64(budget)))
}
