package study

import (
	"cmp"
	"slices"
	"strings"

	"toposearch/diag"
	"toposearch/internal/tomlfile"
	"toposearch/topology"
)

// space reads which families are searched and where their parameters are narrowed: all that somebody may buy, if none is
// named. A table of parameters names a family, too.
func (ld *loader) space(t *tomlfile.Table) {
	all := ld.s.Known
	names := make([]string, len(all))
	for i, f := range all {
		names[i] = f.Name
	}
	misspelt := false // a table may be for a family that was meant
	if v := t.Take("families"); v != nil {
		misspelt = len(v.Items) == 0
		if v.Is(tomlfile.List) {
			if len(v.Items) == 0 {
				v.Errorf("no family is named")
			}
			for _, it := range v.Items {
				misspelt = !ld.family(it, all, names) || misspelt
			}
		}
	} else {
		for _, f := range all {
			if f.OnlyNamed != "" && !t.Has(f.Name) {
				ld.s.LeftOut = append(ld.s.LeftOut, f.Name)
				continue
			}
			ld.s.Space = append(ld.s.Space, whole(f))
		}
	}
	for i := range ld.s.Space {
		if sub := t.Sub(ld.s.Space[i].Family.Name); sub != nil {
			ld.s.Space[i].narrow(sub)
		}
	}
	if t == nil {
		return
	}
	// A table for a family that is not searched is a mistake worth a word of its own.
	for _, e := range t.Entries {
		if slices.Contains(names, e.Key) && !slices.ContainsFunc(ld.s.Space, func(s FamilySpace) bool { return s.Family.Name == e.Key }) {
			t.Take(e.Key)
			if misspelt {
				continue
			}
			e.Errorf("%s is narrowed here and not among the families\nadd it to families, or remove the table", e.Key)
		}
	}
	hints := map[string]string{"family": "families"}
	for _, n := range names {
		hints[n] = n
	}
	t.Done(hints)
}

// family adds the family of a name to the space and reports whether there is one.
func (ld *loader) family(it *tomlfile.Value, all []*topology.Family, names []string) bool {
	name, ok := it.Text()
	if !ok {
		return false
	}
	i := slices.Index(names, name)
	switch {
	case i < 0:
		it.Errorf("there is no family %q\n%s", name, cmp.Or(diag.Suggest(name, names), "toposearch families lists them"))
		return false
	case slices.ContainsFunc(ld.s.Space, func(s FamilySpace) bool { return s.Family == all[i] }):
		it.Errorf("family %s is named twice", name)
	default:
		ld.s.Space = append(ld.s.Space, whole(all[i]))
	}
	return true
}

// SpaceOf is a family as the study searches it, or, where it does not, with every parameter over its whole range, ratios at 1:1.
func (s *Study) SpaceOf(f *topology.Family) FamilySpace {
	for i := range s.Space {
		if s.Space[i].Family.Name == f.Name {
			return s.Space[i]
		}
	}
	return whole(f)
}

// whole is a family with every parameter over its whole range.
func whole(f *topology.Family) FamilySpace {
	s := FamilySpace{Family: f, Domains: make([]Domain, len(f.Params))}
	for i := range f.Params {
		s.Domains[i] = Domain{Min: f.Params[i].Min, Max: f.Params[i].Max}
	}
	return s
}

// narrow reads a table of parameters.
func (s *FamilySpace) narrow(t *tomlfile.Table) {
	for i := range s.Family.Params {
		p := &s.Family.Params[i]
		if v := t.Take(p.Name); v != nil {
			if d, ok := domain(p, v); ok {
				s.Domains[i] = d
			}
		}
	}
	t.Done(nil)
}

// domain reads a value, a list of values or { min, max } of a parameter.
func domain(p *topology.Param, v *tomlfile.Value) (Domain, bool) {
	switch v.Kind {
	case tomlfile.List:
		d := Domain{Given: true}
		good := true
		for _, it := range v.Items {
			x, ok := paramValue(p, it)
			d.Values = append(d.Values, x)
			good = good && ok
		}
		if !good {
			return d, false
		}
		if len(d.Values) == 0 {
			v.Errorf("parameter %s has no value left", p.Name)
			return d, false
		}
		slices.Sort(d.Values)
		d.Values = slices.Compact(d.Values)
		d.Min, d.Max = d.Values[0], d.Values[len(d.Values)-1]
		return d, true
	case tomlfile.TableKind:
		lo, hi := v.Table.Take("min"), v.Table.Take("max")
		v.Table.Done(nil)
		d := Domain{Given: true, Min: p.Min, Max: p.Max}
		okA, okB := true, true
		if lo != nil {
			d.Min, okA = paramValue(p, lo)
		}
		if hi != nil {
			d.Max, okB = paramValue(p, hi)
		}
		if lo == nil && hi == nil && len(v.Table.Entries) == 0 {
			v.Errorf("neither min nor max is given")
			return d, false
		}
		if okA && okB && d.Min > d.Max {
			v.Errorf("parameter %s: min %s is above max %s: the range is empty", p.Name, p.Format(d.Min), p.Format(d.Max))
			return d, false
		}
		return d, okA && okB
	}
	x, ok := paramValue(p, v)
	return Domain{Given: true, Min: x, Max: x, Values: []int{x}}, ok
}

// paramValue reads one value of a parameter: a whole number in its range, a named choice, or a ratio.
func paramValue(p *topology.Param, v *tomlfile.Value) (int, bool) {
	if p.Choices != nil {
		name, ok := v.Text()
		if !ok {
			return 0, false
		}
		i := slices.Index(p.Choices, name)
		if i < 0 {
			v.Errorf("parameter %s has no choice %q\n%s", p.Name, name, cmp.Or(diag.Suggest(name, p.Choices), "one of "+strings.Join(p.Choices, ", ")))
		}
		return max(i, 0), i >= 0
	}
	if p.Divides != "" {
		return ratio(p, v)
	}
	if !v.Is(tomlfile.Int) {
		return 0, false
	}
	if v.Int < int64(p.Min) || v.Int > int64(p.Max) {
		v.Errorf("parameter %s = %d is outside its range, %d to %d\n%s: %s", p.Name, v.Int, p.Min, p.Max, p.Name, p.Doc)
		return 0, false
	}
	return int(v.Int), true
}

// ratio reads a ratio such as "3:1".
func ratio(p *topology.Param, v *tomlfile.Value) (int, bool) {
	text, ok := v.Text()
	if !ok {
		return 0, false
	}
	x, err := p.ParseValue(text)
	if err != nil {
		v.Errorf("%v\n%s: %s; such as %s = \"3:1\"", err, p.Name, p.Doc, p.Name)
	}
	return x, err == nil
}
