package study

import (
	"strconv"
	"strings"

	"toposearch/catalog"
	"toposearch/diag"
	"toposearch/evaluator/cluster"
	"toposearch/internal/tomlfile"
	"toposearch/internal/unit"
)

// Limits of what [availability] and [tco] may say; beyond is a slip.
const (
	mostCPUs   = 64
	mostGroup  = 1 << 24
	mostYears  = 100
	mostSpares = 64
)

// clusterKinds are those of the parts that a study may name, by the key that names them.
var clusterKinds = map[string]string{"accelerator": catalog.KindAccelerator, "cpu": catalog.KindCPU, "rack": catalog.KindRack}

// clusterPart reads the number of a part around the network; whether it is on the list is known later.
func (ld *loader) clusterPart(t *tomlfile.Table, key string, to *string) {
	v := t.Take(key)
	if v == nil {
		return
	}
	*to, _ = v.Text()
	if ld.partAt == nil {
		ld.partAt = map[string]diag.Pos{}
	}
	ld.partAt[key] = v.Pos
}

// availability reads how parts fail and are repaired, spares and checkpoints.
func (ld *loader) availability(t *tomlfile.Table) {
	if t == nil {
		return
	}
	o := &ld.s.Options.Cluster
	hours := func(v *tomlfile.Value) (float64, bool) {
		x, ok := v.Quantity(unit.KindDuration)
		return x / 3600, ok
	}
	if v := t.Take("repair"); v != nil {
		o.RepairH = map[string]float64{}
		if v.Kind == tomlfile.TableKind {
			ld.byKind(v.Table, "other", hours, o.RepairH)
		} else if x, ok := hours(v); ok {
			o.RepairH[""] = x
		}
	}
	if a := t.Sub("afr"); a != nil {
		o.AFR = map[string]float64{}
		ld.byKind(a, "", func(v *tomlfile.Value) (float64, bool) { return v.Number(0, 1) }, o.AFR)
	}
	if s := t.Sub("spares"); s != nil {
		group, count := s.Take("group"), s.Take("count")
		s.Done(map[string]string{"of": "group", "per": "group", "spares": "count", "number": "count"})
		if group == nil || count == nil {
			s.Errorf("spares need group and count\nwrite spares = { group = 64, count = 1 }: one spare endpoint for each 64")
		} else {
			g, _ := group.Integer(1, mostGroup)
			n, _ := count.Integer(1, mostSpares)
			o.Group, o.Spares = int(g), int(n)
		}
	}
	if v := t.Take("checkpoint"); v != nil {
		if x, ok := hours(v); ok && x <= 0 {
			v.Errorf("a checkpoint takes longer than 0\nleave the line out if none are written: there is no goodput then")
		} else if ok {
			o.CheckpointH = x
		}
	}
	if x, ok := hours(t.Take("restart")); ok {
		o.RestartH = x
	}
	t.Done(map[string]string{"mttr": "repair", "repair_time": "repair", "failure_rate": "afr", "spare": "spares", "checkpoints": "checkpoint", "checkpoint_time": "checkpoint", "recovery": "restart"})
}

// byKind reads a value for each of some kinds of parts; rest names the key for all others, "" if there is none.
func (ld *loader) byKind(t *tomlfile.Table, rest string, read func(*tomlfile.Value) (float64, bool), to map[string]float64) {
	for _, kind := range catalog.Kinds() {
		if x, ok := read(t.Take(kind)); ok {
			to[kind] = x
		}
	}
	if rest != "" {
		if x, ok := read(t.Take(rest)); ok {
			to[""] = x
		}
	}
	t.Done(map[string]string{"gpu": catalog.KindAccelerator, "npu": catalog.KindAccelerator, "host": catalog.KindCPU, "server": catalog.KindCPU, "module": catalog.KindTransceiver, "optics": catalog.KindTransceiver, "link": catalog.KindCable})
}

