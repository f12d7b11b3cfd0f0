package constraints

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"toposearch/catalog"
	"toposearch/diag"
	"toposearch/evaluator"
	"toposearch/evaluator/metric"
	"toposearch/internal/tomlfile"
	"toposearch/internal/unit"
)

// File is a constraint file in memory.
type File struct {
	Path string
	Data []byte
}

// Sections are the tables of a constraint file, in the order in which they are documented.
var Sections = []string{"endpoint", "switch", "routing", "cable", "building", "procurement", "limits"}

// format of constraint files, which they may name as their schema.
const format = 1

// Read reads constraint files and combines them. Costs are converted with cur. All faults of all
// files are reported; the set is nil if one is an error. No files make an empty set.
func Read(cur catalog.Currency, files ...File) (*Set, diag.List) { return ReadOver(cur, nil, files...) }

// ReadOver is Read with tables of the form of a constraint file, each of which stands in the place of what the files and the tables before it say, whether that is
// stricter or not: a limit replaces those on the same side of its metric, a setting those of its name, and the text "none" lifts what has the name.
func ReadOver(cur catalog.Currency, over []*tomlfile.Table, files ...File) (*Set, diag.List) {
	var l diag.List
	b := &builder{cur: cur, diags: &l}
	for _, f := range files {
		if t := tomlfile.Parse(f.Path, f.Data, &l); t != nil {
			b.file(t)
		}
	}
	for _, t := range over {
		lifted := map[string]*tomlfile.Value{}
		lift(t, "", lifted)
		x := &builder{cur: cur, diags: &l}
		x.file(t)
		b.over(x, lifted)
	}
	b.power()
	s := b.finish()
	for _, f := range files {
		l.FillSource(f.Path, f.Data)
	}
	l.Sort()
	if l.HasErrors() {
		return nil, l
	}
	return s, l
}

// power warns where a limit on building power is judged without the endpoints' own power, and
// refuses two statements of it.
func (b *builder) power() {
	has := func(name string) *setting {
		for i := range b.settings {
			if b.settings[i].Name == name {
				return &b.settings[i]
			}
		}
		return nil
	}
	one, all := has("building.endpoint_power"), has("building.endpoint_all_in")
	if one != nil && all != nil {
		b.diags.Errorf(all.Pos, "endpoint_all_in already holds what endpoint_power at %s says: give one of them", one.Pos)
	}
	for _, l := range b.limits {
		if l.Name == "building.power" && one == nil && all == nil {
			b.diags.Add(diag.Diagnostic{Severity: diag.Warning, Pos: l.Origin.Pos, Summary: "building power is limited and the endpoints' power is not given: it counts as 0",
				Detail: `add endpoint_power = "1.0 kW" or endpoint_all_in = "1.3 kW" to [building]`})
		}
	}
}

func (b *builder) file(t *tomlfile.Table) {
	t.Take("name") // for people
	if v := t.Take("schema"); v != nil {
		v.Integer(format, format)
	}
	b.endpoint(t.Sub("endpoint"))
	b.switches(t.Sub("switch"))
	b.routing(t.Sub("routing"))
	b.cable(t.Sub("cable"))
	b.building(t.Sub("building"))
	b.procurement(t.Sub("procurement"))
	b.metrics(t.Sub("limits"), "limits", &b.limits)
	t.Done(hintsIn(""))
}

func (b *builder) endpoint(t *tomlfile.Table) {
	b.limit(t.Take("ports"), "endpoint.ports", metric.EndpointPorts, count(1<<20), maxMin)
	t.Done(hintsIn("endpoint"))
}

func (b *builder) switches(t *tomlfile.Table) {
	if v := t.Take("ports"); v != nil {
		b.switchPorts(v)
	}
	if v := t.Take("models"); v != nil {
		if models, ok := v.Texts(); ok {
			if len(models) == 0 {
				v.Errorf("no model is named")
			}
			b.models(v, models)
		}
	}
	if v := t.Take("breakout"); v != nil {
		if yes, ok := v.Truth(); ok {
			x := 0.0
			if yes {
				x = 1
			}
			b.setTo(v, "switch.breakout", x, -1, func(o *evaluator.Options, x float64) { o.Site.NoBreakout = x == 0 })
		}
	}
	b.setMax(t.Take("buffer"), "switch.buffer", quantity(unit.KindBytes), func(o *evaluator.Options, x float64) { o.Site.BufferBytes = int64(x) })
	t.Done(hintsIn("switch"))
}

