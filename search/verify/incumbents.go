package verify

import (
	"context"
	"errors"
	"fmt"

	"toposearch/search"
	"toposearch/topology"
)

// Incumbents simulates networks beside the front as finalists are, after them, and writes their results into records: nothing where
// the study simulates no finalists. The journal gets them in order.
func Incumbents(ctx context.Context, d *search.Driver, xs []search.Incumbent, designs []topology.Design) (stop string, err error) {
	traffics := d.P.Study.Verify.Traffic
	if d.P.Study.Verify.Finalists == 0 || len(traffics) == 0 {
		return "", nil
	}
	lines := make([]*Result, len(xs)*len(traffics))
	from := 0
	for ; d.J != nil && from < len(lines); from++ {
		i, traffic := from/len(traffics), traffics[from%len(traffics)]
		if designs[i].Family == nil { // there is no such network
			continue
		}
		b, ok, err := d.J.NextNote(NoteHead)
		if err != nil {
			return "", err
		}
		if !ok {
			break
		}
		if lines[from], err = resultOf(b); err != nil {
			return "", d.J.Foreign(err)
		}
		if r := lines[from]; r.Design != xs[i].Design || r.Traffic != traffic {
			return "", d.J.Foreign(fmt.Errorf("%w: it holds a simulation of %s under %s", search.ErrInputsChanged, r.Design, r.Traffic))
		}
	}
	errs := make([]error, len(lines))
	search.Each(ctx, d.Workers(), len(lines)-from, func(_, k int) {
		k += from
		i, traffic := k/len(traffics), traffics[k%len(traffics)]
		if designs[i].Family == nil || d.Opt.Stop != nil && d.Opt.Stop() {
			return
		}
		if d.Sims != nil {
			if line, ok := d.Sims(simName(xs[i].Design, traffic)); ok {
				lines[k], errs[k] = resultOf(line)
				return
			}
		}
		lines[k], errs[k] = Simulate(ctx, d.P, designs[i], traffic, xs[i].Routing)
	})
	if err := errors.Join(append(errs, ctx.Err())...); err != nil {
		return "", err
	}
	for k := from; k < len(lines); k++ {
		switch {
		case designs[k/len(traffics)].Family == nil:
		case lines[k] == nil:
			return search.StopInterrupted, nil
		case d.J != nil:
			if err := d.J.Note(simNote{lines[k]}); err != nil {
				return "", err
			}
		}
	}
	for i := range xs {
		if designs[i].Family != nil {
			xs[i].Verified = Combine(d.P, lines[i*len(traffics):(i+1)*len(traffics)], &xs[i].Record)
		}
	}
	return "", nil
}
