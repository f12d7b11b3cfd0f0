package main

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"toposearch/routing"
	"toposearch/simcore/route"
	"toposearch/topology"
)

// deadlockDoc is the answer of --check-deadlock for machines.
type deadlockDoc struct {
	Schema  string `json:"schema"`
	Design  string `json:"design"`
	Routing string `json:"routing"`
	// Rule whose routes the routing follows, of a detour on each of its legs.
	Rule    string `json:"rule"`
	Acyclic bool   `json:"acyclic"` // means something only if proven
	Proven  bool   `json:"proven"`
	Method  string `json:"method"`
	VCs     int    `json:"vcs"`
	// ClassVCs are the VCs in use by link class, of the classes in use; absent where only kinds of
	// channels were looked at.
	ClassVCs     map[string]int `json:"class_vcs,omitempty"`
	Dependencies int64          `json:"dependencies,omitempty"` // arcs of the graph
	Cycle        []deadlockStep `json:"cycle,omitempty"`        // each waits for the next, the last for the first
}

// deadlockStep is a channel that a packet holds on a VC.
type deadlockStep struct {
	Class  string            `json:"class"`
	From   string            `json:"from"`
	To     string            `json:"to"`
	FromID topology.SwitchID `json:"from_id"`
	ToID   topology.SwitchID `json:"to_id"`
	VC     int               `json:"vc"`
}

// checkDeadlock proves or refutes deadlock freedom of the chosen routing with the VCs given. How one
// of several candidate hops is selected does not matter: all of them are in the graph.
func (a *app) checkDeadlock(ctx context.Context, d topology.Design, n *topology.Network, f simFlags) error {
	opt := route.Options{VCs: f.vcs, Workers: a.workers}
	if d.Family.Natural != nil {
		opt.Natural = d.Family.Natural(d.V)
	}
	if d.Family.Place != nil {
		opt.Blocks = routing.BlocksOf(n, d.Family.Place(d.V))
	}
	rep, rule, err := deadlockReport(ctx, f.routing, n, opt)
	if err != nil {
		return err
	}
	if used := slices.Max(rep.ClassVCs[:]); used > 0 {
		rep.VCs = used // a small network may not use all that the rule has
	}
	doc := deadlockDoc{Schema: "toposearch.deadlock/1", Design: d.String(), Routing: f.routing, Rule: rule, Acyclic: rep.Acyclic,
		Proven: rep.Proven, Method: rep.Method, VCs: rep.VCs, ClassVCs: make(map[string]int), Dependencies: rep.Dependencies}
	var classes []string
	for c := range n.LinkClasses {
		if k := rep.ClassVCs[c]; k > 0 {
			doc.ClassVCs[n.LinkClasses[c].Name] = k
			classes = append(classes, fmt.Sprintf("%s %d", n.LinkClasses[c].Name, k))
		}
	}
	if a.json {
		names := n.SwitchNames()
		for _, c := range rep.Cycle {
			doc.Cycle = append(doc.Cycle, deadlockStep{n.LinkClasses[n.LinkClass(c.Channel)].Name, names[c.From], names[c.To], c.From, c.To, int(c.VC)})
		}
		return printJSON(a.out, doc)
	}
	words := rep.Words(n)
	if len(classes) > 0 && rep.Acyclic {
		words += "\nVCs by link class: " + strings.Join(classes, ", ")
	}
	name := f.routing
	if rule != name {
		name += " (rule " + rule + ")"
	}
	fmt.Fprintf(a.out, "%s, routing %s:\n", d, name)
	for line := range strings.Lines(words) {
		fmt.Fprint(a.out, wrap(strings.TrimSpace(line), 80, "  "))
	}
	return nil
}

// deadlockReport checks a routing by its name, and names the rule behind it. A direct routing is
// checked with as few VCs as is asked for, higher ones folded onto the last, so that the cycle
// shows; one that makes detours is refused with fewer than it needs.
func deadlockReport(ctx context.Context, name string, n *topology.Network, opt route.Options) (*routing.DeadlockReport, string, error) {
	rule := opt.Natural.Name
	if opt.Natural.States == 0 {
		rule = topology.Minimal().Name
	}
	direct, err := route.IsDirect(name)
	if err != nil {
		return nil, "", usage(err)
	}
	if direct {
		r, err := route.RouterFor(name, n, opt.Natural)
		if err != nil {
			return nil, "", usage(err)
		}
		rep, err := r.CheckDeadlock(ctx, opt.VCs)
		return rep, r.Rule.Name, err
	}
	r, err := route.ByName(ctx, name, n, opt)
	if err != nil {
		return nil, "", usage(err)
	}
	rep, err := r.CheckDeadlock(ctx)
	return rep, rule, err
}
