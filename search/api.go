package search

import (
	"context"
	"time"

	"toposearch/evaluator"
	"toposearch/objectives"
)

// Status is how a run ended: the exit status of the command (DESIGN.md section 7).
type Status int

// The exit statuses.
const (
	Done        Status = 0   // a front, and all that was required
	Failed      Status = 1   // an unexpected failure
	NoFeasible  Status = 3   // searched completely, no design is feasible
	BudgetEnded Status = 4   // the budget ended before a feasible design; resumable
	Missed      Status = 5   // a [require] threshold is missed
	Contradicts Status = 6   // strict: verification contradicts the analytic interval
	Interrupted Status = 130 // stopped on request; the command turns it into 130 or 143
)

// Reasons for which a search stops before it has nothing left to ask.
const (
	StopEvaluations = "evaluations"
	StopTime        = "time"
	StopInterrupted = "interrupted"
)

// TimeEnd is where the budget of time ended in an earlier call. The zero value: it did not.
type TimeEnd struct {
	Ended bool `json:"ended"` // at the border where the search did not go on, or in the batch after it
	// Inside the batch, in the chunk that begins after Start designs of the whole search, of which it kept those at the places Of.
	Inside bool  `json:"inside,omitempty"`
	Start  int64 `json:"start,omitempty"`
	Of     []int `json:"of,omitempty"`
	// Proof is one more than the batches of the proof that the budget of time allowed; 0: it did not end it, or this is not known.
	Proof int64 `json:"proof,omitempty"`
	// Simulated: an earlier call came past all simulations, so that no clock ends those that are made again.
	Simulated bool `json:"simulated,omitempty"`
}

// Options of a run that do not change what it finds.
type Options struct {
	Workers int  // goroutines that evaluate; 0: GOMAXPROCS
	Strict  bool // a verification that contradicts the model ends with Contradicts
	// Stop, asked between batches and where Within has ended, ends the run resumably when it says true. nil: never.
	Stop func() bool
	// Elapsed is the time since this call began, for time budgets. nil: a budget of time is not
	// kept. The package itself reads no clock.
	Elapsed func() time.Duration
	// Shown is the same time for what Progress tells people, on which nothing depends. nil: it does not tell times.
	Shown func() time.Duration
	// Unbounded: no budget of time ends the simulations, and those are made that it has ended before.
	Unbounded bool
	// Within gives a context that ends after a time, or when Stop will say true: evaluations and simulations under way end with it.
	// nil: they are waited for.
	Within func(ctx context.Context, d time.Duration) (context.Context, context.CancelFunc)
	// Savepoints is how often one is written at most (run.Run), or less often where that takes longer than a fiftieth of the time; 0: each minute. Without
	// Shown none is.
	Savepoints time.Duration
	// Remote computes on other machines; nil: nobody does.
	Remote Remote
	// Reuse names run directories whose journals may answer evaluations: wholly where they were made under the same evaluator,
	// catalogue, options and metrics asked for, so that changed limits filter instead of compute; and with the figures of the network
	// where prices, parts or the site are others.
	Reuse []string
	// Tell is told what a person should know of a run that goes on: damage to its files that is mended. nil: not.
	Tell func(string)
	// Progress is called between batches, from the goroutine of Run. nil: not.
	Progress func(Progress)
}

// Remote computes on other machines what a driver would compute here: to the same bytes.
type Remote interface {
	// Evaluate gives what a journal holds of designs, in their order; what is nil is to be computed here.
	Evaluate(ctx context.Context, designs []string, req *evaluator.Request) ([]*Entry, error)
	// TakesBoxes tells whether tasks of an enumeration are worth handing out that take so many visits together, about.
	TakesBoxes(visits int64) bool
	// Boxes gives what became of packed tasks of an enumeration, which prune against what its front took in until now; what is nil is to be done here.
	Boxes(ctx context.Context, of any, front []objectives.Vector, tasks [][]byte) ([][]byte, error)
	// Simulate gives a journal's line of a simulation; nil: it is to be done here.
	Simulate(ctx context.Context, design, traffic, routing string) ([]byte, error)
	// AtOnce is how many designs are computed at once, 0 if nobody is there.
	AtOnce() int
	// Tell fills in what Progress says of the others.
	Tell(p *Progress)
}

