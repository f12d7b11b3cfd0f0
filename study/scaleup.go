package study

import (
	"fmt"
	"slices"
	"strings"

	"toposearch/diag"
	"toposearch/evaluator"
	"toposearch/internal/tomlfile"
	"toposearch/topology"
)

// mostScaleups bounds the scale-up domains of a search: each is searched and bounded by itself.
const mostScaleups = 64

// scaleup reads how scale-up domains are joined, and where there is a choice gives the families a parameter for it.
func (ld *loader) scaleup(v *tomlfile.Value) {
	s := ld.s
	ld.scaleupAt = v.Pos
	items := []*tomlfile.Value{v}
	if v.Kind == tomlfile.List {
		if items = v.Items; len(items) == 0 {
			v.Errorf("no scale-up domain is named\nwrite true for a full mesh, or [false, { domain = 8 }, { domain = 72, switches = 18 }] to search")
			return
		}
	}
	var all []topology.Domain
	for _, it := range items {
		for _, d := range ld.domains(it) {
			if !slices.Contains(all, d) {
				all = append(all, d)
			}
		}
	}
	switch {
	case len(all) == 0: // an error, which is reported
	case len(all) == 1:
		if s.Domain, s.Scaleup = all[0], all[0].Endpoints > 1; !s.Scaleup {
			s.Domain.Endpoints = s.PerServer
		}
	case len(all) > mostScaleups:
		v.Errorf("these are %d scale-up domains; a search takes at most %d\nleave some sizes or numbers of switches out", len(all), mostScaleups)
	default:
		s.Scaleups = all
		s.Known = slices.Clone(s.Known)
		for i, f := range s.Known {
			s.Known[i] = topology.WithScaleup(f, all)
		}
	}
}

// domains reads true, false, "mesh", or a table whose values may be lists and ranges: all domains that there are of them.
func (ld *loader) domains(v *tomlfile.Value) []topology.Domain {
	const how = "write true for a full mesh, or { levels = 1, switches = 4 } for scale-up switches"
	mesh := []topology.Domain{{Endpoints: ld.s.PerServer}}
	switch v.Kind {
	case tomlfile.Bool:
		if yes, _ := v.Truth(); yes {
			return mesh
		}
		return []topology.Domain{{Endpoints: 1}}
	case tomlfile.String:
		if text, _ := v.Text(); text != "mesh" {
			v.Errorf("scaleup is %q\n%s", text, how)
		}
		return mesh
	case tomlfile.TableKind:
		return ld.product(v)
	}
	v.Errorf("scaleup is true or false, a table, or a list of these\n%s", how)
	return nil
}

// product reads a table of lists and ranges. Domains of combinations that cannot be, such as boxes that do not divide them,
// are left out; if none is left, the first says why. Switches say nothing of meshes, box and spines nothing of one level.
func (ld *loader) product(v *tomlfile.Value) []topology.Domain {
	values := map[string][]int{"domain": {ld.s.PerServer}, "levels": {-1}, "switches": {0}, "box": {0}, "spines": {0}}
	product := 1
	for _, k := range []struct {
		name        string
		least, most int64
	}{{"domain", 1, 1 << 20}, {"levels", 0, 2}, {"switches", 1, 1024}, {"box", 1, 1 << 20}, {"spines", 1, 1024}} {
		if x := v.Table.Take(k.name); x != nil {
			n, ok := wholes(x, k.least, k.most)
			if !ok {
				return nil
			}
			values[k.name] = n
		}
		if product *= len(values[k.name]); product > 1<<16 {
			v.Errorf("the values of scaleup make more than %d combinations; a search takes at most %d domains\nname fewer values", 1<<16, mostScaleups)
			return nil
		}
	}
	v.Table.Done(map[string]string{"endpoints": "domain", "size": "domain", "leaves": "switches", "level": "levels", "leaf": "box"})
	var out []topology.Domain
	var first error
	take := func(d topology.Domain) {
		d.Complete()
		switch err := d.Check(); {
		case err == nil && !slices.Contains(out, d):
			out = append(out, d)
		case err != nil && first == nil:
			first = err
		}
	}
	for _, per := range values["domain"] {
		for _, levels := range values["levels"] {
			for _, switches := range values["switches"] {
				for _, box := range values["box"] {
					for _, spines := range values["spines"] {
						d := topology.Domain{Endpoints: per, Levels: levels, Switches: switches, Box: box, Spines: spines}
						if len(values["levels"]) > 1 { // what is not of this level is of another
							d = onlyOf(d)
						}
						take(d)
					}
				}
			}
		}
	}
	switch {
	case len(out) == 0:
		v.Errorf("%v", first)
	case first != nil:
		v.Warnf("some combinations are no scale-up domains and are left out: %v", first)
	}
	return out
}

