package reproduce

import (
	"context"
	"fmt"
	"strings"

	"toposearch/search"
	"toposearch/search/verify"
	"toposearch/simcore"
	"toposearch/simcore/flit"
	"toposearch/simcore/route"
	"toposearch/simcore/traffic"
)

// remedy is a change of the simulated switch.
type remedy struct {
	name  string
	apply func(c *flit.Config)
}

// remedies are tried one by one and then together on a design that falls short of its prediction: the one with which it
// comes within the tolerance says what costs the throughput. Sizes are several times what the default switch has, so
// that hardly anything is left of the loss.
var remedies = []remedy{
	{"deeper buffers (128 flits a VC)", func(c *flit.Config) { c.BufferFlits = 128 }},
	{"more VCs (16)", func(c *flit.Config) { c.VCs = 16 }},
	{"a faster crossbar (speedup 4)", func(c *flit.Config) { c.InternalSpeedup = 4 }},
	{"all three together (16 VCs of 128 flits, speedup 4)", func(c *flit.Config) { c.BufferFlits, c.VCs, c.InternalSpeedup = 128, 16, 4 }},
}

// findCause says why a simulation differs from its prediction, by experiment where it falls short.
func (x *comparedDesign) findCause(ctx context.Context, p *search.Problem) (string, error) {
	if x.agrees.Contradicts {
		return "contradicts the model: " + strings.Join(x.agrees.Notes, "; "), nil
	}
	if x.ratio() > 1 {
		return fmt.Sprintf("the busiest channel is full at %.4g, but 97 %% of all may be accepted up to %.4g, since little traffic needs full channels; of the switch %.4g was expected (%s)",
			x.line.Predicted, x.line.Certified, x.predicted(), x.line.Limit), nil
	}
	best, with := 0.0, ""
	for _, r := range remedies {
		sat, err := x.resimulate(ctx, p, r.apply)
		if err != nil {
			return "", fmt.Errorf("%s with %s: %w", x.design, r.name, err)
		}
		ratio := sat.High() / x.predicted()
		if ratio >= 1-predictionTolerance {
			return fmt.Sprintf("the switch: with %s %.3g of the prediction", r.name, min(ratio, 1)), nil
		}
		if ratio > best {
			best, with = ratio, r.name
		}
	}
	return fmt.Sprintf("more than the switch: with %s still %.3g of the prediction", with, best), nil
}

// resimulate finds the saturation load of the design with another switch.
func (x *comparedDesign) resimulate(ctx context.Context, p *search.Problem, change func(*flit.Config)) (simcore.Saturation, error) {
	n, _, err := verify.Network(p, x.design)
	if err != nil {
		return simcore.Saturation{}, err
	}
	cfg := flit.SwitchConfig()
	cfg.Seed, cfg.PacketFlits, cfg.Measure, cfg.Warmup = p.Seed, p.Study.Verify.Packet, x.line.Cycles, x.line.Cycles/4
	change(&cfg)
	r, err := route.ByName(ctx, "natural", n, route.Options{Natural: p.Study.Options.Natural(x.design), Want: cfg.VCs, Workers: 1})
	if err != nil {
		return simcore.Saturation{}, err
	}
	cfg.VCs = max(cfg.VCs, r.VCs())
	t, err := traffic.ByName("uniform", traffic.Options{Network: n, Seed: p.Seed, Context: ctx})
	if err != nil {
		return simcore.Saturation{}, err
	}
	sim, err := flit.New(n, r, t, cfg)
	if err != nil {
		return simcore.Saturation{}, err
	}
	return sim.Saturation(ctx)
}
