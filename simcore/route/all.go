// Package route holds the routings of the simulators: which of the routes that a compiled rule
// (package routing) allows a packet takes, as the queues stand, and when it makes a detour. All
// lists them; ByName makes one for a network. Rules, loads and dependency checks, for which no
// simulator is needed, are in package routing.
package route

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"toposearch/diag"
	"toposearch/routing"
	"toposearch/topology"
)

// Info describes a routing that the simulator can use.
type Info struct {
	Name string
	Doc  string
	Need string // VC classes, in words

	plan plan
	base base
}

// base is whose routes the direct way and the legs of a detour follow.
type base uint8

const (
	natural base = iota
	shortest
	anyUpDown
)

// all lists every native routing, one line each. A "+" adds to a name how one of several
// candidate hops is selected ("natural+hash") and, where there are detours, the intermediate
// ("ugal_l+group").
var all = []Info{
	{"natural", "the routes of the family's rule; all shortest paths where it has none", "those of the rule", direct, natural},
	{"minimal", "all shortest paths", "one per hop of the longest route", direct, shortest},
	{"updown", "up*/down* by distance from a root, for networks of any shape (Schroeder et al., IEEE JSAC 9(8), 1991)", "one", direct, anyUpDown},
	{"valiant", "always by way of a random intermediate, any switch with endpoints (Valiant, Brebner, STOC 1981); both legs are routes of the rule",
		"those of the rule for each leg", valiant, natural},
	{"ugal_l", "direct if (q - bias) * 2 H <= q' * (H + H') with the queues q at the source switch, or if q is like those of its other channels of the kind, else by way of a random intermediate (after Singh, Stanford 2005)",
		"those of valiant", ugalL, natural},
	{"ugal_g", "direct if q - bias <= q' with all that waits on each way for q: an ideal that knows it",
		"those of valiant", ugalG, natural},
	{"par", "ugal_l, decided again at the second switch while in the block of the source (Jiang, Kim, Dally, ISCA 2009)",
		"those of valiant and those of a first hop", par, natural},
	{"ofar", "minimal, and misrouted within and between groups wherever it asks in vain, with an escape ring (Garcia et al., ICPP 2012)",
		"one, and one for the ring", onTheFly, natural},
	{"pb", "ugal_l, or by way of an intermediate if the switches of the group say that the channel to other groups on the direct way is congested: piggybacking (Jiang, Kim, Dally, ISCA 2009)",
		"those of valiant", pb, natural},
	{"par_ph", "par by queues less the flits sent within a round trip, the direct way's against the mean of a switch's: no phantom congestion (Won et al., HPCA 2015)",
		"those of valiant and those of a first hop", parPh, natural},
	{"ectn", "direct unless as many packets want its channel, or at all switches of the group together the other group, as thresholds say: explicit contention notification (Fuentes et al., IPDPS 2015)",
		"those of valiant", ectn, natural},
	{"dgb", "ugal_l with a bias for each destination and channel that follows the latencies of both ways by gradient descent (Kasan et al., ISCA 2022)",
		"those of valiant", dgb, natural},
	{"q_adaptive", "by the channel with the least estimated time to the group of the destination, and by another switch of a group on the way, as switches learn from each other: Q-adaptive (Kang, Wang, Lan, HPDC 2021)",
		"one per hop: those of the direct way and two", qAdaptive, natural},
	{"apr_shortest", "all-path routing of UB-Mesh (arXiv:2503.20377): all shortest paths that two lanes admit; in a pod none over HRSs",
		"twice those of the rule", aprShortest, natural},
	{"apr_detour", "the shortest paths of apr_shortest, or by detours of at most two hops together where the queues of a switch make that the sooner way",
		"twice those of the rule", aprDetour, natural},
	{"apr_borrow", "apr_detour that borrows uplinks to HRSs in a pod, too", "twice those of the rule", aprBorrow, natural},
	{routing.LASHName, "one shortest path for each pair of switches, in one layer all the way (Skeie, Lysne, Theiss, IPDPS 2002), for networks of any shape", "one per layer", lash, shortest},
	{routing.DFSSSPName, "one shortest path for each switch and endpoint, balanced by weights, in one layer all the way (Domke, Hoefler, Nagel, IPDPS 2011), for networks of any shape",
		"one per layer", dfsssp, shortest},
	{"adaptive_escape", "of all shortest paths the least congested hop, and if it is not free the natural routes or up*/down* as escape channels (Duato, IEEE TPDS 4(12), 1993)",
		"those of the escape routes, and one", escaping, natural},
}

