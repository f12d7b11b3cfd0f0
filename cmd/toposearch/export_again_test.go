package main

import (
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"toposearch/evaluator/metric"
	"toposearch/internal/racing"
	"toposearch/topology"
	"toposearch/topology/family"
)

// againDesigns is a design of each family, small, with what its family has beside plain switches: forwarding endpoints, several ports, spares, traces,
// circuit switches, links of several rates.
var againDesigns = []string{
	"zcube(n=4,k=3)", "zcube_partial(n=4)", "zcube_rect(n=40,m=20)", "zettafly3(a=2,p=2,h=2)", "zettafly4(a=4,p=2,h=2,c=2)", "dragonfly(p=2,a=4,h=2)",
	"dragonflyplus(l=2,m=2,p=2,h=2)", "fullmesh(d1=3,d2=4)", "hyperx(s1=4,s2=3,k2=2,t=2)", "flattenedbutterfly(k=3,n=3)", "torus(k1=4,k2=4)", "mesh(k1=4,k2=3)",
	"hypercube(n=4)", "ring(n=6,t=2)", "complete(n=6,t=2)", "crossbar(n=16)", "mlfm(h=3)", "oft(k=3)", "slimfly(q=5,p=2)", "polarfly(q=3,p=2)", "polarstar_iq(q=3,d=3,p=1)",
	"polarstar_paley(q=2,s=5,p=1)", "bundlefly(q=3,s=5,p=1)", "spectralfly(x=3,q=5,p=1)", "dcell(n=3,l=1)", "galaxyfly(outer=complete,q=3,a=2,h=1,p=2)",
	"jellyfish(n=12,r=4,p=2)", "dln(n=12,y=1,p=1)", "skywalk(rows=2,cols=3,m=2,l=1,s=4,d=2,p=1,tries=6,seed=3)", "multirail(k=8,l=2,r=2,planes=2)", "fattree(k=4,l=3)",
	"roft(k=8,g=4,pods=4)", "railonly(k=8,g=4,leaves=4)", "hpn(k=8,g=1,segments=3,groups=2,core=1)", "bcube(n=3,l=2)", "meshtree(k=4)", "kntree(k=3,n=2)", "th1a(n=1)",
	"omega(k=2,n=3)", "butterfly(k=2,n=3)", "benes(n=3)", "clos(m=3,n=2,r=4)", "bus(n=8)", "tpuocs(x=1,y=1,z=1)", "hammingmesh(a=2,b=2,x=2,y=2,k=8)", "ubmesh(x=2,y=2,z=2,w=1)",
}

// Metrics of the graph, whatever routes are natural; and those with prices.
const (
	againGraph  = "endpoints,switches,embedded_switches,switch_links,endpoint_links,radix,endpoint_ports,ports_per_endpoint,mean_path_links,max_path_links,mean_path_switches,mean_hops,max_hops,graph_diameter,shortest_paths,disjoint_paths,moore_efficiency,uniform_throughput,tub"
	againPriced = "cost,power,physical_ports"
	// What hangs on routing and on where things stand, too, which network.json alone has. Latency is of cables drawn one by one.
	againAll = "nonblocking_region,vcs_minimal,vcs_adaptive,cable_max,cable_total,racks"
)

// measured are metrics of a design as eval gives them.
func measured(t *testing.T, args ...string) map[string]metric.Figure {
	t.Helper()
	var doc struct {
		Designs []struct{ Metrics map[string]metric.Figure }
	}
	decode(t, "toposearch.eval/1", &doc, append([]string{"eval"}, args...)...)
	return doc.Designs[0].Metrics
}

// differs tells metrics that are not the same within a fraction, or of intervals do not overlap.
func differs(got, want map[string]metric.Figure, names string, within float64) (all []string) {
	for _, name := range strings.Split(names, ",") {
		x, okX := got[name]
		y, okY := want[name]
		apart := within * math.Abs(y.Value)
		if okX != okY || x.Lo > y.Hi+apart || y.Lo > x.Hi+apart {
			all = append(all, name)
		}
	}
	return all
}

