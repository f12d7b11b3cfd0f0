package run

import (
	"math"
	"runtime"
	"time"

	"toposearch/search"
	"toposearch/search/verify"
	"toposearch/topology"
)

// What a report takes, measured on one core of 2.5 GHz on fronts of 102 and 344 designs with 12 and 18 shown in full, of 4,096 and 1,024 endpoints.
const (
	reportsNs = 1e8   // the page and what is read for it,
	reportNs  = 5e5   // for each design of the front;
	shownNs   = 6e7   // its figures, its page, its drawings and the heads of its files for each design that is shown in full,
	lineNs    = 1.2e4 // and for each of its cables and boxes a line of the lists and of the workbook
)

const (
	ShownMost  = 20 // designs of a front that a report shows in full: finalists,
	pickedMost = 5  // and picks
)

// shownSeconds is what a design takes that is shown in full, s on one core.
func shownSeconds(size *topology.Size) float64 {
	lines := float64(size.Switches()) + float64(size.Endpoints)
	for c := range size.Family.LinkClasses {
		lines += float64(size.Link[c])
	}
	return (shownNs + lineNs*lines) / 1e9
}

// reported is what the report of a front takes, s on one core: of so many designs that take shown seconds each in full.
func reported(p *search.Problem, front int, shown float64) float64 {
	n := min(front, ShownMost, p.Study.Verify.Finalists+pickedMost)
	return (reportsNs+reportNs*float64(front))/1e9 + float64(n)*shown
}

// shownOf is the mean of shownSeconds over the finalists of a front, or all of it where none are simulated.
func shownOf(p *search.Problem, front []search.Member) float64 {
	some := make([]search.Member, 0, len(front))
	for _, i := range verify.Finalists(p, front) {
		some = append(some, front[i])
	}
	if len(some) == 0 {
		some = front
	}
	sum, n := 0.0, 0.0
	for _, m := range some {
		var size topology.Size
		if p.Spaces[m.Space].Fam.Size(m.V, &size) == nil {
			sum, n = sum+shownSeconds(&size), n+1
		}
	}
	return sum / math.Max(n, 1)
}

const (
	// finishMost is the part of a budget of time that what follows the search and the simulations may have kept.
	finishMost = 0.25
	// expectedFront is how many designs a front is taken to have before there is one.
	expectedFront = 100
)

// finishing is the part of a budget of time that is kept for comparing the networks of a front and for its report. It says when a search ends,
// not how.
func finishing(p *search.Problem, front int, shown float64) time.Duration {
	budget := p.Study.Search.Time
	s := reported(p, front, shown) / float64(runtime.GOMAXPROCS(0)) // details and folders are made side by side
	return min(time.Duration(s*float64(time.Second))+budget/sameShare, time.Duration(finishMost*float64(budget)))
}
