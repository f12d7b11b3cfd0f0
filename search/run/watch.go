package run

import (
	"errors"
	"fmt"
	"io/fs"
	"math/big"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"toposearch/evaluator"
	"toposearch/evaluator/metric"
	"toposearch/search"
	"toposearch/search/verify"
	"toposearch/study"
	"toposearch/topology"
)

// Watch follows a run from outside, while another process writes it: each Poll reads what the journal got since the last, and nothing
// is evaluated. It takes no lock and writes nothing, so that it cannot disturb the run. It is for one goroutine at a time.
type Watch struct {
	Path     string
	Manifest *Manifest
	Study    *study.Study
	// PerFam has what the journal says of each family: Evaluated, Feasible, OnFront.
	PerFam []search.FamilyCounts
	// Growth is what the front was like on the way here, oldest first; the last is the front of now.
	Growth []Grown

	problem *search.Problem
	space   map[string]int // of a family, by name
	front   search.Archive
	entries map[string]*search.Entry // of designs that came to the front
	sims    map[string][]*verify.Result
	order   []string // designs simulated, in the order of their first simulation
	at      place
	taken   int64 // lines about designs
	grow    growth
}

// place is how far a journal has been read.
type place struct {
	file os.FileInfo
	size int64 // bytes of whole lines
	line int
	sum  uint32
}

// NewWatch reads the study of a run from the copies in its directory. families are as in study.Load.
func NewWatch(path string, families ...*topology.Family) (*Watch, error) {
	m, err := ReadManifest(path)
	if err != nil {
		return nil, err
	}
	st, err := LoadStudy(path, families...)
	if err != nil {
		return nil, err
	}
	ev, err := evaluator.New(st.Options)
	if err != nil {
		return nil, err
	}
	p, err := search.NewProblem(st, ev)
	if err != nil {
		return nil, err
	}
	w := &Watch{Path: path, Manifest: m, Study: st, problem: p, space: map[string]int{}}
	for i, sp := range p.Spaces {
		w.space[sp.Fam.Name] = i
	}
	w.begin()
	return w, nil
}

// begin forgets what was read: another journal stands where it was, as after a larger budget.
func (w *Watch) begin() {
	w.front, w.entries, w.sims, w.order, w.Growth = search.Archive{}, map[string]*search.Entry{}, map[string][]*verify.Result{}, nil, nil
	w.at, w.taken, w.grow = place{}, 0, growth{}
	w.PerFam = make([]search.FamilyCounts, len(w.problem.Spaces))
	for i, sp := range w.problem.Spaces {
		w.PerFam[i] = search.FamilyCounts{Family: sp.Fam.Name, Space: sp.Size}
	}
}

// Poll reads the lines that the journal got since the last call and says whether there were any. A journal that is not there yet has
// none; one that was begun anew is read from its beginning. Its error is a *Damaged where a line is not as it was written.
func (w *Watch) Poll() (changed bool, err error) {
	path := filepath.Join(w.Path, journalName)
	f, err := openFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("%w: %w", ErrJournal, err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return false, fmt.Errorf("%w: %w", ErrJournal, err)
	}
	if w.at.file != nil && (!os.SameFile(w.at.file, info) || info.Size() < w.at.size) {
		w.begin()
		changed = true
	}
	w.at.file = info
	if info.Size() == w.at.size {
		return changed, nil
	}
	s := newScannerFrom(f, w.at.size, info.Size())
	s.line, s.sum = w.at.line, w.at.sum
	start := w.at.size
	for {
		body, raw, fault, err := s.next()
		if err != nil { // at the end of the last whole line, or of what could be read
			break
		}
		if fault != "" {
			return changed, &Damaged{Path: path, Lines: []string{fault}, Faults: 1}
		}
		if s.line == 1 {
			if _, err := headOf(body, raw); err != nil {
				return changed, fmt.Errorf("%w: %s: %w", ErrJournal, path, err)
			}
		} else if err := w.take(body); err != nil {
			return changed, fmt.Errorf("%w: %s, line %d: %w", ErrJournal, path, s.line, err)
		}
		w.at.size, w.at.line, w.at.sum = start+s.size, s.line, s.sum
		changed = true
	}
	if changed {
		w.Growth = w.grow.until(w.taken, &w.front)
	}
	return changed, nil
}

