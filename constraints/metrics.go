package constraints

import (
	"toposearch/catalog"
	"toposearch/diag"
	"toposearch/evaluator/metric"
	"toposearch/internal/tomlfile"
	"toposearch/internal/unit"
)

// Thresholds reads a table of bounds on metrics, such as [require] of a study: limits that are not
// part of a set. Every metric may stand there, simulated ones too.
func Thresholds(cur catalog.Currency, t *tomlfile.Table, section string, l *diag.List) []Limit {
	b := &builder{cur: cur, diags: l}
	var out []Limit
	b.metrics(t, section, &out)
	return out
}

// metrics reads limits on metrics by their JSON keys into out; section names the table.
func (b *builder) metrics(t *tomlfile.Table, section string, out *[]Limit) {
	var names []string
	for k := range metric.Count {
		info := &metric.Keys[k]
		names = append(names, info.Name)
		v := t.Take(info.Name)
		if v == nil {
			continue
		}
		name := section + "." + info.Name
		b.bounds(v, b.parserOf(k), either, func(v *tomlfile.Value, x float64, max bool) {
			if max && x < 0 {
				v.Errorf("%s is never negative: no network can keep a max of %g", info.Name, x)
				return
			}
			*out = append(*out, Limit{Key: k, Name: name, Max: max, Bound: x, Origin: origin(name, v)})
		})
	}
	words := hintsIn(section)
	if t != nil {
		for _, e := range t.Entries {
			if words[e.Key] == "" && !t.Taken(e.Key) && diag.Suggest(e.Key, names) == "" {
				t.Take(e.Key)
				e.Errorf("there is no metric %q\ntoposearch help metrics lists them", e.Key)
			}
		}
	}
	t.Done(words)
}

// parserOf reads a value of a metric in the unit of the metric.
func (b *builder) parserOf(k metric.Key) parser {
	of := metric.Keys[k].Unit
	if k.Share() {
		return func(v *tomlfile.Value) (float64, bool) { return v.Number(0, 1) }
	}
	if of == "USD" {
		return b.money
	}
	if kind, size, ok := unit.Of(of); ok {
		return func(v *tomlfile.Value) (float64, bool) {
			x, ok := v.Quantity(kind)
			return x / size, ok
		}
	}
	return plain
}
