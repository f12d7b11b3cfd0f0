package search

import (
	"context"
	"fmt"
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
	known, err := loadReuse(opt.Reuse, dir.Path, head)
	if d.reuse = known.find; err != nil {
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
	if j.Replaying() {
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
	cp.State, cp.Exit, cp.Reason = StateFinished, out.Status, out.Reason
	if f.Stopped == stopInterrupted { // the fraction stays where the search stood
		cp.State = StateStopped
	} else {
		d.prog.Phase, d.prog.Fraction = PhaseFinished, 1
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
