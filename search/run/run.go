package run

import (
	"context"
	"fmt"
	"path/filepath"

	"toposearch/evaluator"
	"toposearch/internal/crew"
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
	cp, err := readCheckpoint(dir.Path)
	if err != nil {
		return nil, err
	}
	if cp.State == StateFinished {
		if f, err := ReadFront(dir.Path); err == nil {
			return &search.Outcome{Status: cp.Exit, Reason: cp.Reason, Dir: dir.Path, Front: f}, nil
		}
	}
	head, err := newJournalHead(p.Study)
	if err != nil {
		return nil, err
	}
	j, err := openJournal(filepath.Join(dir.Path, "journal.jsonl"), head)
	if err != nil {
		return nil, err
	}
	defer j.close()
	d := search.NewDriver(p, j, opt)
	d.Before = cp.ElapsedNs
	known, err := loadReuse(opt.Reuse, dir.Path, head)
	if err != nil {
		return nil, err
	}
	if known != nil {
		d.Reuse = known.find
	}
	d.Opt.Progress = func(pr search.Progress) {
		cp.State, cp.Progress = StateRunning, pr
		cp.ElapsedNs = elapsed(d)
		cp.save(dir.Path) // for those who look on; nothing depends on it
		if opt.Progress != nil {
			opt.Progress(pr)
		}
	}
	f, err := whole(ctx, d)
	if err != nil {
		return nil, err
	}
	if j.Replaying() {
		return nil, fmt.Errorf("%w: %s, line %d: %w: the run ends before its journal does", ErrJournal, j.path, j.line, search.ErrInputsChanged)
	}
	return end(d, dir.Path, cp, f, opt.Progress)
}

// elapsed is the time spent on the run, earlier calls included, in ns.
func elapsed(d *search.Driver) int64 {
	if d.Opt.Elapsed == nil {
		return d.Before
	}
	return d.Before + int64(d.Opt.Elapsed())
}

// end writes front.json and says how the run ended.
func end(d *search.Driver, path string, cp *checkpoint, f *search.Front, user func(search.Progress)) (*search.Outcome, error) {
	out := &search.Outcome{Dir: path, Front: f}
	out.Status, out.Reason = verdict(d.P, f, d.Opt.Strict)
	b, err := encodeJSON(f)
	if err != nil {
		return nil, err
	}
	if err := replaceFile(filepath.Join(path, "front.json"), b); err != nil {
		return nil, fmt.Errorf("cannot write the front: %w", err)
	}
	cp.State, cp.Exit, cp.Reason = StateFinished, out.Status, out.Reason
	if f.Stopped == search.StopInterrupted { // the fraction stays where the search stood
		cp.State = StateStopped
	} else {
		d.Prog.Phase, d.Prog.Fraction = search.PhaseFinished, 1
	}
	cp.Progress, cp.ElapsedNs, cp.Complete = d.Prog, elapsed(d), f.Complete
	if err := cp.save(path); err != nil {
		return nil, fmt.Errorf("cannot write the checkpoint: %w", err)
	}
	if user != nil {
		user(d.Prog)
	}
	return out, nil
}
