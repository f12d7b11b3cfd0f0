package foreign_test

import (
	"bytes"
	"errors"
	"slices"
	"strings"
	"testing"

	"toposearch/topology"
	"toposearch/topology/family"
	"toposearch/topology/foreign"
	"toposearch/topology/netfile"
)

func built(t testing.TB, text string) *topology.Network {
	t.Helper()
	d, err := topology.ParseDesign(text, family.Known())
	if err != nil {
		t.Fatal(err)
	}
	n, err := d.Build()
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// written is what a format makes of a network, its first file.
func written(n *topology.Network, laneGbps float64, format string) (string, error) {
	var b bytes.Buffer
	for _, f := range foreign.Formats() {
		if f.Name == format {
			err := f.Files[0].Write(foreign.New(n, foreign.Lanes(n, laneGbps)), &b, foreign.Times{HopNs: 500})
			return b.String(), err
		}
	}
	return "", errors.New("no format " + format)
}

// The networks on which the formats are tried: every kind of thing that some of them cannot express.
var (
	designs = []string{
		"ring(n=5,t=2)", "torus(k1=4,k2=5)", "dragonfly(p=2,a=4,h=2)", "fattree(k=4,l=3)", "hyperx(s1=3,s2=3,k2=2,t=2)", // the last with parallel links
		"fullmesh(d1=3,d2=4)", "bcube(n=4,l=2)", "zcube(n=4,k=2)", "crossbar(n=7)", "multirail(k=8,l=2,r=2,planes=2)", // forwarding endpoints; several ports
		"butterfly(k=2,n=3)", // one way
	}
	// readable are the formats that netfile reads back, with whether they keep rates, and the name that tells the format.
	readable = []struct {
		format, path string
		rates        bool
	}{
		{"csv", "x.csv", true}, {"netbox", "cables.csv", true}, {"graphml", "x", true}, {"ibnetdiscover", "x", true}, {"anynet", "x", false}, {"edges", "x", false},
	}
)

// rates are the multiset of rates of links, endpoints' apart, in Mb/s.
func rates(n *topology.Network, laneGbps float64) map[[2]int]int {
	out := map[[2]int]int{}
	for c := range topology.ChannelID(n.Channels()) {
		out[[2]int{1, int(1000 * laneGbps * float64(n.Lanes[n.LinkClass(c)]))}]++
	}
	for g := range n.Groups() {
		first, end, ports := n.Group(g)
		out[[2]int{0, int(1000 * laneGbps * float64(n.Lanes[0]))}] += int(end-first) * len(ports)
	}
	return out
}

// boxed is a network whose forwarding parts are switches of their own.
func boxed(t *testing.T, n *topology.Network) *topology.Network {
	classes := slices.Clone(n.SwitchClasses)
	embedded := false
	for i := range classes {
		embedded = embedded || classes[i].Embedded
		classes[i] = topology.SwitchClass{Name: classes[i].Name}
	}
	if !embedded {
		return n
	}
	b := topology.NewBuilder(classes, []topology.LinkClass{{Name: topology.ClassNic}, {Name: "link"}})
	for s := range n.Switches() {
		b.Switch(n.Class(topology.SwitchID(s)), 1)
	}
	for c := range topology.ChannelID(n.Channels()) {
		if n.Rev(c) > c {
			b.Link(1, n.From(c), n.To(c))
		}
	}
	for g := range n.Groups() {
		first, end, ports := n.Group(g)
		b.Endpoints(int(end-first), ports)
	}
	m, err := b.Build("boxed")
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// What is written and read again is the same network: isomorphic, with the same rates where the format has them.
func TestRoundTrip(t *testing.T) {
	kept := map[string]int{}
	for _, text := range designs {
		n := built(t, text)
		for _, r := range readable {
			out, err := written(n, 400, r.format)
			var refused *foreign.Refused
			if errors.As(err, &refused) {
				continue
			}
			if err != nil {
				t.Errorf("%s as %s: %v", text, r.format, err)
				continue
			}
			f, list := netfile.Parse(r.path, []byte(out))
			if list.HasErrors() {
				t.Errorf("%s as %s does not read: %v", text, r.format, list)
				continue
			}
			m, err := topology.Design{Family: f.Family}.Build()
			if err != nil {
				t.Fatal(err)
			}
			want := n
			if r.format == "anynet" { // a format without forwarding parts makes switches of them
				want = boxed(t, n)
			}
			if same, _ := topology.Isomorphic(want, m, 1e8); same != topology.Same {
				t.Errorf("%s as %s is read as another network (%v)", text, r.format, same)
			}
			if r.rates {
				got, want := rates(m, f.LaneGbps), rates(n, 400)
				for k, v := range want {
					if got[k] != v || len(got) != len(want) {
						t.Errorf("%s as %s: rates %v, want %v", text, r.format, got, want)
						break
					}
				}
			}
			kept[r.format]++
		}
	}
	for format, want := range map[string]int{"csv": 10, "netbox": 10, "graphml": 11, "ibnetdiscover": 10, "anynet": 7, "edges": 4} {
		if kept[format] != want {
			t.Errorf("%d designs were kept by %s, want %d", kept[format], format, want)
		}
	}
}

// A format refuses what it cannot express, with the reason and another format or a flag.
func TestRefused(t *testing.T) {
	for _, c := range []struct{ text, format, want string }{
		{"zcube(n=4,k=2)", "anynet", "2 ports"}, {"hyperx(s1=3,s2=3,k2=2,t=2)", "anynet", "several links"}, {"butterfly(k=2,n=3)", "metis", "one way"}, {"crossbar(n=7)", "metis", "nothing"},
		{"butterfly(k=2,n=3)", "netbox", "one way"}, {"butterfly(k=2,n=3)", "ibnetdiscover", "graphml, node-link and dot"}, {"fattree(k=4,l=2)", "edges", "2 endpoints of 8 on 6"},
		{"dragonfly(p=2,a=4,h=2)", "htsim", "fat trees"}, {"fattree(k=4,l=3)", "astra-sim", "products"}, {"ring(n=5,t=2)", "astra-sim", "2 endpoints"},
		{"dragonfly(p=1,a=4,h=1)", "astra-sim", "products"}, {"fullmesh(d1=3,d2=4)", "simai", "forward"}, {"hyperx(s1=3,s2=3,k2=2,t=1)", "astra-sim", "parallel"},
	} {
		out, err := written(built(t, c.text), 400, c.format)
		var refused *foreign.Refused
		if !errors.As(err, &refused) || out != "" || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s as %s: %v, %.50q, want %q", c.text, c.format, err, out, c.want)
		}
	}
	if _, err := written(built(t, "ring(n=5)"), 123, "ibnetdiscover"); err == nil || !strings.Contains(err.Error(), "--bandwidth") {
		t.Errorf("InfiniBand at 123 Gb/s: %v", err)
	}
	if _, err := written(built(t, "ring(n=5)"), 0, "astra-sim"); err == nil || !strings.Contains(err.Error(), "no rates") {
		t.Errorf("ASTRA-sim without rates: %v", err)
	}
}

// The forms of the simulators' files, by hand.
func TestForms(t *testing.T) {
	for _, c := range []struct{ text, format, want string }{
		{"torus(k1=4,k2=5)", "astra-sim", "topology: [ Ring, Ring ]\nnpus_count: [ 5, 4 ]\nbandwidth: [ 50, 50 ]"},
		{"fullmesh(d1=3,d2=4)", "astra-sim", "topology: [ FullyConnected, FullyConnected ]\nnpus_count: [ 4, 3 ]"},
		{"hyperx(s1=4,s2=5,t=1)", "astra-sim", "topology: [ FullyConnected, FullyConnected ]\nnpus_count: [ 5, 4 ]"},
		{"crossbar(n=7)", "astra-sim", "topology: [ Switch ]\nnpus_count: [ 7 ]"},
		// k = 4 in three levels: 16 endpoints, pods of 4, two up and two down, four ports down at the top.
		{"fattree(k=4,l=3)", "htsim", "Nodes 16\nTiers 3\nPodsize 4\n\nTier 0\nDownlink_speed_Gbps 400\nRadix_Down 2\nRadix_Up 2\nOversubscribed 1\nDownlink_Latency_ns 500\nSwitch_Latency_ns 0\n\nTier 1\nDownlink_speed_Gbps 400\nRadix_Down 2\nRadix_Up 2\n"},
		{"fattree(k=4,l=2)", "htsim", "Nodes 8\nTiers 2\nPodsize 8\n\nTier 0\nDownlink_speed_Gbps 400\nRadix_Down 2\nRadix_Up 2\nOversubscribed 1\nDownlink_Latency_ns 500\nSwitch_Latency_ns 0\n\nTier 1\nDownlink_speed_Gbps 400\nRadix_Down 4\nDownlink_Latency_ns 500\n"},
		{"ring(n=3)", "simai", "6 1 0 3 6 H100\n3 4 5\n0 3 400Gbps 0.0005ms 0\n"},
		{"ring(n=3)", "edges", "# endpoints on each vertex: 1\n0 1\n0 2\n1 2\n"},
		// Switches weigh their endpoints.
		{"ring(n=3,t=2)", "metis", "3 3 011\n2 2 1 3 1\n2 1 1 3 1\n2 1 1 2 1\n"},
		{"ring(n=3)", "anynet", "router 0 node 0 router 1 router 2\n"},
		{"ring(n=3)", "containerlab", "    - endpoints: [\"endpoint-0:eth1\", \"switch-0:eth3\"]\n"},
	} {
		out, err := written(built(t, c.text), 400, c.format)
		if err != nil || !strings.Contains(out, c.want) {
			t.Errorf("%s as %s: %v\n%.600s\nwant\n%s", c.text, c.format, err, out, c.want)
		}
	}
}