// RemoteWorker is a process that computes for a run.
type RemoteWorker struct {
	Name   string  `json:"name"`
	AtOnce int     `json:"at_once"` // designs that it computes at once, 0 of one that is not there any more
	Tasks  int64   `json:"tasks"`
	PerS   float64 `json:"tasks_per_second"` // since it joined
}

// Phases of a run.
const (
	PhaseSearch   = "search"
	PhaseProve    = "proof"      // bounds what the front may lack
	PhaseExplain  = "rejections" // searches for the closest designs of families without a feasible one
	PhaseFigures  = "figures"    // evaluates the designs of a large front once more, for what the journal does not keep
	PhaseLayers   = "layers"     // searches each family by itself, for what corrections may bring to the front
	PhaseSimulate = "simulate"   // simulates what stands for the front by corrected values, until it stays
	PhaseVerify   = "verify"
	PhaseFinished = "finished"
)

// Progress says how far a run has come.
type Progress struct {
	Phase    string `json:"phase"`
	Strategy string `json:"strategy"`
	// Visited counts the boxes and designs that the search has judged by closed forms.
	Visited int64 `json:"visited"`
	// Decided counts candidates of genetic, local and random search that bounds decided, so that they were not evaluated.
	Decided int64 `json:"decided,omitempty"`
	// Evaluated counts designs scored at level 1 or above, Reused those answered by a journal, Repriced those for which a journal
	// under other prices or another site gave the figures of the network, and only what these decide was computed.
	Evaluated int64 `json:"evaluated"`
	Reused    int64 `json:"reused"`
	Repriced  int64 `json:"repriced,omitempty"`
	Feasible  int64 `json:"feasible"`
	Front     int   `json:"front"`
	Simulated int   `json:"simulated"`
	Finalists int   `json:"finalists"`
	// Stage is the strategy under way, "" outside the search; Done of the Families that it searches are decided, where it knows that.
	Stage    string `json:"stage,omitempty"`
	Done     int    `json:"families_done,omitempty"`
	Families int    `json:"families,omitempty"`
	// Fraction of the work of the phase, or of its stage, that is done, in [0, 1]: an estimate, which falls where more turns out to be left; 0 if
	// nothing is known of its end.
	Fraction float64 `json:"fraction"`
	// Left is the modelled time on all workers that is left of a phase that has not come far enough to tell by its pace, s.
	Left float64 `json:"left_seconds,omitempty"`
	// Elapsed is the time since this call began, Since that since the phase or stage did, s. 0 of a run that has ended.
	Elapsed float64 `json:"elapsed_seconds,omitempty"`
	Since   float64 `json:"phase_seconds,omitempty"`
	// Proved is the least part that the hypervolume of the front has of that of the complete one, in [0, 1], where an enumeration
	// or the proof behind other searches has measured it.
	Proved float64 `json:"proved,omitempty"`
	// Within is what Proof.Within says, as far as an enumeration has measured it; 0: that is not known.
	Within float64 `json:"within,omitempty"`
	// Gained is the part of its hypervolume that the front gained in the last GainedIn designs evaluated, a sixth of all or more: what falls towards 0 as a
	// search converges. Both are 0 where that is not known, as of the first designs and of fronts too large for so many objectives.
	Gained   float64 `json:"hypervolume_gain,omitempty"`
	GainedIn int64   `json:"hypervolume_gain_evaluations,omitempty"`
	// Best is the best value of each objective on the front, by metric key.
	Best map[string]float64 `json:"best,omitempty"`
	// Currency is that of costs among them; "" is USD.
	Currency string `json:"currency,omitempty"`
	// Workers are the processes that have joined, by name; Retries counts tasks that were given to a second one.
	Workers []RemoteWorker `json:"workers,omitempty"`
	Retries int64          `json:"retries,omitempty"`
}

// Outcome is how a run ended.
type Outcome struct {
	Status Status
	Reason string // one sentence for people
	Dir    string
	Front  *Front // never nil unless Status is Failed
}

// ToGo is how long the phase or stage will still take at the pace until now, s; ok is false if nothing is known of that.
func (p *Progress) ToGo() (s float64, ok bool) {
	const known = 0.01 // of the work, from where on its pace tells
	switch {
	case p.Fraction >= known && p.Since > 0:
		return p.Since * (1 - p.Fraction) / p.Fraction, true
	case p.Left > 0:
		return p.Left, true
	}
	return 0, false
}
