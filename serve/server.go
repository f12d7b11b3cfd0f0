package serve

import (
	"path/filepath"
	"sync"
	"time"

	"toposearch/report"
)

// Options are what is served and how.
type Options struct {
	// Runs are run directories, Folders those in which runs stand, also in folders of batches; the first gets the runs that are started
	// from the page. They need not exist yet.
	Runs, Folders []string
	// Studies are study files that the page may start.
	Studies []string
	// Program is the command line of this program, to which run and resume are added.
	Program []string
	Now     func() time.Time
	// Log is told of what a person at the terminal should know. nil: not.
	Log func(text string)
}

// Server serves runs. Handler answers requests; Close ends its connections.
type Server struct {
	opt Options
	key
	epoch string // names the versions of this start
	feeds map[string]*feed
	index *feed
	mu    sync.Mutex // of feeds, procs, starts
	procs map[string]*process
	bad   []string // starts that failed, newest last
	done  chan struct{}
	once  sync.Once
	open  chan struct{} // a place for each connection that is kept open
}

// newFeed prepares a feed of this server.
func (s *Server) newFeed(dir string, page func() (*report.Snapshot, error)) *feed {
	return &feed{dir: dir, epoch: s.epoch, done: s.done, tell: s.opt.Log, make: page, more: make(chan struct{})}
}

func abs(path string) string {
	if a, err := filepath.Abs(path); err == nil {
		return a
	}
	return path
}
