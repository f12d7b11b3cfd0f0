package verify

import (
	"context"
	"math"
	"slices"

	"toposearch/objectives"
	"toposearch/search"
	"toposearch/search/fidelity"
)

const (
	explore       = 0.05 // of the simulations, at random: the quota of reference experiments with two fidelities
	correctRounds = 5    // between which simulations are divided while the front moves: as many as their corrections took to settle
)

// Correct simulates designs of a pool, learns by what stand-ins are off in each family, and goes on with the front by corrected values until that
// stays or the simulations are spent; of tells the routing that was chosen for a design. It then makes that front the front of the run, with
// records by record, and simulates finalists of it under all traffics.
func Correct(ctx context.Context, d *search.Driver, f *search.Front, pool []search.Member, partial []string,
	record func(ctx context.Context, ms []search.Member) ([]search.Record, error), of func(ctx context.Context, m *search.Member) (string, error)) (stop string, err error) {
	c := newCorrected(d, pool)
	v := &d.P.Study.Verify
	d.Begin(search.PhaseSimulate, "")
	d.Prog.Finalists, d.Prog.Simulated = min(v.Simulations, len(pool)), 0
	for places := c.loop.Ask(); places != nil; places = c.loop.Ask() {
		jobs := make([]job, len(places))
		errs := make([]error, len(places))
		search.Each(ctx, d.Workers(), len(places), func(_, k int) {
			m := &pool[places[k]]
			routing, err := of(ctx, m)
			jobs[k], errs[k] = jobOf(d.P, m, "uniform", routing), err
		})
		for _, err := range append(errs, ctx.Err()) {
			if err != nil {
				return "", err
			}
		}
		lines, stopped, err := simulateAll(ctx, d, jobs, 1)
		if err != nil || stopped {
			return search.StopInterrupted, err
		}
		c.tell(places, lines)
		if leaves(f, lines...) {
			break
		}
	}
	return c.finish(ctx, f, partial, record)
}

func newCorrected(d *search.Driver, pool []search.Member) *corrected {
	p := d.P
	c := &corrected{d: d, pool: pool, objs: p.Study.Objectives, results: map[string]*Result{}, limits: make([]bool, len(pool))}
	o := fidelity.Options{Families: len(p.Spaces), Most: p.Study.Verify.Simulations, Explore: explore, Rounds: correctRounds, Seed: p.Seed, Measured: make([]bool, len(c.objs))}
	for j, x := range c.objs {
		o.Measured[j] = search.SimulatedKey(x.Key)
	}
	points := make([]fidelity.Point, len(pool))
	for i, m := range pool {
		low := make(objectives.Vector, len(c.objs))
		for j, x := range c.objs {
			at := slices.IndexFunc(p.Objectives, func(y objectives.Objective) bool { return y.Key == standIn(x.Key) })
			low[j] = x.Cost(standValue(x.Key, p.Objectives[at].Value(m.Vector[at])))
		}
		c.low = append(c.low, low)
		points[i] = fidelity.Point{Name: m.Name, Family: m.Space, Low: low, X: features(m.V, low, o.Measured)}
	}
	c.loop = fidelity.New(points, o)
	return c
}

// features are the logarithms of parameters, and of what stands for measured objectives.
func features(v []int, low objectives.Vector, measured []bool) []float64 {
	var x []float64
	for _, n := range v {
		x = append(x, math.Log1p(math.Abs(float64(n))))
	}
	for j, m := range measured {
		if m {
			x = append(x, math.Log(max(math.Abs(low[j]), 1e-9))) // 1e-9: as small as no load or hop count is
		}
	}
	return x
}

