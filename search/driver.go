package search

import (
	"runtime"
	"slices"

	"toposearch/objectives"
)

// Driver scores what strategies ask for: repeats from memory, hopeless ones by closed forms, the
// rest from the journal or by evaluation on all workers.
type Driver struct {
	P     *Problem
	J     Store // the journal; nil: none
	Opt   Options
	Reuse Known // answers instead of an evaluation; nil: nothing
	// Sims gives the journal's line of a simulation that an earlier journal of this run holds, by verify.NoteOf. nil:
	// none is known.
	Sims  func(name string) (line []byte, ok bool)
	Front Archive // of the feasible designs that were evaluated
	// Left is how many evaluations the budget still allows; negative: no limit.
	Left int64
	// Tally counts tuples by space, unless the strategy counts them itself; PerFam holds Evaluated and Feasible.
	Tally  []Tally
	PerFam []FamilyCounts
	Prog   Progress // as it is reported
	Before int64    // ns that the search took in earlier calls
	Used   int64    // ns that it has taken in all, at the last border
	// Border counts the borders between batches that were come to, over all strategies. The budget of time ends at
	// one, but not before Reached, the first at which no earlier call went on; Ended says that it ended there.
	Border, Reached int64
	Ended           bool

	memo       map[string]Score
	best       objectives.Vector // of each objective among feasible designs; nil without any
	enclosures []Enclosure       // by worker
}

// NewDriver prepares a search of a problem; j may be nil.
func NewDriver(p *Problem, j Store, opt Options) *Driver {
	d := &Driver{P: p, J: j, Opt: opt, memo: map[string]Score{}, Left: -1,
		Tally: make([]Tally, len(p.Spaces)), PerFam: make([]FamilyCounts, len(p.Spaces))}
	if n := p.Study.Search.Evaluations; n > 0 {
		d.Left = n
	}
	return d
}

// Workers is the number of goroutines that evaluate.
func (d *Driver) Workers() int {
	if d.Opt.Workers > 0 {
		return d.Opt.Workers
	}
	return runtime.GOMAXPROCS(0)
}

// took counts an evaluation and offers it to the front.
func (d *Driver) took(c Candidate, name string, s *Score, reused bool) {
	if d.Left > 0 {
		d.Left--
	}
	d.Prog.Evaluated++
	d.PerFam[c.Space].Evaluated++
	if reused {
		d.Prog.Reused++
	}
	if s.Feasible() {
		d.Prog.Feasible++
		d.PerFam[c.Space].Feasible++
		d.Front.Add(Member{c, s.V, name})
		if d.best == nil {
			d.best = slices.Clone(s.V)
		}
		for i, x := range s.V {
			d.best[i] = min(d.best[i], x)
		}
	}
}

// Report passes on how far the run is.
func (d *Driver) Report() {
	d.Prog.Front = d.Front.Len()
	if d.best != nil {
		d.Prog.Best = map[string]float64{}
		for i, o := range d.P.Objectives {
			d.Prog.Best[o.Name()] = o.Value(d.best[i])
		}
	}
	if d.Opt.Progress != nil {
		d.Opt.Progress(d.Prog)
	}
}
