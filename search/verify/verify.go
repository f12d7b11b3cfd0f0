package verify

import (
	"context"
	"fmt"
	"sync"

	"toposearch/search"
	"toposearch/topology"
)

// Verify simulates finalists and writes their results into the front. Simulations run in
// parallel; the journal gets them in a fixed order, so that what it holds is never repeated.
func Verify(ctx context.Context, d *search.Driver, f *search.Front) (stop string, err error) {
	ms := d.Front.Ordered()
	chosen := simFinalists(d.P, ms)
	traffics := d.P.Study.Verify.Traffic
	if len(chosen) == 0 || len(traffics) == 0 {
		return "", nil
	}
	d.Begin(search.PhaseVerify, "")
	d.Prog.Finalists = len(chosen)
	lines := make([]*Result, len(chosen)*len(traffics))
	replayed, err := replaySims(d, lines, ms, chosen, traffics)
	if err != nil {
		return "", err
	}
	d.Report()
	stopped, err := simulateRest(ctx, d, lines, replayed, chosen, f)
	if err != nil || stopped {
		return search.StopInterrupted, err
	}
	for k, i := range chosen {
		f.Front[i].Finalist = true
		f.Front[i].Verified = Combine(d.P, lines[k*len(traffics):(k+1)*len(traffics)], &f.Front[i])
	}
	Rejudge(d.P, f)
	return "", nil
}

// replaySims reads the simulations that the journal holds already.
func replaySims(d *search.Driver, lines []*Result, ms []search.Member, chosen []int, traffics []string) (int, error) {
	for k := range lines {
		if d.J == nil {
			return 0, nil
		}
		b, ok, err := d.J.NextNote(NoteHead)
		if !ok || err != nil {
			return k, err
		}
		r, err := resultOf(b)
		if err != nil {
			return k, d.J.Foreign(err)
		}
		if r.Design != ms[chosen[k/len(traffics)]].Name || r.Traffic != traffics[k%len(traffics)] {
			return k, d.J.Foreign(fmt.Errorf("%w: it holds a simulation of %s under %s", search.ErrInputsChanged, r.Design, r.Traffic))
		}
		lines[k] = r
	}
	return len(lines), nil
}

// simulateRest runs what is not journalled yet, and journals the results in order as far as they
// are there without a gap.
func simulateRest(ctx context.Context, d *search.Driver, lines []*Result, from int, chosen []int, f *search.Front) (stopped bool, err error) {
	traffics, ms := d.P.Study.Verify.Traffic, d.Front.Ordered()
	var mu sync.Mutex
	var fault error
	next := from
	d.Prog.Simulated = from / len(traffics)
	work := newProgress(ctx, d.P, lines, from, func(k int) (topology.Design, string) {
		m := ms[chosen[k/len(traffics)]]
		return d.P.Design(m.Space, m.V), traffics[k%len(traffics)]
	})
	d.Prog.Fraction, d.Prog.Left = work.fraction(), work.left()/float64(max(1, min(d.Workers(), len(lines)-from)))
	d.Report()
	search.Each(ctx, d.Workers(), len(lines)-from, func(_, i int) {
		k := from + i
		mu.Lock()
		stopped = stopped || fault != nil || d.Opt.Stop != nil && d.Opt.Stop()
		skip := stopped
		mu.Unlock()
		if skip {
			return
		}
		i = chosen[k/len(traffics)]
		line, err := simulated(ctx, d, ms[i], traffics[k%len(traffics)], f.Front[i].Routing, func(hops int64) {
			mu.Lock()
			defer mu.Unlock()
			if work.told(k, hops) {
				d.Prog.Fraction = work.fraction()
				d.Report()
			}
		})
		mu.Lock()
		defer mu.Unlock()
		if err != nil {
			fault = err
			return
		}
		lines[k] = line
		for ; fault == nil && next < len(lines) && lines[next] != nil; next++ {
			if d.J != nil {
				fault = d.J.Note(simNote{lines[next]})
			}
			d.Prog.Simulated = (next + 1) / len(traffics)
		}
		work.finished(k)
		d.Prog.Fraction = work.fraction()
		d.Report()
	})
	if fault == nil {
		fault = ctx.Err()
	}
	return next < len(lines), fault
}

// simulated is what is known of a finalist under a traffic, or else simulated.
func simulated(ctx context.Context, d *search.Driver, m search.Member, traffic, routing string, told func(hops int64)) (*Result, error) {
	if d.Sims != nil {
		if line, ok := d.Sims(simName(m.Name, traffic)); ok {
			return resultOf(line)
		}
	}
	return simulateTold(ctx, d.P, d.P.Design(m.Space, m.V), traffic, routing, told)
}
