package family

import (
	"math"
	"strings"
	"testing"

	"toposearch/topology"
	"toposearch/topology/topotest"
)

// TestDomains: eight endpoints on a tree of four leaves in domains of four. Two endpoints share a
// leaf, so of seven others one is at 2 links, two are in the domain, and four at 4 links over the
// tree. A mesh reaches the domain in 1, a level of switches in 2, leaf and spine with boxes of two in
// 4, as the tree does.
func TestDomains(t *testing.T) {
	n := network(t, "fattree(k=4,l=2)")
	for _, c := range []struct {
		text                string
		mean                float64
		switches, links     int
		scaleup, betweenDom int // links in all of the network
	}{
		{"domain=4", (3*1 + 4*4) / 7., 0, 6, 12, 0},
		{"domain=4,switches=3", (3*2 + 4*4) / 7., 3, 12, 24, 0},
		{"domain=4,levels=2,switches=2,box=2,spines=3", (2 + 6*4) / 7., 4 + 3, 8 + 12, 16, 24},
	} {
		d, err := topology.ParseDomain(c.text, 8)
		if err != nil {
			t.Fatal(err)
		}
		if again, err := topology.ParseDomain(d.String(), 8); err != nil || again != d {
			t.Errorf("%s: its words %q parse to %+v, %v", c.text, d, again, err)
		}
		if s, l := d.Count(); s != c.switches || l != c.links {
			t.Errorf("%s: %d switches and %d links a domain, want %d and %d", c.text, s, l, c.switches, c.links)
		}
		m, err := topology.WithDomain(n, d)
		if err != nil {
			t.Fatal(err)
		}
		if got := topotest.MeanPathLinks(m); math.Abs(got-c.mean) > 1e-12 {
			t.Errorf("%s: mean path links = %v, want %v", c.text, got, c.mean)
		}
		if got, want := m.Switches(), n.Switches()+8+2*c.switches; got != want {
			t.Errorf("%s: %d switches, want %d", c.text, got, want)
		}
		count := map[string]int{}
		for x := range m.Channels() {
			count[m.LinkClasses[m.LinkClass(topology.ChannelID(x))].Name]++
		}
		if count["scaleup"] != 2*c.scaleup || count["scaleup2"] != 2*c.betweenDom || count["nic"] != 2*8 || count["spine"] != n.Channels() {
			t.Errorf("%s: channels by class %v", c.text, count)
		}
	}
}

// TestDomainOfRelays: a family whose endpoints forward keeps its embedded switches.
func TestDomainOfRelays(t *testing.T) {
	n := network(t, "fullmesh(d1=2,d2=3)")
	m, err := topology.WithDomain(n, topology.Domain{Endpoints: 6, Levels: 1, Switches: 2})
	if err != nil {
		t.Fatal(err)
	}
	// Of five others three are neighbours, two at 2 links, over the mesh as over the switches.
	if got, want := topotest.MeanPathLinks(m), (3*1+2*2)/5.; math.Abs(got-want) > 1e-12 || m.Switches() != n.Switches()+2 {
		t.Errorf("mean path links = %v with %d switches, want %v with %d", got, m.Switches(), want, n.Switches()+2)
	}
}

func TestDomainFaults(t *testing.T) {
	for text, want := range map[string]string{
		"levels=3":                "0 (a full mesh), 1 or 2",
		"domain=1":                "at least 2",
		"levels=0,switches=2":     "no scale-up switches",
		"levels=1,spines=2":       "two levels",
		"levels=2,box=3":          "boxes of 3 endpoints in a scale-up domain of 8",
		"levels=2,box=8,spines=1": "at least two boxes",
		"switches=x":              "not a whole number",
		"sizes=4":                 "says nothing",
	} {
		if _, err := topology.ParseDomain(text, 8); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v, want ... %s", text, err, want)
		}
	}
	if _, err := topology.WithDomain(network(t, "fattree(k=4,l=2)"), topology.Domain{Endpoints: 3}); err == nil {
		t.Error("8 endpoints were divided into domains of 3")
	}
}

// TestDomainOfRails: switches take the place of the mesh of a rail-only network: an endpoint is two
// links from all of its server, the rest stays.
func TestDomainOfRails(t *testing.T) {
	n := network(t, "railonly(k=4,g=4,leaves=2)")
	m, err := topology.WithDomain(n, topology.Domain{Endpoints: 4, Levels: 1, Switches: 2})
	if err != nil {
		t.Fatal(err)
	}
	links := func(n *topology.Network) map[string]int {
		out := map[string]int{}
		for c := range n.Channels() {
			out[n.LinkClasses[n.LinkClass(topology.ChannelID(c))].Name]++
		}
		return out
	}
	was, is := links(n), links(m)
	if want := 2 * 2 * n.Endpoints(); is["scaleup"] != want || was["scaleup"] != 3*n.Endpoints() {
		t.Errorf("scale-up channels: %d, want %d; before %d, want %d", is["scaleup"], want, was["scaleup"], 3*n.Endpoints())
	}
	for _, class := range []string{"internal", "nic", "spine"} {
		if is[class] != was[class] {
			t.Errorf("%d channels of class %s, want %d", is[class], class, was[class])
		}
	}
	// Four servers of four: three others at 2 links in the server. The same rail: 1 at 2 links on the
	// leaf, 2 at 4 links. Another rail: over the server first or last, 2 links more.
	if got, want := topotest.MeanPathLinks(m), (3*2+1*2+2*4+3*4+6*6)/15.; math.Abs(got-want) > 1e-12 {
		t.Errorf("mean path links = %v, want %v", got, want)
	}
	if _, err := topology.WithDomain(n, topology.Domain{Endpoints: 4}); err == nil {
		t.Error("a mesh was added to a mesh")
	}
}

// An endpoint has the rate of all its links to scale-up switches or to the others of a full mesh, and none where it has no domain.
func TestScaleupRate(t *testing.T) {
	n := network(t, "fattree(k=4,l=2)")
	for _, c := range []struct {
		domain topology.Domain
		want   float64
	}{{topology.Domain{Endpoints: 4}, 30}, {topology.Domain{Endpoints: 4, Levels: 1, Switches: 3}, 30}, {topology.Domain{Endpoints: 4, Levels: 2, Switches: 2, Box: 2, Spines: 1}, 20}} {
		m, err := topology.WithDomain(n, c.domain)
		if err != nil {
			t.Fatal(err)
		}
		_, _, ports := m.Group(0)
		if got := m.ScaleupRate(ports[0], func(int) float64 { return 10 }); got != c.want {
			t.Errorf("%s: %g, want %g", c.domain, got, c.want)
		}
	}
	if got := network(t, "bcube(n=3,l=2)").ScaleupRate(0, func(int) float64 { return 10 }); got != 0 {
		t.Errorf("bcube: %g", got)
	}
}
