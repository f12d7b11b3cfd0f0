package serve

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"toposearch/report"
	"toposearch/search/run"
)

// view makes the page of a run: from front.json and what else the run has written once it has, before that from its journal.
type view struct {
	server    *Server
	dir, name string
	watch     *run.Watch
	follows   string       // the manifest's time that watch is of
	written   *report.Data // of front.json as it was at
	at        string
}

// stamp tells one state of a file from another; "" if it is not there.
func stamp(path string) string {
	info, err := os.Stat(path)
	if err != nil {
		return ""
	}
	return fmt.Sprint(info.ModTime().UnixNano(), " ", info.Size())
}

func (v *view) page() (*report.Snapshot, error) {
	l := v.server.stand(v.dir)
	l.Name = v.name
	d, err := v.data(l)
	if err != nil {
		if l.Fault == "" {
			l.Fault = err.Error()
			var bad *run.Damaged
			if errors.As(err, &bad) {
				l.Fault += "; the page shows what stands before it. Continue, or resume, computes again what is lost"
			}
		}
		l.SoFar = true
		if d == nil {
			d = &report.Data{Study: filepath.Base(v.dir)}
			if l.Status != nil {
				d.Study = l.Status.Manifest.Study
			}
		}
	}
	return report.NewSnapshot(d, l)
}

// data is what the page shows of the run. Its error may come beside data.
func (v *view) data(l *report.Live) (*report.Data, error) {
	s := l.Status
	if s == nil {
		return nil, errors.New(l.Fault)
	}
	if front := filepath.Join(v.dir, "front.json"); s.State != run.StateRunning && !newer(filepath.Join(v.dir, "journal.jsonl"), front) {
		now := stamp(front)
		if v.written == nil || v.at != now {
			d, err := report.Load(v.dir)
			if err != nil {
				return nil, err
			}
			v.written, v.at, v.watch = d, now, nil // the journal is not needed any more
		}
		return v.written, nil
	}
	l.SoFar, v.written = true, nil
	if now := stamp(filepath.Join(v.dir, "manifest.json")); v.watch == nil || v.follows != now { // a larger budget is in the manifest
		w, err := run.NewWatch(v.dir)
		if err != nil {
			return nil, err
		}
		v.watch, v.follows = w, now
	}
	_, fault := v.watch.Poll()
	f, err := v.watch.Front()
	if err != nil {
		return nil, err
	}
	f.Strategy = s.Progress.Strategy
	l.Grown, l.Volumes, l.Simulated = v.watch.Growth, v.watch.Hypervolumes(), v.watch.Simulated()
	return report.FromFront(f, v.watch.Manifest, v.watch.Study), fault
}

// newer reports whether front.json is missing or older than the journal: the run went on since it was written.
func newer(journal, front string) bool {
	f, err := os.Stat(front)
	if err != nil {
		return true
	}
	j, err := os.Stat(journal)
	return err == nil && j.ModTime().After(f.ModTime())
}
