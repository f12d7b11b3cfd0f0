package search

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"os"
	"path/filepath"

	"toposearch/evaluator"
	"toposearch/study"
)

// Run searches a study in a run directory, verifies finalists and writes front.json. What the
// journal in the directory holds already is replayed, not computed again, so that Run also
// continues an interrupted run. Cancelling ctx stops at once and loses nothing journalled.
func Run(ctx context.Context, st *study.Study, dir *RunDir, opt Options) (*Outcome, error) {
	m, err := evaluator.New(st.Options)
	if err != nil {
		return nil, err
	}
	p, err := NewProblem(st, m)
	if err != nil {
		return nil, err
	}
	return p.run(ctx, dir, opt)
}

// Resume continues the run in a directory where it stopped; a finished run is done at once.
func Resume(ctx context.Context, path string, opt Options) (*Outcome, error) {
	dir, err := Open(path)
	if err != nil {
		return nil, err
	}
	defer dir.Close()
	st, err := dir.Manifest.load(path)
	if err != nil {
		return nil, err
	}
	return Run(ctx, st, dir, opt)
}

// run is Run for any model.
func (p *Problem) run(ctx context.Context, dir *RunDir, opt Options) (*Outcome, error) {
	cp, err := readCheckpoint(dir.Path)
	if err != nil {
		return nil, err
	}
	if cp.State == StateFinished {
		if f, err := ReadFront(dir.Path); err == nil {
			return &Outcome{cp.Exit, cp.Reason, dir.Path, f}, nil
		}
	}
	head, err := newJournalHead(p.study)
	if err != nil {
		return nil, err
	}
	j, err := openJournal(filepath.Join(dir.Path, "journal.jsonl"), head)
	if err != nil {
		return nil, err
	}
	defer j.close()
	d := newDriver(p, j, opt)
	d.before = cp.ElapsedNs
	if d.reuse, err = loadReuse(opt.Reuse, head); err != nil {
		return nil, err
	}
	d.opt.Progress = func(pr Progress) {
		cp.State, cp.Progress = StateRunning, pr
		cp.ElapsedNs = d.elapsed()
		cp.save(dir.Path) // for those who look on; nothing depends on it
		if opt.Progress != nil {
			opt.Progress(pr)
		}
	}
	f, err := d.whole(ctx)
	if err != nil {
		return nil, err
	}
	if j.replaying() {
		return nil, fmt.Errorf("%w: %s, line %d: %w: the run ends before its journal does", ErrJournal, j.path, j.line, ErrInputsChanged)
	}
	return d.end(dir.Path, cp, f, opt.Progress)
}

// elapsed is the time spent on the run, earlier calls included, in ns.
func (d *driver) elapsed() int64 {
	if d.opt.Elapsed == nil {
		return d.before
	}
	return d.before + int64(d.opt.Elapsed())
}

// end writes front.json and says how the run ended.
func (d *driver) end(path string, cp *checkpoint, f *Front, user func(Progress)) (*Outcome, error) {
	out := &Outcome{Dir: path, Front: f}
	out.Status, out.Reason = d.p.verdict(f, d.opt.Strict)
	b, err := encodeJSON(f)
	if err != nil {
		return nil, err
	}
	if err := replaceFile(filepath.Join(path, "front.json"), b); err != nil {
		return nil, fmt.Errorf("cannot write the front: %w", err)
	}
	d.prog.Fraction = 1
	cp.State, cp.Exit, cp.Reason = StateFinished, out.Status, out.Reason
	if f.Stopped == stopInterrupted {
		cp.State = StateStopped
	} else {
		d.prog.Phase = PhaseFinished
	}
	cp.Progress, cp.ElapsedNs, cp.Complete = d.prog, d.elapsed(), f.Complete
	if err := cp.save(path); err != nil {
		return nil, fmt.Errorf("cannot write the checkpoint: %w", err)
	}
	if user != nil {
		user(d.prog)
	}
	return out, nil
}

