package route

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"toposearch/simcore"
	"toposearch/topology"
)

// Outage is a part of a network that fails while it is simulated.
type Outage struct {
	Failures topology.Failures
	From     int64 // cycles (cut-through: ns) after the beginning of the window
	Until    int64 // when it works again; Never: not in this simulation
}

// Never is the time of what does not happen.
const Never = int64(1) << 60

// works reports whether the part works at a time.
func (o *Outage) works(at int64) bool { return at < o.From || at >= o.Until }

// Outages are parts that fail and return, and when tables follow.
type Outages struct {
	List []Outage
	// Repair is how long after anything fails or returns all tables take it into account: detection, news, computation
	// and loading together. Never: they do not.
	Repair int64
}

// at is all that does not work at a time.
func (x *Outages) at(t int64) topology.Failures {
	var f topology.Failures
	for _, o := range x.List {
		if !o.works(t) {
			f.Switches, f.Links, f.Ports = append(f.Switches, o.Failures.Switches...), append(f.Links, o.Failures.Links...), append(f.Ports, o.Failures.Ports...)
		}
	}
	slices.Sort(f.Switches)
	slices.Sort(f.Links)
	slices.SortFunc(f.Ports, func(a, b topology.PortFailure) int {
		return cmp.Or(cmp.Compare(a.Endpoint, b.Endpoint), cmp.Compare(a.Switch, b.Switch))
	})
	f.Switches, f.Links, f.Ports = slices.Compact(f.Switches), slices.Compact(f.Links), slices.Compact(f.Ports)
	return f
}

// known is what tables take into account at a time.
func (x *Outages) known(t int64) topology.Failures {
	if x.Repair >= Never || t < x.Repair {
		return topology.Failures{}
	}
	return x.at(t - x.Repair)
}

// times lists when anything changes in a window of some cycles, from 0 on. Tables that would follow behind it do not.
func (x *Outages) times(cycles int64) []int64 {
	out := []int64{0}
	for _, o := range x.List {
		for _, t := range []int64{o.From, o.Until} {
			if out = append(out, t); x.Repair < Never {
				out = append(out, t+x.Repair)
			}
		}
	}
	slices.Sort(out)
	out = slices.Compact(out)
	return slices.DeleteFunc(out, func(t int64) bool { return t >= cycles })
}

// check refuses outages that cannot be, in a window of some cycles.
func (x *Outages) check(n *topology.Network, cycles int64) error {
	var faults []error
	for _, o := range x.List {
		switch {
		case o.From < 1:
			faults = append(faults, fmt.Errorf("a failure at %d is not within the measured window, which begins at 0; what has failed before it has no time", o.From))
		case o.Until <= o.From:
			faults = append(faults, fmt.Errorf("what fails at %d cannot be back at %d, which is no later", o.From, o.Until))
		case o.From >= cycles:
			faults = append(faults, fmt.Errorf("a failure at %d is behind the measured window of %d", o.From, cycles))
		case o.Until < Never && o.Until >= cycles:
			faults = append(faults, fmt.Errorf("a return at %d is behind the measured window of %d", o.Until, cycles))
		}
	}
	if n.Unidirectional {
		faults = append(faults, fmt.Errorf("%s: what one-way links leave connected when one fails is not known", n.Design))
	}
	if x.Repair < 0 {
		faults = append(faults, fmt.Errorf("tables cannot be repaired %d before the failure", -x.Repair))
	}
	return errors.Join(faults...)
}

// Left is what tables know to be left of a network, and the routing for it.
type Left struct {
	Known   topology.Failures
	Moved   []topology.Moved // endpoints that spares stand in for
	Network *topology.Network
	Routing *Repaired
	Options Options // that the routing was made with
	num     *topology.Numbering
}

// Plan is a FailurePlan with what tables know in each stage.
type Plan struct {
	Network *topology.Network // to be simulated: endpoints that move have a port to their spare, too
	Stages  simcore.FailurePlan
	Known   []*Left // by stage
	Left    []*Left // each once; the first is the whole network
}

// Discards reports whether some change of tables discards what is under way.
func (p *Plan) Discards() bool {
	return slices.ContainsFunc(p.Stages, func(s simcore.Stage) bool { return s.New && !s.Carry })
}

// sameFailures compares sets that Outages.at made.
func sameFailures(a, b *topology.Failures) bool {
	return slices.Equal(a.Switches, b.Switches) && slices.Equal(a.Links, b.Links) && slices.Equal(a.Ports, b.Ports)
}