// onlyOf is a domain without what its levels do not have.
func onlyOf(d topology.Domain) topology.Domain {
	if d.Levels == 0 {
		d.Switches = 0
	}
	if d.Levels < 2 {
		d.Box, d.Spines = 0, 0
	}
	return d
}

// wholes reads a whole number, a list of them, or a range.
func wholes(v *tomlfile.Value, least, most int64) (out []int, ok bool) {
	switch v.Kind {
	case tomlfile.List:
		for _, it := range v.Items {
			n, good := it.Integer(least, most)
			if !good {
				return nil, false
			}
			out = append(out, int(n))
		}
		if len(out) == 0 {
			v.Errorf("no value is left")
		}
		return out, len(out) > 0
	case tomlfile.TableKind:
		a, b := v.Table.Take("min"), v.Table.Take("max")
		v.Table.Done(nil)
		if a == nil || b == nil {
			v.Errorf("a range needs min and max")
			return nil, false
		}
		lo, okA := a.Integer(least, most)
		hi, okB := b.Integer(least, most)
		switch {
		case !okA || !okB:
			return nil, false
		case lo > hi:
			a.Errorf("min %d is above max %d: the range is empty", lo, hi)
			return nil, false
		case hi-lo >= 1<<12:
			a.Errorf("a range of %d values; a search takes at most %d scale-up domains\nname values in a list", hi-lo+1, mostScaleups)
			return nil, false
		}
		for n := lo; n <= hi; n++ {
			out = append(out, int(n))
		}
		return out, true
	}
	n, ok := v.Integer(least, most)
	return []int{int(n)}, ok
}

// scaleupParts decides whether scale-up switches and cables count, and checks that the list has them: where a search
// chooses, they do unless the study says that they do not.
func (ld *loader) scaleupParts() {
	s := ld.s
	s.Options.CountScaleup = len(s.Scaleups) > 1
	if v := ld.countScaleup; v != nil {
		s.Options.CountScaleup, _ = v.Truth()
	}
	all := s.Scaleups
	if s.Scaleup {
		all = []topology.Domain{s.Domain}
	}
	if !s.Options.CountScaleup {
		return
	}
	var lacking []string // each reason once, with the first domain of which it is true
	served, asked := false, false
	for _, d := range all {
		why, err := evaluator.LacksScaleup(s.Options, d)
		served = served || d.Endpoints > 1 && (why == "" || err != nil) // what is wrong with the list is said elsewhere
		asked = asked || d.Endpoints > 1
		if text := fmt.Sprintf("scaleup: no price for a scale-up domain %s: %s", d.Name(), why); why != "" && !slices.ContainsFunc(lacking, func(x string) bool { return strings.HasSuffix(x, why) }) {
			lacking = append(lacking, text)
		}
	}
	severity, detail := diag.Warning, "designs with it have no cost; other domains have"
	if asked && !served {
		severity, detail = diag.Error, "add parts of kind scaleup_switch and scaleup_cable to the price list, or write [cost] scaleup = false: they then come with the endpoints and are not counted"
	}
	for _, text := range lacking {
		ld.diags.Add(diag.Diagnostic{Severity: severity, Pos: ld.scaleupAt, Summary: text, Detail: detail})
	}
}
