package evaluator

import (
	"context"
	"slices"
	"strings"
	"testing"

	"toposearch/catalog"
	"toposearch/evaluator/bound"
	"toposearch/evaluator/floor"
	"toposearch/evaluator/market"
	"toposearch/evaluator/metric"
	"toposearch/internal/racing"
	"toposearch/topology"
)

// noCircuits is the built-in list without circuit switches.
func noCircuits() *catalog.Catalogue {
	c := *catalog.Builtin()
	c.Parts = slices.DeleteFunc(slices.Clone(c.Parts), func(p catalog.Part) bool { return p.Kind == catalog.KindOCS })
	return &c
}

// partsWith is the built-in list without circuit switches, and more rows.
func partsWith(t *testing.T, rows string) *catalog.Catalogue {
	t.Helper()
	c, l := catalog.Read("more.csv", []byte("part_no,kind,rate_gbps,ports,breakouts,medium,power_w,unit_price,currency\n"+rows), catalog.LoadOptions{Decimal: '.'})
	if err := l.Err(); err != nil {
		t.Fatal(err)
	}
	all := noCircuits()
	all.Parts = append(all.Parts, c.Parts...)
	return all
}

func bought(t *testing.T, e *Evaluator, design string) (*Result, map[string]market.Line) {
	t.Helper()
	res, err := e.Evaluate(context.Background(), parse(t, design), Request{Level: 1})
	if err != nil {
		t.Fatal(err)
	}
	lines := map[string]market.Line{}
	if res.Plan != nil {
		for _, l := range res.Plan.BOM {
			lines[l.Part.PartNo] = l
		}
	}
	return res, lines
}

// TestCircuitSwitches: 64 cubes take 48 circuit switches, 16 positions in three dimensions, each with
// two ports of every cube: 128. With 136-port devices 48 as well, since positions do not share one; with 64
// ports twice as many.
func TestCircuitSwitches(t *testing.T) {
	racing.Figures(t)
	const design = "tpuocs(x=4,y=4,z=4)"
	res, _ := bought(t, newEvaluator(t, Options{BandwidthGbps: 2400, Catalog: noCircuits()}), design)
	if why := res.Absent[metric.Cost]; res.Have[metric.Cost] || res.Have[metric.Power] || !strings.Contains(why, "unpriced: 6144 ports of optical circuit switches") {
		t.Errorf("without circuit switches on the list: cost known %v, power %v, reason %q", res.Have[metric.Cost], res.Have[metric.Power], why)
	}
	var base float64
	for _, c := range []struct {
		row  string
		want int64
	}{{"OCS-128,ocs,,128,,,100,10000.00,USD", 48}, {"OCS-136,ocs,,136,,,100,10000.00,USD", 48}, {"OCS-64,ocs,,64,,,100,10000.00,USD", 96}} {
		res, lines := bought(t, newEvaluator(t, Options{BandwidthGbps: 2400, Catalog: partsWith(t, c.row+"\n")}), design)
		part, _, _ := strings.Cut(c.row, ",")
		if got := lines[part].Quantity; got != c.want {
			t.Errorf("%s: %d are bought, want %d", part, got, c.want)
		}
		rest := res.Metrics[metric.Cost].Value - float64(c.want)*10000
		if base == 0 {
			base = rest
		}
		if !res.Have[metric.Cost] || rest != base || rest <= 0 {
			t.Errorf("%s: the rest costs %v, want %v (%s)", part, rest, base, res.Absent[metric.Cost])
		}
		if w := res.Metrics[metric.Power].Value - 100*float64(c.want); !res.Have[metric.Power] || w <= 0 {
			t.Errorf("%s: power %v W (%s)", part, res.Metrics[metric.Power].Value, res.Absent[metric.Power])
		}
	}
	unpriced, _ := bought(t, newEvaluator(t, Options{BandwidthGbps: 2400, Catalog: partsWith(t, "OCS-128,ocs,,128,,,100,,\n")}), design)
	if why := unpriced.Absent[metric.Cost]; unpriced.Have[metric.Cost] || why != "unpriced: OCS-128" || !unpriced.Have[metric.Power] {
		t.Errorf("a circuit switch without a price: cost known %v, reason %q, power known %v", unpriced.Have[metric.Cost], why, unpriced.Have[metric.Power])
	}
}

