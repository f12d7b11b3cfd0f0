package family

import (
	"strings"
	"testing"

	"toposearch/topology"
)

// TestTapersOfHPN: HPN 7.0 is a multirail. In units of 400 Gb/s its switches have 128 ports: a ToR 68 for endpoints (128 of 200
// Gb/s, and 8 for standby hosts) and 60 up, an aggregation switch one to each of the 120 ToRs of its plane and group and 8 up,
// 15:1 (Qian et al., SIGCOMM 2024). Switch by switch and link by link the fabrics are the same, at double rate in hpn. (Of three groups hpn takes 30 links of
// each to a core switch, a divisor of the 60 aggregation switches, and multirail 40, a divisor of their 480 uplinks.)
func TestTapersOfHPN(t *testing.T) {
	for _, c := range []struct{ hpn, tree string }{
		{"hpn(k=256,segments=15,up=60,groups=2,core=8)", "multirail(k=128,l=3,taper2=15:1,r=2,planes=2,pods=2,d=68)"},
		{"hpn(k=16,g=2,segments=3,up=4,groups=2,core=2)", "multirail(k=8,l=3,taper2=3:1,r=2,planes=2,pods=2)"},
		{"hpn(k=24,g=3,segments=3,up=6,groups=4,core=3)", "multirail(k=12,l=3,taper2=3:1,r=2,planes=2,pods=4)"},
	} {
		a, b := design(t, c.hpn), design(t, c.tree)
		var x, y topology.Size
		for _, s := range []struct {
			d topology.Design
			s *topology.Size
		}{{a, &x}, {b, &y}} {
			if err := s.d.Family.Size(s.d.V, s.s); err != nil {
				t.Fatal(err)
			}
		}
		v := hpnParams(a.V)
		tors, up, n := v.segments()*v.g(), v.up(), int(x.Switch[hpnCore].Count)/hpnPlanes
		_, from := cores(a.V) // links of a core switch to a group
		if y.Switch[treeLeaf].Count != x.Switch[hpnTor].Count || y.Switch[1].Count != x.Switch[hpnAgg].Count || y.Switch[treeTop].Count != x.Switch[hpnCore].Count {
			t.Fatalf("%s has %v switches of each level, %s %v", a, x.Switch[:3], b, y.Switch)
		}
		// hpn numbers ToRs with their planes together, and core switches by the uplink of the aggregation switch first.
		renumber := func(s topology.SwitchID) topology.SwitchID {
			i := int(s)
			if leaves := int(x.Switch[hpnTor].Count); i < leaves {
				tor, plane := i/hpnPlanes, i%hpnPlanes
				return topology.SwitchID((tor/tors*hpnPlanes+plane)*tors + tor%tors)
			} else if first := leaves + int(x.Switch[hpnAgg].Count); i >= first {
				plane, core := (i-first)/n, (i-first)%n
				j, group := core/(up/from), core%(up/from)
				return topology.SwitchID(first + plane*n + group*v.core() + j)
			}
			return s
		}
		type link struct{ a, b topology.SwitchID }
		open := map[link]int{}
		a.Family.Wire(a.V, func(_ int, s, u topology.SwitchID) { open[link{renumber(s), renumber(u)}]++ })
		links := len(open)
		b.Family.Wire(b.V, func(_ int, s, u topology.SwitchID) {
			if open[link{s, u}]--; open[link{s, u}] == 0 {
				delete(open, link{s, u})
			}
		})
		if len(open) > 0 || int64(links) != y.SwitchLinks() {
			t.Errorf("%s and %s differ in %d of %d links", a, b, len(open), links)
		}
	}
	// A group of HPN 7.0: 120 ToRs and 60 aggregation switches a plane.
	d := design(t, "multirail(k=128,l=3,taper2=15:1,r=2,planes=2,pods=2,d=68)")
	var s topology.Size
	if err := d.Family.Size(d.V, &s); err != nil || s.Switch[treeLeaf].Count != 2*2*120 || s.Switch[1].Count != 2*2*60 || s.Switch[1].Ports[1] != 120 || s.Switch[1].Ports[treeTop] != 8 {
		t.Errorf("%s: %+v, %v", d, s.Switch[:2], err)
	}
}

