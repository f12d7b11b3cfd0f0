package selftest

import (
	"context"
	"fmt"
	"runtime"
	"slices"

	"toposearch/evaluator"
	"toposearch/evaluator/bound"
	"toposearch/internal/crew"
	"toposearch/internal/stream"
	"toposearch/topology"
)

// Options say how much is tested.
type Options struct {
	Families []*topology.Family // taken in turn
	Seed     uint64
	// First is the number of the first design of either kind; the others follow.
	First int
	// Designs is how many designs are checked at levels 0 and 1, Networks how many are built, checked at
	// level 2 and related to others.
	Designs, Networks int
	Workers           int // goroutines, 0: one for each core; changes no result
	// Progress, if not nil, is told how many designs are done. It is called from one goroutine at a time.
	Progress func(done int)
}

// batch is how many numbers share a price list and a site, which take longer to prepare than most designs
// take to be checked.
const batch = 512

// Run draws and checks. An error is a design that could not be evaluated, or cancellation; failed checks are
// in the report.
func Run(ctx context.Context, opt Options) (*Report, error) {
	if opt.Workers == 0 {
		opt.Workers = runtime.GOMAXPROCS(0)
	}
	total := new(Report)
	for _, network := range []bool{false, true} {
		count := opt.Designs
		if network {
			count = opt.Networks
		}
		if err := opt.side(ctx, network, count, total); err != nil {
			return nil, err
		}
	}
	return total, nil
}

// side checks designs or networks. Batches are added to the total in their order.
func (o *Options) side(ctx context.Context, network bool, count int, total *Report) error {
	first, last := o.First/batch, (o.First+count+batch-1)/batch
	g, ctx := crew.WithContext(ctx, o.Workers+1)
	parts := make([]chan *Report, last-first)
	for i := range parts {
		parts[i] = make(chan *Report, 1)
	}
	g.Go(func() error {
		for _, part := range parts {
			select {
			case r := <-part:
				total.add(r)
				if o.Progress != nil {
					o.Progress(total.Designs + total.Networks + total.None)
				}
			case <-ctx.Done():
				return ctx.Err()
			}
		}
		return nil
	})
	for i := range parts {
		g.Go(func() error {
			r, err := o.batch(ctx, network, max(o.First, (first+i)*batch), min(o.First+count, (first+i+1)*batch))
			if err == nil {
				parts[i] <- r
			}
			return err
		})
	}
	return g.Wait()
}

// batch checks the numbers from and before to, which share a price list and a site.
func (o *Options) batch(ctx context.Context, network bool, from, to int) (*Report, error) {
	rng := stream.New(o.Seed, "selftest options", uint64(from/batch), kind(network))
	opt, _ := options(rng)
	e, err := evaluator.New(opt)
	if err != nil {
		return nil, err
	}
	other := opt
	if other.Catalog == nil {
		other.Catalog = evaluator.DefaultOptions().Catalog
	}
	other.Catalog = renamed(other.Catalog)
	named, err := evaluator.New(other)
	if err != nil {
		return nil, err
	}
	r := new(Report)
	var l bound.Ladder
	for i := from; i < to; i++ {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		t := &tester{report: r, number: i, built: network, ladder: &l}
		if err := o.check(ctx, t, e, named); err != nil {
			return nil, fmt.Errorf("number %d: %w", i, err)
		}
	}
	return r, nil
}

// kind keeps the random numbers of designs and of networks apart.
func kind(network bool) uint64 {
	if network {
		return 1
	}
	return 0
}

// Sizes up to which designs are evaluated at level 1, and networks built: both take milliseconds.
const (
	mostEvaluated = 1000
	mostBuilt     = 200
)

// check draws a design and checks it. named is e with other names of parts.
func (o *Options) check(ctx context.Context, t *tester, e, named *evaluator.Evaluator) error {
	rng := stream.New(o.Seed, "selftest design", uint64(t.number), kind(t.built))
	f := o.Families[t.number%len(o.Families)]
	most := int64(mostEvaluated)
	if t.built {
		most = mostBuilt
	}
	var s topology.Size
	var ok bool
	if t.d, ok = draw(f, rng, most, t.built, &s); !ok {
		t.report.None++
		return nil
	}
	t.d.V = slices.Clone(t.d.V)
	if t.built {
		t.report.Networks++
		return t.network(ctx, e, rng)
	}
	t.report.Designs++
	t.small = s.Endpoints <= mostEvaluated && s.AllSwitches() <= 4*mostEvaluated
	iv := t.enclosures(e, &s)
	if !t.small {
		return nil
	}
	r, err := e.Evaluate(ctx, t.d, evaluator.Request{Level: 1})
	if err != nil {
		return err
	}
	t.figures(r)
	t.inside(r, &iv)
	if rng.IntN(16) > 0 {
		return nil
	}
	other, err := named.Evaluate(ctx, t.d, evaluator.Request{Level: 1})
	if err != nil {
		return err
	}
	t.same(Renamed, r, other, everything)
	return nil
}