// selections and vias are what a "+" may add to a name, with their documentation.
var selections = []struct{ Name, Doc string }{
	{"random", "of several candidate hops, any, packet by packet (the default)"},
	{"hash", "of several candidate hops, by a hash of source and destination, another one at every switch: a flow keeps its path (ECMP)"},
	{"samehash", "as hash, by one function that all switches share: what one tier divides the next does not divide again (polarisation)"},
	{"adaptive", "of several candidate hops, the least congested by its credits"},
}

var vias = []struct{ Name, Doc string }{
	{"switch", "the intermediate is a random switch with endpoints (the default)"},
	{"endpoint", "the intermediate is the switch of a random endpoint"},
	{"group", "the intermediate is the first switch reached of a random block: group, pod, sub-network; fewer VCs than switch, but links inside the blocks are not balanced"},
}

// All lists the native routings.
func All() []Info { return slices.Clone(all) }

// Additions lists what a "+" may add to a name: name and documentation.
func Additions() [][2]string {
	var out [][2]string
	for _, s := range selections {
		out = append(out, [2]string{s.Name, s.Doc})
	}
	for _, s := range vias {
		out = append(out, [2]string{s.Name, s.Doc})
	}
	return out
}

// ByName makes the routing of a name, "ugal_l+group+adaptive" for instance, for a network. It
// refuses a network with fewer VCs than the routing needs, and names the need.
func ByName(ctx context.Context, name string, n *topology.Network, opt Options) (*Native, error) {
	info, via, pick, err := parseName(name)
	if err != nil {
		return nil, err
	}
	if err := opt.Tuning.check(name, info.Name, info.plan.adaptive()); err != nil {
		return nil, err
	}
	if info.plan.needsBlocks() && opt.Blocks == nil {
		return nil, fmt.Errorf("routing: %s: %s has no groups, pods or sub-networks, whose switches it has tell each other; ugal_l and par need none", name, n.Design)
	}
	if via == viaBlock && opt.Blocks == nil {
		return nil, fmt.Errorf("routing: %s: %s has no groups, pods or sub-networks to go by; +switch and +endpoint need none", name, n.Design)
	}
	switch {
	case info.plan.allPath():
		return newAllPath(ctx, name, info.plan, pick, n, opt)
	case info.plan == onTheFly:
		r, err := newOFAR(ctx, name, pick, n, opt)
		if err != nil {
			return shortestInstead(ctx, name, n, opt, err)
		}
		return r, nil
	}
	if info.plan == escaping {
		return newEscape(ctx, name, n, opt)
	}
	if info.plan.layered() {
		if opt.Tables == nil {
			if opt.Tables, err = routing.LayeredBy(ctx, info.Name, n); err != nil {
				return nil, err
			}
		}
		return newLayered(ctx, name, info.plan, n, opt)
	}
	r, err := compileBase(info.base, n, opt.Natural)
	if err != nil {
		return nil, err
	}
	nat := &Native{name: name, planName: info.Name, plan: info.plan, via: via, pick: pick, hopVC: r.Rule.HopVCs, tune: opt.Tuning, direct: opt.Direct}
	if err := nat.prepare(ctx, r, opt); err != nil {
		return shortestInstead(ctx, name, n, opt, err)
	}
	if nat.missed == nil {
		return nat, nil
	}
	if nat.around = nat.joinsAll(); !nat.around { // all pairs follow all shortest paths of what is left, on both legs of detours, too
		opt.Natural, opt.anyMid = topology.Rule{}, &nat.anyMid
		if nat, err = ByName(ctx, name, n, opt); err != nil {
			return nil, fmt.Errorf("%w: routes of the family's rule cannot avoid what has failed, and all shortest paths take a VC for each hop", err)
		}
		nat.rerouted = true
	}
	return nat, nil
}

// shortestInstead makes a routing that goes by all shortest paths where the family's rule cannot avoid what has failed, which is why it was refused (errMisses).
func shortestInstead(ctx context.Context, name string, n *topology.Network, opt Options, why error) (*Native, error) {
	if !errors.Is(why, errMisses) || opt.Natural.States == 0 {
		return nil, why
	}
	opt.Natural = topology.Rule{}
	r, err := ByName(ctx, name, n, opt)
	if err != nil {
		return nil, err
	}
	r.rerouted = true
	return r, nil
}

// IsDirect says whether the routing of a name makes no detours; RouterFor then knows it.
func IsDirect(name string) (bool, error) {
	info, _, _, err := parseName(name)
	return info.plan == direct, err
}

// Detours says whether packets of the routing of a name may go by way of an intermediate, with VCs of their own for either leg.
func Detours(name string) (bool, error) {
	info, _, _, err := parseName(name)
	return info.plan.detours(), err
}

// OnRing says whether the routing of a name has an escape ring, on a VC of its own.
func OnRing(name string) bool {
	info, _, _, err := parseName(name)
	return err == nil && info.plan == onTheFly
}

