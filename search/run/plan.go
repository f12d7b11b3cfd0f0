package run

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"math/big"
	"slices"
	"time"

	"toposearch/evaluator"
	"toposearch/search"
	"toposearch/search/branch"
	"toposearch/search/verify"
	"toposearch/simcore"
	"toposearch/study"
	"toposearch/topology"
)

// PlanSchema names the form of `plan --json`.
const PlanSchema = "toposearch.plan/1"

// Plan is what a search would do, before it does it.
type Plan struct {
	Schema   string       `json:"schema"`
	Study    string       `json:"study"`
	Strategy string       `json:"strategy"` // that will run
	Reason   string       `json:"reason"`   // why, in a sentence
	Families []FamilyPlan `json:"families"`
	LeftOut  []string     `json:"left_out,omitempty"` // families that are searched only when a study names them
	// Barred says why no design can satisfy the study, where closed forms show that.
	Barred string `json:"barred,omitempty"`
	// Seconds is what enumerations are modelled to take on one worker, without a clock: which strategy is taken is decided by it.
	Seconds   float64 `json:"seconds"`
	Finalists int     `json:"finalists"`
	// Run is what the run will take; nil in runs, where nothing depends on it.
	Run *Estimate `json:"run,omitempty"`
	// Simulation is an estimate of the same kind of what simulating them takes, if they are of all families
	// alike.
	Simulation float64 `json:"simulation_seconds"`
	// FlitHops are the flits that are expected to cross a switch in it, which is what takes the time; 0 by the cut-through model.
	FlitHops float64 `json:"simulation_flit_hops,omitempty"`
	// Simulated says which metrics are measured on finalists only, and how; "" if none is.
	Simulated string `json:"simulated,omitempty"`
	// Assumed is what no file says and figures rest on.
	Assumed []study.Assumption `json:"assumed,omitempty"`
}

// FamilyPlan is the space of one family.
type FamilyPlan struct {
	Family string `json:"family"`
	// Routings are those of which each design takes one, the best first.
	Routings []string `json:"routings"`
	Tuples   *big.Int `json:"tuples"` // product of the parameters' domains
	// Designs counts the tuples that closed forms do not exclude by size or limits; if Stopped
	// there are at least that many.
	Designs  int64   `json:"designs"`
	Stopped  bool    `json:"stopped"`
	Strategy string  `json:"strategy"`
	Seconds  float64 `json:"seconds"` // 0 if the time is what the budget says
	// Evaluation is what a design is modelled to take to be evaluated, s, in the mean of some drawn at random.
	Evaluation float64 `json:"evaluation_seconds"`
	// Simulation is how long a finalist takes under all traffics, of some designs drawn at random that of middle size; 0: too
	// large to be simulated, or no design was drawn. FlitHops are the flits that are expected to cross a switch in it; Cycles is the first window of a
	// load, the longest of all traffics.
	Simulation float64 `json:"simulation_seconds"`
	FlitHops   float64 `json:"simulation_flit_hops,omitempty"`
	Cycles     int     `json:"simulation_cycles,omitempty"`
	// Report is what that design takes in the report, with the files that it is bought and cabled from.
	Report float64 `json:"report_seconds,omitempty"`
}

// Estimate is what a run is expected to take of the processor, all cores together, by trying its search out for a while. Where a clock
// was given its seconds are those of this machine, and what is not tried out to its end depends on how fast that is; without one it is the same everywhere.
type Estimate struct {
	Seconds float64 `json:"seconds"` // of the whole run; its parts follow
	Low     float64 `json:"low_seconds"`
	High    float64 `json:"high_seconds"`
	// Search is the time that the strategies take, of which Evaluation goes to evaluations; Simulation is that of finalists, Report what
	// is computed and written at the end.
	Search     float64 `json:"search_seconds"`
	Evaluation float64 `json:"evaluation_seconds"`
	Simulation float64 `json:"simulation_seconds"`
	// Finalists is what the simulations of all finalists take; where a budget of time ends first, Simulation is the part before that.
	Finalists float64 `json:"-"`
	Report    float64 `json:"report_seconds"`
	// Planning is what counting the families takes, 0 where the study names its strategy and a run counts none, Proof what bounds what the front may lack, and Closest what finds the nearest design of families
	// without a feasible one.
	Planning float64 `json:"planning_seconds"`
	Proof    float64 `json:"proof_seconds"`
	Closest  float64 `json:"closest_seconds"`
	// Evaluations is how many designs will be evaluated, EvaluationsLow at least and EvaluationsHigh at most: all the same where that is known.
	Evaluations     int64 `json:"evaluations"`
	EvaluationsLow  int64 `json:"evaluations_low"`
	EvaluationsHigh int64 `json:"evaluations_high"`
	// Ends says what ends the search, in words.
	Ends string `json:"ends"`
	// Dominates says what takes most of the time, in words.
	Dominates string `json:"dominates"`
	// Measured: the seconds are those of this machine, on which a part of the run was tried out.
	Measured bool `json:"measured"`
}