// TestOverCircuitSwitches: of the 12,288 links of 64 cubes 9,216 are inside them. The others run over 48 circuit
// switches in three racks: a fibre and a module from either chip, single-mode, none of copper, 128 fibres to a
// switch, and both fibres of a link to the same one.
func TestOverCircuitSwitches(t *testing.T) {
	e := newEvaluator(t, Options{BandwidthGbps: 2400})
	res, lines := bought(t, e, "tpuocs(x=4,y=4,z=4)")
	for k, want := range map[metric.Key]float64{metric.CablesCopper: 9216, metric.CablesOptical: 6144, metric.Racks: 64 + 3} {
		if got := res.Metrics[k].Value; got != want {
			t.Errorf("%s = %g, want %g", metric.Keys[k].Name, got, want)
		}
	}
	modules, fibres := int64(0), int64(0)
	for _, l := range lines {
		switch l.Part.Kind {
		case catalog.KindTransceiver:
			modules += l.Quantity
		case catalog.KindFibre:
			fibres += l.Quantity
		}
	}
	if modules != 6144 || fibres != 6144 || lines["OCS-136"].Quantity != 48 {
		t.Errorf("%d modules, %d fibres, %d circuit switches; want 6144, 6144, 48", modules, fibres, lines["OCS-136"].Quantity)
	}
	ends := map[topology.SwitchID]int{}
	var last floor.Cable
	err := e.EachCable(parse(t, "tpuocs(x=4,y=4,z=4)"), func(c floor.Cable) bool {
		over := strings.HasPrefix(c.Link, "ocs") || strings.HasPrefix(c.Link, "wrap")
		if c.Circuit != over || over && (!catalog.IsSingleMode(c.Medium) || c.Modules == nil || c.ToPort != ends[c.ToSwitch]) {
			t.Errorf("cable %d of %s: over a circuit switch %v, %s, modules %v, port %d", c.ID, c.Link, c.Circuit, c.Medium, c.Modules, c.ToPort)
		}
		if over {
			if ends[c.ToSwitch]++; last.Circuit && last.ToSwitch != c.ToSwitch {
				t.Errorf("cables %d and %d of one link lead to circuit switches %d and %d", last.ID, c.ID, last.ToSwitch, c.ToSwitch)
			}
			last = c
			if ends[c.ToSwitch]%2 == 0 {
				last = floor.Cable{}
			}
		}
		return true
	})
	if err != nil || len(ends) != 48 {
		t.Errorf("%d circuit switches have cables (%v)", len(ends), err)
	}
	for s, n := range ends {
		if n != 128 {
			t.Errorf("circuit switch %d has %d cables, want 128", s, n)
		}
	}
	// Chips of a group have the same place in their cubes, in both directions.
	var n topology.SwitchID = 4096
	groups := map[[2]int]topology.SwitchID{}
	_ = e.EachCable(parse(t, "tpuocs(x=4,y=4,z=4)"), func(c floor.Cable) bool {
		if c.Circuit {
			chip, dim := int(c.Endpoint%64), int(c.Link[len(c.Link)-1]-'1')
			at := [3]int{chip / 16, chip / 4 % 4, chip % 4}
			at[dim] = 0
			key := [2]int{dim, at[0]*16 + at[1]*4 + at[2]}
			if was, ok := groups[key]; ok && was != c.ToSwitch {
				t.Errorf("face position %v is on circuit switches %d and %d", key, was-n, c.ToSwitch-n)
			}
			groups[key] = c.ToSwitch
		}
		return true
	})
}

// TestTraces: 16 boards of 2 x 2 have 64 traces. They cost nothing where the list has none, which a
// note says, and their price where it has one that is fast enough, of their medium.
func TestTraces(t *testing.T) {
	const design = "hammingmesh(a=2,b=2,x=4,y=4,k=64)"
	plain, _ := bought(t, newEvaluator(t, Options{BandwidthGbps: 400}), design)
	if text := strings.Join(plain.Notes, " "); !plain.Have[metric.Cost] || !strings.Contains(text, "64 links of class boardx are traces (pcb)") {
		t.Errorf("without traces on the list: cost known %v, notes %q", plain.Have[metric.Cost], text)
	}
	e := newEvaluator(t, Options{BandwidthGbps: 400, Catalog: partsWith(t, "T-50,trace,50,,,pcb,,1.00,USD\nT-100,trace,100,,,pcb,0.5,3.00,USD\nT-200,trace,200,,,pcb,,2.00,USD\nB-100,trace,100,,,backplane,,0.10,USD\n")})
	res, lines := bought(t, e, design)
	if l := lines["T-100"]; l.Quantity != 64 || l.UsedIn != "boardx" {
		t.Errorf("bought %d of T-100 for %q, want 64 for boardx", l.Quantity, l.UsedIn)
	}
	if got, want := res.Metrics[metric.Cost].Value-plain.Metrics[metric.Cost].Value, 64*3.0; got != want {
		t.Errorf("traces cost %v, want %v", got, want)
	}
	if got, want := res.Metrics[metric.Power].Value-plain.Metrics[metric.Power].Value, 64*0.5; got != want {
		t.Errorf("traces draw %v W, want %v", got, want)
	}
	if res.Metrics[metric.CablesCopper].Value != plain.Metrics[metric.CablesCopper].Value || res.Metrics[metric.CableTotal].Value != plain.Metrics[metric.CableTotal].Value {
		t.Error("traces count as cables")
	}
}

// TestEnclosuresKnowMedia: bounds and the quick price agree with the bill of materials.
func TestEnclosuresKnowMedia(t *testing.T) {
	racing.Figures(t)
	e := newEvaluator(t, Options{BandwidthGbps: 2400, Catalog: partsWith(t, "OCS-128,ocs,,128,,,100,10000.00,USD\nT-400,trace,400,,,pcb,0.5,3.00,USD\n")})
	for _, design := range []string{"tpuocs(x=2,y=3,z=4)", "hammingmesh(a=2,b=2,x=4,y=4,k=64)", "ubmesh(z=2,w=1)"} {
		d := parse(t, design)
		res, _ := bought(t, e, design)
		s := res.Size
		var l bound.Ladder
		var out metric.Intervals
		e.Enclose(bound.One(d.V, &s), &l, &out)
		for _, k := range []metric.Key{metric.Cost, metric.Power} {
			if x := res.Metrics[k].Value; !res.Have[k] || !out.Have[k] || x < out.At[k].Lo || x > out.At[k].Hi {
				t.Errorf("%s: %s = %v, level 0 says %v to %v", design, metric.Keys[k].Name, x, out.At[k].Lo, out.At[k].Hi)
			}
		}
		for l.Next() != nil {
			l.Climb(&out)
		}
		if x := res.Metrics[metric.Cost].Value; out.At[metric.Cost].Lo != x || out.At[metric.Cost].Hi != x {
			t.Errorf("%s: cost %v, the quick price is %v to %v", design, x, out.At[metric.Cost].Lo, out.At[metric.Cost].Hi)
		}
	}
}