// HasTables says whether the routing of a name has tables, one path for each pair.
func HasTables(name string) bool {
	info, _, _, err := parseName(name)
	return err == nil && info.plan.layered()
}

// Escapes says whether the routing of a name is adaptive on shortest paths with escape channels.
func Escapes(name string) bool {
	info, _, _, err := parseName(name)
	return err == nil && info.plan == escaping
}

// LayeredFor makes the tables behind a routing's name ("lash", "dfsssp"), for loads; nil: the routing has none.
func LayeredFor(ctx context.Context, name string, n *topology.Network) (*routing.Layered, error) {
	info, _, _, err := parseName(name)
	if err != nil || !info.plan.layered() {
		return nil, err
	}
	return routing.LayeredBy(ctx, info.Name, n)
}

// AllPathFor makes the routing of a name, for what it can carry; nil: it is not all-path routing.
func AllPathFor(ctx context.Context, name string, n *topology.Network, natural topology.Rule) (*Native, error) {
	info, _, pick, err := parseName(name)
	if err != nil || !info.plan.allPath() {
		return nil, err
	}
	return newAllPath(ctx, name, info.plan, pick, n, Options{Natural: natural})
}

// Wants says what the routing of a name asks for besides VCs: groups, pods or sub-networks, and a model that keeps state in switches.
// A name that is no routing's wants nothing.
func Wants(name string) (blocks, state bool) {
	info, v, _, err := parseName(name)
	if err != nil {
		return false, false
	}
	return info.plan.needsBlocks() || v == viaBlock, info.plan.keepsState()
}

// RouterFor compiles the rule behind a direct routing's name ("natural", "minimal", "updown"), for
// loads and dependency checks.
func RouterFor(name string, n *topology.Network, naturalRule topology.Rule) (*routing.Router, error) {
	info, _, _, err := parseName(name)
	if err != nil {
		return nil, err
	}
	if info.plan != direct {
		return nil, fmt.Errorf("routing: %s does not follow one rule alone", name)
	}
	return compileBase(info.base, n, naturalRule)
}

// RoutesOf compiles the rule of the direct routes of a routing: those of RouterFor, of a routing by tables or with escape
// channels all shortest paths, of one that makes detours the natural ones that their legs follow, as well.
func RoutesOf(name string, n *topology.Network, natural topology.Rule) (*routing.Router, error) {
	info, _, _, err := parseName(name)
	switch {
	case err != nil:
		return nil, err
	case info.plan == direct:
		return compileBase(info.base, n, natural)
	case info.plan.layered() || info.plan == escaping || natural.States == 0:
		return routing.New(n, topology.Minimal())
	}
	return routing.New(n, natural)
}

func compileBase(b base, n *topology.Network, naturalRule topology.Rule) (*routing.Router, error) {
	switch {
	case b == anyUpDown:
		return routing.UpDown(n)
	case b == shortest || naturalRule.States == 0:
		return routing.New(n, topology.Minimal())
	}
	return routing.New(n, naturalRule)
}

// parseName takes a name apart.
func parseName(name string) (info Info, v via, p pick, err error) {
	parts := strings.Split(name, "+")
	i := slices.IndexFunc(all, func(x Info) bool { return x.Name == parts[0] })
	if i < 0 {
		names := make([]string, len(all))
		for i := range all {
			names[i] = all[i].Name
		}
		if err := refuseUnbuilt(parts[0]); err != nil {
			return info, 0, 0, err
		}
		return info, 0, 0, fmt.Errorf("there is no routing %q%s", parts[0], cmp.Or(diag.Hint(parts[0], names), "\ntoposearch routings lists them"))
	}
	info = all[i]
	for _, add := range parts[1:] {
		s := slices.IndexFunc(selections, func(x struct{ Name, Doc string }) bool { return x.Name == add })
		w := slices.IndexFunc(vias, func(x struct{ Name, Doc string }) bool { return x.Name == add })
		switch {
		case info.plan.layered():
			return info, 0, 0, fmt.Errorf("routing %s has one path for each pair: nothing can be added", info.Name)
		case info.plan == escaping:
			return info, 0, 0, fmt.Errorf("routing %s takes the least congested hop of any: nothing can be added", info.Name)
		case s >= 0:
			p = pick(s)
		case w >= 0 && !info.plan.detours():
			return info, 0, 0, fmt.Errorf("routing %s has no intermediate: %q cannot be added", info.Name, add)
		case w >= 0:
			v = via(w)
		default:
			names := make([]string, 0, len(selections)+len(vias))
			for _, a := range Additions() {
				names = append(names, a[0])
			}
			return info, 0, 0, fmt.Errorf("nothing named %q can be added to routing %s%s", add, info.Name, diag.Hint(add, names))
		}
	}
	return info, v, p, nil
}
