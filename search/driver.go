package search

import (
	"context"
	"errors"
	"runtime"
	"slices"

	"toposearch/objectives"
)

// chunk is how many evaluations go to the journal at once: few enough that little is lost with a
// crash, and enough that waiting for the disk costs little beside 50 us each.
const chunk = 128

// Reasons for which a search stops before it has nothing left to ask.
const (
	StopEvaluations = "evaluations"
	StopTime        = "time"
	StopInterrupted = "interrupted"
)

// ErrInputsChanged: an input, or its copy, no longer has the bytes that the run was started with.
var ErrInputsChanged = errors.New("the inputs of the run have changed")

// ErrLine: a line of a journal holds something else than it should.
var ErrLine = errors.New("not a line that a journal holds")

// Store keeps what was computed, in order: the journal of a run. While it replays what an earlier call
// wrote, reading gives that, and nothing can be written.
type Store interface {
	// Replaying tells whether there are lines left to replay.
	Replaying() bool
	// Next replays the entry of a design; ok is false if there are no more lines.
	Next(design string, e *Entry) (ok bool, err error)
	// NextNote replays a line that is not about a design if it begins with the given prefix.
	NextNote(prefix string) (line []byte, ok bool, err error)
	// Write appends the entries of a batch and waits until they are on the disk.
	Write(es []*Entry) error
	// Note appends a line that is not about a design.
	Note(v any) error
	// Foreign is the error of a line that does not belong to this run, and says why.
	Foreign(why error) error
}

