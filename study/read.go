package study

import (
	"math"
	"slices"
	"strings"

	"toposearch/catalog"
	"toposearch/diag"
	"toposearch/evaluator"
	"toposearch/evaluator/metric"
	"toposearch/internal/tomlfile"
	"toposearch/internal/unit"
	"toposearch/objectives"
	"toposearch/topology"
)

func currency(v *tomlfile.Value) string {
	c, ok := v.Text()
	if !ok {
		return ""
	}
	c = strings.ToUpper(c)
	if _, known := unit.MinorDigits(c); !known {
		v.Errorf("there is no currency %q\nwrite its ISO 4217 code: USD, EUR, GBP, ...", c)
	}
	return c
}

// cost reads what counts as cost, in which currency and at which rates.
func (ld *loader) cost(t *tomlfile.Table) {
	ld.s.Currency.Code = "USD"
	if t == nil {
		return
	}
	if v := t.Take("nics"); v != nil {
		ld.s.Options.CountNICs, _ = v.Truth()
	}
	if v := t.Take("currency"); v != nil {
		if c := currency(v); c != "" {
			ld.s.Currency.Code = c
		}
	}
	if r := t.Sub("rates"); r != nil {
		ld.s.Currency.Rates = map[string]catalog.Rate{}
		for _, e := range r.Entries {
			v := r.Take(e.Key)
			code := strings.ToUpper(e.Key)
			if _, ok := unit.MinorDigits(code); !ok {
				e.Errorf("there is no currency %q", e.Key)
				continue
			}
			if v.Kind != tomlfile.Float && v.Kind != tomlfile.Int && v.Kind != tomlfile.String {
				v.Is(tomlfile.Float)
				continue
			}
			rate, err := catalog.ParseRate(strings.Trim(v.Raw, `"' `))
			if err != nil {
				v.Errorf("%v\nwrite what one %s is worth in %s as a decimal number above 0", err, code, ld.s.Currency.Code)
				continue
			}
			ld.s.Currency.Rates[code] = rate
		}
	}
	t.Done(map[string]string{"nic": "nics", "rate": "rates"})
}

func (ld *loader) endpoints(root, t *tomlfile.Table) {
	s := ld.s
	s.PerServer = 8
	if t == nil {
		if !root.Has("endpoints") {
			root.Errorf("how many endpoints are needed is not said\nadd [endpoints] with count = { min = ..., max = ... } and bandwidth = \"400 Gb/s\"")
		}
		return
	}
	if v := t.Take("count"); v != nil {
		s.MinEndpoints, s.MaxEndpoints = ld.counts(v)
		ld.countAt = v.Pos
	} else {
		t.Errorf("[endpoints] needs count\nwrite count = 1024, or count = { min = 1024, max = 1152 }")
	}
	if v := t.Take("bandwidth"); v != nil {
		x, ok := v.Quantity(unit.KindBandwidth)
		if ok && x <= 0 {
			v.Errorf("the bandwidth must be above 0")
		} else if ok && strings.Contains(v.Str, "B/s") {
			v.Warnf("%s are bytes: %s\nwrite %q if bits were meant", v.Str, unit.KindBandwidth.Format(x), strings.Replace(v.Str, "B/s", "b/s", 1))
		}
		s.BandwidthGbps = x
	} else {
		t.Errorf("[endpoints] needs bandwidth\nwrite bandwidth = \"400 Gb/s\": all network ports of an endpoint together")
	}
	if v := t.Take("per_server"); v != nil {
		n, _ := v.Integer(1, 1<<16)
		s.PerServer = int(n)
	}
	if v := t.Take("scaleup"); v != nil {
		ld.scaleup(v)
	}
	if v := t.Take("scaleup_bandwidth"); v != nil {
		s.ScaleupGbps, _ = v.Quantity(unit.KindBandwidth)
	}
	t.Done(map[string]string{"hosts": "count", "number": "count", "rate": "bandwidth", "speed": "bandwidth", "host_rate": "bandwidth", "servers": "per_server"})
}

