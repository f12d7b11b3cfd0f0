package serve

import (
	"fmt"
	"io"
	"strconv"
	"strings"
	"sync"
	"time"

	"toposearch/internal/crew"
	"toposearch/report"
)

// feed is a page with its history: each change has a number, and the last of them are kept for browsers that lost their connection.
type feed struct {
	dir   string // of a run; "": none
	epoch string // of this start: versions of another are no versions
	done  <-chan struct{}
	tell  func(text string)
	make  func() (*report.Snapshot, error)

	work sync.Mutex // of whoever makes the page, and of now
	now  *report.Snapshot

	mu      sync.Mutex // of what follows
	version int
	deltas  [][]byte // those that made version, version-1, ...: the last is the newest
	more    chan struct{}
	readers int
	ticking bool
}

const (
	// kept increments are enough for the minutes in which a browser finds its way back.
	kept = 300
	// A page is made anew after tick, and later where making it takes long: at most a tenth of a core goes into it, and nobody waits
	// longer than slowest.
	tick    = time.Second
	share   = 10
	slowest = 20 * time.Second
)

// refresh makes the page as it is now and enters what has changed.
func (f *feed) refresh() error {
	f.work.Lock()
	defer f.work.Unlock()
	return f.refreshed()
}

func (f *feed) refreshed() error {
	next, err := f.make()
	if err != nil {
		return err
	}
	var delta []byte
	if f.now != nil {
		d := f.now.To(next)
		if d.Empty() {
			return nil
		}
		delta = d.JSON()
	}
	f.now = next
	f.mu.Lock()
	defer f.mu.Unlock()
	f.version++
	if f.deltas = append(f.deltas, delta); len(f.deltas) > kept {
		f.deltas = append([][]byte(nil), f.deltas[len(f.deltas)-kept:]...)
	}
	close(f.more)
	f.more = make(chan struct{})
	return nil
}

// write writes the whole page as it is now.
func (f *feed) write(w io.Writer, policy func(string)) error {
	f.work.Lock()
	defer f.work.Unlock()
	if err := f.refreshed(); err != nil {
		return err
	}
	policy(f.now.Policy())
	return f.now.Write(w, f.name(f.at()))
}

func (f *feed) at() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.version
}

// name is what a browser calls a version by.
func (f *feed) name(version int) string { return fmt.Sprintf("%s.%d", f.epoch, version) }

// reload is the increment for who has seen nothing that is known here.
var reload = []byte(`{"reload":true}`)

// since gives the increments after a version, with their versions, and a channel that is closed when there are more. A version that is not
// known, or too old, is answered by one that loads the page anew.
func (f *feed) since(from string) (names []string, deltas [][]byte, more <-chan struct{}) {
	f.mu.Lock()
	defer f.mu.Unlock()
	n := -1
	if epoch, number, ok := strings.Cut(from, "."); ok && epoch == f.epoch {
		if x, err := strconv.Atoi(number); err == nil {
			n = x
		}
	}
	if n < f.version-len(f.deltas) || n < 1 || n > f.version {
		return []string{f.name(f.version)}, [][]byte{reload}, f.more
	}
	for v := n + 1; v <= f.version; v++ {
		names, deltas = append(names, f.name(v)), append(deltas, f.deltas[len(f.deltas)-1-(f.version-v)])
	}
	return names, deltas, f.more
}

// read counts a reader, until the function that it gives is called; while there is one, the page is made anew again and again.
func (f *feed) read() (end func()) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.readers++
	if !f.ticking {
		f.ticking = true
		crew.Detach(f.run, func(err error) {
			f.tell("a page is not live any more: " + err.Error())
			f.mu.Lock()
			f.ticking = false
			f.mu.Unlock()
		})
	}
	return func() {
		f.mu.Lock()
		f.readers--
		f.mu.Unlock()
	}
}

// run makes the page anew while somebody reads it.
func (f *feed) run() {
	wait := tick
	for {
		select {
		case <-f.done:
			return
		case <-time.After(wait):
		}
		f.mu.Lock()
		if f.readers == 0 {
			f.ticking = false
			f.mu.Unlock()
			return
		}
		f.mu.Unlock()
		began := time.Now()
		if err := f.refresh(); err != nil {
			f.tell(err.Error())
		}
		wait = min(max(tick, share*time.Since(began)), slowest)
	}
}
