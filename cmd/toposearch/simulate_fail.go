package main

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/pflag"

	"toposearch/internal/stream"
	"toposearch/simulate"
	"toposearch/topology"
)

// failFlags say what does not work.
type failFlags struct {
	links, switches string   // a number, or a share: 3, 1%, 0.01
	named           []string // "leaf[3]", "leaf[3]-spine[0]", "endpoint[7]-leaf[0]"
	seed            uint64
	repair          string // cycles, or never
}

// declare declares the flags.
func (f *failFlags) declare(s *pflag.FlagSet) {
	s.StringVar(&f.links, "fail-links", "", "links between switches that fail, drawn at random: a number, or a share such as 1%; @ as in --fail")
	s.StringVar(&f.switches, "fail-switches", "", "switches that fail, drawn at random: a number or a share; @ as in --fail")
	s.StringArrayVar(&f.named, "fail", nil, "what fails, by name: leaf[3], leaf[3]-spine[0], endpoint[7]-leaf[0]; may be repeated. With @5000 or @5000..20000 it\n"+
		"fails that many cycles (cut_through: ns) after the measurement begins, and is back at the second; a spare stands in for an endpoint as tables follow")
	s.StringVar(&f.repair, "reroute-after", "", "with @: cycles (cut_through: ns) from a failure or a return until all tables follow, for detection, news, computation and\n"+
		"loading together; or never; cut_through also direct (the default) or hop_by_hop: as long as news takes to the last source concerned, sent to these alone or from switch to switch, each read in 10 us. Till then packets that tables send to what has failed are lost")
	s.Uint64Var(&f.seed, "fail-seed", 1, "seed of what fails at random; more failures of one seed contain fewer")
}

// timed says whether a text says when something fails.
func timed(text string) bool { return strings.Contains(text, "@") }

// any says whether something has failed before the simulation begins.
func (f *failFlags) any() bool {
	return f.links != "" && !timed(f.links) || f.switches != "" && !timed(f.switches) || slices.ContainsFunc(f.named, func(s string) bool { return !timed(s) })
}

// later says whether something fails while the simulation runs.
func (f *failFlags) later() bool {
	return timed(f.links) || timed(f.switches) || slices.ContainsFunc(f.named, timed)
}

// howMany reads how many of a number of things fail.
func howMany(flag, text string, of int) (int, error) {
	if text == "" {
		return 0, nil
	}
	if n, err := strconv.Atoi(strings.TrimSpace(text)); err == nil {
		if n < 0 || n > of {
			return 0, usagef("--%s %d: 0 to %d can fail", flag, n, of)
		}
		return n, nil
	}
	share, err := readShare(text)
	if err != nil || !(share >= 0 && share <= 1) {
		return 0, usagef("--%s %q: write a number, or a share from 0%% to 100%% such as 1%% or 0.01", flag, text)
	}
	return int(math.Round(share * float64(of))), nil
}

// before is what of the flags has failed before the simulation begins.
func (f *failFlags) before() *failFlags {
	out := &failFlags{seed: f.seed}
	if !timed(f.links) {
		out.links = f.links
	}
	if !timed(f.switches) {
		out.switches = f.switches
	}
	for _, name := range f.named {
		if !timed(name) {
			out.named = append(out.named, name)
		}
	}
	return out
}

// failures draws what fails at random and finds what fails by name. Every fault is reported.
func (f *failFlags) failures(n *topology.Network) (*topology.Failures, error) {
	out := &topology.Failures{}
	var faults []error
	links, err := howMany("fail-links", f.links, len(n.Cables()))
	faults = append(faults, err)
	switches, err := howMany("fail-switches", f.switches, len(n.Boxes()))
	faults = append(faults, err)
	names := switchIndex(n)
	for _, name := range f.named {
		faults = append(faults, nameFailure(n, names, name, out))
	}
	if err := joinUsage(faults...); err != nil {
		return nil, err
	}
	drawnSwitches, err := n.DrawSwitches(switches, stream.New(f.seed, "failed switches"))
	faults = append(faults, err)
	drawnLinks, err := n.DrawLinks(links, stream.New(f.seed, "failed links"))
	faults = append(faults, err)
	out.Switches = append(out.Switches, drawnSwitches...)
	out.Links = append(out.Links, drawnLinks...)
	slices.Sort(out.Switches)
	out.Switches = slices.Compact(out.Switches)
	slices.Sort(out.Links)
	out.Links = slices.Compact(out.Links)
	return out, joinUsage(faults...)
}

// switchIndex gives the switches by name.
func switchIndex(n *topology.Network) map[string]topology.SwitchID {
	m := make(map[string]topology.SwitchID, n.Switches())
	for s, name := range n.SwitchNames() {
		m[name] = topology.SwitchID(s)
	}
	return m
}

