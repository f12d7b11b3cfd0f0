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
	in := func(kind unit.Kind, per float64) parser {
		return func(v *tomlfile.Value) (float64, bool) {
			x, ok := v.Quantity(kind)
			return x / per, ok
		}
	}
	switch metric.Keys[k].Unit {
	case "W":
		return in(unit.KindPower, 1)
	case "ns":
		return in(unit.KindLatency, 1)
	case "m":
		return in(unit.KindLength, 1)
	case "m2":
		return in(unit.KindArea, 1)
	case "weeks":
		return in(unit.KindLead, 1)
	case "s":
		return in(unit.KindLatency, 1e9)
	case "h":
		return in(unit.KindDuration, 3600)
	case "Gb/s":
		return in(unit.KindBandwidth, 1)
	case "USD":
		return b.money
	}
	return plain
}