// scaleup reads how scale-up domains are joined: true or "mesh", or a table.
func (ld *loader) scaleup(v *tomlfile.Value) {
	s := ld.s
	s.Domain = topology.Domain{Endpoints: s.PerServer}
	switch v.Kind {
	case tomlfile.Bool:
		s.Scaleup, _ = v.Truth()
		return
	case tomlfile.String:
		if text, _ := v.Text(); text != "mesh" {
			v.Errorf("scaleup is %q\nwrite true for a full mesh, or { levels = 1, switches = 4 } for scale-up switches", text)
		}
		s.Scaleup = true
		return
	case tomlfile.TableKind:
	default:
		v.Errorf("scaleup is true or false, or a table\nwrite true for a full mesh, or { levels = 1, switches = 4 } for scale-up switches")
		return
	}
	s.Scaleup = true
	d := &s.Domain
	d.Levels = -1
	for _, k := range []struct {
		name string
		most int64
		to   *int
	}{{"domain", 1 << 20, &d.Endpoints}, {"levels", 2, &d.Levels}, {"switches", 1024, &d.Switches}, {"box", 1 << 20, &d.Box}, {"spines", 1024, &d.Spines}} {
		if x := v.Table.Take(k.name); x != nil {
			least := int64(1)
			if k.name == "levels" {
				least = 0
			}
			n, ok := x.Integer(least, k.most)
			if !ok {
				return
			}
			*k.to = int(n)
		}
	}
	v.Table.Done(map[string]string{"endpoints": "domain", "size": "domain", "leaves": "switches", "level": "levels", "leaf": "box"})
	d.Complete()
	if err := d.Check(); err != nil {
		v.Errorf("%v", err)
	}
}

// counts reads a number of endpoints or a range of it.
func (ld *loader) counts(v *tomlfile.Value) (lo, hi int64) {
	if v.Kind == tomlfile.Int {
		n, _ := v.Integer(1, math.MaxInt32)
		return n, n
	}
	if v.Kind != tomlfile.TableKind {
		v.Errorf("count is a whole number or a range, not %s\nwrite count = 1024, or count = { min = 1024, max = 1152 }", v.Raw)
		return 0, 0
	}
	a, b := v.Table.Take("min"), v.Table.Take("max")
	v.Table.Done(nil)
	lo, okA := a.Integer(1, math.MaxInt32)
	hi, okB := b.Integer(1, math.MaxInt32)
	if a == nil || b == nil {
		v.Errorf("a range of endpoints needs min and max")
	} else if okA && okB && lo > hi {
		a.Errorf("min %d is above max %d: the range is empty", lo, hi)
	}
	return lo, hi
}

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

func (ld *loader) objective(t *tomlfile.Table) {
	m := t.Take("metric")
	d := t.Take("direction")
	enough := t.Take("enough")
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
		m.Errorf("there is no metric %q\n%s", name, diag.Suggest(name, metricNames()))
		return
	}
	if why := evaluator.Later(k); why != "" {
		m.Errorf("%s is not computed by this version: no design would have it\n%s", name, why)
		return
	}
	o := objectives.Objective{Key: k, Better: metric.Keys[k].Better}
	if metric.Keys[k].Level == 3 {
		m.Warnf("%s takes seconds of every design that is evaluated, and is known between bounds only: designs are compared by what is certified\nuniform_throughput, tub and bisection are faster", name)
	}
	if way, ok := d.Text(); ok {
		switch way {
		case "min", "minimise", "minimize":
			o.Better = metric.Lower
		case "max", "maximise", "maximize":
			o.Better = metric.Higher
		default:
			d.Errorf("direction is %q\nwrite \"min\" or \"max\"", way)
		}
	}
	if o.Better == metric.Neither {
		m.Errorf("%s is neither better high nor low\nadd direction = \"min\" or \"max\"", name)
		return
	}
	if o.Enough = objectives.Enough(o); enough != nil && !ld.enough(&o, enough) {
		return
	}
	if slices.ContainsFunc(ld.s.Objectives, func(p objectives.Objective) bool { return p.Key == k }) {
		m.Errorf("%s is an objective twice", name)
		return
	}
	ld.s.Objectives = append(ld.s.Objectives, o)
	ld.objectiveAt = append(ld.objectiveAt, m.Pos)
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

// latency reads the constants of the zero-load model.
func (ld *loader) latency(t *tomlfile.Table) {
	if t == nil {
		return
	}
	m := &ld.s.Options.Latency
	ns := func(key string, to *float64, zero bool) {
		v := t.Take(key)
		if v != nil && v.Kind == tomlfile.String {
			v.Str = strings.TrimSuffix(v.Str, "/m")
		}
		if x, ok := v.Quantity(unit.KindLatency); ok && x == 0 && !zero {
			v.Errorf("%s must be above 0", key)
		} else if ok {
			*to = x
		}
	}
	ns("switch", &m.SwitchNs, false)
	ns("relay", &m.RelayNs, false)
	ns("nic", &m.NICNs, true)
	ns("cable", &m.CableNsPerM, false)
	if v := t.Take("mtu"); v != nil {
		if x, ok := v.Quantity(unit.KindBytes); ok && (x < 1 || x > 1<<20) {
			v.Errorf("an MTU is between 1 B and 1 MB")
		} else if ok {
			m.MTUBytes = int(x)
		}
	}
	t.Done(map[string]string{"switch_ns": "switch", "cable_per_m": "cable", "endpoint": "relay"})
}
