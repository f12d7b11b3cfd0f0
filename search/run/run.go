package run

import (
	"context"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"time"

	"toposearch/evaluator"
	"toposearch/internal/crew"
	"toposearch/objectives"
	"toposearch/search"
	"toposearch/study"
	"toposearch/topology"
)

// Run searches a study in a run directory, verifies finalists and writes front.json. What the
// journal in the directory holds already is replayed, not computed again, so that Run also
// continues an interrupted run. Cancelling ctx stops at once and loses nothing journalled.
func Run(ctx context.Context, st *study.Study, dir *RunDir, opt search.Options) (*search.Outcome, error) {
	m, err := evaluator.New(st.Options)
	if err != nil {
		return nil, err
	}
	p, err := search.NewProblem(st, m)
	if err != nil {
		return nil, err
	}
	return run(ctx, p, dir, opt)
}

// Resume continues the run in a directory where it stopped; a finished run is done at once. families are
// as in study.Load.
func Resume(ctx context.Context, path string, opt search.Options, families ...*topology.Family) (*search.Outcome, error) {
	dir, err := Open(path)
	if err != nil {
		return nil, err
	}
	defer dir.Close()
	st, err := dir.Manifest.load(path, families)
	if err != nil {
		return nil, err
	}
	return Run(ctx, st, dir, opt)
}

// run is Run for any model.
func run(ctx context.Context, p *search.Problem, dir *RunDir, opt search.Options) (*search.Outcome, error) {
	defer crew.Doing(func() string { return fmt.Sprintf("running study %q, seed %d", p.Study.Name, p.Seed) })
	if opt.Tell == nil {
		opt.Tell = func(string) {}
	}
	cp, err := readCheckpoint(dir.Path)
	if err != nil {
		return nil, err
	}
	head, err := newJournalHead(p.Study)
	if err != nil {
		return nil, err
	}
	j, err := openOrMend(dir.Path, head, cp, opt.Tell)
	if err != nil {
		return nil, err
	}
	defer func() { j.close() }()
	if cp.State == StateFinished {
		if f, err := Unharmed(dir.Path); err == nil && (len(f.Unsimulated) == 0 || !opt.Unbounded) {
			return &search.Outcome{Status: cp.Exit, Reason: cp.Reason, Dir: dir.Path, Front: f}, nil
		}
	}
	known, err := loadReuse(opt.Reuse, dir.Path, head, opt.Tell)
	if err != nil {
		return nil, err
	}
	driver := func() *search.Driver {
		d := search.NewDriver(p, j, opt)
		d.Before, d.Reached, d.Ended, d.Simulating = cp.ElapsedNs, cp.Border, cp.TimeEnd, time.Duration(cp.SimulatedNs)
		d.Reuse, d.Sims = known.find, known.sim
		return d
	}
	d := driver()
	sv, err := newSavepoints(dir, d, j, head)
	if err != nil {
		return nil, err
	}
	if bad := sv.load(ctx); ctx.Err() != nil {
		return nil, ctx.Err()
	} else if bad != nil {
		opt.Tell(fmt.Sprintf("%s cannot be used: %v; the search is done again from the journal, to the same end", filepath.Join(dir.Path, savepointName), bad))
		j.close()
		again, err := openJournal(filepath.Join(dir.Path, journalName), head)
		if err != nil {
			return nil, err
		}
		j = again
		d = driver()
		if sv, err = newSavepoints(dir, d, j, head); err != nil {
			return nil, err
		}
	}
	saved := time.Duration(math.MinInt64)
	var grown gains
	d.Opt.Progress = func(pr search.Progress) {
		if pr.Phase == search.PhaseSearch {
			grown.look(pr.Evaluated, &d.Front, len(p.Objectives))
			d.Prog.Gained, d.Prog.GainedIn = grown.gain, grown.in
			pr.Gained, pr.GainedIn = grown.gain, grown.in
		}
		was := cp.Progress.Phase
		cp.State, cp.Progress = StateRunning, pr
		cp.ElapsedNs, cp.SimulatedNs, cp.Border = max(cp.ElapsedNs, d.Used), max(cp.SimulatedNs, int64(d.AtSimulations())), d.Reached
		if now := d.Opt.Shown; now == nil || pr.Phase != was || now() >= saved+checkpointEvery {
			cp.save(dir.Path) // for those who look on; nothing depends on it
			if now != nil {
				saved = now()
			}
		}
		if opt.Progress != nil {
			opt.Progress(pr)
		}
	}
	f, err := whole(ctx, d, sv)
	if err != nil {
		return nil, err
	}
	if j.Replaying() {
		return nil, j.Foreign(fmt.Errorf("%w: the run ends before its journal does", search.ErrInputsChanged))
	}
	return end(d, dir.Path, cp, f, opt.Progress)
}