// tco reads what running the cluster costs.
func (ld *loader) tco(t *tomlfile.Table) {
	if t == nil {
		return
	}
	ld.tcoAt = t.Pos
	x := &cluster.TCO{Load: 1}
	ld.s.Options.Cluster.TCO = x
	if v := t.Take("years"); v == nil {
		t.Errorf("[tco] needs years\nwrite years = 5")
	} else if n, ok := v.Number(0, mostYears); ok && n <= 0 {
		v.Errorf("years must be above 0")
	} else {
		x.Years = n
	}
	if v := t.Take("energy"); v == nil {
		t.Errorf("[tco] needs the price of energy\nwrite energy = \"0.10 USD/kWh\"")
	} else {
		x.PerKWh = ld.energy(v)
	}
	if v := t.Take("maintenance"); v != nil {
		x.Maintenance, _ = v.Number(0, 1)
	}
	if v := t.Take("load"); v != nil {
		x.Load, _ = v.Number(0, 1)
	}
	ld.clusterPart(t, "rack", &ld.s.Options.Cluster.Rack)
	t.Done(map[string]string{"electricity": "energy", "power": "energy", "kwh": "energy", "opex": "maintenance", "utilisation": "load", "utilization": "load", "lifetime": "years"})
}

// energy reads a price such as "0.085 EUR/kWh", in the currency of costs. It may have more digits than coins.
func (ld *loader) energy(v *tomlfile.Value) float64 {
	const remedy = "write a price with its currency: \"0.10 USD/kWh\" or \"85 EUR/MWh\""
	text, ok := v.Text()
	if !ok {
		return 0
	}
	price, per, _ := strings.Cut(text, "/")
	number, code, _ := strings.Cut(strings.TrimSpace(price), " ")
	x, err := strconv.ParseFloat(number, 64)
	scale := map[string]float64{"kWh": 1, "MWh": 1e-3}[strings.TrimSpace(per)]
	code = strings.ToUpper(strings.TrimSpace(code))
	digits, known := unit.MinorDigits(code)
	if err != nil || !(x >= 0 && x <= 1e6) || !known || scale == 0 { // NaN is read as a number
		v.Errorf("%q is no price of energy\n%s", text, remedy)
		return 0
	}
	const many = 1e9 // minor units, so that no digit of a rate is lost
	to := ld.s.Currency
	there, ok := to.Convert(catalog.Money(many), code)
	if !ok {
		v.Errorf("costs are in %s and there is no rate for %s\nwrite [cost] rates = { %s = ... }", to.Code, code, code)
		return 0
	}
	own, _ := unit.MinorDigits(to.Code)
	rate := float64(there) / many
	for ; digits > own; digits-- {
		rate *= 10
	}
	for ; digits < own; digits++ {
		rate /= 10
	}
	return x * scale * rate
}

// clusterParts checks what study and list say of the parts around the network, and of what designs are judged by.
func (ld *loader) clusterParts() {
	s := ld.s
	o := &s.Options.Cluster
	for _, x := range []struct{ key, name string }{{"accelerator", o.Accelerator}, {"cpu", o.CPU}, {"rack", o.Rack}} {
		at, said := ld.partAt[x.key]
		if !said || x.name == "" {
			continue
		}
		if _, _, err := cluster.Choose(s.Catalogue, clusterKinds[x.key], x.name); err != nil {
			var names []string
			for i := range s.Catalogue.Parts {
				if p := &s.Catalogue.Parts[i]; p.Kind == clusterKinds[x.key] {
					names = append(names, p.PartNo)
				}
			}
			detail := diag.Suggest(x.name, names)
			if len(names) == 0 {
				detail = "add a row of kind " + clusterKinds[x.key] + " to the price list"
			}
			ld.diags.Add(diag.Diagnostic{Severity: diag.Error, Pos: at, Summary: err.Error(), Detail: detail})
			return
		}
	}
	m, err := cluster.New(*o, s.Catalogue, s.Currency, 1, s.PerServer)
	if why := ""; err == nil && o.TCO != nil {
		if why = m.NoCapex(); why == "" {
			why = m.NoPower(s.Options.Site.EndpointPowerW + s.Options.Site.EndpointAllInW)
		}
		if why != "" {
			ld.diags.Errorf(ld.tcoAt, "[tco] is of the whole cluster, and what its endpoints cost or draw is not known\n%s", why)
		}
	}
	if err == nil {
		ld.judged(m)
	}
}