// nameFailure adds what a name names: a switch, all parallel links between two switches, or the
// links of an endpoint to a switch. Switches are "class[number]", or their number alone.
func nameFailure(n *topology.Network, names map[string]topology.SwitchID, text string, out *topology.Failures) error {
	lookUp := func(s string) (topology.SwitchID, error) {
		s = strings.TrimSpace(s)
		if id, ok := names[s]; ok {
			return id, nil
		}
		if id, err := strconv.Atoi(s); err == nil && id >= 0 && id < n.Switches() {
			return topology.SwitchID(id), nil
		}
		return 0, usagef("--fail %q: there is no switch %q; the last is %s (number %d)", text, s, n.SwitchName(topology.SwitchID(n.Switches()-1)), n.Switches()-1)
	}
	a, b, isLink := strings.Cut(text, "-")
	if !isLink {
		s, err := lookUp(a)
		if err == nil {
			out.Switches = append(out.Switches, s)
		}
		return err
	}
	to, err := lookUp(b)
	if err != nil {
		return err
	}
	if inner, ok := strings.CutPrefix(strings.TrimSpace(a), "endpoint["); ok {
		return namePort(n, text, strings.TrimSuffix(inner, "]"), to, out)
	}
	from, err := lookUp(a)
	if err != nil {
		return err
	}
	found := false
	for first, end := n.Out(from); first < end; first++ {
		if n.To(first) == to {
			found = true
			c := first
			if r := n.Rev(c); r >= 0 {
				c = min(c, r)
			}
			out.Links = append(out.Links, c)
		}
	}
	if !found {
		return usagef("--fail %q: there is no link between the two; %s is linked to %s", text, strings.TrimSpace(a), neighborNames(n, from))
	}
	return nil
}

// namePort adds the links of an endpoint, by its number, to a switch.
func namePort(n *topology.Network, text, number string, to topology.SwitchID, out *topology.Failures) error {
	e, err := strconv.Atoi(number)
	if err != nil || e < 0 || e >= n.Endpoints() {
		return usagef("--fail %q: endpoints are endpoint[0] to endpoint[%d]", text, n.Endpoints()-1)
	}
	_, _, ports := n.Group(n.GroupOf(topology.EndpointID(e)))
	if !slices.Contains(ports, to) {
		return usagef("--fail %q: the endpoint has no link to that switch", text)
	}
	for _, s := range ports {
		if s == to {
			out.Ports = append(out.Ports, topology.PortFailure{Endpoint: topology.EndpointID(e), Switch: to})
		}
	}
	return nil
}

// neighborNames lists some neighbours of a switch.
func neighborNames(n *topology.Network, s topology.SwitchID) string {
	const most = 6
	var names []string
	for i, t := range n.Neighbors(s) {
		if i == most {
			names = append(names, "...")
			break
		}
		names = append(names, n.SwitchName(t))
	}
	if len(names) == 0 {
		return "no switch"
	}
	return strings.Join(names, ", ")
}

// degrade applies the failures to a network.
func (f *failFlags) degrade(n *topology.Network) (*topology.Network, *simulate.Failed, error) {
	if !f.any() {
		return n, nil, nil
	}
	failures, err := f.before().failures(n)
	if err != nil {
		return nil, nil, err
	}
	left, failed, err := simulate.Degrade(n, failures)
	if err != nil {
		return nil, nil, usage(err)
	}
	return left, failed, nil
}

// failedWords says on a page what failed; nothing if nothing did.
func failedWords(f *simulate.Failed) string {
	if f == nil {
		return ""
	}
	const most = 8
	list := func(kind string, names []string) string {
		if len(names) == 0 {
			return ""
		}
		s := fmt.Sprintf("%d failed %s: %s", len(names), kind, strings.Join(names[:min(most, len(names))], ", "))
		if len(names) > most {
			s += ", ..."
		}
		return s + "; "
	}
	s := list("links", f.Links) + list("switches", f.Switches)
	if len(f.Moved) > 0 {
		s += "spares stand in: " + strings.Join(f.Moved[:min(most, len(f.Moved))], ", ") + "; "
	}
	if u := f.Unreachable; u != nil {
		s += fmt.Sprintf("%d endpoints are cut off, %d pairs have no path: packets to them are dropped and counted as unreachable", u.NoPort, u.Pairs)
	} else {
		s += "every pair is still connected"
	}
	if f.Shortest {
		s += "; ways take all shortest paths: routes of the family's rule cannot avoid what failed"
	}
	if f.Around > 0 {
		s += fmt.Sprintf("; %d pairs go by way of an intermediate always: routes of the family's rule between them cannot avoid what failed", f.Around)
	}
	return wrap(s, 80, "  ")
}
