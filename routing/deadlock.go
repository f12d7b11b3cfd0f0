package routing

import (
	"context"
	"fmt"
	"strings"

	"toposearch/topology"
)

// MaxCheckedSwitches is the size up to which CheckDeadlock always walks the whole network. Above
// it KindGraph is asked first, and the walk follows only if that proves nothing and the work
// (destinations x channels x states) stays below maxCheckedWork, some ten seconds.
const (
	MaxCheckedSwitches = 2000
	maxCheckedWork     = 4e9
)

// DeadlockReport says whether a rule can deadlock on a network.
type DeadlockReport struct {
	// Acyclic: the channel-dependency graph of all shortest legal routes has no cycle, which
	// rules deadlock out (Dally, Seitz, IEEE Trans. Comput. 36(5), 1987). Proven reports whether
	// this, or the cycle, was established; if false, Acyclic means nothing.
	Acyclic, Proven bool
	Method          string
	VCs             int // used, all channels together
	// ClassVCs is the number of VCs in use on each link class.
	ClassVCs [topology.MaxClasses]int
	// Dependencies is the number of arcs of the graph; 0 if no graph was built.
	Dependencies int64
	Cycle        []Dependency // one cycle, as short as any through its first channel
}

// Words describes the cycle with switches, classes and VCs, or why there is none.
func (d *DeadlockReport) Words(n *topology.Network) string {
	switch {
	case !d.Proven:
		return "not proven: " + d.Method
	case d.Acyclic:
		return fmt.Sprintf("no cycle of dependencies with %d VCs (%s)", d.VCs, d.Method)
	}
	var b strings.Builder
	b.WriteString("packets can wait for each other in a circle: ")
	for i, c := range d.Cycle {
		if i > 0 {
			b.WriteString(", which waits for ")
		}
		fmt.Fprintf(&b, "%s %s>%s VC %d", n.LinkClasses[n.LinkClass(c.Channel)].Name, n.SwitchName(c.From), n.SwitchName(c.To), c.VC)
	}
	if len(d.Cycle) > 0 {
		b.WriteString(", which waits for the first")
	}
	return b.String()
}

// CheckDeadlock builds the channel-dependency graph over (channel, VC) of all routes that
// packets between endpoints can take, and looks for a cycle. With fewer VCs than the rule uses,
// higher ones are folded onto the last; vcs = 0 means as many as the rule uses. See
// MaxCheckedSwitches for large networks, where the answer may be that nothing is proven.
func CheckDeadlock(ctx context.Context, n *topology.Network, rule topology.Rule, vcs int) (*DeadlockReport, error) {
	r, err := New(n, rule)
	if err != nil {
		return nil, err
	}
	return r.CheckDeadlock(ctx, vcs)
}

// CheckDeadlock is the function of that name for a compiled rule.
func (r *Router) CheckDeadlock(ctx context.Context, vcs int) (*DeadlockReport, error) {
	if r.Net.Switches() > MaxCheckedSwitches {
		work := float64(len(r.Sets)) * float64(r.Net.Channels()) * float64(r.states)
		if rep := r.kindReport(vcs); rep.Proven || work > maxCheckedWork {
			return rep, nil
		}
	}
	return r.check(ctx, vcs)
}

func (r *Router) kindReport(vcs int) *DeadlockReport {
	rep := &DeadlockReport{VCs: r.Rule.VCs(), Method: fmt.Sprintf(
		"%d switches are too many to walk, and the kinds of channel alone do not rule a cycle out", r.Net.Switches())}
	if vcs > 0 {
		rep.VCs = min(rep.VCs, vcs)
	}
	if r.Rule.HopVCs {
		rep.Method = fmt.Sprintf("%d switches are too many to walk; acyclic with one VC per hop of the longest route", r.Net.Switches())
		return rep
	}
	if r.ordered {
		rep.Acyclic, rep.Proven, rep.Method = true, true, "channels are taken in an order of the switches"
		return rep
	}
	if k := KindGraph(r.Net, r.Rule, vcs); k.Acyclic {
		rep.Acyclic, rep.Proven, rep.Method = true, true, "kinds of channel are taken in a fixed order: "+k.Order
		for _, st := range r.Rule.Steps {
			for c := range r.Net.LinkClasses {
				if st.Kind.Link == topology.Any || int(st.Kind.Link) == c {
					rep.ClassVCs[c] = max(rep.ClassVCs[c], min(int(st.VC)+1, rep.VCs))
				}
			}
		}
	}
	return rep
}

func (r *Router) check(ctx context.Context, vcs int) (*DeadlockReport, error) {
	g := newDependencyGraph(r)
	use := r.Rule.VCs()
	if r.Rule.HopVCs {
		longest, err := g.longestRoute(ctx)
		if err != nil {
			return nil, err
		}
		use = max(1, longest)
	}
	folded := vcs > 0 && vcs < use
	if folded {
		use = vcs
	}
	rep := &DeadlockReport{VCs: use, Proven: true, Method: "channel-dependency graph of all destinations"}
	g.layOut(use, r.Rule.HopVCs)
	// With a VC per hop every dependency goes to a higher VC.
	g.ordered = r.Rule.HopVCs && !folded
	if g.ordered {
		rep.Method = "one VC per hop of the longest route: dependencies only go to higher VCs"
	}
	for set := range r.Sets {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		g.collectSet(set)
	}
	rep.ClassVCs = g.classVCs()
	if g.ordered {
		rep.Acyclic = true
		return rep, nil
	}
	rep.Dependencies = g.count()
	rep.Cycle = g.cycle()
	rep.Acyclic = rep.Cycle == nil
	return rep, nil
}

// MinimalVCs is the least number of VCs with which the rule is free of cycles on the network,
// VCs above it folded onto the last, with the report that proves it. Folding only merges, so
// more VCs stay acyclic. An error says that even the rule's own VCs leave a cycle.
func MinimalVCs(ctx context.Context, n *topology.Network, rule topology.Rule) (int, *DeadlockReport, error) {
	r, err := New(n, rule)
	if err != nil {
		return 0, nil, err
	}
	return r.MinimalVCs(ctx)
}

// MinimalVCs is the function of that name for a compiled rule.
func (r *Router) MinimalVCs(ctx context.Context) (int, *DeadlockReport, error) {
	for vcs := 1; ; vcs++ {
		rep, err := r.CheckDeadlock(ctx, vcs)
		if err != nil {
			return 0, nil, err
		}
		if rep.Proven && rep.Acyclic {
			return vcs, rep, nil
		}
		if rep.VCs < vcs || (!rep.Proven && vcs >= r.Rule.VCs()) {
			return 0, rep, fmt.Errorf("routing: rule %s: %s", r.Rule.Name, rep.Words(r.Net))
		}
	}
}