const (
	// countShare is the part of a budget of time that counting all families may take on one core by fixed costs, leastVisits what counts each of
	// them even so: a few milliseconds. What is not counted to its end is attempted.
	countShare  = 0.05
	leastVisits = 5000
)

// enumerateShare is the part of a time budget that enumeration may take by fixed costs, so that what is planned never depends on the machine or
// on its load.
const enumerateShare = 0.5

// unlimited is the time on one core, by such costs, that enumeration may take where the study
// sets no budget. Families that are not done then are left to evolution; `strategy = "enumerate"`
// goes on to the end.
const unlimited = 20 * time.Minute

// Attempt is the strategy of a family too large to be counted in advance: it is enumerated as long
// as its share of the budget lasts, and evolved if that was not enough.
const Attempt = "enumerate, else nsga2"

// expected is how many designs an enumeration evaluates, of those that size and limits leave:
// the front soon excludes nearly all of the rest by closed forms.
func expected(designs int64) int64 { return min(designs, 2000+designs/50) }

// plan counts each family, the families in parallel. In a run whose study names its strategy nothing depends on how many designs there are, and they are
// only looked for; told: people are told.
func plan(ctx context.Context, p *search.Problem, workers int, told bool) (*Plan, error) {
	st := p.Study
	pl := &Plan{Schema: PlanSchema, Study: st.Name, Families: make([]FamilyPlan, len(p.Spaces)), Finalists: st.Verify.Finalists, Simulated: p.SimulatedNote(), LeftOut: st.LeftOut}
	visits := planVisits(st)
	if t := st.Search.Time; t > 0 {
		visits = min(visits, max(leastVisits, int64(countShare*float64(t)/branch.VisitNs)/int64(max(1, len(p.Spaces)))))
	}
	switch {
	case st.Search.Auto():
	case told:
		visits /= barredShare
	default:
		visits = min(visits, leastVisits)
	}
	counts := make([]branch.Counts, len(p.Spaces))
	search.Each(ctx, workers, len(p.Spaces), func(_, i int) {
		f := &pl.Families[i]
		f.Family, f.Tuples = p.Spaces[i].Fam.Name, p.Spaces[i].Size
		f.Routings = st.Options.RoutingsOf(p.Spaces[i].Fam)
		c := branch.Count(p, i, visits)
		counts[i] = c
		f.Designs, f.Stopped = c.Designs, c.Stopped
		drawn := draw(p, i, c)
		f.Evaluation = evaluation(ctx, p, i, drawn) / 1e9
		simulation(ctx, p, i, drawn, f)
		f.Seconds = float64(c.Visits)*branch.VisitNs/1e9 + float64(expected(c.Designs))*f.Evaluation
	})
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	pl.Barred, _ = barred(p, counts)
	each := float64(pl.Finalists) / float64(max(1, len(pl.Families)))
	for i := range pl.Families {
		pl.Simulation += each * pl.Families[i].Simulation
		pl.FlitHops += each * pl.Families[i].FlitHops
	}
	decide(p, pl)
	return pl, nil
}

// planSamples is the number of designs of a family that are drawn: what they take to be evaluated is estimated, and of the middle
// one by ports what it takes to be simulated.
const planSamples = 5

// drawnDesign is a design that was drawn at random.
type drawnDesign struct {
	v     []int
	ports int64
}

// draw draws designs of a family that its bounds do not exclude.
func draw(p *search.Problem, sp int, c branch.Counts) (out []drawnDesign) {
	if c.Designs == 0 && !c.Stopped {
		return nil
	}
	for k := range uint64(planSamples) {
		s, ok := branch.Sample(p, sp, k)
		var size topology.Size
		if !ok && s.V == nil || p.Spaces[sp].Fam.Size(s.V, &size) != nil {
			continue
		}
		c := simcore.CountsOfSize(&size)
		out = append(out, drawnDesign{s.V, c.Channels + c.UnitTies})
	}
	return out
}

// modelled is a model that knows what its evaluations take.
type modelled interface {
	Modelled(ctx context.Context, d topology.Design, req evaluator.Request) (ns float64, err error)
}

// evaluation is what evaluations of designs of a family are modelled to take in the mean, ns.
func evaluation(ctx context.Context, p *search.Problem, sp int, of []drawnDesign) float64 {
	all, n := 0.0, 0.0
	if m, ok := p.Model.(modelled); ok {
		for _, x := range of {
			if ns, err := m.Modelled(ctx, p.Design(sp, x.v), p.Request); err == nil {
				all, n = all+ns, n+1
			}
		}
	}
	if n == 0 {
		return branch.EvaluateNs
	}
	return all / n
}

