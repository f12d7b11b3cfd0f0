package study

import (
	"slices"
	"strings"

	"toposearch/catalog"
	"toposearch/diag"
	"toposearch/evaluator"
	"toposearch/evaluator/metric"
	"toposearch/internal/tomlfile"
)

// growth reads [growth]: the network that runs today.
func (ld *loader) growth(t *tomlfile.Table) {
	if t == nil {
		return
	}
	ld.growthAt = t.Pos
	g := &evaluator.Growth{}
	g.Rules.Switches = true
	if v := t.Take("switches"); v != nil {
		g.Rules.Switches, _ = v.Truth()
	}
	if v := t.Take("racks"); v != nil {
		switch s, ok := v.Text(); {
		case ok && s == "stay":
			g.Rules.Stay = true
		case ok && s != "move":
			v.Errorf("racks is \"move\" or \"stay\", not %q", s)
		}
	}
	g.LabourCable = ld.labour(t.Take("labour_cable"))
	g.LabourEndpoint = ld.labour(t.Take("labour_endpoint"))
	from := t.Take("from")
	t.Done(map[string]string{"design": "from", "network": "from", "file": "from", "labor_cable": "labour_cable", "labor_endpoint": "labour_endpoint", "labour": "labour_cable", "reuse_switches": "switches"})
	if from == nil {
		ld.diags.Errorf(t.Pos, "[growth] does not say which network runs today\nwrite from = \"fattree(k=64,l=2)\", or \"file:running.json\"")
		return
	}
	asked, ok := from.Text()
	if !ok {
		return
	}
	d, n, ok := ld.network(from, asked, "network that runs today", "a design with its parameters")
	if !ok {
		return
	}
	if most := ld.s.MaxEndpoints; most > 0 && n > most {
		from.Errorf("%s has %d endpoints, and at most %d are asked for (endpoints.count, %s): it would not grow\nask for as many at least", asked, n, most, ld.countAt)
		return
	}
	if d.Family.Place == nil {
		from.Errorf("%s does not say where its switches stand: its cables have no lengths, and none can be kept", asked)
		return
	}
	g.From, g.Name = d, asked
	if path, isFile := strings.CutPrefix(asked, "file:"); isFile {
		if i := slices.IndexFunc(ld.s.Inputs, func(in Input) bool { return in.Path == ld.beside(path) }); i >= 0 {
			g.SHA256 = ld.s.Inputs[i].SHA256
		}
	}
	ld.s.Options.Growth = g
}

// growthAsked checks that what growth is judged by has a network to grow.
func (ld *loader) growthAsked() {
	s := ld.s
	if s.Options.Growth != nil || ld.growthAt.Line > 0 {
		return
	}
	use := func(k metric.Key, at diag.Pos) {
		if k >= metric.GrowthCost && k <= metric.MovedCables {
			ld.diags.Errorf(at, "%s is asked for, and no network runs today\nwrite [growth] from = \"fattree(k=64,l=2)\", or \"file:running.json\"", metric.Keys[k].Name)
		}
	}
	for i, o := range s.Objectives {
		use(o.Key, ld.objectiveAt[i])
	}
	if s.Constraints != nil {
		for _, l := range s.Constraints.Limits {
			use(l.Key, l.Origin.Pos)
		}
	}
}

// labour reads a price of labour, in the currency of the study.
func (ld *loader) labour(v *tomlfile.Value) catalog.Money {
	m, ok := v.Money()
	if !ok {
		return 0
	}
	x, ok := ld.s.Currency.Convert(catalog.Money(m.Minor), m.Currency)
	switch {
	case !ok:
		v.Errorf("there is no rate from %s to %s\nwrite it in [cost.rates]", m.Currency, ld.s.Currency.Code)
	case x < 0:
		v.Errorf("a price of labour is not negative")
	}
	return max(x, 0)
}