// Driver scores what strategies ask for: repeats from memory, hopeless ones by closed forms, the
// rest from the journal or by evaluation on all workers.
type Driver struct {
	P     *Problem
	J     Store // nil: not journalled
	Opt   Options
	Reuse Known // nil: nothing is known
	Front Archive
	// Left is how many evaluations the budget still allows; negative: no limit.
	Left int64
	// Tally counts tuples by space, unless the strategy counts them itself; PerFam holds Evaluated and Feasible.
	Tally  []Tally
	PerFam []FamilyCounts
	Prog   Progress
	Before int64 // ns that earlier calls spent on this run

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

// Search runs a strategy to its end, a budget's or the user's. stop is "" if it has nothing left
// to ask. With counted, tuples are tallied here and not by the strategy.
func (d *Driver) Search(ctx context.Context, s Strategy, counted bool) (stop string, err error) {
	for {
		if stop, err := d.border(ctx); stop != "" || err != nil {
			return stop, err
		}
		asked, err := s.Ask(ctx)
		if err != nil || asked == nil {
			return "", err
		}
		if e, ok := s.(progressing); ok {
			d.Prog.Visited, d.Prog.Fraction = e.Progress()
		}
		scores, stop, err := d.score(ctx, asked, counted)
		if stop != "" || err != nil {
			return stop, err
		}
		s.Tell(scores)
	}
}

// border is between two batches: the only place where a run stops, apart from the end of a budget
// of evaluations.
func (d *Driver) border(ctx context.Context) (stop string, err error) {
	d.Report()
	if err := ctx.Err(); err != nil {
		return "", err
	}
	if d.J != nil {
		if _, ok, err := d.J.NextNote(`{"stop":"time"`); ok || err != nil {
			return StopTime, err
		}
		if d.J.Replaying() {
			return "", nil
		}
	}
	if limit := d.P.Study.Search.Time; limit > 0 && d.Opt.Elapsed != nil &&
		d.Before+int64(d.Opt.Elapsed()) >= int64(limit) {
		if d.J == nil {
			return StopTime, nil
		}
		return StopTime, d.J.Note(struct {
			Stop      string `json:"stop"`
			Evaluated int64  `json:"evaluated"`
		}{StopTime, d.Prog.Evaluated})
	}
	if d.Opt.Stop != nil && d.Opt.Stop() {
		return StopInterrupted, nil
	}
	return "", nil
}

// score gives the scores of a batch in its order. If the budget ends inside it, what it still
// allows is journalled, and nobody is told.
func (d *Driver) score(ctx context.Context, asked []Candidate, counted bool) ([]Score, string, error) {
	scores := make([]Score, len(asked))
	keys := make([]string, len(asked))
	first := make(map[string]int, len(asked)) // of each new key, its first place
	var fresh []int
	for i, c := range asked {
		keys[i] = Key(c.Space, c.V)
		if s, ok := d.memo[keys[i]]; ok {
			scores[i] = s
		} else if _, ok := first[keys[i]]; !ok {
			first[keys[i]] = i
			fresh = append(fresh, i)
		}
	}
	if err := d.scoreCounts(ctx, asked, scores, fresh); err != nil {
		return nil, "", err
	}
	var todo []int
	for _, i := range fresh {
		if scores[i].Constraint == "" {
			todo = append(todo, i)
		}
	}
	stop := ""
	if d.Left >= 0 && int64(len(todo)) > d.Left {
		todo, stop = todo[:d.Left], StopEvaluations
	}
	if err := d.evaluateAll(ctx, asked, scores, todo); err != nil {
		return nil, "", err
	}
	for _, i := range fresh {
		if scores[i].Constraint == "" && !scores[i].Evaluated {
			continue // past the budget
		}
		d.memo[keys[i]] = scores[i]
		if counted {
			d.count(asked[i], &scores[i])
		}
	}
	if stop != "" {
		return nil, stop, nil
	}
	for i := range asked {
		if j, ok := first[keys[i]]; ok && j != i {
			scores[i] = scores[j]
		}
	}
	return scores, "", nil
}

func (d *Driver) count(c Candidate, s *Score) {
	what := s.Constraint
	if s.Feasible() {
		what = Feasible
	}
	d.Tally[c.Space].Add(what, len(c.V)-1, 1)
}

// scoreCounts rejects by closed forms.
func (d *Driver) scoreCounts(ctx context.Context, asked []Candidate, scores []Score, fresh []int) error {
	workers := min(d.Workers(), len(fresh))
	for len(d.enclosures) < workers {
		d.enclosures = append(d.enclosures, Enclosure{})
	}
	Each(ctx, workers, len(fresh), func(w, k int) {
		scores[fresh[k]] = d.P.ScoreCounts(asked[fresh[k]], &d.enclosures[w])
	})
	return ctx.Err()
}

// Workers is the number of goroutines that evaluate.
func (d *Driver) Workers() int {
	if d.Opt.Workers > 0 {
		return d.Opt.Workers
	}
	return runtime.GOMAXPROCS(0)
}

// evaluateAll fills the scores at the places todo, in that order in the journal.
func (d *Driver) evaluateAll(ctx context.Context, asked []Candidate, scores []Score, todo []int) error {
	for len(todo) > 0 {
		n := min(chunk, len(todo))
		if err := d.evaluate(ctx, asked, scores, todo[:n]); err != nil {
			return err
		}
		todo = todo[n:]
	}
	return nil
}

// evaluate scores one chunk, which goes to the journal before its scores are told.
func (d *Driver) evaluate(ctx context.Context, asked []Candidate, scores []Score, todo []int) error {
	names := make([]string, len(todo))
	for k, i := range todo {
		names[k] = d.P.Name(asked[i])
	}
	entries, replayed, err := d.replay(names)
	if err != nil {
		return err
	}
	errs := make([]error, len(todo))
	reused := make([]bool, len(todo))
	Each(ctx, d.Workers(), len(todo)-replayed, func(_, k int) {
		c := asked[todo[replayed+k]]
		entries[replayed+k], reused[replayed+k], errs[replayed+k] = d.P.entryOf(ctx, d.P.Design(c.Space, c.V), d.Reuse)
	})
	done := replayed // what is finished without a gap is kept, also when cancelled
	for done < len(todo) && entries[done] != nil {
		done++
	}
	if d.J != nil && done > replayed {
		if err := d.J.Write(entries[replayed:done]); err != nil {
			return err
		}
	}
	if done < len(todo) {
		return errors.Join(ctx.Err(), errs[done])
	}
	for k, i := range todo {
		scores[i] = d.P.ScoreEntry(entries[k])
		d.took(asked[i], names[k], &scores[i], k < replayed || reused[k])
	}
	return nil
}

// replay takes the entries of designs from the journal, as far as it goes.
func (d *Driver) replay(names []string) (entries []*Entry, replayed int, err error) {
	entries = make([]*Entry, len(names))
	for k := range names {
		if d.J == nil || !d.J.Replaying() {
			break
		}
		e := new(Entry)
		ok, err := d.J.Next(names[k], e)
		if err != nil {
			return nil, 0, err
		}
		if ok {
			entries[k], replayed = e, k+1
		}
	}
	return entries, replayed, nil
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
