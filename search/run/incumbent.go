package run

import (
	"context"
	"errors"
	"maps"
	"strings"

	"toposearch/search"
	"toposearch/search/verify"
	"toposearch/topology"
)

// incumbents evaluates and simulates the networks that the study names, and says of each why it wins or loses against the front.
func incumbents(ctx context.Context, d *search.Driver, f *search.Front) (stop string, err error) {
	p := d.P
	if p.Study == nil || len(p.Study.Incumbents) == 0 {
		return "", nil
	}
	var designs []topology.Design
	for i := range p.Study.Incumbents {
		x := &p.Study.Incumbents[i]
		in := search.Incumbent{Name: x.Name, Asked: x.Asked}
		design := x.Design()
		if x.Best {
			design, in.Chosen, err = bestOf(ctx, p, x.Family, d.Workers())
			if errors.Is(err, ErrNoneOfFamily) {
				in.Verdict, in.Why = NoDesign, err.Error()
				in.Design, in.Family = x.Family.Name, x.Family.Name
				f.Incumbents = append(f.Incumbents, in)
				designs = append(designs, topology.Design{})
				continue
			}
			if err != nil {
				return "", err
			}
		}
		r, _, err := p.Show(ctx, design)
		if err != nil {
			return "", err
		}
		in.Record = *r
		f.Incumbents = append(f.Incumbents, in)
		designs = append(designs, design)
	}
	if stop, err = verify.Incumbents(ctx, d, f, designs); stop != "" || err != nil {
		return stop, err
	}
	for i := range f.Incumbents {
		if designs[i].Family == nil {
			continue
		}
		x, err := explain(ctx, p, designs[i], f)
		if err != nil {
			return "", err
		}
		in := &f.Incumbents[i]
		in.Verdict, in.Why, in.Misses, in.DominatedBy, in.Admit = x.Verdict, x.Why, x.Misses, x.DominatedBy, x.Admit
		if x.Verdict == Outside || x.Verdict == NotFound {
			in.Why = "meets every limit, and no design on the front is nowhere worse and somewhere better; " + beside(f, in)
		}
	}
	return "", nil
}

// beside says why an incumbent against which nothing speaks is not on the front.
func beside(f *search.Front, in *search.Incumbent) string {
	for i := range f.Front {
		if maps.Equal(f.Front[i].Objectives, in.Objectives) {
			in.Verdict, in.Admit = Equals, nil
			return f.Front[i].Design + " on the front has the same value of every objective"
		}
	}
	if strings.HasPrefix(in.Asked, "file:") {
		in.Verdict, in.Admit = "would be on the front", nil
		return "a search draws designs from families, and this is the network of a file"
	}
	return "it is not on the front because " + in.Why
}
