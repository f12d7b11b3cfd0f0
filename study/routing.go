package study

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"toposearch/constraints"
	"toposearch/diag"
	"toposearch/evaluator"
	"toposearch/evaluator/metric"
	"toposearch/internal/tomlfile"
	"toposearch/objectives"
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

// routing reads what may route: without algorithms what each family's networks are run with, natural routes where that
// does not fit; in_order puts every flow on one path.
func (ld *loader) routing(t *tomlfile.Table) {
	if v := t.Take("in_order"); v != nil {
		ld.inOrder, _ = v.Truth()
	}
	if v := t.Take("algorithms"); v != nil && !(v.Kind == tomlfile.String && v.Str == evaluator.RoutingDeployed) {
		if names, ok := v.Texts(); ok {
			if len(names) == 0 {
				v.Errorf("no routing is named\nwrite algorithms = [\"ugal_l\", \"natural\"], what comes first is taken first where throughput is the same")
			}
			for i, name := range names {
				ld.algorithm(v.Items[i], name)
			}
		}
	}
	switch o := &ld.s.Options; {
	case len(o.Algorithms) > 0:
	case ld.inOrder:
		o.Algorithms = []string{inOrderName}
	default:
		o.Algorithms = []string{evaluator.RoutingDeployed}
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
	named := name
	if ld.inOrder && name == evaluator.RoutingNatural {
		name = inOrderName
	}
	a, err := evaluator.ParseAlgorithm(name)
	switch {
	case err != nil:
		v.Errorf("%v\n[verify] routing = %q simulates it", err, name)
	case slices.Contains(ld.s.Options.Algorithms, name):
		why := ""
		if named != name {
			why = fmt.Sprintf(": with in_order = true it is %s", name)
		}
		v.Errorf("%s is named twice%s", named, why)
	case ld.inOrder && !a.InOrder:
		v.Errorf("%s chooses a path packet by packet, and in_order = true keeps a flow on one\nname natural alone, or leave in_order out where the NIC reorders", name)
	default:
		ld.s.Options.Algorithms = append(ld.s.Options.Algorithms, name)
		ld.algorithms = append(ld.algorithms, a)
		ld.algorithmAt = append(ld.algorithmAt, v.Pos)
	}
}

// routingLimits brings the limits on VCs and hops to the routings that are named: they reject a design only if no
// routing fits. Where one metric counts what the routing takes that needs least, the limits are on that metric;
// otherwise the evaluation rejects, which looks at one routing after the other.
func (ld *loader) routingLimits() {
	s := ld.s
	s.Options.EncloseWorst = s.judgedBy(metric.WorstThroughput)
	if len(ld.algorithms) == 0 || s.Constraints == nil {
		return
	}
	s.Options.ByWorst = ld.s.judgedBy(metric.WorstThroughput)
	natural, tables, twoLegs, fits := false, false, false, false
	for i := range ld.algorithms {
		a := &ld.algorithms[i]
		natural, tables, twoLegs = natural || !a.Detours && !a.Tables, tables || a.Tables, twoLegs || a.LeastVCs() == 2
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
	if natural && !tables {
		return
	}
	if tables || !twoLegs { // layers of tables, and the VCs of a first hop of par, are in no metric of what may be chosen
		s.Options.RejectUnfit = true
		s.Constraints.Limits = slices.DeleteFunc(s.Constraints.Limits, func(l constraints.Limit) bool {
			own := l.Name == constraints.NameVCs || l.Name == constraints.NameRouteHops
			if own {
				s.Constraints.Settings = append(s.Constraints.Settings, l.Origin)
			}
			return own
		})
		return
	}
	for i := range s.Constraints.Limits {
		switch l := &s.Constraints.Limits[i]; l.Name {
		case constraints.NameVCs:
			l.Key = metric.VCsAdaptive
		case constraints.NameRouteHops:
			l.Bound = math.Floor(l.Bound / 2) // of either leg
		}
	}
}

// judgedBy tells whether designs are judged by a metric.
func (s *Study) judgedBy(k metric.Key) bool {
	limited := func(l constraints.Limit) bool { return l.Key == k }
	return slices.ContainsFunc(s.Objectives, func(o objectives.Objective) bool { return o.Key == k }) ||
		s.Constraints != nil && slices.ContainsFunc(s.Constraints.Limits, limited) || slices.ContainsFunc(s.Require, limited)
}

// routable reports a routing that does not exist, or that no family of the space has the structure for.
func (ld *loader) routable(v *tomlfile.Value, name string) bool {
	detours, err := route.Detours(name)
	if err != nil {
		v.Errorf("%v\ntoposearch simulate --help lists them", err)
		return false
	}
	switch group, _ := route.Wants(name); {
	case len(ld.s.Space) == 0: // the space is at fault
	case detours && !ld.some(func(f *topology.Family, v []int, s *topology.Size) bool { return s.AllSwitches() > 2 }):
		v.Errorf("%s makes detours, and no family of [space] has a third switch to go by\nname natural, or search a family that has one, such as hyperx", name)
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

// keepsOrder tells whether a simulated routing keeps a flow on one path.
func keepsOrder(name string) bool {
	if route.HasTables(name) {
		return true
	}
	direct, _ := route.IsDirect(name)
	parts := strings.Split(name, "+")
	return direct && (slices.Contains(parts, "hash") || slices.Contains(parts, "samehash"))
}

// verifiable checks what is asked of simulations together with the limits.
func (ld *loader) verifiable() {
	s := ld.s
	if name := s.Verify.Routing; ld.inOrder && name != "" {
		if !keepsOrder(name) {
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
		if !direct && !route.HasTables(s.Verify.Routing) && most == 1 {
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
