package serve

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"toposearch/report"
)

// found is a run directory with its name in addresses, which it keeps while the server lives.
type found struct {
	name, dir string
	live      *report.Live
}

// find tells where all runs stand.
func (s *Server) find() []found {
	var out []found
	for _, dir := range s.dirs() {
		out = append(out, found{s.named(dir), dir, s.stand(dir)})
	}
	return out
}

// named gives the name of a run directory in addresses; two of one name are told apart by a number.
func (s *Server) named(dir string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	for name, f := range s.feeds {
		if f.dir == dir {
			return name
		}
	}
	name := nameOf(dir)
	for n := 2; s.feeds[name] != nil; n++ {
		name = fmt.Sprintf("%s-%d", nameOf(dir), n)
	}
	v := &view{server: s, dir: dir, name: name}
	s.feeds[name] = s.newFeed(dir, v.page)
	return name
}

// feedOf is the feed of a name in an address; nil: there is none. Addresses hold names of this list, never paths.
func (s *Server) feedOf(name string) *feed {
	for _, dir := range s.dirs() { // some may be new
		if s.named(dir) == name {
			s.mu.Lock()
			defer s.mu.Unlock()
			return s.feeds[name]
		}
	}
	return nil
}

// nameOf is a folder's name for addresses: without what an address would have to escape.
func nameOf(dir string) string {
	return strings.Map(func(c rune) rune {
		if c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || strings.ContainsRune("-_.", c) {
			return c
		}
		return '_'
	}, filepath.Base(dir))
}

// indexPage is the page of all runs.
func (s *Server) indexPage() (*report.Snapshot, error) {
	x := &report.Index{Title: strings.Join(append(slices.Clone(s.opt.Folders), s.opt.Runs...), ", ")}
	for _, r := range s.find() {
		l := *r.live
		l.Name = r.name
		x.Runs = append(x.Runs, report.IndexRun{Name: r.name, Dir: r.dir, Live: &l})
	}
	for i, path := range s.opt.Studies {
		x.Studies = append(x.Studies, report.IndexStudy{Name: fmt.Sprint(i), Text: filepath.Base(path)})
	}
	s.mu.Lock()
	x.Notes = slices.Clone(s.bad)
	s.mu.Unlock()
	return report.NewIndex(x, string(s.key))
}
