package simulate

import (
	"context"
	"slices"

	"toposearch/routing"
	"toposearch/simcore/route"
	"toposearch/topology"
)

// DeadlockDocument says whether a routing can deadlock on a network.
type DeadlockDocument struct {
	Schema  string `json:"schema"`
	Design  string `json:"design"`
	Routing string `json:"routing"`
	// Rule whose routes the routing follows, of a detour on each of its legs; the routing itself where it has tables.
	Rule    string `json:"rule"`
	Acyclic bool   `json:"acyclic"` // means something only if proven
	Proven  bool   `json:"proven"`
	Method  string `json:"method"`
	VCs     int    `json:"vcs"`
	// ClassVCs are the VCs in use by link class, of the classes in use; absent where the proof needed
	// the kinds of channels only.
	ClassVCs     map[string]int `json:"class_vcs,omitempty"`
	Dependencies int64          `json:"dependencies,omitempty"` // arcs of the graph
	Cycle        []DeadlockStep `json:"cycle,omitempty"`        // each waits for the next, the last for the first
}

// DeadlockStep is a channel that a packet holds on a VC.
type DeadlockStep struct {
	Class  string            `json:"class"`
	From   string            `json:"from"`
	To     string            `json:"to"`
	FromID topology.SwitchID `json:"from_id"`
	ToID   topology.SwitchID `json:"to_id"`
	VC     int               `json:"vc"`
}

// CheckDeadlock proves or refutes deadlock freedom of the chosen routing with the VCs given. How one
// of several candidate hops is selected does not matter: all of them are in the graph. The report is that
// from which the document was made.
func CheckDeadlock(ctx context.Context, d topology.Design, n *topology.Network, c *Choice) (*DeadlockDocument, *routing.DeadlockReport, error) {
	rep, rule, err := deadlockReport(ctx, c.Routing, n, c.RouteOptions(d, n))
	if err != nil {
		return nil, nil, err
	}
	if used := slices.Max(rep.ClassVCs[:]); used > 0 {
		rep.VCs = used // a small network may not use all that the rule has
	}
	doc := &DeadlockDocument{Schema: DeadlockSchema, Design: d.String(), Routing: c.Routing, Rule: rule, Acyclic: rep.Acyclic,
		Proven: rep.Proven, Method: rep.Method, VCs: rep.VCs, ClassVCs: make(map[string]int), Dependencies: rep.Dependencies}
	for i := range n.LinkClasses {
		if k := rep.ClassVCs[i]; k > 0 {
			doc.ClassVCs[n.LinkClasses[i].Name] = k
		}
	}
	names := n.SwitchNames()
	for _, x := range rep.Cycle {
		doc.Cycle = append(doc.Cycle, DeadlockStep{n.LinkClasses[n.LinkClass(x.Channel)].Name, names[x.From], names[x.To], x.From, x.To, int(x.VC)})
	}
	return doc, rep, nil
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
		return nil, "", err
	}
	if direct {
		r, err := route.RouterFor(name, n, opt.Natural)
		if err != nil {
			return nil, "", err
		}
		rep, err := r.CheckDeadlock(ctx, opt.VCs)
		return rep, r.Rule.Name, err
	}
	r, err := route.ByName(ctx, name, n, opt)
	if err != nil {
		return nil, "", err
	}
	rep, err := r.CheckDeadlock(ctx)
	switch {
	case r.Tables() != nil || r.Escapes():
		rule = name
	case r.Rerouted():
		rule = topology.Minimal().Name
	}
	return rep, rule, err
}
