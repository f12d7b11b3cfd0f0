package study

import (
	"math"
	"slices"
	"strings"

	"toposearch/constraints"
	"toposearch/diag"
	"toposearch/evaluator"
	"toposearch/evaluator/metric"
	"toposearch/internal/tomlfile"
	"toposearch/simcore/route"
	"toposearch/topology"
	"toposearch/topology/survey"
)

// chosenRouting stands for the routing that a search chose for a design.
const chosenRouting = "chosen"

// verifyRouting reads the routing and the model of simulations.
func (ld *loader) verifyRouting(t *tomlfile.Table) {
	s := &ld.s.Verify
	if v := t.Take("routing"); v != nil {
		if name, ok := v.Text(); ok && name != chosenRouting && ld.routable(v, name) {
			s.Routing, ld.routingAt = name, v.Pos
		}
	}
	if v := t.Take("model"); v != nil {
		known := []string{Flit, CutThrough}
		if name, ok := v.Text(); ok && !slices.Contains(known, name) {
			v.Errorf("there is no model %q\n%s", name, diag.Suggest(name, known))
		} else if ok && name != Flit {
			s.Model = name
		}
	}
}

// routing reads what may route. Without algorithms it is the natural routing, and throughput in the worst case that of
// the best possible one; in_order puts every flow on one path.
func (ld *loader) routing(t *tomlfile.Table) {
	if t == nil {
		return
	}
	if v := t.Take("in_order"); v != nil {
		ld.inOrder, _ = v.Truth()
	}
	if v := t.Take("algorithms"); v != nil {
		if names, ok := v.Texts(); ok {
			if len(names) == 0 {
				v.Errorf("no routing is named\nwrite algorithms = [\"ugal_l\", \"natural\"], what comes first is taken first where throughput is the same")
			}
			for i, name := range names {
				ld.algorithm(v.Items[i], name)
			}
		}
	}
	if len(ld.s.Options.Algorithms) == 0 && ld.inOrder {
		ld.s.Options.Algorithms = []string{inOrderName}
	}
	const limits = "it is a limit: it stands in [routing] of a constraint file, constraints = [\"site.toml\"]"
	t.Done(map[string]string{"vcs": limits, "source_route_hops": limits, "vc_change": limits, "table_entries": limits,
		"algorithm": "algorithms", "routing": "algorithms", "routings": "algorithms", "ordered": "in_order"})
}

// inOrderName is the natural routing with flows that keep their path.
const inOrderName = evaluator.RoutingNatural + "+hash"

// algorithm takes a routing that may be chosen.
func (ld *loader) algorithm(v *tomlfile.Value, name string) {
	if !ld.routable(v, name) {
		return
	}
	if ld.inOrder && name == evaluator.RoutingNatural {
		name = inOrderName
	}
	a, err := evaluator.ParseAlgorithm(name)
	switch {
	case err != nil:
		v.Errorf("%v\n[verify] routing = %q simulates it", err, name)
	case slices.Contains(ld.s.Options.Algorithms, name):
		v.Errorf("%s is named twice", name)
	case ld.inOrder && !a.InOrder:
		v.Errorf("%s chooses a path packet by packet, and in_order = true keeps a flow on one\nname natural alone, or leave in_order out where the NIC reorders", name)
	default:
		ld.s.Options.Algorithms = append(ld.s.Options.Algorithms, name)
		ld.algorithms = append(ld.algorithms, a)
		ld.algorithmAt = append(ld.algorithmAt, v.Pos)
	}
}

// routingLimits brings the limits on VCs and hops to the routings that are named: they reject a design only if no
// routing fits, which is the one that needs least.
func (ld *loader) routingLimits() {
	s := ld.s
	if len(ld.algorithms) == 0 || s.Constraints == nil {
		return
	}
	detours, fits := true, false
	for i := range ld.algorithms {
		a := &ld.algorithms[i]
		detours = detours && a.Detours
		if most, need := s.Options.MaxVCs, a.LeastVCs(); most > 0 && most < need {
			o, _ := s.Constraints.OriginOf(constraints.NameVCs)
			ld.diags.Warnf(ld.algorithmAt[i], "%s needs %d virtual channels or more, and %s allows %d: no design can take it", a.Name, need, o.Pos, most)
		} else {
			fits = true
		}
	}
	if !fits {
		ld.diags.Errorf(ld.algorithmAt[0], "no routing that is named fits the virtual channels: name natural, which needs the fewest")
	}
	if !detours {
		return
	}
	for i := range s.Constraints.Limits {
		switch l := &s.Constraints.Limits[i]; l.Name {
		case constraints.NameVCs:
			l.Key = metric.VCsAdaptive
			if !slices.ContainsFunc(ld.algorithms, func(a evaluator.Algorithm) bool { return a.LeastVCs() == 2 }) {
				ld.diags.Errorf(ld.algorithmAt[0], "how many virtual channels %s needs on its first hop is not limited on its own\nname ugal_l or natural beside it, which designs take that have too few", ld.algorithms[0].Name)
			}
		case constraints.NameRouteHops:
			l.Bound = math.Floor(l.Bound / 2) // of either leg
		}
	}
}