// tell passes on what was measured. What misses a measured limit is on no front.
func (c *corrected) tell(places []int, lines []*Result) {
	high := make([]objectives.Vector, len(places))
	for k, i := range places {
		c.results[simName(c.pool[i].Name, lines[k].Traffic)] = lines[k]
		r := c.measured(i)
		if r == nil {
			continue
		}
		v, ok := c.low[i], true
		high[k] = slices.Clone(v)
		for j, o := range c.objs {
			if search.SimulatedKey(o.Key) {
				x, have := ValueOf(c.d.P, o.Key, r)
				high[k][j], ok = o.Cost(x), ok && have && x > 0
			}
		}
		if !ok {
			high[k] = nil
		}
		for _, l := range c.d.P.SimLimits {
			x, have := ValueOf(c.d.P, l.Key, r)
			if m, missed := l.Miss(x); have && missed {
				c.missed = append(c.missed, search.SimMiss{Design: c.pool[i].Name, Miss: m})
				c.limits[i] = true
			}
		}
		if c.limits[i] {
			c.loop.Exclude(i)
		}
	}
	c.loop.Tell(places, high)
}

// measured is a record with what was measured of a design of the pool; nil if it was not.
func (c *corrected) measured(i int) *search.Record {
	l := c.results[simName(c.pool[i].Name, "uniform")]
	if l == nil || l.Skipped != "" {
		return nil
	}
	return &search.Record{Verified: Combine(c.d.P, []*Result{l}, nil)}
}

// finish makes the front by corrected values that of the run.
func (c *corrected) finish(ctx context.Context, f *search.Front, partial []string, record func(ctx context.Context, ms []search.Member) ([]search.Record, error)) (stop string, err error) {
	p := c.d.P
	front := c.loop.Front()
	slices.SortFunc(front, func(a, b int) int {
		return objectives.Order(&objectives.Point{V: c.loop.Value(a), Name: c.pool[a].Name}, &objectives.Point{V: c.loop.Value(b), Name: c.pool[b].Name})
	})
	ms, measured := make([]search.Member, len(front)), []search.Member(nil)
	var at []int // of measured, on the front
	for k, i := range front {
		ms[k] = c.pool[i]
		ms[k].Vector = c.loop.Value(i)
		if c.loop.Measured(i) != nil {
			measured, at = append(measured, ms[k]), append(at, k)
		}
	}
	plain := make([]search.Member, len(front))
	for k, i := range front {
		plain[k] = c.pool[i]
	}
	rs, err := record(ctx, plain)
	if err != nil {
		return "", err
	}
	s := summary(p, f, len(c.pool))
	s.Rejected, s.Fidelity = c.missed, c.summary(partial)
	for i := range c.pool {
		if c.loop.Measured(i) != nil {
			if s.Measured++; !slices.Contains(front, i) && !c.limits[i] {
				s.Dominated = append(s.Dominated, c.pool[i].Name)
			}
		}
	}
	shown := &search.Front{Front: rs}
	chosen := finalists(p, measured, p.Study.Verify.Finalists)
	for k := range chosen {
		chosen[k] = at[chosen[k]]
	}
	if stop, err = simulateFinalists(ctx, c.d, shown, ms, chosen, c.results); stop != "" || err != nil {
		return stop, err
	}
	f.Front, f.Unsimulated = rs, append(f.Unsimulated, shown.Unsimulated...)
	for k, i := range front {
		c.vouch(&f.Front[k], i)
		if c.loop.Measured(i) == nil {
			s.NotMeasured = append(s.NotMeasured, ms[k].Name)
		}
	}
	f.Simulated = s
	rejudged(f)
	return "", nil
}

// vouch writes a design's objectives, and which level vouches for each.
func (c *corrected) vouch(r *search.Record, i int) {
	p, v := c.d.P, c.loop.Value(i)
	if c.loop.Measured(i) != nil {
		if r.Verified == nil {
			r.Verified = c.measured(i).Verified
		}
		addMeasured(p, r)
	}
	r.Objectives, r.Vouched = map[string]float64{}, map[string]string{}
	for j, o := range c.objs {
		name := o.Name()
		r.Objectives[name], r.Vouched[name] = o.Value(v[j]), search.VouchModel
		switch {
		case !search.SimulatedKey(o.Key):
		case c.loop.Measured(i) != nil:
			r.Vouched[name] = search.VouchSimulated
		default:
			r.Vouched[name] = search.VouchCorrected
			delete(r.Absent, name)
			r.Metrics[name] = c.figure(i, j, r)
		}
	}
}
