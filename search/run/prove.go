package run

import (
	"context"
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
	rest, any := make([]bool, len(complete)), false
	for i, c := range complete {
		rest[i] = !c && t.in[i] == nil
		any = any || rest[i]
	}
	if any {
		t.add(branch.NewEnumeration(d.P, d.Workers(), rest), rest)
	}
	proof := &search.Proof{Families: []string{}, Alone: map[string]float64{}, Reference: map[string]float64{}}
	corners, open := make([][]objectives.Vector, len(complete)), make([]int64, len(complete))
	for _, e := range t.all {
		if err := e.Prove(ctx, &d.Front, d.Became); err != nil {
			return nil, err
		}
		cs, n := e.Left()
		for i, x := range n {
			corners[i], open[i] = append(corners[i], cs[i]...), open[i]+x
		}
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
		d.Prog.Proved = 1
	}
	if proof.Open == 0 || d.Front.Len() == 0 {
		return nil, nil
	}
	front := d.Front.Vectors()
	part, ref := objectives.Proved(front, slices.Concat(corners...))
	proof.Proved, d.Prog.Proved = part, part
	for i, sp := range d.P.Spaces {
		if open[i] > 0 {
			proof.Alone[sp.Fam.Name] = max(part, objectives.ProvedFrom(front, corners[i], ref)) // corners are merged in other ways
		}
	}
	for i, o := range d.P.Objectives {
		if x := o.Value(ref[i]); x == search.JSONNumber(x) { // without bound in what is open: no number, and nothing is proved
			proof.Reference[o.Name()] = x
		}
	}
	return proof, nil
}
