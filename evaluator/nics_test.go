package evaluator

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"toposearch/catalog"
	"toposearch/evaluator/floor"
	"toposearch/evaluator/metric"
	"toposearch/internal/racing"
	"toposearch/internal/stream"
	"toposearch/topology"
	"toposearch/topology/family"
	"toposearch/topology/netfile"
	"toposearch/topology/topotest"
)

// TestCardsByHand: a server of dcell(n=4,l=2) has a cable to its switch and one of each level, three of 200
// Gb/s: two cards of two ports, for 420 servers 840 cards of 20 W. Chips have no cards.
func TestCardsByHand(t *testing.T) {
	racing.Figures(t)
	e := newEvaluator(t, Options{BandwidthGbps: 400, CountNICs: true})
	for _, c := range []struct {
		design, part string
		count        int64
	}{
		{"dcell(n=4,l=2)", "NIC-2x200", 840}, {"dcell(n=4,l=1)", "NIC-2x200", 20}, {"dcell(n=2,l=3)", "NIC-2x100", 2 * 1806},
		{"bcube(n=4,l=2)", "NIC-2x200", 16}, {"bcube(n=3,l=3)", "NIC-2x200", 54}, {"torus(k1=4,k2=4)", "NIC-1x400", 16},
		{"fullmesh(d1=4,d2=4)", "", 0}, {"ubmesh(z=2,w=2)", "", 0}, {"hammingmesh(a=3,b=3,x=2,y=2,k=8)", "", 0}, {"tpuocs(x=1,y=1,z=1)", "", 0},
	} {
		r := evaluate(t, e, parse(t, c.design), Request{Level: 1})
		part, count := "", int64(0)
		for _, l := range r.Plan.BOM {
			if l.Part.Kind == catalog.KindNIC {
				part, count = part+l.Part.PartNo, count+l.Quantity
			}
		}
		if part != c.part || count != c.count {
			t.Errorf("%s: %d cards %s, want %d %s", c.design, count, part, c.count, c.part)
		}
		if m := r.Metrics[metric.Power]; r.Have[metric.Power] && count == 0 && !strings.Contains(m.Method, "chips") {
			t.Errorf("%s: no cards, and power says %q", c.design, m.Method)
		}
	}
}

// TestCardsServeCables: in every family, and read from a file, the network cards have a port for every cable
// at an endpoint, in the bill, unless the family says that the ports are on chips.
func TestCardsServeCables(t *testing.T) {
	racing.Figures(t)
	e := newEvaluator(t, Options{BandwidthGbps: 400, CountNICs: true})
	carded := 0
	for _, f := range family.All() {
		for _, d := range topotest.Sample(f, stream.New(1, "cards "+f.Name), few(6), 700) {
			n, err := d.Build()
			if err != nil {
				t.Fatal(err)
			}
			var b bytes.Buffer
			if err := netfile.Write(&b, n, netfile.OptionsOf(d)); err != nil {
				t.Fatal(err)
			}
			read, list := netfile.Parse("n.json", b.Bytes())
			if list.HasErrors() {
				t.Fatal(list.Err())
			}
			ports := portsServeCables(t, e, d)
			if got := portsServeCables(t, e, topology.Design{Family: read.Family}); got != ports {
				t.Errorf("%s: cards of %d ports, read from a file of %d", d, ports, got)
			}
			if ports > 0 {
				carded++
			}
		}
	}
	if carded < few(120) {
		t.Errorf("%d designs with network cards: too few to tell", carded)
	}
}

// portsServeCables compares the ports of the cards with the cables at endpoints, and gives the ports.
func portsServeCables(t *testing.T, e *Evaluator, d topology.Design) (ports int64) {
	t.Helper()
	r := evaluate(t, e, d, Request{Level: 1})
	if r.Plan == nil {
		return 0
	}
	for _, l := range r.Plan.BOM {
		if l.Part.Kind == catalog.KindNIC {
			ports += l.Quantity * int64(l.Part.Ports)
		}
	}
	cables := int64(0)
	err := e.EachCable(d, func(c floor.Cable) bool {
		if c.FromSwitch < 0 {
			cables++
		}
		if c.ToSwitch < 0 {
			cables++
		}
		return true
	})
	if err != nil {
		t.Fatal(err)
	}
	onChip := slices.ContainsFunc(d.Family.SwitchClasses, func(c topology.SwitchClass) bool { return c.OnChip })
	if ports < cables && !onChip {
		t.Errorf("%s: %d cables at endpoints, cards of %d ports; power: %s", d, cables, ports, r.Metrics[metric.Power].Method)
	}
	return ports
}
