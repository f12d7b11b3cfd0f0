package run

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"runtime/debug"
	"time"

	"toposearch/internal/disk"
	"toposearch/internal/pack"
	"toposearch/search"
	"toposearch/search/branch"
)

// A savepoint holds what a search knows besides its journal: its strategies, what bounds decided, what was counted. A resumed run goes on from
// there and replays only the part of the journal behind it; without one, or with one that does not fit, it comes to the same by searching again, which
// takes as long as everything but the evaluations did. Nothing depends on when one is written.

// savepointSchema names the form of the file, and what strategies save.
const savepointSchema = "toposearch.savepoint/2"

// savepointEvery is how often one is written where nobody says otherwise, and savepointShare by how many times longer than the last took to be written the time
// between two is: a million boxes and a million designs are 150 MB. A run that is asked to stop writes another if it lost more than a thirtieth of that.
const (
	savepointEvery = time.Minute
	savepointLost  = 30
)

var savepointShare = time.Duration(50) // 0 in tests: at every border

// mostStages is how many stages a search may have: one for each strategy.
const mostStages = 4

// savepoints are those of a run.
type savepoints struct {
	dir string
	id  string // of all that a search depends on
	j   *journal
	d   *search.Driver

	// What strategies says of itself.
	plan     *Plan
	front    *search.Front
	complete []bool
	trees    *trees
	stage    int

	// What load has read: the stage to go on with, and what it has saved. nil: the search begins.
	state *pack.Reader

	every, last, took time.Duration
	failed            bool
}

// newSavepoints names what a search depends on: the inputs and the program.
func newSavepoints(dir *RunDir, d *search.Driver, j *journal, head journalHead) (*savepoints, error) {
	var program []string
	if info, ok := debug.ReadBuildInfo(); ok {
		program = append(program, info.Main.Version)
		for _, s := range info.Settings {
			if s.Key == "vcs.revision" || s.Key == "vcs.modified" {
				program = append(program, s.Value)
			}
		}
	}
	m := &dir.Manifest
	id, err := digest([]any{savepointSchema, program, head, m.Inputs, m.Budget, d.P.Seed})
	every := d.Opt.Savepoints
	if every <= 0 {
		every = savepointEvery
	}
	return &savepoints{dir: dir.Path, id: id, j: j, d: d, every: every}, err
}

// may is asked between batches: it writes a savepoint if one is due. stage packs what the strategy at hand knows, but for trees; nil: nothing. stops:
// the run ends here, and may be continued.
func (s *savepoints) may(stage func(w *pack.Writer), stops bool) {
	if s == nil || s.d.Opt.Shown == nil || s.j.Replaying() {
		return
	}
	since := s.d.Opt.Shown() - s.last
	if since < max(s.every, savepointShare*s.took) && !(stops && since >= s.every/savepointLost) {
		return
	}
	begun := s.d.Opt.Shown()
	err := disk.WriteUnsynced(filepath.Join(s.dir, savepointName), s.pack(stage))
	if err != nil && !s.failed {
		s.failed = true
		s.d.Opt.Tell(fmt.Sprintf("no savepoint can be written: %v; the run goes on, and resuming it would search again what bounds decide", err))
	}
	s.last = s.d.Opt.Shown()
	s.took = s.last - begun
}

// pack is the file: what it is of, the place in the journal, the search, and a checksum of all.
func (s *savepoints) pack(stage func(w *pack.Writer)) []byte {
	var w pack.Writer
	w.Text(savepointSchema)
	w.Text(s.id)
	w.Int(s.j.size)
	w.Fixed(uint64(s.j.sum))
	plan, err := json.Marshal(s.plan)
	if err != nil {
		panic("run: a plan: " + err.Error()) // `plan --json` prints it
	}
	w.Text(string(plan))
	w.Text(s.front.Strategy)
	w.Int(int64(s.stage))
	for i := range s.complete {
		w.Bool(s.complete[i])
		w.Bool(s.trees.evolved[i])
	}
	w.Int(int64(len(s.trees.all)))
	for _, e := range s.trees.all {
		e.Save(&w)
	}
	s.d.Save(&w)
	if stage != nil {
		stage(&w)
	}
	sum := sha256.Sum256(w)
	return append(w, sum[:]...)
}

// load takes over the last savepoint if there is one. After an error, savepoints, driver and journal are of no use.
func (s *savepoints) load(ctx context.Context) error {
	b, err := readFile(filepath.Join(s.dir, savepointName))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	n := len(b) - sha256.Size
	if n < 0 || sha256.Sum256(b[:n]) != [sha256.Size]byte(b[n:]) {
		return errors.New("it does not have the bytes that were written")
	}
	r := pack.NewReader(b[:n])
	if r.Text() != savepointSchema || r.Text() != s.id {
		return errors.New("it was written by another version of the program, or for other inputs")
	}
	size, sum := r.Int(), uint32(r.Fixed())
	s.plan = new(Plan)
	if err := json.Unmarshal([]byte(r.Text()), s.plan); err != nil {
		return err
	}
	spaces := s.d.P.Spaces
	s.front = &search.Front{Strategy: r.Text()}
	s.stage = int(r.Within(0, mostStages-1))
	s.complete, s.trees = make([]bool, len(spaces)), newTrees(s.d.P)
	for i := range spaces {
		s.complete[i], s.trees.evolved[i] = r.Bool(), r.Bool()
	}
	for k := r.Count(1); k > 0 && !r.Failed(); k-- {
		s.trees.add(branch.LoadEnumeration(s.d.P, s.d.Workers(), s.d.Opt.Remote, r))
	}
	err = s.d.Load(ctx, r, func(n int) ([]*search.Entry, error) { return s.j.entries(ctx, n, s.d.Workers()) })
	switch {
	case err != nil:
		return err
	case r.Failed():
		return r.End()
	case s.j.from != size || s.j.fromSum != sum:
		return errors.New("the journal is not the one that it was written for")
	}
	s.state = r
	return nil
}

// over names what savepoints are to hold.
func (s *savepoints) over(pl *Plan, f *search.Front, complete []bool, t *trees) {
	if s != nil {
		s.plan, s.front, s.complete, s.trees = pl, f, complete, t
	}
}

// was tells whether a stage was done before the savepoint that was loaded.
func (s *savepoints) was(stage int) bool { return s != nil && s.state != nil && stage < s.stage }

// begin notes that a stage begins, or goes on from the savepoint that was loaded: then it gives what take will.
func (s *savepoints) begin(stage int) *pack.Reader {
	if s == nil {
		return nil
	}
	s.stage = stage
	return s.state
}

// take gives what the stage saved that goes on, once.
func (s *savepoints) take() (state *pack.Reader) {
	if s != nil {
		state, s.state = s.state, nil
	}
	return state
}

// dropSavepoint removes the savepoint of a run that has ended.
func dropSavepoint(dir string) { _ = disk.Remove(filepath.Join(dir, savepointName)) }