// TestTaperedFigures: bisection by the middle is the product of the tapers, 1/3 and 2/4 and 1/5, and what has full
// bisection ends below the first of them.
func TestTaperedFigures(t *testing.T) {
	for _, c := range []struct {
		design string
		middle float64
		region int64
	}{
		{"fattree(k=8,l=3,taper2=3:1,pods=4)", 1. / 3, 6 * 4},
		{"fattree(k=6,l=3,taper2=2:1,pods=4,d=4)", 1. / 2 * 2 / 4, 4},
		{"fattree(k=6,l=4,taper2=2:1,taper3=5:1,pods=2)", 1. / 10, 4 * 3},
		{"fattree(k=6,l=4,taper3=5:1,pods=2)", 1. / 5, 5 * 3 * 3},
		{"multirail(k=8,l=3,taper2=3:1,r=2,f=2,pods=4)", 1. / 3, 6 * 4 / 2},
		{"multirail(k=8,l=3,taper2=3:1,r=4,f=2,planes=2,pods=4,spread=wide)", 1. / 3, 6 * 4},
		{"roft(k=8,taper1=3:1,taper2=3:1,g=2,pods=4)", 1. / 9, 6},
	} {
		d := design(t, c.design)
		if got := d.Family.Middle(d.V); got != c.middle {
			t.Errorf("%s: middle cut %v, want %v", d, got, c.middle)
		}
		if got := d.Family.NonBlocking(d.V); got != c.region {
			t.Errorf("%s: non-blocking region %d, want %d", d, got, c.region)
		}
	}
}

// TestTaperedTops: above a tapered level, too, top switches are full where pods divide k, and no switch of the
// level below has two links to one of them while another of its pod has none.
func TestTaperedTops(t *testing.T) {
	for _, text := range []string{"fattree(k=64,l=3,taper2=15:1,pods=4)", "fattree(k=128,l=3,taper2=63:1,pods=2)", "roft(k=64,taper2=7:1,pods=16)", "fattree(k=16,l=4,taper3=7:1,pods=8)"} {
		d := design(t, text)
		var s topology.Size
		if err := d.Family.Size(d.V, &s); err != nil {
			t.Fatal(err)
		}
		if int(s.Switch[treeTop].Ports[treeTop]) != d.V[0] {
			t.Errorf("%s: top switches have %d ports in use", d, s.Switch[treeTop].Ports[treeTop])
		}
		links := map[[2]topology.SwitchID]int{}
		d.Family.Wire(d.V, func(class int, a, b topology.SwitchID) {
			if class == treeTop {
				links[[2]topology.SwitchID{a, b}]++
			}
		})
		for ends, n := range links {
			if n > 1 {
				t.Errorf("%s: %d parallel links between %v", d, n, ends)
			}
		}
	}
}

// TestTaperFaults: a taper that no switch can have names the one that it can.
func TestTaperFaults(t *testing.T) {
	for text, want := range map[string]string{
		"fattree(k=64,l=3,taper2=2:1)":          "taper2 = 2:1 breaks the rule p:q with p+q a divisor of k; the nearest taper2 is 43:21",
		"fattree(k=64,l=2,taper2=3:1)":          "taper2 = 3:1 breaks the rule 1:1 unless l >= 3; the nearest taper2 is 1:1",
		"multirail(k=8,l=4,r=1,taper3=15:1)":    "taper3 = 15:1 breaks the rule p:q with p+q a divisor of k; the nearest taper3 is 7:1",
		"multirail(k=8,l=4,r=1,taper4=3:1)":     "taper4 = 3:1 breaks the rule 1:1 unless l >= 5",
		"roft(k=64,taper1=2:1)":                 "taper1 = 2:1 breaks the rule p:q with p+q a divisor of k; the nearest taper1 is 43:21",
		"roft(k=128,taper2=15:1,g=16)":          "g = 16 breaks the rule g divides the leaves of a pod, k/2 untapered; the nearest g is 15",
		"multirail(k=8,l=3,r=4,f=4,taper2=3:1)": "f = 4 breaks the rule f divides the leaves",
	} {
		d := design(t, text)
		var s topology.Size
		if err := d.Family.Size(d.V, &s); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
	for _, text := range []string{"fattree(k=64,l=3,taper2=1:1)", "roft(k=64,taper1=1:1,taper2=1:1)"} {
		if got := design(t, text).String(); strings.Contains(got, "taper") {
			t.Errorf("%s is named %s", text, got)
		}
	}
	if got := design(t, "fattree(k=64,l=3,taper2=48:16)").String(); got != "fattree(k=64,l=3,taper2=3:1)" {
		t.Errorf("48:16 is named %s", got)
	}
}