// stage is a strategy for some of the families.
type stage struct {
	name  string
	which []bool
	limit []float64 // of an enumeration, see enumeration.limit
}

// stages puts a plan into order: what can be enumerated first, so that evolution knows its front.
func (p *Problem) stages(pl *Plan) []stage {
	var out []stage
	for _, name := range []string{study.Enumerate, study.Random, study.NSGA2, study.Local} {
		which := make([]bool, len(p.spaces))
		any := false
		for i := range pl.Families {
			s := pl.Families[i].Strategy
			if (s == name || s == Attempt && name == study.Enumerate) && p.spaces[i].size.Sign() > 0 {
				which[i], any = true, true
			}
			// What an attempt leaves comes to evolution; it is unmarked if nothing is left.
			if s == Attempt && name == study.NSGA2 {
				which[i], any = true, true
			}
		}
		if any {
			out = append(out, stage{name, which, p.limitsOf(pl)})
		}
	}
	return out
}

// whole does all phases and gives the front.
func (d *driver) whole(ctx context.Context) (*Front, error) {
	p := d.p
	d.prog.Phase = PhaseSearch
	pl, err := p.plan(ctx, d.workers())
	if err != nil {
		return nil, err
	}
	d.prog.Strategy = pl.Strategy
	f := &Front{Schema: FrontSchema, Study: p.study.Name, Complete: true, LocallyComplete: true}
	for _, o := range p.objectives {
		f.Objectives = append(f.Objectives, o.Name())
	}
	complete := make([]bool, len(p.spaces))
	for i, sp := range p.spaces {
		complete[i] = sp.size.Sign() == 0
	}
	for _, st := range p.stages(pl) {
		if st.undone(complete) && f.Stopped == "" {
			f.Strategy = joined(f.Strategy, st.name)
			if f.Stopped, err = d.stage(ctx, st, complete); err != nil {
				return nil, err
			}
		}
	}
	for _, c := range complete {
		f.Complete = f.Complete && c
	}
	f.LocallyComplete = f.Complete || f.Stopped == "" && pl.Strategy != study.Random
	d.fill(f, complete)
	if f.Stopped == stopInterrupted {
		return f, d.details(ctx, f)
	}
	if err := d.explainFamilies(ctx, f); err != nil {
		return nil, err
	}
	if err := d.details(ctx, f); err != nil {
		return nil, err
	}
	if stop, err := d.verify(ctx, f); stop != "" || err != nil {
		f.Stopped = stop
		return f, err
	}
	return f, nil
}

// undone takes out of a stage what is complete already, and tells whether anything is left.
func (s *stage) undone(complete []bool) bool {
	left := false
	for i := range s.which {
		s.which[i] = s.which[i] && !complete[i]
		left = left || s.which[i]
	}
	return left
}

// joined adds a strategy to a list of those that ran.
func joined(list, name string) string {
	if list == "" {
		return name
	}
	return list + "+" + name
}

// stage runs one strategy and takes over its counts.
func (d *driver) stage(ctx context.Context, st stage, complete []bool) (stop string, err error) {
	switch st.name {
	case study.Enumerate:
		e := newEnumeration(d.p, d.workers(), st.which)
		if st.limit != nil {
			e.limit = st.limit
		}
		stop, err = d.search(ctx, e, false)
		for i := range e.tally {
			d.tally[i].merge(&e.tally[i])
			complete[i] = complete[i] || st.which[i] && !e.abandoned[i] && stop == "" && err == nil
		}
		return stop, err
	case study.Random:
		return d.search(ctx, newSampling(d.p, st.which), true)
	case study.NSGA2:
		if stop, err = d.evolve(ctx, st.which); stop != "" || err != nil {
			return stop, err
		}
	}
	return d.search(ctx, newLocal(d.p, st.which, d.front.ordered()), true)
}

// polishShare is the part of a budget of evaluations that is kept for local search.
const polishShare = 5 // one in so many