// TestExportAgain: a network of every family that is written in a format and read back has the figures of its design: those of the graph in every format that has
// endpoints that forward, prices where there are rates, all in network.json; under no stated bandwidth, where throughputs are fractions of what ports carry.
func TestExportAgain(t *testing.T) {
	racing.Figures(t)
	if testing.Short() {
		t.Skip("twenty seconds")
	}
	families := family.All()
	if len(againDesigns) != len(families) {
		t.Fatalf("%d designs of %d families", len(againDesigns), len(families))
	}
	formats := []struct{ name, file string }{
		{"network", "n.json"}, {"csv", "n.csv"}, {"netbox", "cables.csv"}, {"graphml", "n.graphml"}, {"ibnetdiscover", "n.net"}, {"anynet", "n.any"}, {"edges", "n.edges"},
	}
	kept := map[string]int{}
	for i, design := range againDesigns {
		if name, _, _ := strings.Cut(design, "("); name != families[i].Name {
			t.Fatalf("%s stands where a design of %s should", design, families[i].Name)
		}
		embedded := slices.ContainsFunc(families[i].SwitchClasses, func(c topology.SwitchClass) bool { return c.Embedded })
		all := againGraph + "," + againPriced + "," + againAll
		want := measured(t, design, "--routing", "minimal", "--metrics", all+",bisection")
		cut := false
		for _, x := range formats {
			dir := t.TempDir()
			out := filepath.Join(dir, x.file)
			if x.name == "netbox" {
				out = dir
			}
			code, _, errs := command(t, "export", design, "--format", x.name, "--out", out)
			if code == 2 && strings.Contains(errs, "cannot express") {
				continue
			}
			if code != 0 {
				t.Fatalf("%s as %s: status %d, %s", design, x.name, code, errs)
			}
			if x.name == "anynet" && embedded {
				if !strings.Contains(errs, "switches that are bought") {
					t.Errorf("%s as anynet: no word of its forwarding endpoints: %q", design, errs)
				}
				continue
			}
			kept[x.name]++
			names, within := againGraph, 1e-9
			if x.name == "network" || !cut { // the dearest, and the readers of cables make one graph of them (package foreign holds them to it)
				names, cut = names+",bisection", x.name != "network"
			}
			switch x.name {
			case "network":
				names += "," + againPriced + "," + againAll
			case "csv", "netbox", "graphml", "ibnetdiscover":
				within = 2e-5                     // rates are written to Mb/s, and a link has tens of thousands
				if families[i].Name != "ubmesh" { // of which cables between racks are others where these stand elsewhere
					names += "," + againPriced
				}
			}
			got := measured(t, "file:"+filepath.Join(dir, x.file), "--routing", "minimal", "--metrics", names)
			for _, name := range differs(got, want, names, within) {
				t.Errorf("%s as %s: %s is %+v, want %+v", design, x.name, name, got[name], want[name])
			}
		}
	}
	for format, least := range map[string]int{"network": 46, "csv": 41, "netbox": 41, "graphml": 46, "ibnetdiscover": 30, "anynet": 20, "edges": 15} {
		if kept[format] < least {
			t.Errorf("%s keeps %d designs, want %d", format, kept[format], least)
		}
	}
}

// A bandwidth that was asked for and rounded up is what throughputs are fractions of. A format that has only what ports carry says so as it is written.
func TestExportAsked(t *testing.T) {
	dir := t.TempDir()
	all := []struct {
		format string
		note   bool
	}{{"csv", true}, {"network", false}, {"graphml", true}}
	for _, c := range all[:racing.Of(len(all), 1)] { // the rest is linear programs
		out := filepath.Join(dir, "n."+strings.Replace(c.format, "network", "json", 1))
		_, _, errs := command(t, "export", "dragonfly(p=2,a=4,h=2)", "--bandwidth", "300Gb/s", "--format", c.format, "--out", out)
		if c.note != strings.Contains(errs, "fractions of 300 Gb/s, those of the file of the 400") {
			t.Errorf("%s: %q", c.format, errs)
		}
		args := []string{"--metrics", "tub,bisection"}
		if c.note {
			args = append(args, "--bandwidth", "300Gb/s")
		}
		want := measured(t, "dragonfly(p=2,a=4,h=2)", "--bandwidth", "300Gb/s", "--metrics", "tub,bisection")
		got := measured(t, append([]string{"file:" + out}, args...)...)
		for _, name := range differs(got, want, "tub,bisection", 1e-9) {
			t.Errorf("%s: %s is %+v, want %+v", c.format, name, got[name], want[name])
		}
	}
}

// A design that buys nothing has no plan, and says why.
func TestExportNothing(t *testing.T) {
	for design, want := range map[string]string{"bus(n=8)": "nothing in it is a part that is sold", "crossbar(n=800)": "a switch needs 400 physical ports"} {
		code, _, errs := command(t, "export", design, "--format", "plan", "--out", filepath.Join(t.TempDir(), "x"))
		if code != 1 || !strings.Contains(errs, "there is nothing to order: "+want) {
			t.Errorf("%s: status %d, %q, want %q", design, code, errs, want)
		}
	}
}
