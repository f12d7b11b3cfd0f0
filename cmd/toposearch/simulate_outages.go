package main

import (
	"context"
	"fmt"
	"io"
	"strconv"
	"strings"

	"toposearch/simcore"
	"toposearch/simcore/route"
	"toposearch/simulate"
	"toposearch/topology"
)

// outages are what fails while the simulation runs, of the network that works as it begins; nil: nothing. Every fault is
// reported.
func (f *failFlags) outages(n *topology.Network) (*simulate.Outages, error) {
	if !f.later() {
		return nil, nil
	}
	out := &simulate.Outages{}
	var faults []error
	add := func(text string, parts func(what string) *failFlags) {
		what, when, _ := strings.Cut(text, "@")
		o, err := parseWhen(text, when)
		faults = append(faults, err)
		found, err := parts(what).failures(n)
		faults = append(faults, err)
		if err == nil && !found.None() {
			o.Failures = *found
			out.List = append(out.List, o)
		}
	}
	if timed(f.links) {
		add(f.links, func(what string) *failFlags { return &failFlags{links: what, seed: f.seed} })
	}
	if timed(f.switches) {
		add(f.switches, func(what string) *failFlags { return &failFlags{switches: what, seed: f.seed} })
	}
	for _, name := range f.named {
		if timed(name) {
			add(name, func(what string) *failFlags { return &failFlags{named: []string{what}} })
		}
	}
	repair, err := strconv.ParseInt(f.repair, 10, 64)
	switch {
	case f.repair == "never":
		repair, err = route.Never, nil
	case f.repair == string(simulate.DirectNews), f.repair == string(simulate.HopByHopNews):
		out.How, repair, err = simulate.News(f.repair), 0, nil
	case f.repair == "":
		err = usagef("--fail ...@ needs --reroute-after: the time from a failure until all tables are repaired, in cycles, or never (%s: in ns, never, direct or hop_by_hop)", modelCut)
	case err != nil || repair < 0:
		err = usagef("--reroute-after %q: write a number of cycles, or never (%s: of ns, never, direct or hop_by_hop)", f.repair, modelCut)
	}
	out.Repair = repair
	return out, joinUsage(append(faults, err)...)
}

// parseWhen reads when something fails: 5000, or 5000..20000.
func parseWhen(text, when string) (o route.Outage, err error) {
	from, until, back := strings.Cut(when, "..")
	o.Until = route.Never
	if o.From, err = strconv.ParseInt(strings.TrimSpace(from), 10, 64); err == nil && back {
		o.Until, err = strconv.ParseInt(strings.TrimSpace(until), 10, 64)
	}
	if err != nil {
		return o, usagef("--fail %q: %q is not when it fails; write @5000 or @5000..20000, cycles (%s: ns) after the measurement begins", text, when, modelCut)
	}
	return o, nil
}

// checkOutages refuses what does not go with failures while the simulation runs, and fills in how news of them travel if
// nothing says so and times are known.
func (f *simFlags) checkOutages() error {
	if !f.fail.later() {
		if f.fail.repair != "" {
			return usagef("--reroute-after goes with --fail ...@, which says when something fails")
		}
		return nil
	}
	var faults []error
	news := f.fail.repair == string(simulate.DirectNews) || f.fail.repair == string(simulate.HopByHopNews)
	if f.cut.model == modelCut && f.fail.repair == "" {
		f.fail.repair = string(simulate.DirectNews)
	} else if news && f.cut.model != modelCut {
		faults = append(faults, usagef("--reroute-after %s: a cycle of flits has no length in ns, in which news travel; write cycles, or use --model %s", f.fail.repair, modelCut))
	}
	for _, x := range []struct {
		name, why string
		on        bool
	}{
		{"--workload", "a closed loop waits for what arrives, and what is lost is not sent again", f.loop.kind != ""},
		{"--collective", "it waits for what arrives, and what is lost is not sent again", f.collective.what != ""},
		{"--saturation", "it needs a network that stays as it is; fail without @ instead", f.saturation},
		{"--bench", "it times the network as it is", f.bench},
		{"--check-deadlock", "it proves one routing; fail without @ instead", f.checkDeadlock},
		{"--precision", "a window in which something fails has one length, --cycles", f.precision != ""},
	} {
		if x.on {
			faults = append(faults, usagef("%s does not go with --fail ...@: %s", x.name, x.why))
		}
	}
	return joinUsage(faults...)
}

