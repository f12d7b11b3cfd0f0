package constraints

import (
	"cmp"
	"slices"

	"toposearch/catalog"
	"toposearch/diag"
	"toposearch/evaluator"
	"toposearch/evaluator/metric"
	"toposearch/internal/tomlfile"
	"toposearch/internal/unit"
)

// builder collects what the files say before it becomes a Set.
type builder struct {
	limits   []Limit
	settings []setting
	cur      catalog.Currency
	diags    *diag.List
}

func origin(name string, v *tomlfile.Value) Origin {
	text := v.Raw
	if v.Kind == tomlfile.String {
		text = v.Str
	}
	return Origin{Name: name, Text: text, Pos: v.Pos}
}

// parser turns a value into a number in base units.
type parser func(*tomlfile.Value) (float64, bool)

func quantity(k unit.Kind) parser {
	return func(v *tomlfile.Value) (float64, bool) { return v.Quantity(k) }
}

func count(hi int64) parser {
	return func(v *tomlfile.Value) (float64, bool) {
		n, ok := v.Integer(0, hi)
		return float64(n), ok
	}
}

func plain(v *tomlfile.Value) (float64, bool) { return v.Number(-1e300, 1e300) }

// money reads an amount as major units of the currency in which costs are stated.
func (b *builder) money(v *tomlfile.Value) (float64, bool) {
	m, ok := v.Money()
	if !ok {
		return 0, false
	}
	code := cmp.Or(b.cur.Code, "USD")
	c, ok := b.cur.Convert(catalog.Money(m.Minor), m.Currency)
	if !ok && b.cur.Lenient { // a file checked without the study that states the rates
		return m.Major(), true
	}
	if !ok {
		v.Errorf("costs are in %s and there is no rate for %s\nwrite [cost] rates = { %s = ... } in the study: the %s that one %s is worth", code, m.Currency, m.Currency, code, m.Currency)
		return 0, false
	}
	return unit.Money{Minor: int64(c), Currency: code}.Major(), true
}

// sides says which of min and max a limit may have.
type sides uint8

const (
	onlyMax sides = iota // a bare value is the maximum
	maxMin               // either may be given; a bare value is the maximum
	either               // either may be given, and which must be said
)

// bounds reads { min = ..., max = ... }; where a maximum is what people mean a bare value is one.
func (b *builder) bounds(v *tomlfile.Value, p parser, s sides, f func(v *tomlfile.Value, x float64, max bool)) {
	if v == nil {
		return
	}
	if v.Kind != tomlfile.TableKind {
		x, ok := p(v)
		switch {
		case ok && s == either:
			v.Errorf("is %s the least or the most?\nwrite { max = %s } or { min = %s }", v.Raw, v.Raw, v.Raw)
		case ok:
			f(v, x, true)
		}
		return
	}
	t := v.Table
	var lo, hi *tomlfile.Value
	if s != onlyMax {
		lo = t.Take("min")
	}
	hi = t.Take("max")
	b.extra(t)
	if lo == nil && hi == nil && len(t.Entries) == 0 {
		v.Errorf("neither min nor max is given")
	}
	xlo, okLo := parse(lo, p)
	xhi, okHi := parse(hi, p)
	if okLo && okHi && xlo > xhi {
		lo.Errorf("min %s is above max %s", lo.Raw, hi.Raw)
		return
	}
	if okLo {
		f(lo, xlo, false)
	}
	if okHi {
		f(hi, xhi, true)
	}
}

func parse(v *tomlfile.Value, p parser) (float64, bool) {
	if v == nil {
		return 0, false
	}
	return p(v)
}

// extra reports keys that bounds does not know; rate has been taken before where it is allowed.
func (b *builder) extra(t *tomlfile.Table) { t.Done(nil) }

// limit reads bounds on a metric.
func (b *builder) limit(v *tomlfile.Value, name string, key metric.Key, p parser, s sides) {
	b.bounds(v, p, s, func(v *tomlfile.Value, x float64, max bool) {
		switch {
		case max && x <= 0:
			v.Errorf("%s must be above 0: no network can keep it\nleave the line out if there is no limit", name)
			return
		case metric.Keys[key].Unit == "W" && x < 1:
			v.Errorf("%s is less than a watt\nM is mega, m is milli", v.Str)
			return
		}
		b.limits = append(b.limits, Limit{Key: key, Name: name, Max: max, Bound: x, Origin: origin(name, v)})
	})
}

// set records a setting given by a plain value.
func (b *builder) set(v *tomlfile.Value, name string, p parser, strict int, apply func(o *evaluator.Options, x float64)) {
	if x, ok := parse(v, p); ok {
		b.setTo(v, name, x, strict, apply)
	}
}

