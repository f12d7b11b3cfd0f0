package netfile_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"toposearch/topology"
	"toposearch/topology/netfile"
)

// TestFullestSwitch: the ports of a class are those of its fullest switch, not the most of each class of links
// over different ones. A 6x5x4 torus with 8 endpoints a switch has 6+8 ports on every switch; those at
// the edge of the numbering have some of them on links that wrap around.
func TestFullestSwitch(t *testing.T) {
	for name, radix := range map[string]int{"torus(k1=6,k2=5,k3=4,t=8)": 14, "ring(n=28)": 3, "polarstar_iq(q=2,d=8,p=4)": 15, "mesh(k1=3,k2=3)": 5} {
		d := design(t, name)
		n, err := d.Build()
		if err != nil {
			t.Fatal(err)
		}
		var b bytes.Buffer
		if err := netfile.Write(&b, n, netfile.Options{}); err != nil {
			t.Fatal(err)
		}
		var s topology.Size
		if err := mustParse(t, "n.json", b.String()).Family.Size(nil, &s); err != nil || s.Radix() != radix {
			t.Errorf("%s: radix %d after reading, want %d (%v)", name, s.Radix(), radix, err)
		}
	}
}

// Two switches of a class, one with 3 slow links and one fast, the other with one slow and 3 fast: a model
// for both has 3 of each, and no switch has more than 4 ports in use. Endpoints hang on the first only.
func TestNoFullestSwitch(t *testing.T) {
	text := fmt.Sprintf(`{"schema": %q, "switch_classes": [{"name": "a", "count": 2}, {"name": "b", "count": 1}],
		"link_classes": [{"name": "nic", "lanes": 1}, {"name": "slow", "lanes": 1}, {"name": "fast", "lanes": 4}],
		"endpoints": [[2, 0]], "links": [{"class": "slow", "ends": [[0, 2], [1, 2]]}, {"class": "fast", "ends": [[0, 2], [1, 2], [1, 2], [1, 2]]}]}`, netfile.Schema)
	var s topology.Size
	if err := mustParse(t, "n.json", text).Family.Size(nil, &s); err != nil {
		t.Fatal(err)
	}
	a := &s.Switch[0]
	if a.Ports[0] != 2 || a.Ports[1] != 1 || a.Ports[2] != 3 || a.Most != 4 {
		t.Errorf("ports %v, most %d; want 2, 1, 3 and 4", a.Ports[:3], a.Most)
	}
	if s.Switch[1].Ports[1] != 2 || s.Switch[1].Ports[2] != 4 || s.Radix() != 6 {
		t.Errorf("ports %v, radix %d; want 2 slow, 4 fast, radix 6", s.Switch[1].Ports[:3], s.Radix())
	}
}

// A fullest switch without links of a class that others have: the class still has ends on bought switches.
func TestFullestLacksClass(t *testing.T) {
	text := fmt.Sprintf(`{"schema": %q, "switch_classes": [{"name": "a", "count": 4}],
		"link_classes": [{"name": "nic"}, {"name": "x"}, {"name": "y"}],
		"endpoints": [[1, 0], [1, 1], [1, 2], [1, 3]], "links": [{"class": "x", "ends": [[0, 1], [0, 1]]}, {"class": "y", "ends": [[2, 3]]}]}`, netfile.Schema)
	var s topology.Size
	if err := mustParse(t, "n.json", text).Family.Size(nil, &s); err != nil {
		t.Fatal(err)
	}
	if k := &s.Switch[0]; k.Ports[0] != 1 || k.Ports[1] != 2 || k.Ports[2] != 0 || !k.Has(2) || s.Radix() != 3 {
		t.Errorf("ports %v, radix %d; want 1, 2, 0 and 3", k.Ports[:3], s.Radix())
	}
}

// What a construction knows beyond its graph is read as it was written, and faults in it are named.
func TestKnown(t *testing.T) {
	d := design(t, "tpuocs(x=1,y=2,z=2)")
	n, err := d.Build()
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := netfile.Write(&b, n, netfile.OptionsOf(d)); err != nil {
		t.Fatal(err)
	}
	f := mustParse(t, "n.json", b.String()).Family
	if got, want := fmt.Sprint(f.Natural(nil), f.Media, f.NonBlocking(nil)), fmt.Sprint(d.Family.Natural(d.V), d.Family.Media, d.Family.NonBlocking(d.V)); got != want {
		t.Errorf("read %s, want %s", got, want)
	}
	base := `{"schema": "toposearch.network/1", "routing": %s, "switch_classes": [{"name": "a", "count": 2}],
		"link_classes": [{"name": "nic"}, {"name": "x"}], "endpoints": [[1, 0], [1, 1]], "links": [{"class": "x", "ends": [[0, 1]]}]}`
	for _, routing := range []string{`{"name": "r", "steps": [[0, "z", "*", "*", 0, 0]]}`, `{"name": "r", "steps": [[0, "*", "x", "*", 0, 0]]}`,
		`{"name": "r", "states": 2, "steps": [[0, "*", "*", "*", 2, 0]]}`, `{"name": "r", "steps": [[0, "*", "*", "*", 0]]}`,
		`{"name": "r", "steps": [[0, "*", "*", "*", 0, 0, 0]]}`, `{"name": "r"}`, `{"states": 1, "steps": []}`, `{"name": "r", "states": 0, "steps": []}`} {
		if _, list := netfile.Parse("n.json", []byte(fmt.Sprintf(base, routing))); !list.HasErrors() {
			t.Errorf("routing %s was read without a word", routing)
		}
	}
	for _, media := range []string{`[{"medium": "ocs", "classes": ["nic"]}]`, `[{"medium": "ocs", "classes": ["z"]}]`, `[{"classes": ["x"]}]`, `[{"medium": "ocs", "groups": 0, "classes": ["x"]}]`} {
		if _, list := netfile.Parse("n.json", []byte(fmt.Sprintf(strings.Replace(base, "routing", "media", 1), media))); !list.HasErrors() {
			t.Errorf("media %s was read without a word", media)
		}
	}
	if _, list := netfile.Parse("n.json", []byte(fmt.Sprintf(base, `{"name": "r", "steps": [[0, "x", "a", "*", 0, 1]]}`))); list.HasErrors() {
		t.Errorf("%v", list.Err())
	}
}