// Plan makes the routings of a name for all stages of a window of some cycles, all with as many VCs as the most that one of
// them needs, and at least Want. options are those of ByName for what is left; check refuses a routing for it.
func (x *Outages) Plan(ctx context.Context, name string, n *topology.Network, cycles int64, options func(left *topology.Network) Options,
	check func(*Left) error) (*Plan, error) {
	if err := x.check(n, cycles); err != nil {
		return nil, err
	}
	if info, _, _, err := parseName(name); err == nil && (info.plan.keepsState() || info.plan == onTheFly) {
		return nil, fmt.Errorf("routing: %s: switches keep state or an escape ring, which do not follow new tables: nothing can fail while it runs; use ugal_l or par", name)
	}
	times := x.times(cycles)
	moves, all := x.moves(n, times)
	p := &Plan{Network: n.Standby(all)}
	var of []*Left
	for i, t := range times {
		l, err := p.left(x.known(t), moves[i], all)
		if err != nil {
			return nil, err
		}
		of = append(of, l)
	}
	if err := p.route(ctx, name, options, check); err != nil {
		return nil, err
	}
	mixes, err := p.Left[0].Routing.mixes(ctx)
	if err != nil {
		return nil, err
	}
	for i, t := range times {
		st := simcore.Stage{At: t, Down: x.at(t), Idle: idle(moves[i], all), Routing: of[i].Routing, New: i > 0 && of[i] != of[i-1]}
		if k := len(p.Stages) - 1; k >= 0 && !st.New && sameFailures(&p.Stages[k].Down, &st.Down) {
			continue
		}
		st.Carry = st.New && mixes && of[i].Routing.continues(of[i-1].Routing)
		p.Stages, p.Known = append(p.Stages, st), append(p.Known, of[i])
	}
	return p, nil
}

// moves are the endpoints that spares stand in for from each of some times on, and all of them, by number. An endpoint moves as tables
// learn that its own switch has failed, and back as they learn that it works.
func (x *Outages) moves(n *topology.Network, times []int64) (at [][]topology.Moved, all []topology.Moved) {
	var now []topology.Moved
	for _, t := range times {
		f := x.known(t)
		now = n.Moves(&f, now)
		at, all = append(at, now), append(all, now...)
	}
	slices.SortFunc(all, func(a, b topology.Moved) int { return cmp.Compare(a.Endpoint, b.Endpoint) })
	return at, slices.Compact(all) // an endpoint has one spare that it can move to
}

// idle are the ports to spares of all endpoints that ever move, but of those that have.
func idle(moved, all []topology.Moved) []topology.PortFailure {
	var out []topology.PortFailure
	for _, m := range all {
		if !slices.Contains(moved, m) {
			out = append(out, m.Port())
		}
	}
	return out
}

// left finds what is left without some failures, of the endpoints that ever move some having moved, or makes it.
func (p *Plan) left(known topology.Failures, moved, all []topology.Moved) (*Left, error) {
	for _, l := range p.Left {
		if sameFailures(&l.Known, &known) && slices.Equal(l.Moved, moved) {
			return l, nil
		}
	}
	without := known
	without.Ports = slices.Concat(known.Ports, idle(moved, all))
	m, num, err := p.Network.Left(&without)
	if err != nil {
		return nil, err
	}
	p.Left = append(p.Left, &Left{Known: known, Moved: moved, Network: m, num: num})
	return p.Left[len(p.Left)-1], nil
}

// route makes the routings: once to see how many VCs each needs, and again with the most of these.
func (p *Plan) route(ctx context.Context, name string, options func(left *topology.Network) Options, check func(*Left) error) error {
	need, hops := 0, 0
	for _, final := range []bool{false, true} {
		for _, l := range p.Left {
			l.Options = options(l.Network)
			if l.Options.Hops = hops; !final {
				l.Options.VCs = 0
			} else if l.Options.VCs == 0 {
				l.Options.VCs = max(need, l.Options.Want)
			}
			r, err := ByName(ctx, name, l.Network, l.Options)
			if err != nil {
				return err
			}
			if need = max(need, r.VCs()); r.hopVC && r.plan == direct { // detours never go on by new tables
				hops = need
			}
			if !final {
				continue
			}
			r.later = need
			l.Routing = Repair(r, l.Network, l.num)
			if check == nil {
				continue
			}
			if err := check(l); err != nil {
				return err
			}
		}
	}
	return nil
}
