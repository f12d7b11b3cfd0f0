package run

import (
	"context"
	"encoding/json"
	"math"
	"slices"

	"toposearch/objectives"
	"toposearch/search"
	"toposearch/search/branch"
)

// trees are the enumerations of a run, which show at its end how much the front may lack.
type trees struct {
	all     []*branch.Enumeration
	in      []*branch.Enumeration // by space: the one that enumerates it, nil if none does
	evolved []bool                // by space: other strategies have counted designs of it
}

func newTrees(p *search.Problem) *trees {
	return &trees{in: make([]*branch.Enumeration, len(p.Spaces)), evolved: make([]bool, len(p.Spaces))}
}

// add takes the enumeration of the marked spaces.
func (t *trees) add(e *branch.Enumeration, which []bool) {
	t.all = append(t.all, e)
	for i, w := range which {
		if w {
			t.in[i] = e
		}
	}
}

// evolve notes that another strategy searches the marked spaces.
func (t *trees) evolve(which []bool) {
	for i, w := range which {
		t.evolved[i] = t.evolved[i] || w
	}
}

// prove continues the enumerations against the front found, and those of other spaces from their beginning, for a number of steps. What has
// nothing left then is complete; of the rest it tells how much the front may lack.
func (t *trees) prove(ctx context.Context, d *search.Driver, complete []bool) (*search.Proof, error) {
	d.Begin(search.PhaseProve, "")
	d.Prog.Left = branch.ProofEffort * branch.VisitNs / 1e9
	d.Report()
	p, err := newPace(d)
	if err != nil {
		return nil, err
	}
	return t.proveAt(ctx, d, complete, p)
}

// proveAt is prove at a pace.
func (t *trees) proveAt(ctx context.Context, d *search.Driver, complete []bool, pace *pace) (*search.Proof, error) {
	rest, any := make([]bool, len(complete)), false
	for i, c := range complete {
		rest[i] = !c && t.in[i] == nil
		any = any || rest[i]
	}
	if any {
		e := branch.NewEnumeration(d.P, d.Workers(), rest)
		e.Remote = d.Opt.Remote
		t.add(e, rest)
	}
	proof := &search.Proof{Families: []string{}, Alone: map[string]float64{}, Reference: map[string]float64{}}
	corners, open, within := make([][]objectives.Vector, len(complete)), make([]int64, len(complete)), 0.0
	for _, e := range t.all {
		if err := e.Prove(ctx, &d.Front, d.Became, pace.more); err != nil {
			return nil, err
		}
		cs, n, eps := e.Left(&d.Front)
		within = max(within, eps)
		for i, x := range n {
			corners[i], open[i] = append(corners[i], cs[i]...), open[i]+x
		}
	}
	if err := pace.end(); err != nil {
		return nil, err
	}
	for i, sp := range d.P.Spaces {
		if open[i] > 0 {
			proof.Open += open[i]
			proof.Families = append(proof.Families, sp.Fam.Name)
		} else if t.in[i] != nil {
			complete[i] = true
		}
		if t.in[i] != nil && (complete[i] || !t.evolved[i]) {
			d.Tally[i] = t.in[i].Tally[i]
		}
	}
	if proof.Open == 0 {
		d.Prog.Proved, d.Prog.Within = 1, 0
	}
	if proof.Open == 0 || d.Front.Len() == 0 {
		return nil, nil
	}
	part, ref := d.Front.Proved(slices.Concat(corners...))
	proof.Proved, d.Prog.Proved, d.Prog.Within = part, part, 0
	if !math.IsInf(within, 1) {
		proof.Within, d.Prog.Within = &within, within
	}
	for i, sp := range d.P.Spaces {
		if open[i] > 0 {
			proof.Alone[sp.Fam.Name] = max(part, objectives.ProvedFrom(d.Front.Vectors(), d.Front.Unknown(corners[i]), ref)) // corners are merged in other ways
		}
	}
	for i, o := range d.P.Objectives {
		if x := o.Value(ref[i]); x == search.JSONNumber(x) { // without bound in what is open: no number, and nothing is proved
			proof.Reference[o.Name()] = x
		}
	}
	return proof, nil
}

// pace says how far a proof goes in a run with a budget of time: until that ends, or as far as it came in an earlier call.
type pace struct {
	d       *search.Driver
	batches int64
	known   bool        // the journal says how far it came
	cut     bool        // by the end of the time
	more    func() bool // nil: without a budget of time
}

// proofNote is the line of the journal that says how far the time allowed a proof to come; proofLine begins it.
type proofNote struct {
	Batches int64 `json:"proof"`
}

const proofLine = `{"proof":`

func newPace(d *search.Driver) (*pace, error) {
	p := &pace{d: d}
	if d.P.Study.Search.Time == 0 {
		return p, nil
	}
	p.more = func() bool {
		if !d.ToProve(p.batches) {
			p.cut = true
			return false
		}
		p.batches++
		return true
	}
	if d.J == nil {
		return p, nil
	}
	line, ok, err := d.J.NextNote(proofLine)
	if ok && err == nil {
		p.known = true
		d.Ended.Proof, err = proofEnd(line)
	}
	return p, err
}

// proofEnd reads TimeEnd.Proof of a proofNote.
func proofEnd(line []byte) (int64, error) {
	var n proofNote
	err := json.Unmarshal(line, &n)
	return n.Batches + 1, err
}

// end notes how far the proof came where the time ended it, or the search before it.
func (p *pace) end() error {
	if p.more == nil || p.known || !p.cut && !p.d.Ended.Ended {
		return nil
	}
	p.d.Ended.Proof = p.batches + 1
	if p.d.J == nil {
		return nil
	}
	return p.d.J.Note(proofNote{p.batches})
}
