package serve

import (
	"errors"
	"path/filepath"
	"slices"
	"strings"

	"toposearch/report"
	"toposearch/search/run"
)

// mostRuns are listed: a page of more is of no use.
const mostRuns = 500

// dirs are the run directories that are there now: those named, then those in folders, by name.
func (s *Server) dirs() []string {
	all := slices.Clone(s.opt.Runs)
	for _, folder := range s.opt.Folders {
		var in []string
		for _, pattern := range []string{"*", "*/*"} { // the second: of a batch
			hits, _ := filepath.Glob(filepath.Join(quotedGlob(folder), pattern, "manifest.json")) // the pattern is one
			for _, m := range hits {
				if dir := filepath.Dir(m); !strings.HasPrefix(filepath.Base(dir), ".") && !slices.Contains(all, dir) {
					in = append(in, dir)
				}
			}
		}
		slices.Sort(in)
		all = append(all, in...)
	}
	return all[:min(len(all), mostRuns)]
}

// quotedGlob is a path as a pattern that only it matches.
func quotedGlob(path string) string {
	return strings.NewReplacer(`\`, `\\`, "*", `\*`, "?", `\?`, "[", `\[`).Replace(path)
}

// stand is where a run stands and what may be asked of it. It reads what `toposearch status` reads.
func (s *Server) stand(dir string) *report.Live {
	l := &report.Live{Token: string(s.key), Now: s.opt.Now(), Name: s.nameFor(dir)}
	st, err := run.ReadStatus(dir)
	if err != nil {
		l.Fault = err.Error()
		if errors.Is(err, run.ErrVersion) {
			l.Fault += "; its report.html can be opened as a file"
		}
		return l
	}
	l.Status = st
	switch st.State {
	case run.StateRunning:
		if _, ok := run.Process(dir); ok {
			l.Actions = []string{"pause", "stop"}
			l.Notes = append(l.Notes, "Pause is what ^C is at a terminal: the run finishes its batch, which takes 30 seconds at most, and writes what it has found. Continue goes on exactly there.")
			if n := len(st.Waiting); n > 0 {
				l.Notes = append(l.Notes, "It is part of a batch: both also end those that have not started ("+strings.Join(st.Waiting, ", ")+").")
			}
		} else {
			l.Notes = append(l.Notes, "The process of this run cannot be seen from here: it runs on another machine or for another user. ^C there pauses it.")
		}
	case run.StateStopped:
		l.Actions = []string{"resume"}
		l.Notes = append(l.Notes, "What is journalled is safe. Continue goes on exactly there, to the same result, as does: toposearch resume "+dir)
		if _, text := s.lastOf(dir); text != "" {
			l.Log = text
		}
	}
	return l
}

func (s *Server) nameFor(dir string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	for name, f := range s.feeds {
		if f.dir == dir {
			return name
		}
	}
	return ""
}

// lastOf is the process that was started here for a run directory, and how it failed.
func (s *Server) lastOf(dir string) (*process, string) {
	s.mu.Lock()
	p := s.procs[abs(dir)]
	s.mu.Unlock()
	if p == nil {
		return nil, ""
	}
	return p, p.failed()
}
