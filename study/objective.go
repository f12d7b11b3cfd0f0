package study

import (
	"cmp"
	"math"
	"slices"

	"toposearch/diag"
	"toposearch/evaluator/metric"
	"toposearch/internal/tomlfile"
	"toposearch/objectives"
)

// objectives reads the [[objective]] tables.
func (ld *loader) objectives(root *tomlfile.Table) {
	v := root.Take("objective")
	if v == nil {
		root.Errorf("there is no objective\nadd [[objective]] with metric = \"cost\", and another for what else matters")
		return
	}
	items := v.Items
	if v.Kind == tomlfile.TableKind { // [objective] instead of [[objective]]: the meaning is certain
		items = []*tomlfile.Value{v}
	} else if !v.Is(tomlfile.List) {
		return
	}
	for _, it := range items {
		if it.Is(tomlfile.TableKind) {
			ld.objective(it.Table)
		}
	}
	if len(ld.s.Objectives) == 0 && len(items) == 0 {
		v.Errorf("there is no objective")
	}
}

// objective reads one of the tables.
func (ld *loader) objective(t *tomlfile.Table) {
	m := t.Take("metric")
	d := t.Take("direction")
	enough := t.Take("enough")
	if w := t.Take("weight"); w != nil {
		w.Errorf("objectives have no weights: the front holds the best of every weighting\nleave it out, and choose on the front; what must be reached is a limit: [limits] in a constraint file")
	}
	t.Done(map[string]string{"name": "metric", "key": "metric", "goal": "direction"})
	if m == nil {
		t.Errorf("an objective needs metric\nwrite metric = \"cost\"")
		return
	}
	name, ok := m.Text()
	if !ok {
		return
	}
	k, ok := metric.KeyOf(name)
	if !ok {
		m.Errorf("there is no metric %q\n%s", name, cmp.Or(diag.Suggest(name, metricNames()), "toposearch help metrics lists them"))
		return
	}
	better := metric.Keys[k].Better
	if metric.Keys[k].Level == 3 && k != metric.WorstThroughput { // most families have a closed form of that
		m.Warnf("%s takes seconds of every design that is evaluated, and is known between bounds only: designs are compared by what is certified\nuniform_throughput, tub and bisection are faster", name)
	}
	if way, ok := d.Text(); ok {
		switch way {
		case "min", "minimise", "minimize":
			better = metric.Lower
		case "max", "maximise", "maximize":
			better = metric.Higher
		default:
			d.Errorf("direction is %q\nwrite \"min\" or \"max\"", way)
		}
	}
	if own := metric.Keys[k].Better; own != metric.Neither && better != own {
		d.Warnf("of %s %s is better, and direction = %q asks for the opposite\nleave direction out unless this is meant", name,
			map[metric.Direction]string{metric.Lower: "less", metric.Higher: "more"}[own], d.Str)
	}
	if better == metric.Neither {
		m.Errorf("%s is neither better high nor low\nadd direction = \"min\" or \"max\"", name)
		return
	}
	o := objectives.Of(k, better)
	if enough != nil && !ld.enough(&o, enough) {
		return
	}
	if i := slices.IndexFunc(ld.s.Objectives, func(p objectives.Objective) bool { return p.Key == k }); i >= 0 {
		at := ld.objectiveAt[i].Line
		if ld.s.Objectives[i].Better != better {
			m.Errorf("%s is to be as large and as small as can be (line %d): every design would be on the front\nleave one of the two out", name, at)
		} else {
			m.Errorf("%s is an objective twice, first in line %d\nleave one of the two out", name, at)
		}
		return
	}
	ld.s.Objectives = append(ld.s.Objectives, o)
	ld.objectiveAt = append(ld.objectiveAt, m.Pos)
}

// shares are metrics that are another one divided by the number of endpoints.
var shares = map[metric.Key]metric.Key{metric.CostPerEndpoint: metric.Cost, metric.PowerPerEndpoint: metric.Power}

// alike refuses objectives that order all designs in the same way, or in opposite ones.
func (ld *loader) alike() {
	s := ld.s
	if s.MinEndpoints != s.MaxEndpoints || s.MinEndpoints == 0 {
		return
	}
	for i, o := range s.Objectives {
		of, ok := shares[o.Key]
		j := slices.IndexFunc(s.Objectives, func(p objectives.Objective) bool { return p.Key == of })
		if !ok || j < 0 {
			continue
		}
		then := "both order designs alike"
		if s.Objectives[j].Better != o.Better {
			then = "one as large and the other as small as can be, every design would be on the front"
		}
		ld.diags.Errorf(ld.objectiveAt[i], "with %d endpoints %s is %s divided by %[1]d: %[4]s\nleave one of the two out, or give endpoints.count a range",
			s.MinEndpoints, o.Name(), metric.Keys[of].Name, then)
	}
}

// enough reads the value above which all count as equal: a number, or "none".
func (ld *loader) enough(o *objectives.Objective, v *tomlfile.Value) bool {
	if name := o.Name(); o.Better != metric.Higher {
		v.Errorf("enough is for objectives of which more is better\nlimit %s instead: [limits] %s = { max = ... }", name, name)
		return false
	}
	if v.Kind == tomlfile.String {
		word, _ := v.Text()
		if word != "none" {
			v.Errorf("enough is %q\nwrite a number above 0, or \"none\" where more is always better", word)
			return false
		}
		o.Enough = 0
		return true
	}
	x, ok := v.Number(0, math.Inf(1))
	if ok && x == 0 {
		v.Errorf("enough is above 0\nwrite enough = \"none\" where more is always better")
		return false
	}
	o.Enough = x
	return ok
}

func metricNames() []string {
	names := make([]string, 0, metric.Count)
	for k := range metric.Keys {
		names = append(names, metric.Keys[k].Name)
	}
	return names
}