// checkpointEvery keeps those who look on up to date, and costs nothing beside a search: a checkpoint takes 0.2 ms, a batch that bounds decide no more.
const checkpointEvery = 100 * time.Millisecond

// openOrMend opens the journal of a run. A damaged one is set aside, and the run begins a new one: what is whole of
// the old one answers for it (loadReuse), what is lost is computed again, so that the new one
// gets the bytes that the old one had. To where the budget of time lasted is kept in the checkpoint.
func openOrMend(dir string, head journalHead, cp *checkpoint, tell func(string)) (*journal, error) {
	path := filepath.Join(dir, journalName)
	j, err := openJournal(path, head)
	var bad *Damaged
	if !errors.As(err, &bad) {
		return j, err
	}
	cp.State = StateStopped
	proof, simulated := max(bad.ended.Proof, cp.Proof), cp.Simulated
	if bad.ended.Ended {
		cp.Border, cp.TimeEnd = bad.border, bad.ended
	}
	cp.Proof, cp.Simulated = proof, simulated
	if err := cp.save(dir); err != nil {
		return nil, fmt.Errorf("cannot write the checkpoint: %w", err)
	}
	aside, err := setAside(dir)
	if err != nil {
		return nil, err
	}
	tell(fmt.Sprintf("%v; the file is kept as %s, and what is lost is computed again", bad, aside))
	return openJournal(path, head)
}

// end writes front.json and says how the run ended.
func end(d *search.Driver, path string, cp *checkpoint, f *search.Front, user func(search.Progress)) (*search.Outcome, error) {
	out := &search.Outcome{Dir: path, Front: f}
	out.Status, out.Reason = verdict(d.P, f, d.Opt.Strict)
	if err := writeSigned(filepath.Join(path, frontName), f); err != nil {
		return nil, fmt.Errorf("cannot write the front: %w", err)
	}
	cp.State, cp.Exit, cp.Reason = StateFinished, out.Status, out.Reason
	if f.Stopped == search.StopInterrupted { // the fraction stays where the search stood
		cp.State = StateStopped
	} else {
		d.Begin(search.PhaseFinished, "")
		d.Prog.Fraction = 1
		if len(f.Unsimulated) == 0 {
			dropSavepoint(path)
		}
	}
	d.Prog.Elapsed, d.Prog.Since, d.Prog.Left = 0, 0, 0
	d.Prog.Front, d.Prog.Best = f.Points(), bestOnFront(d.P.Study.Objectives, f)
	switch f.Stopped {
	case search.StopTime:
		cp.Border = d.Border
	case search.StopInterrupted:
		cp.Border = d.Reached
	default: // what is lost of it, and its proof, may be computed again whatever the clock says
		cp.Border = d.Border + 2
	}
	if f.Stopped != search.StopInterrupted {
		cp.TimeEnd = d.Ended
		cp.Simulated = len(f.Unsimulated) == 0
	}
	cp.Unsimulated = len(f.Unsimulated)
	cp.Progress, cp.ElapsedNs, cp.Complete = d.Prog, max(cp.ElapsedNs, d.Used), f.Complete
	if err := cp.save(path); err != nil {
		return nil, fmt.Errorf("cannot write the checkpoint: %w", err)
	}
	if user != nil {
		user(d.Prog)
	}
	return out, nil
}

// bestOnFront is the best value of each objective on a front; nil if that is empty.
func bestOnFront(objs []objectives.Objective, f *search.Front) map[string]float64 {
	if len(f.Front) == 0 {
		return nil
	}
	out := map[string]float64{}
	for _, o := range objs {
		for i := range f.Front {
			x, ok := f.Front[i].Objectives[o.Name()]
			if best, have := out[o.Name()]; ok && (!have || o.Cost(x) < o.Cost(best)) {
				out[o.Name()] = x
			}
		}
	}
	return out
}