// evolve runs NSGA-II until its archive stays or its share of the budget ends.
func (d *driver) evolve(ctx context.Context, which []bool) (stop string, err error) {
	s := newNSGA2(d.p, which, nil)
	defer s.Close()
	kept := int64(0)
	if d.left > 0 {
		kept = d.left / polishShare
		d.left -= kept
	}
	stop, err = d.search(ctx, s, true)
	d.left += kept
	if stop == stopEvaluations && kept > 0 {
		stop = ""
	}
	return stop, err
}

// fill puts counts and the bare front in place.
func (d *driver) fill(f *Front, complete []bool) {
	p := d.p
	c := &f.Counts
	*c = Counts{Enumerated: new(big.Int), Dominated: new(big.Int), Duplicates: new(big.Int),
		Rejected: map[string]*big.Int{}, Evaluated: d.prog.Evaluated, Families: make([]FamilyCounts, len(p.spaces))}
	for i, sp := range p.spaces {
		fc := &c.Families[i]
		*fc = FamilyCounts{Family: sp.fam.Name, Space: sp.size, Enumerated: new(big.Int), Evaluated: d.perFam[i].Evaluated,
			Feasible: d.perFam[i].Feasible, Rejected: map[string]*big.Int{}, Complete: complete[i]}
		for name, n := range d.tally[i].tuples(sp) {
			fc.Enumerated.Add(fc.Enumerated, n)
			switch name {
			case feasible:
				fc.Feasible = n.Int64()
			case dominated:
				c.Dominated.Add(c.Dominated, n)
			case duplicate:
				c.Duplicates.Add(c.Duplicates, n)
			default:
				fc.Rejected[name] = n
				if c.Rejected[name] == nil {
					c.Rejected[name] = new(big.Int)
				}
				c.Rejected[name].Add(c.Rejected[name], n)
			}
		}
		c.Feasible += fc.Feasible
		c.Enumerated.Add(c.Enumerated, fc.Enumerated)
	}
	for _, m := range d.front.ordered() {
		c.Families[m.Space].OnFront++
		f.Front = append(f.Front, p.record(m))
	}
	if f.Front == nil {
		f.Front = []Record{}
	}
}

// record is a design on the front without its metrics.
func (p *Problem) record(m member) Record {
	r := Record{Design: m.name, Family: p.spaces[m.Space].fam.Name, Params: p.design(m.Space, m.V).Params(),
		Objectives: map[string]float64{}}
	for i, o := range p.objectives {
		r.Objectives[o.Name()] = o.Value(m.v[i])
	}
	return r
}

// explainFamilies finds the closest designs of families that have no feasible one.
func (d *driver) explainFamilies(ctx context.Context, f *Front) error {
	var none []int
	for i := range d.p.spaces {
		if d.perFam[i].Feasible == 0 && f.Counts.Families[i].Feasible == 0 {
			none = append(none, i)
		}
	}
	if len(none) == 0 {
		return nil
	}
	d.prog.Phase = PhaseExplain
	d.report()
	var err error
	f.Closest, err = d.p.closest(ctx, d.workers(), none)
	return err
}

// details evaluates the designs on the front once more, for metrics with method and bounds, which
// the journal does not keep.
func (d *driver) details(ctx context.Context, f *Front) error {
	ms := d.front.ordered()
	errs := make([]error, len(ms))
	each(ctx, d.workers(), len(ms), func(_, i int) {
		errs[i] = d.p.detail(ctx, ms[i], &f.Front[i])
	})
	return errors.Join(append(errs, ctx.Err())...)
}