// limitSets is limit where the most that it allows also sets what an evaluation may choose.
func (b *builder) limitSets(v *tomlfile.Value, name string, key metric.Key, p parser, s sides, apply func(o *evaluator.Options, x float64)) {
	n := len(b.limits)
	b.limit(v, name, key, p, s)
	for _, l := range b.limits[n:] {
		if l.Max {
			b.settings = append(b.settings, setting{Origin: l.Origin, value: l.Bound, strict: -1, apply: func(o *evaluator.Options) { apply(o, l.Bound) }})
		}
	}
}

func (b *builder) setTo(v *tomlfile.Value, name string, x float64, strict int, apply func(o *evaluator.Options, x float64)) {
	b.settings = append(b.settings, setting{Origin: origin(name, v), value: x, strict: strict, apply: func(o *evaluator.Options) { apply(o, x) }})
}

// setMax records a setting given by { max = ... }, of which the smallest wins.
func (b *builder) setMax(v *tomlfile.Value, name string, p parser, apply func(o *evaluator.Options, x float64)) {
	b.bounds(v, p, onlyMax, func(v *tomlfile.Value, x float64, _ bool) { b.setTo(v, name, x, -1, apply) })
}

// finish combines the files: the strictest limit on each side of a metric wins, settings that
// differ without a stricter side are errors, and so are limits that leave nothing.
func (b *builder) finish() *Set {
	s := &Set{}
	b.limitFixedVCs()
	b.mergeSettings(s)
	slices.SortStableFunc(b.limits, func(x, y Limit) int {
		return cmp.Or(cmp.Compare(metric.Keys[x.Key].Level, metric.Keys[y.Key].Level), cmp.Compare(x.Key, y.Key),
			compareBool(x.Max, y.Max), strictFirst(x, y), comparePos(x.Origin.Pos, y.Origin.Pos))
	})
	for _, l := range b.limits {
		if n := len(s.Limits); n > 0 && s.Limits[n-1].Key == l.Key && s.Limits[n-1].Max == l.Max {
			s.Limits[n-1].Weaker = append(s.Limits[n-1].Weaker, l.Origin)
			continue
		}
		s.Limits = append(s.Limits, l)
	}
	for i := 1; i < len(s.Limits); i++ {
		lo, hi := &s.Limits[i-1], &s.Limits[i]
		if lo.Key == hi.Key && !lo.Max && hi.Max && lo.Bound > hi.Bound {
			b.diags.Errorf(lo.Origin.Pos, "%s must be at least %s here and at most %s at %s (%s): nothing can meet both",
				metric.Keys[lo.Key].Name, lo.Origin.Text, hi.Origin.Text, hi.Origin.Pos, hi.Name)
		}
	}
	return s
}

func compareBool(a, b bool) int {
	switch {
	case a == b:
		return 0
	case b:
		return -1
	}
	return 1
}

func comparePos(a, b diag.Pos) int {
	return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
}

func strictFirst(a, b Limit) int {
	if a.Max {
		return cmp.Compare(a.Bound, b.Bound)
	}
	return cmp.Compare(b.Bound, a.Bound)
}

// mergeSettings keeps the winner of each setting in s, by name.
func (b *builder) mergeSettings(s *Set) {
	slices.SortStableFunc(b.settings, func(x, y setting) int {
		return cmp.Or(cmp.Compare(x.Name, y.Name), comparePos(x.Pos, y.Pos))
	})
	for _, x := range b.settings {
		n := len(s.settings)
		if n == 0 || s.settings[n-1].Name != x.Name {
			s.settings = append(s.settings, x)
			continue
		}
		old := &s.settings[n-1]
		switch {
		case old.value == x.value && old.text == x.text:
		case x.strict == 0:
			b.diags.Errorf(x.Pos, "%s is %s here and %s at %s", x.Name, x.Text, old.Text, old.Pos)
		case x.strict < 0 && x.value < old.value, x.strict > 0 && x.value > old.value:
			*old = x
		}
	}
	for _, x := range s.settings {
		s.Settings = append(s.Settings, x.Origin)
	}
}

// nameVCChange is the limit that vc_change = false sets: on the VCs that are needed when packets keep
// theirs. It is that of vcs, and dataLanes where vcs is not limited: InfiniBand has 15 lanes for data.
const (
	nameVCChange = "routing.vc_change"
	dataLanes    = 15
)

// Names of limits that depend on the routings of a study: on VCs, and on the hops that a source route may name; and of the one that leaves parts out by when they come.
const (
	NameVCs       = metric.RejectVCs
	NameRouteHops = metric.RejectRouteHops
	NameLead      = "procurement.lead_time"
)

// limitFixedVCs brings the limit of vcs, which may be in another file, to vc_change = false.
func (b *builder) limitFixedVCs() {
	most := float64(dataLanes)
	for i := range b.limits {
		if b.limits[i].Name == NameVCs {
			most = min(most, b.limits[i].Bound)
		}
	}
	for i := range b.limits {
		if b.limits[i].Name == nameVCChange {
			b.limits[i].Bound = most
		}
	}
}
