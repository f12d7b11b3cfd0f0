package constraints

import (
	"slices"
	"strings"

	"toposearch/internal/tomlfile"
)

// none is what lifts a limit or a setting where a table stands over constraint files.
const none = "none"

// over puts what x has read in the place of what b has, and lifts what has one of the names.
func (b *builder) over(x *builder, lifted map[string]*tomlfile.Value) {
	for name, v := range lifted {
		n := len(b.limits) + len(b.settings)
		b.limits = slices.DeleteFunc(b.limits, func(l Limit) bool { return l.Name == name })
		b.settings = slices.DeleteFunc(b.settings, func(s setting) bool { return s.Name == name })
		if len(b.limits)+len(b.settings) == n {
			v.Errorf("there is no %s that could be lifted\nconstraint files set %s", name, b.names())
		}
	}
	b.limits = slices.DeleteFunc(b.limits, func(l Limit) bool {
		return slices.ContainsFunc(x.limits, func(n Limit) bool { return n.Key == l.Key && n.Max == l.Max })
	})
	b.settings = slices.DeleteFunc(b.settings, func(s setting) bool {
		return slices.ContainsFunc(x.settings, func(n setting) bool { return n.Name == s.Name })
	})
	b.limits, b.settings = append(b.limits, x.limits...), append(b.settings, x.settings...)
}

// lift takes the values "none" out of a table and those inside it, by name.
func lift(t *tomlfile.Table, head string, out map[string]*tomlfile.Value) {
	t.Entries = slices.DeleteFunc(t.Entries, func(e *tomlfile.Entry) bool {
		switch v := e.Value; {
		case v.Kind == tomlfile.TableKind:
			lift(v.Table, head+e.Key+".", out)
			return len(v.Table.Entries) == 0 // it said only that
		case v.Kind == tomlfile.String && strings.EqualFold(strings.TrimSpace(v.Str), none):
			out[head+e.Key] = v
			return true
		}
		return false
	})
}

// names lists what is set, for people.
func (b *builder) names() string {
	var all []string
	for i := range b.limits {
		all = append(all, b.limits[i].Name)
	}
	for i := range b.settings {
		all = append(all, b.settings[i].Name)
	}
	slices.Sort(all)
	if all = slices.Compact(all); len(all) == 0 {
		return "nothing"
	}
	return strings.Join(all, ", ")
}