// routable reports a routing that does not exist, or that no family of the space has the structure for.
func (ld *loader) routable(v *tomlfile.Value, name string) bool {
	if _, err := route.IsDirect(name); err != nil {
		v.Errorf("%v\ntoposearch simulate --help lists them", err)
		return false
	}
	direct, _ := route.IsDirect(name)
	switch group, _ := route.Wants(name); {
	case len(ld.s.Space) == 0: // the space is at fault
	case !direct && !ld.some(func(f *topology.Family, v []int, s *topology.Size) bool { return s.AllSwitches() > 2 }):
		v.Errorf("%s makes detours, and no family of [space] has a third switch to go by", name)
		return false
	case group && !ld.some(func(f *topology.Family, v []int, _ *topology.Size) bool {
		return f.Place != nil && f.Place(v).Blocks > 1
	}):
		remedy := "name another one, such as ugal_l"
		if strings.Contains(name, "+group") {
			remedy = "leave \"+group\" out"
		}
		v.Errorf("%s goes by way of groups, and no family of [space] has groups, pods or sub-networks\n%s, or search a family that has some, such as dragonfly", name, remedy)
		return false
	}
	return true
}

// some tells whether a family of the space has designs with a structure: its smallest one, or one with a parameter a
// little larger, where a dimension that is left out at first makes the structure.
func (ld *loader) some(has func(f *topology.Family, v []int, s *topology.Size) bool) bool {
	var size topology.Size
	for k := range ld.s.Space {
		f := ld.s.Space[k].Family
		v := survey.SmallInstance(f)
		for i := range v {
			for more := range 4 {
				w := slices.Clone(v)
				if w[i] += more; f.Size(w, &size) == nil && has(f, w, &size) {
					return true
				}
			}
		}
	}
	return false
}

// verifiable checks what is asked of simulations together with the limits.
func (ld *loader) verifiable() {
	s := ld.s
	if name := s.Verify.Routing; ld.inOrder && name != "" {
		if direct, _ := route.IsDirect(name); !direct || !slices.Contains(strings.Split(name, "+"), "hash") {
			ld.diags.Errorf(ld.routingAt, "%s chooses a path packet by packet, and [routing] in_order = true keeps a flow on one: write %s, or leave it out", name, inOrderName)
		}
	}
	if s.Verify.Routing != "" {
		most, at := s.Options.MaxVCs, ""
		if s.Constraints != nil {
			if o, ok := s.Constraints.OriginOf(constraints.NameVCs); ok {
				at = " (" + o.Pos.String() + ")"
			}
		}
		if s.Verify.VCs > 0 {
			most, at = s.Verify.VCs, ""
		}
		direct, _ := route.IsDirect(s.Verify.Routing)
		if !direct && most == 1 {
			ld.diags.Errorf(ld.routingAt, "%s needs at least 2 virtual channels, those of either leg of a detour, and there is 1%s", s.Verify.Routing, at)
		}
	}
	if s.Verify.Model != CutThrough {
		return
	}
	if _, state := route.Wants(s.Verify.Routing); state {
		ld.diags.Errorf(ld.routingAt, "%s keeps state in the switches, which [verify] model = \"%s\" does not simulate: leave the model out, or name ugal_l", s.Verify.Routing, CutThrough)
	}
	wrong := func(k metric.Key, at diag.Pos) {
		if k == metric.SimLatencyHalfLoad {
			ld.diags.Errorf(at, "%s is in cycles of the flit model, and [verify] model is %s: simulate flits, or ask for sim_saturation", metric.Keys[k].Name, CutThrough)
		}
	}
	for i, o := range s.Objectives {
		wrong(o.Key, ld.objectiveAt[i])
	}
	if s.Constraints != nil {
		for _, l := range s.Constraints.Limits {
			wrong(l.Key, l.Origin.Pos)
		}
	}
	for _, l := range s.Require {
		wrong(l.Key, l.Origin.Pos)
	}
}