// simulation estimates what a design of a family takes to be simulated, and to be reported.
func simulation(ctx context.Context, p *search.Problem, sp int, drawn []drawnDesign, f *FamilyPlan) {
	if len(drawn) == 0 {
		return
	}
	slices.SortStableFunc(drawn, func(a, b drawnDesign) int { return cmp.Compare(a.ports, b.ports) })
	middle := p.Design(sp, drawn[(len(drawn)-1)/2].v)
	f.Report = shownSeconds(ctx, p, middle)
	if p.Study.Verify.Finalists == 0 {
		return
	}
	for _, traffic := range p.Study.Verify.Traffic {
		c, err := verify.Estimate(ctx, p, middle, traffic)
		if err != nil || c == nil {
			continue
		}
		f.Simulation += c.Seconds
		f.FlitHops += c.FlitHops
		f.Cycles = max(f.Cycles, c.Cycles)
	}
}

// decide gives each family its strategy.
func decide(p *search.Problem, pl *Plan) {
	s := p.Study.Search
	if !s.Auto() {
		pl.Strategy, pl.Reason = s.Strategy, "the study asks for it"
		for i := range pl.Families {
			pl.Families[i].Strategy = s.Strategy
			pl.Seconds += pl.Families[i].Seconds
		}
		return
	}
	left := s.Evaluations
	enumerated, attempted, evolved := 0, 0, 0
	allowed := allowance(p)
	for i := range pl.Families {
		f := &pl.Families[i]
		n := expected(f.Designs)
		switch {
		case f.Seconds > allowed || s.Evaluations > 0 && n > left || f.Stopped && p.Spaces[i].Fam.Draws != nil: // or nearly all tuples are no networks
			f.Strategy, f.Seconds = study.NSGA2, 0
			evolved++
			continue
		case f.Stopped:
			f.Strategy = Attempt
			attempted++
		default:
			f.Strategy = study.Enumerate
			enumerated++
		}
		allowed -= f.Seconds
		left -= n
		pl.Seconds += f.Seconds
	}
	switch {
	case evolved+attempted == 0:
		pl.Strategy = study.Enumerate
		pl.Reason = "every family is small enough to be enumerated; the front will be complete"
	case evolved == 0:
		pl.Strategy = Attempt
		pl.Reason = fmt.Sprintf("%d of %d families are too large to be counted in advance: those whose enumeration outlasts its share of the budget are evolved",
			attempted, len(pl.Families))
	case enumerated+attempted == 0:
		pl.Strategy = study.NSGA2
		pl.Reason = "no family can be enumerated within the budget"
	default:
		pl.Strategy = study.Enumerate + "+" + study.NSGA2
		pl.Reason = fmt.Sprintf("%d of %d families can be enumerated within the budget", enumerated+attempted, len(pl.Families))
	}
}

// keepMost is the part of a budget of time that the search leaves to simulations at most: finalists that were not found well are not worth it.
const keepMost = 0.5

// surelyOne is how many simulations must fit by the model so that one is likely to be done: it is within a factor of two, and finalists are not alike.
const surelyOne = 3

// kept is the part of a budget of time that the search leaves to simulations on so many workers: as long as they are modelled to take, or where that is
// more than it may be as long as some of them do, all taken to be alike.
func kept(p *search.Problem, pl *Plan, workers int) time.Duration {
	v := &p.Study.Verify
	if v.Finalists == 0 || len(v.Traffic) == 0 {
		return 0
	}
	n := float64((v.Finalists+len(p.Study.Incumbents))*len(v.Traffic) + v.Simulations)
	each := pl.Simulation / float64(v.Finalists*len(v.Traffic)) // s
	rounds := math.Ceil(n / float64(max(workers, 1)))
	if most := keepMost * time.Duration(p.Study.Search.Time).Seconds(); each > 0 {
		rounds = min(rounds, math.Floor(most/each))
		if most < surelyOne*each {
			rounds = 0
		}
	}
	return time.Duration(rounds * each * float64(time.Second))
}

// shown is what a design takes in the report, s: the mean of all families.
func (pl *Plan) shown() float64 {
	sum, n := 0.0, 0.0
	for i := range pl.Families {
		if s := pl.Families[i].Report; s > 0 {
			sum, n = sum+s, n+1
		}
	}
	return sum / max(n, 1)
}

// allowance is the time for enumeration, s on one core by the fixed costs.
func allowance(p *search.Problem) float64 {
	if t := p.Study.Search.Time; t > 0 {
		return t.Seconds() * enumerateShare
	}
	return unlimited.Seconds()
}

// eachOf are ns of evaluations, by space.
func eachOf(pl *Plan) []float64 {
	out := make([]float64, len(pl.Families))
	for i := range out {
		out[i] = pl.Families[i].Evaluation * 1e9
	}
	return out
}

// limitsOf shares what the countable families leave of the allowance among those attempted, in ns;
// 0 is no limit.
func limitsOf(p *search.Problem, pl *Plan) []float64 {
	left, attempts := allowance(p), 0
	for i := range pl.Families {
		left -= pl.Families[i].Seconds
		if pl.Families[i].Strategy == Attempt {
			attempts++
		}
	}
	out := make([]float64, len(pl.Families))
	for i := range pl.Families {
		if pl.Families[i].Strategy == Attempt {
			out[i] = max(left/float64(attempts), 1) * 1e9
		}
	}
	return out
}