// switchPorts reads ports = { max = 64, rate = "400 Gb/s" }: physical ports, all of that rate.
func (b *builder) switchPorts(v *tomlfile.Value) {
	if v.Kind == tomlfile.TableKind {
		if r := v.Table.Take("rate"); r != nil {
			if g, ok := r.Quantity(unit.KindBandwidth); ok && (g < 1 || g != math.Trunc(g)) {
				r.Errorf("a port rate is a whole number of Gb/s")
			} else if ok {
				b.setTo(r, "switch.ports.rate", g, 0, func(o *evaluator.Options, x float64) { o.Site.SwitchPortGbps = int(x) })
			}
		}
		if len(v.Table.Entries) == 1 && v.Table.Has("rate") {
			return
		}
	}
	b.limitSets(v, "switch.ports", metric.PhysicalPorts, count(1<<20), maxMin, func(o *evaluator.Options, x float64) { o.Site.MaxSwitchPorts = int(x) })
}

// models narrows the switches to those named; of two files, to those that both name.
func (b *builder) models(v *tomlfile.Value, models []string) {
	o := Origin{Name: "switch.models", Text: strings.Join(models, ", "), Pos: v.Pos}
	for i := range b.settings {
		s := &b.settings[i]
		if s.Name != o.Name {
			continue
		}
		old := strings.Split(s.text, "\n")
		kept := slices.DeleteFunc(slices.Clone(old), func(m string) bool { return !slices.Contains(models, m) })
		if len(kept) == 0 {
			v.Errorf("no model is allowed both here and at %s: %s", s.Pos, strings.Join(old, ", "))
			return
		}
		models, o.Text = kept, strings.Join(kept, ", ")+fmt.Sprintf(" (also %s)", s.Pos)
		*s = setting{Origin: o}
	}
	b.settings = slices.DeleteFunc(b.settings, func(s setting) bool { return s.Name == o.Name })
	list := slices.Clone(models)
	b.settings = append(b.settings, setting{Origin: o, text: strings.Join(list, "\n"), apply: func(opt *evaluator.Options) { opt.Site.SwitchModels = slices.Clone(list) }})
}

func (b *builder) routing(t *tomlfile.Table) {
	b.limitSets(t.Take("vcs"), NameVCs, metric.VCsMinimal, count(1<<10), onlyMax, func(o *evaluator.Options, x float64) { o.MaxVCs = int(x) })
	b.limitSets(t.Take("source_route_hops"), NameRouteHops, metric.MaxHops, count(1<<10), onlyMax, func(o *evaluator.Options, x float64) { o.MaxRouteHops = int(x) })
	if v := t.Take("vc_change"); v != nil {
		if change, ok := v.Truth(); ok && !change {
			b.limits = append(b.limits, Limit{Key: metric.VCsFixed, Name: nameVCChange, Max: true, Bound: dataLanes, Origin: origin(nameVCChange, v)})
			v.Warnf("designs are judged by the VCs that they need when packets keep theirs (vcs_fixed); the simulator, which verifies finalists, changes VCs where their routing does")
		}
	}
	b.limit(t.Take("table_entries"), "routing.table_entries", metric.TableEntries, count(1<<40), onlyMax)
	t.Done(hintsIn("routing"))
}

func (b *builder) cable(t *tomlfile.Table) {
	reach := func(v *tomlfile.Value, medium string) {
		n := len(b.settings)
		name := "cable.reach"
		if medium != "" {
			name += "." + medium
		}
		b.setMax(v, name, quantity(unit.KindLength), func(o *evaluator.Options, x float64) {
			if medium == "" {
				o.Site.ReachM = x
				return
			}
			if o.Site.MediumReachM == nil {
				o.Site.MediumReachM = map[string]float64{}
			}
			o.Site.MediumReachM[medium] = x
		})
		if medium == "" {
			for _, s := range b.settings[n:] {
				if s.value <= 0 {
					v.Errorf("cable.reach must be above 0: no network can keep it\nleave the line out if there is no limit; copper = \"0 m\" forbids a medium")
				}
				b.limits = append(b.limits, Limit{Key: metric.CableMax, Name: name, Max: true, Bound: s.value, Origin: s.Origin})
			}
		}
	}
	if v := t.Take("reach"); v != nil {
		if v.Kind == tomlfile.TableKind { // max overall, and media beside it
			for _, m := range append([]string{"copper", "optical"}, catalog.Media()...) {
				if e := v.Table.Take(m); e != nil {
					reach(e, m)
				}
			}
			if e := v.Table.Take("max"); e != nil {
				reach(e, "")
			}
			v.Table.Done(nil)
		} else {
			reach(v, "")
		}
	}
	for _, m := range append([]string{"copper", "optical"}, catalog.Media()...) {
		if v := t.Take(m); v != nil {
			reach(v, m)
		}
	}
	t.Done(hintsIn("cable"))
}
