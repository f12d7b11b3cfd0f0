package selftest

import (
	"context"
	"fmt"
	"math/rand/v2"
	"runtime"

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

// population is one of the two kinds of what is drawn.
type population struct {
	stream uint64 // keeps the random numbers of the two apart
	batch  int    // how many numbers share a price list and a site, which take as long to prepare as these to be checked
	most   int64  // endpoints of those that are evaluated, which then takes milliseconds
}

var (
	designs  = population{stream: 0, batch: 512, most: 1000}
	networks = population{stream: 1, batch: 8, most: 200}
)

// Run draws and checks. An error is a design that could not be evaluated, or cancellation; failed checks are
// in the report.
func Run(ctx context.Context, opt Options) (*Report, error) {
	if opt.Workers == 0 {
		opt.Workers = runtime.GOMAXPROCS(0)
	}
	total := new(Report)
	if err := opt.side(ctx, &designs, opt.Designs, total); err != nil {
		return nil, err
	}
	if err := opt.side(ctx, &networks, opt.Networks, total); err != nil {
		return nil, err
	}
	return total, nil
}

// side checks one population. Batches are added to the total in their order.
func (o *Options) side(ctx context.Context, p *population, count int, total *Report) error {
	first, last := o.First/p.batch, (o.First+count+p.batch-1)/p.batch
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
			r, err := o.batch(ctx, p, max(o.First, (first+i)*p.batch), min(o.First+count, (first+i+1)*p.batch))
			if err == nil {
				parts[i] <- r
			}
			return err
		})
	}
	return g.Wait()
}

// batch checks the numbers from and before to, which share a price list and a site.
func (o *Options) batch(ctx context.Context, p *population, from, to int) (*Report, error) {
	opt := options(stream.New(o.Seed, "selftest options", uint64(from/p.batch), p.stream))
	e, err := evaluator.New(opt)
	if err != nil {
		return nil, err
	}
	// What is compared with it: other names of parts, or prices that add up.
	other := evaluator.Options{BandwidthGbps: 400, Catalog: flat(), CountNICs: true}
	if p == &designs {
		other = e.Options()
		other.Catalog = renamed(other.Catalog)
	}
	beside, err := evaluator.New(other)
	if err != nil {
		return nil, err
	}
	r := new(Report)
	var l bound.Ladder
	for i := from; i < to; i++ {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		rng := stream.New(o.Seed, "selftest design", uint64(i), p.stream)
		t := &tester{report: r, number: i, built: p == &networks, ladder: &l}
		var s topology.Size
		var ok bool
		if t.d, ok = draw(o.Families[i%len(o.Families)], rng, p.most, t.built, &s); !ok {
			r.None++
			continue
		}
		if t.built {
			r.Networks++
			err = t.network(ctx, e, beside, rng)
		} else {
			r.Designs++
			err = t.design(ctx, e, beside, &s, rng)
		}
		if err != nil {
			return nil, fmt.Errorf("number %d: %w", i, err)
		}
	}
	return r, nil
}

// design checks a design by its figures up to level 1. named is e with other names of parts.
func (t *tester) design(ctx context.Context, e, named *evaluator.Evaluator, s *topology.Size, rng *rand.Rand) error {
	t.small = s.Endpoints <= designs.most && s.AllSwitches() <= 4*designs.most
	iv := t.enclosures(e, s)
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
