package study

import (
	"slices"
	"strings"

	"toposearch/diag"
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

// routable reports a routing that does not exist, or that no family of the space has the structure for.
func (ld *loader) routable(v *tomlfile.Value, name string) bool {
	if _, err := route.IsDirect(name); err != nil {
		v.Errorf("%v\ntoposearch simulate --help lists them", err)
		return false
	}
	if !slices.Contains(strings.Split(name, "+"), "group") {
		return true
	}
	for i := range ld.s.Space {
		if hasBlocks(ld.s.Space[i].Family) {
			return true
		}
	}
	if len(ld.s.Space) > 0 { // else the space is at fault
		v.Errorf("%s goes by way of groups, and no family of [space] has groups, pods or sub-networks\nleave \"+group\" out, or search a family that has some, such as dragonfly", name)
	}
	return false
}

// hasBlocks tells whether designs of a family can have groups: its smallest one, or one with a parameter a little
// larger, where a dimension that is left out at first makes them.
func hasBlocks(f *topology.Family) bool {
	if f.Place == nil {
		return false
	}
	v := survey.SmallInstance(f)
	var s topology.Size
	for i := range v {
		for more := range 4 {
			w := slices.Clone(v)
			if w[i] += more; f.Size(w, &s) == nil && f.Place(w).Blocks > 1 {
				return true
			}
		}
	}
	return false
}

// verifiable checks what is asked of simulations together with the limits.
func (ld *loader) verifiable() {
	s := ld.s
	if s.Verify.Routing != "" {
		most, at := s.Options.MaxVCs, ""
		if s.Constraints != nil {
			if o, ok := s.Constraints.OriginOf("routing.vcs"); ok {
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