// failingParts are parts for a network that fails while it is simulated, in a window of some cycles.
func (t *simTask) failingParts(ctx context.Context, c *simulate.Choice, cycles int) (*route.Native, simcore.Traffic, simcore.FailurePlan, error) {
	if t.outages == nil {
		r, tr, err := t.parts(ctx, c)
		return r, tr, nil, err
	}
	tr, err := c.MakeTraffic(ctx, t.design, t.net)
	if err != nil {
		return nil, nil, nil, joinUsage(err)
	}
	r, plan, net, err := t.outages.Plan(ctx, c, t.design, t.net, int64(cycles))
	if err == nil && t.failed != nil { // what has failed before
		err = t.failed.CheckRouting(ctx, t.net, r, c.RouteOptions(t.design, t.net))
	}
	if err == nil {
		t.net = net
	}
	return r, tr, plan, joinUsage(unfit(err))
}

// printFailures prints what failures cost at a load.
func printFailures(w io.Writer, c map[string]any, r *simcore.FailureReport, offered float64, u *pageUnits) {
	if r == nil {
		return
	}
	fmt.Fprintf(w, "\nload %.4f: %d packets generated, %d delivered, %d lost, %d under way\n", offered, r.Generated, r.Delivered, r.Lost.Packets, r.UnderWay)
	if r.Lost.Packets > 0 {
		fmt.Fprint(w, wrap("lost: "+lossWords(&r.Lost), 80, "  "))
	}
	if r.Unreachable > 0 {
		fmt.Fprintf(w, "  %d packets were not sent, as no route led to their destination\n", r.Unreachable)
	}
	if c["tables_discard"] == true {
		fmt.Fprint(w, wrap("new tables discard what is under way: packets of the old routes could deadlock with those of the new", 80, "  "))
	}
	if c["reroute_by_shortest_paths"] == true {
		fmt.Fprint(w, wrap("new tables have all shortest paths of what is left, with a VC for each hop: routes of the family's rule cannot avoid what failed", 80, "  "))
	}
	const row = "%8s %9s %8s %7s %9s %8s %8s %7s %7s\n"
	fmt.Fprintf(w, row, "from", "to", "accepted", "+-", "latency", "p99", "max", "lost", "no route")
	fmt.Fprintf(w, row, u.cycle, u.cycle, "", "95 %", u.time, u.time, u.time, "packets", "pairs")
	for i := range r.Phases {
		p := &r.Phases[i]
		latency, p99, most := "-", "-", "-"
		if p.Packets > 0 {
			latency, p99, most = u.mean(p.Latency.Mean), u.bare(p.Latency.P99), u.bare(p.Latency.Max)
		}
		fmt.Fprintf(w, row, fmt.Sprintf("%.0f", p.From), fmt.Sprintf("%.0f", p.To), fmt.Sprintf("%.4f", p.Accepted), fmt.Sprintf("%.4f", p.AcceptedCI95),
			latency, p99, most, strconv.FormatInt(p.Lost.Packets, 10), strconv.FormatInt(p.UnreachablePairs, 10))
		fmt.Fprint(w, wrap(phaseWords(p), 78, "          "))
	}
}

// mean is a mean time without its unit.
func (u *pageUnits) mean(cycles float64) string {
	return fmt.Sprintf("%.*f", u.decimal, cycles*u.cycles)
}

// phaseWords say what a phase is.
func phaseWords(p *simcore.Phase) string {
	if len(p.Moved) > 0 {
		q := *p
		q.Moved = nil
		return phaseWords(&q) + "; spares stand in: " + strings.Join(p.Moved, ", ")
	}
	list := func(names []string) string {
		const most = 4
		if len(names) > most {
			return fmt.Sprintf("%s and %d more", strings.Join(names[:most], ", "), len(names)-most)
		}
		return strings.Join(names, ", ")
	}
	switch {
	case len(p.Down) == 0 && !p.Stale:
		return "all works"
	case len(p.Down) == 0:
		return "all works again; tables still without " + list(p.Known)
	case !p.Stale:
		return list(p.Down) + " down; tables without it"
	case len(p.Known) == 0:
		return list(p.Down) + " down; tables as if all worked"
	}
	return list(p.Down) + " down; tables without " + list(p.Known)
}

// lossWords are the causes for which packets were lost.
func lossWords(l *simcore.Losses) string {
	var parts []string
	for _, x := range []struct {
		n    int64
		text string
	}{
		{l.OnLink, "on a link that failed"}, {l.InSwitch, "in a switch that failed"}, {l.AtPort, "at ports that were down"},
		{l.NoRoute, "where the new tables had no route onward"}, {l.Discarded, "discarded as tables changed"},
	} {
		if x.n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", x.n, x.text))
		}
	}
	return strings.Join(parts, ", ")
}