func (p *Problem) detail(ctx context.Context, m member, r *Record) error {
	res, err := p.model.Evaluate(ctx, p.design(m.Space, m.V), p.request)
	if err != nil {
		return fmt.Errorf("evaluate %s: %w", m.name, err)
	}
	e := newEntry(m.name, res)
	if s := p.judge(e); fmt.Sprint(s.V) != fmt.Sprint(m.v) {
		return fmt.Errorf("%w: %s was journalled with objectives %v and is now evaluated as %v; was it written by another build?",
			ErrJournal, m.name, m.v, s.V)
	}
	r.Metrics = map[string]evaluator.Metric{}
	for k := range res.Have {
		if res.Have[k] {
			r.Metrics[evaluator.Keys[k].Name] = finite(res.Metrics[k])
		}
	}
	for k, why := range res.Absent {
		if r.Absent == nil {
			r.Absent = map[string]string{}
		}
		r.Absent[evaluator.Keys[k].Name] = why
	}
	r.Bottleneck = res.Bottleneck
	return nil
}

// finite replaces bounds that JSON cannot hold: an unknown upper bound becomes the value.
func finite(m evaluator.Metric) evaluator.Metric {
	if jsonNumber(m.Hi) != m.Hi {
		m.Hi = m.Value
	}
	if jsonNumber(m.Lo) != m.Lo {
		m.Lo = m.Value
	}
	return m
}

// verdict is the exit status of a run and the reason for it.
func (p *Problem) verdict(f *Front, strict bool) (Status, string) {
	switch {
	case f.Stopped == stopInterrupted:
		return Interrupted, "stopped on request; resume continues it"
	case len(f.Front) == 0 && f.Complete:
		return NoFeasible, "searched completely: no design is feasible"
	case len(f.Front) == 0:
		return BudgetEnded, "the search ended before a feasible design was found"
	}
	if strict {
		for i := range f.Front {
			if v := f.Front[i].Verified; v != nil && v.Contradicts {
				return Contradicts, "simulation contradicts the model for " + f.Front[i].Design
			}
		}
	}
	if !p.required(f) {
		return Missed, "no design on the front meets what [require] asks for"
	}
	return Done, fmt.Sprintf("%d designs on the front", len(f.Front))
}

// required tells whether some design on the front meets all thresholds.
func (p *Problem) required(f *Front) bool {
	if len(p.require) == 0 {
		return true
	}
	for i := range f.Front {
		ok := true
		for k := range p.require {
			ok = ok && p.meets(&p.require[k], &f.Front[i])
		}
		if ok {
			return true
		}
	}
	return false
}

// States of a run.
const (
	StateRunning  = "running"
	StateStopped  = "stopped"
	StateFinished = "finished"
)

// checkpoint is checkpoint.json: where the run stands and the time it has taken. The search itself
// is rebuilt from the journal, so that losing a checkpoint loses nothing but that time.
type checkpoint struct {
	Schema    string   `json:"schema"` // toposearch.checkpoint/1
	State     string   `json:"state"`
	Exit      Status   `json:"exit"`
	Reason    string   `json:"reason,omitempty"`
	Complete  bool     `json:"complete"`
	ElapsedNs int64    `json:"elapsed_ns"`
	Progress  Progress `json:"progress"`
}

const checkpointSchema = "toposearch.checkpoint/1"

// readCheckpoint gives an empty one if there is none; one that cannot be read is none.
func readCheckpoint(dir string) (*checkpoint, error) {
	cp := &checkpoint{Schema: checkpointSchema}
	b, err := os.ReadFile(filepath.Join(dir, "checkpoint.json"))
	if errors.Is(err, os.ErrNotExist) {
		return cp, nil
	}
	if err != nil {
		return nil, fmt.Errorf("checkpoint: %w", err)
	}
	if json.Unmarshal(b, cp) != nil || cp.Schema != checkpointSchema {
		return &checkpoint{Schema: checkpointSchema}, nil
	}
	return cp, nil
}

// save replaces the checkpoint; a reader sees the old one or the new one.
func (c *checkpoint) save(dir string) error {
	b, err := encodeJSON(c)
	if err != nil {
		return err
	}
	tmp := filepath.Join(dir, "checkpoint.json.tmp")
	if err := os.WriteFile(tmp, b, 0o644); err != nil {
		return err
	}
	return os.Rename(tmp, filepath.Join(dir, "checkpoint.json"))
}