// take enters a line: a design, a simulation, or what concerns neither.
func (w *Watch) take(body []byte) error {
	if strings.HasPrefix(string(body[:min(len(body), len(verify.NoteHead))]), verify.NoteHead) {
		r, err := verify.ReadNote(object(body))
		if err != nil {
			return err
		}
		if w.sims[r.Design] == nil {
			w.order = append(w.order, r.Design)
		}
		w.sims[r.Design] = append(w.sims[r.Design], r)
		return nil
	}
	if _, _, ok := designOf(body); !ok {
		return nil
	}
	var e search.Entry
	if _, err := parseEntry(body, &e); err != nil {
		return err
	}
	family, _, _ := strings.Cut(e.Design, "(")
	sp, ok := w.space[family]
	if !ok {
		return fmt.Errorf("%w: %s is of no family of the study", search.ErrLine, e.Design)
	}
	w.taken++
	w.PerFam[sp].Evaluated++
	s := w.problem.ScoreEntry(&e)
	if !s.Feasible() {
		return nil
	}
	w.PerFam[sp].Feasible++
	if w.front.Add(search.Member{Candidate: search.Candidate{Space: sp}, Vector: s.V, Name: e.Design}) {
		w.entries[e.Design] = &e
		w.grow.keep(w.taken, &w.front)
	}
	return nil
}

// Front is the front of the designs journalled until now, as front.json would hold it but for what evaluating again tells:
// methods, and metrics that the search had no need of. Finalists have what was simulated of them.
func (w *Watch) Front() (*search.Front, error) {
	f := &search.Front{Schema: search.FrontSchema, Study: w.Study.Name, Front: []search.Record{}}
	f.Counts = search.Counts{Rejected: map[string]*big.Int{}, Evaluated: w.taken}
	for _, o := range w.problem.Objectives {
		f.Objectives = append(f.Objectives, o.Name())
	}
	for i := range w.PerFam {
		w.PerFam[i].OnFront = 0
	}
	for _, m := range w.front.Ordered() {
		d, err := topology.ParseDesign(m.Name, w.Study.Known)
		if err != nil {
			return nil, fmt.Errorf("%w: %s: %w", ErrJournal, w.Path, err)
		}
		m.V = d.V
		r := record(w.problem, m)
		keepMetrics(w.entries[m.Name], &r)
		if sims := w.sims[m.Name]; sims != nil {
			r.Finalist, r.Verified = true, verify.Combine(w.problem, sims, &r)
		}
		w.PerFam[m.Space].OnFront++
		f.Front = append(f.Front, r)
	}
	for i := range w.PerFam {
		f.Counts.Feasible += w.PerFam[i].Feasible
	}
	f.Counts.Families = slices.Clone(w.PerFam)
	return f, nil
}

// journalMethod stands where the method of a figure would: the journal keeps values and bounds.
const journalMethod = "as journalled; the report names the method when the run has ended"

// keepMetrics gives a record what the journal keeps of its metrics.
func keepMetrics(e *search.Entry, r *search.Record) {
	r.Metrics, r.Routing = map[string]metric.Figure{}, e.Routing
	for k := range metric.Count {
		if v := e.Values[k]; v == v {
			r.Metrics[metric.Keys[k].Name] = metric.Figure{Value: v, Lo: e.Lo[k], Hi: e.Hi[k], Unit: metric.Keys[k].Unit, Method: journalMethod}
		}
	}
}

// Simulated are the designs simulated until now that are not on the front, in the order in which they were, with what was measured: a
// search at two fidelities simulates some.
func (w *Watch) Simulated() (out []search.Record) {
	on := map[string]bool{}
	for _, p := range w.front.Tree.Points() {
		on[p.Name] = true
	}
	for _, name := range w.order {
		if !on[name] {
			r := search.Record{Design: name, Finalist: true}
			r.Family, _, _ = strings.Cut(name, "(")
			r.Verified = verify.Combine(w.problem, w.sims[name], &r)
			out = append(out, r)
		}
	}
	return out
}

// Hypervolumes are those of Growth as parts of that of the front of now, all from one reference point: the worst of the front of
// now and a tenth of its range (objectives.Reference). nil where the front is empty, or so large that computing them takes long;
// NaN where an earlier front was.
func (w *Watch) Hypervolumes() []float64 { return volumes(w.Growth, len(w.problem.Objectives)) }
