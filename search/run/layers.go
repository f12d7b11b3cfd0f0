package run

import (
	"context"
	"slices"

	"toposearch/search"
	"toposearch/search/branch"
	"toposearch/search/verify"
	"toposearch/study"
)

// mostLayer is how many evaluations the layers of a family may take: some seconds for networks of hundreds of endpoints, and many times what
// is ever simulated.
const mostLayer = 2000

// twoFidelities searches the layers of each family, and finds the front by what simulations correct (verify.Correct).
func twoFidelities(ctx context.Context, d *search.Driver, f *search.Front, complete []bool) (stop string, err error) {
	partial := []string{}
	var pool []search.Member
	d.Begin(search.PhaseLayers, "")
	spent := f.Stopped != "" // the budget is
	for i, sp := range d.P.Spaces {
		whole := complete[i] // also where the front of another family excluded all of it
		if whole && !spent && sp.Size.Sign() > 0 {
			if whole, stop, err = layersOf(ctx, d, i); err != nil || stop == search.StopInterrupted {
				return stop, err
			}
			spent = stop == search.StopTime
		}
		if !whole || spent {
			partial = append(partial, sp.Fam.Name)
		}
		pool = append(pool, near(d, i)...)
	}
	return verify.Correct(ctx, d, f, pool, partial, func(ctx context.Context, ms []search.Member) ([]search.Record, error) {
		return recordsOf(ctx, d, ms)
	}, func(ctx context.Context, m *search.Member) (string, error) {
		r, err := d.Result(ctx, m, d.P.Request)
		if err != nil {
			return "", err
		}
		return r.Routing, nil
	})
}

// slackened is the problem of a search for layers: what stands for a measured metric may be worse by verify.Epsilon.
func slackened(p *search.Problem) *search.Problem {
	q := *p
	q.Slack = make([]float64, len(p.Objectives))
	for j, o := range p.Objectives {
		for _, k := range p.Simulated {
			if search.StandIns[k] == o.Key {
				q.Slack[j] = verify.Epsilon
			}
		}
	}
	return &q
}

// layersOf enumerates a family by itself, with slack. whole: nothing of its layers is left out.
func layersOf(ctx context.Context, d *search.Driver, space int) (whole bool, stop string, err error) {
	p := slackened(d.P)
	which := make([]bool, len(p.Spaces))
	which[space] = true
	err = d.Apart(p, mostLayer, func() error {
		e := branch.NewEnumeration(p, d.Workers(), which)
		stop, err = d.Search(ctx, e, false)
		whole = stop == "" && !e.Abandoned[space]
		return err
	})
	return whole, stop, err
}

// layersNs is how long the layers of all families are tried out, as it is modelled.
const layersNs = 1e9

// layers tries out what a search at two fidelities searches beside its front, the layers of each family, and gives those designs of them that the trial has met.
func (o *outlook) layers(ctx context.Context, complete []bool) (pool []search.Member, err error) {
	if o.d.P.Study.Verify.Fidelity != study.FidelitySearch || o.d.Front.Len() == 0 {
		return nil, nil
	}
	p, ends, each := slackened(o.d.P), o.ends, eachOf(o.pl)
	for i, sp := range p.Spaces {
		if complete[i] && sp.Size.Sign() > 0 {
			st := phase{which: make([]bool, len(p.Spaces)), each: each}
			st.which[i] = true
			o.samples, o.r.limit = o.samples[:0], o.modelled()+layersNs/float64(len(p.Spaces))
			if err := o.d.Apart(p, mostLayer, func() error {
				e := branch.NewEnumeration(p, 1, st.which)
				o.apart = append(o.apart, e)
				return o.tryOut(ctx, e, st, slices.Clone(complete), func() (string, error) { return o.d.Search(ctx, e, false) })
			}); err != nil {
				return nil, err
			}
		}
		pool = append(pool, near(o.d, i)...)
	}
	o.ends = ends
	return pool, nil
}

// near gives the designs of a family that were evaluated, and that no other of it dominates by more than the slack.
func near(d *search.Driver, space int) []search.Member {
	p := slackened(d.P)
	var front search.Archive
	ms := d.Evaluated(space)
	for _, m := range ms {
		front.Add(search.Member{Candidate: m.Candidate, Name: m.Name, Vector: m.Vector, Held: p.Held(m.Vector)})
	}
	return slices.DeleteFunc(ms, func(m search.Member) bool { return front.Covers(m.Vector) })
}

// recordsOf are members as front.json has them, with their metrics.
func recordsOf(ctx context.Context, d *search.Driver, ms []search.Member) ([]search.Record, error) {
	rs := make([]search.Record, len(ms))
	errs := make([]error, len(ms))
	search.Each(ctx, d.Workers(), len(ms), func(_, i int) {
		rs[i] = record(d.P, ms[i])
		errs[i] = detail(ctx, d, &ms[i], &rs[i], false)
	})
	for _, err := range append(errs, ctx.Err()) {
		if err != nil {
			return nil, err
		}
	}
	return rs, nil
}
