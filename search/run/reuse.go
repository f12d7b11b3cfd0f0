package run

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"toposearch/evaluator"
	"toposearch/evaluator/metric"
	"toposearch/search"
	"toposearch/search/verify"
	"toposearch/study"
)

// reuse answers evaluations from the journals of earlier runs: wholly from those with the same key, with the figures of the network
// from those where these depend on the same facts. It is safe for concurrent use.
type reuse struct {
	head  journalHead       // of the evaluations wanted
	lines map[string]known  // by design
	order []string          // designs, as they were first met
	sims  map[string][]byte // of earlier journals of this run, by what verify.NoteOf gives
}

// known is a line about a design, without its seal.
type known struct {
	line  []byte
	whole bool         // it is what an evaluation would give
	asked []metric.Key // by name, when it was evaluated
}

// CheckReuse says which of the run directories that are to answer for a study do not answer all, and why; a path that
// is none is an error.
func CheckReuse(st *study.Study, dirs []string) (idle []string, err error) {
	if len(dirs) == 0 {
		return nil, nil
	}
	head, err := newJournalHead(st)
	if err != nil {
		return nil, err
	}
	for _, dir := range dirs {
		if _, err := ReadManifest(dir); err != nil {
			return nil, fmt.Errorf("reuse: %w", err)
		}
		got, err := firstHead(filepath.Join(dir, journalName))
		why := ""
		switch {
		case errors.Is(err, ErrVersion):
			why = "answers nothing: " + err.Error()
		case errors.Is(err, fs.ErrNotExist) || err == io.EOF:
			why = "answers nothing: its journal is empty"
		case err != nil:
			return nil, fmt.Errorf("reuse of %s: %w", dir, err)
		case got == journalHead{}: // damaged: every line below it has the key, too
		case got.Evaluator != head.Evaluator:
			why = fmt.Sprintf("answers nothing: its figures are of evaluator %s, ours is %s", got.Evaluator, head.Evaluator)
		case got != head:
			why = notWhole(&got, &head, st.Options.ByWorst)
		}
		if why != "" {
			idle = append(idle, dir+" "+why)
		}
	}
	return idle, nil
}

// notWhole says why a journal does not answer for whole evaluations under head, and what it gives all the same.
func notWhole(got, head *journalHead, byWorst bool) string {
	var differ []string
	for _, x := range []struct{ a, b, text string }{
		{got.Catalogue, head.Catalogue, "another price list"},
		{got.Options, head.Options, "another site, bandwidth or other options of the evaluation"},
		{got.Asked, head.Asked, fmt.Sprintf("other metrics beyond level 1 (%s; this study: %s)", cmp.Or(got.Asked, "none"), cmp.Or(head.Asked, "none"))},
	} {
		if x.a != x.b {
			differ = append(differ, x.text)
		}
	}
	why := "it has " + strings.Join(differ, ", and ")
	var kept []string
	flow := metric.UniformThroughputOptimal // others are narrowed by it
	sameFlow := slices.Contains(got.asked(), flow) == slices.Contains(head.asked(), flow)
	for _, k := range got.asked() {
		if evaluator.OfNetwork(k) && sameFlow && slices.Contains(head.asked(), k) {
			kept = append(kept, metric.Keys[k].Name)
		}
	}
	switch {
	case got.Network != head.Network:
		return "answers nothing: " + why + "; routing, bandwidth, scale-up domains or rates on sale differ, so that figures of the network do too"
	case evaluator.NotKept(evaluator.Request{Keys: head.asked()}, byWorst) != "":
		return "answers nothing: " + why + "; " + evaluator.NotKept(evaluator.Request{Keys: head.asked()}, byWorst)
	case len(kept) == 0:
		return "answers nothing: " + why + ", and no metric that the study asks for beyond level 1 is taken over (toposearch run --help)"
	}
	return "gives " + strings.Join(kept, ", ") + "; what prices, parts and site decide is computed anew: " + why
}

// loadReuse indexes the journals of run directories, and those of before in own. Lines of which nothing is valid
// are passed over, as is a journal that is missing or of another form. Damaged ones
// are told of by name.
func loadReuse(dirs []string, own string, head journalHead, tell func(string)) (*reuse, error) {
	r := &reuse{head: head, lines: map[string]known{}, sims: map[string][]byte{}}
	before := asides(own)
	files := before
	for _, dir := range dirs {
		files = append(append(files, filepath.Join(dir, journalName)), asides(dir)...)
	}
	for i, file := range files {
		d, err := r.index(file, i < len(before))
		if errors.Is(err, fs.ErrNotExist) || errors.Is(err, ErrVersion) {
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("reuse: %w", err)
		}
		if d.Faults > 0 && i >= len(before) {
			tell(d.Error() + "; what is lost of it is computed again")
		}
	}
	return r, nil
}

// idle is why nothing of the journals answers for a problem, "" if something does.
func (r *reuse) idle(p *search.Problem) string {
	if len(r.lines) == 0 {
		return "routing, bandwidth, scale-up domains or rates on sale are others than those of the run, so that figures of the network are, too"
	}
	for _, l := range r.lines {
		if l.whole {
			return ""
		}
	}
	return evaluator.NotKept(p.Request, p.Study.Options.ByWorst)
}

// index remembers the line of each design in a journal that has the key or equal facts of the network, and of each simulation in
// one of the same run.
func (r *reuse) index(file string, own bool) (*Damaged, error) {
	f, err := openFile(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	head, err := firstHead(file)
	if err != nil && err != io.EOF && !errors.Is(err, ErrVersion) {
		return nil, err
	}
	asked, network := head.asked(), head.Key != "" && head.Network == r.head.Network
	return examine(f, file, func(body []byte) {
		if key, name, ok := designOf(body); ok {
			whole := string(key) == r.head.Key
			if whole || network && string(key) == head.Key && !r.lines[string(name)].whole {
				if _, met := r.lines[string(name)]; !met {
					r.order = append(r.order, string(name))
				}
				r.lines[string(name)] = known{bytes.Clone(body), whole, asked}
			}
		} else if own && bytes.HasPrefix(body, []byte(verify.NoteHead)) {
			line := object(body)
			if of, ok := verify.NoteOf(line); ok {
				r.sims[of] = line
			}
		}
	})
}

// sim gives the line of a simulation.
func (r *reuse) sim(name string) (line []byte, ok bool) {
	line, ok = r.sims[name]
	return line, ok
}

// find is a search.Known.
func (r *reuse) find(design string) (whole *search.Entry, network *evaluator.Kept) {
	l, ok := r.lines[design]
	if !ok {
		return nil, nil
	}
	e := new(search.Entry)
	if _, err := parseEntry(l.line, e); err != nil {
		return nil, nil
	}
	if l.whole {
		return e, nil
	}
	return nil, &evaluator.Kept{Keys: l.asked, Routing: e.Routing, Value: &e.Values, Lo: &e.Lo, Hi: &e.Hi}
}
