package netfile_test

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"toposearch/diag"
	"toposearch/topology"
	"toposearch/topology/family/familytest"
	"toposearch/topology/netfile"
	"toposearch/topology/topotest"
)

func design(t testing.TB, s string) topology.Design {
	t.Helper()
	return familytest.Parse(t, s)
}

func mustParse(t testing.TB, path, text string) *netfile.File {
	t.Helper()
	f, list := netfile.Parse(path, []byte(text))
	if list.HasErrors() {
		t.Fatalf("%s: %v", path, list)
	}
	return f
}

// linkSet gives the links as sorted texts of class and ends.
func linkSet(n *topology.Network) [][3]int {
	var out [][3]int
	for s := range n.Switches() {
		for c, end := n.Out(topology.SwitchID(s)); c < end; c++ {
			out = append(out, [3]int{n.LinkClass(c), s, int(n.To(c))})
		}
	}
	slices.SortFunc(out, func(a, b [3]int) int { return slices.Compare(a[:], b[:]) })
	return out
}

// TestNetworkRoundTrip writes networks of many families and reads them back: the same links,
// endpoints, classes, rates, counts and placement, and the second writing is the first.
func TestNetworkRoundTrip(t *testing.T) {
	for _, name := range []string{
		"fattree(k=4,l=3)", "fattree(k=4,l=1)", "multirail(k=4,l=2,r=4,f=2,planes=2)", "roft(k=8,g=2,pods=4)",
		"railonly(k=4,g=2)", "hpn(k=16,g=2,segments=2,groups=2,core=2)", "bcube(n=3,l=2)", "meshtree(k=4)", "zcube(n=4,k=2)",
	} {
		d := design(t, name)
		n, err := d.Build()
		if err != nil {
			t.Fatal(err)
		}
		place := d.Family.Place(d.V)
		opt := netfile.Options{LaneGbps: 200, Place: &place, LengthM: func(c topology.ChannelID) float64 {
			return float64(min(c, n.Rev(c))%7) / 2
		}}
		var text bytes.Buffer
		if err := netfile.Write(&text, n, opt); err != nil {
			t.Fatal(err)
		}
		f := mustParse(t, "net.json", text.String())
		e := topology.Design{Family: f.Family}
		m, err := e.Build()
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(linkSet(m), linkSet(n)) {
			t.Errorf("%s: other links after reading", name)
		}
		if m.Endpoints() != n.Endpoints() || m.Groups() != n.Groups() || m.Lanes != n.Lanes || m.EndpointLanes != n.EndpointLanes ||
			!slices.Equal(m.LinkClasses, n.LinkClasses) || !slices.Equal(m.SwitchClasses, n.SwitchClasses) || f.LaneGbps != 200 {
			t.Errorf("%s: other endpoints, rates or classes after reading", name)
		}
		var got, want topology.Size
		if err := errors.Join(f.Family.Size(nil, &got), d.Family.Size(d.V, &want)); err != nil {
			t.Fatal(err)
		}
		got.Family, want.Family = nil, nil
		if got != want {
			t.Errorf("%s: counts after reading %+v, want %+v", name, got, want)
		}
		if p := f.Family.Place(nil); p.Blocks != place.Blocks || !slices.Equal(p.Homes, place.Homes) || !slices.Equal(p.Boards, place.Boards) {
			t.Errorf("%s: placement after reading %+v, want %+v", name, p, place)
		}
		checkSecondWriting(t, f, m, place, text.String())
	}
}

// checkSecondWriting writes what was read, with the lengths that were read.
func checkSecondWriting(t *testing.T, f *netfile.File, m *topology.Network, place topology.Placement, first string) {
	t.Helper()
	// The links of a class from one switch to another come in the order of the file.
	length := map[[3]int][]float64{}
	i := 0
	f.Family.Wire(nil, func(class int, a, b topology.SwitchID) {
		if f.Links != nil {
			key := [3]int{class, int(a), int(b)}
			length[key] = append(length[key], f.Links[i].LengthM)
		}
		i++
	})
	m.Design = strings.TrimSuffix(f.Family.Title, " read from net.json")
	var again bytes.Buffer
	err := netfile.Write(&again, m, netfile.Options{LaneGbps: 200, Place: &place, LengthM: func(c topology.ChannelID) float64 {
		key := [3]int{m.LinkClass(c), int(m.From(c)), int(m.To(c))}
		l := length[key]
		if len(l) == 0 {
			return 0
		}
		length[key] = l[1:]
		return l[0]
	}})
	if err != nil {
		t.Fatal(err)
	}
	if again.String() != first {
		t.Errorf("%s: the second writing differs:\n%s\nfirst:\n%s", m.Design, again.String(), first)
	}
}

const smallCSV = `a,a_port,b,b_port,gbps,length_m,medium,part_no,cable_id
gpu-0,0,leaf1,1,200,2,copper,DAC-2,c1
gpu-0,1,leaf2,1,200,2,copper,DAC-2,c2
gpu-1,0,leaf1,2,200,2.5,copper,DAC-3,c3
leaf2,2,gpu-1,1,200,2.5,copper,DAC-3,c4
leaf1,3,spine,1,400,12,optical,AOC-12,c5
spine,2,leaf2,3,400,12,optical,AOC-12,c6
`

func TestCSVNetwork(t *testing.T) {
	f := mustParse(t, "plant.csv", smallCSV)
	var s topology.Size
	if err := f.Family.Size(nil, &s); err != nil {
		t.Fatal(err)
	}
	// Lane 200 Gb/s: endpoint ports have one, spine links two.
	if s.Endpoints != 2 || s.EndpointPorts != 2 || s.EndpointLanes != 2 || s.Switches() != 3 || s.SwitchLinks() != 2 ||
		s.EndpointLinks() != 4 || s.Lanes[0] != 1 || s.Lanes[1] != 2 || f.LaneGbps != 200 {
		t.Errorf("plant.csv: %+v at %v Gb/s a lane", s, f.LaneGbps)
	}
	if want := []string{"leaf1", "leaf2", "spine"}; !slices.Equal(f.SwitchNames, want) {
		t.Errorf("switches %v, want %v", f.SwitchNames, want)
	}
	if len(f.Nics) != 4 || f.Nics[3].PortA != "1" || f.Nics[3].PortB != "2" || f.Nics[3].LengthM != 2.5 || f.Links[1].PartNo != "AOC-12" {
		t.Errorf("cables %+v %+v", f.Nics, f.Links)
	}
	if !strings.HasPrefix(f.Family.Name, "file:plant.csv@") || len(f.Family.Name) != len("file:plant.csv@")+8 {
		t.Errorf("name %q", f.Family.Name)
	}
	// The same cables as spreadsheets write them: byte-order mark, semicolons, Windows line ends.
	g := mustParse(t, "plant.csv", "\xef\xbb\xbf"+strings.NewReplacer(",", ";", "\n", "\r\n").Replace(smallCSV))
	var u topology.Size
	if err := g.Family.Size(nil, &u); err != nil {
		t.Fatal(err)
	}
	if s.Family, u.Family = nil, nil; s != u {
		t.Errorf("with semicolons: %+v, want %+v", u, s)
	}
	if g.Family.Name == f.Family.Name {
		t.Error("other content, same name")
	}
	topotest.Family(t, f.Family, topotest.Options{})
}

// TestAnynetNetwork reads BookSim2 files; router 0 to 12 and nodes 0 to 23 of a tree with 12 links.
func TestAnynetNetwork(t *testing.T) {
	for _, c := range []struct {
		file                       string
		endpoints, switches, links int64
	}{{"two_router.anynet", 2, 2, 1}, {"anynet_tree13.anynet", 24, 13, 12}, {"anynet_mesh10.anynet", 16, 10, 13}} {
		path := filepath.Join("testdata", "networks", c.file)
		f, err := netfile.Load(path)
		if err != nil {
			t.Fatal(err)
		}
		var s topology.Size
		if err := f.Family.Size(nil, &s); err != nil {
			t.Fatal(err)
		}
		if s.Endpoints != c.endpoints || s.Switches() != c.switches || s.SwitchLinks() != c.links {
			t.Errorf("%s: %d endpoints, %d switches, %d links, want %+v", c.file, s.Endpoints, s.Switches(), s.SwitchLinks(), c)
		}
		topotest.Family(t, f.Family, topotest.Options{})
	}
	f, err := netfile.Load("testdata/networks/anynet_tree13.anynet")
	if err != nil {
		t.Fatal(err)
	}
	// Router 0 to 1 is listed with 3 cycles by both; 0 to 3 without a number, so 1 both ways.
	if l := f.Links; l[0].CyclesAB != 3 || l[0].CyclesBA != 3 || l[2].CyclesAB != 1 {
		t.Errorf("latencies %+v", l)
	}
	if n := f.EndpointNames[23]; n != "node 23" {
		t.Errorf("last endpoint is called %q", n)
	}
}

// TestAnynetHops compares with BookSim2, which counts routers on the way and sends to the source
// too: uniform traffic at load 0.104 on anynet_tree13 passed 4.0587 routers on the mean of 37,442
// packets (booksim2 28f4329, min routing, mean of one run; its noise at lower loads is 0.4 %).
func TestAnynetHops(t *testing.T) {
	f, err := netfile.Load("testdata/networks/anynet_tree13.anynet")
	if err != nil {
		t.Fatal(err)
	}
	n, err := topology.Design{Family: f.Family}.Build()
	if err != nil {
		t.Fatal(err)
	}
	dist, err := n.Distances(t.Context(), topology.DistanceOptions{})
	if err != nil {
		t.Fatal(err)
	}
	// A route passes one router more than it crosses links, and one in all to the source itself.
	hops := 1.0
	for links, pairs := range dist.Pairs {
		hops += float64(links) * float64(pairs) / (24 * 24)
	}
	if got, want := hops, 4.0587; math.Abs(got-want) > 0.005*want {
		t.Errorf("anynet_tree13: %v routers on the mean route, BookSim2 measured %v", got, want)
	}
}

// TestFileFaults: all of a file's faults at once, each at its place.
func TestFileFaults(t *testing.T) {
	for _, c := range []struct {
		path, text string
		want       []string // place: beginning of the summary
	}{
		{"x.csv", "a,c,gbps\n", []string{`x.csv:1:1: the header has no column b`, `x.csv:1:3: unknown column "c"`}},
		{"x.csv", "a,b,gbps\ns1,s1,10\ns1,s2,ten\nh1,h2,10\n,s1,10\ns1\n", []string{
			"x.csv:2:4: s1 is linked to itself", `x.csv:3:7: gbps = "ten"`, "x.csv:4:4: h1 and h2 are both endpoints",
			"x.csv:5:1: an end without a name", "x.csv:6:1: 1 fields"}},
		{"x.csv", "a,a_port,b,cable_id\nh1,1,s1,k\nh1,1,s2,k\n", []string{"x.csv:3:4: port 1 of h1 stands twice", "x.csv:3:9: cable k stands twice"}},
		{"x.csv", "a,b,gbps\nh1,s1,10\nh2,s1,\n", []string{"x.csv:3:1: this "}},
		{"x.csv", "a,b,gbps\nh1,\"s1,10\n", []string{"x.csv:3:1: extraneous"}},
		{"x.csv", "a,b\ns1,s2\n", []string{"x.csv: the network has no endpoints"}},
		{"x", "router 0 node 0 router 0\n", []string{"x:1:17: router 0 is linked to itself"}},
		{"x", "router 0 node 0 router 2\nrouter 2 nodd 1\n", []string{`x:2:10: "nodd" is neither router nor node`}},
		{"x", "router 0 node 0 router 2\n", []string{"x:1:17: there is a router 2 but no router 1"}},
		{"x", "router 0 node 0 router 1 router 1\nrouter 1 node 0\n", []string{"x:1:26: a second link", "x:2:10: node 0 hangs on router 0 already"}},
		{"x", "router 0 node 0 5 router 1\n", []string{"x:1:17: a node's link has no latency"}},
		{"x.json", "[]", []string{"x.json:1:1: the network is an object", "x.json:1:1: the network has no \"endpoints\""}},
		{"x.json", `{"schema": "toposearch.network/2", "swich_classes": []}`, []string{
			"x.json:1:1: the network has no", "x.json:1:12: schema", `x.json:1:36: unknown key "swich_classes" in the network; did you mean "switch_classes"?`}},
		{"x.json", "{\n", []string{"x.json:2:1: the file ends early"}},
		{"x.json", netJSON(`[[1, 0], [1, 9]]`, `[[0, 0], [0, 1, -4], [1]]`), []string{
			"x.json:5:31: there is no switch 9", "x.json:6:37: switch 0 is linked to itself", "x.json:6:52: the length of a link", "x.json:6:57: a link has two ends"}},
		{"x.json", strings.Replace(netJSON(`[[1, 0]]`, `[[0, 1]]`), `"class": "up"`, `"class": "upp"`, 1), []string{`x.json:6:22: no link class "upp"; did you mean "up"?`}},
		{"x.bin", "\x00\x01", []string{"x.bin: not a network file"}},
	} {
		f, list := netfile.Parse(c.path, []byte(c.text))
		if f != nil {
			t.Errorf("%q: accepted", c.text)
			continue
		}
		for _, want := range c.want {
			place, what, _ := strings.Cut(want, ": ")
			if !slices.ContainsFunc(list, func(d diag.Diagnostic) bool { return d.Pos.String() == place && strings.HasPrefix(d.Summary, what) }) {
				t.Errorf("%q: no %q in\n%v", c.text, want, list)
			}
		}
	}
}

// netJSON is a network of two switches with the given endpoints and links.
func netJSON(endpoints, ends string) string {
	return `{"schema": "toposearch.network/1",
 "switch_classes": [{"name": "leaf", "count": 2}],
 "link_classes": [{"name": "nic", "gbps": 100}, {"name": "up", "gbps": 400}],

 "endpoints":    ` + endpoints + `,
 "links": [{"class": "up", "ends": ` + ends + `}]}`
}

func TestJSONRates(t *testing.T) {
	f := mustParse(t, "net.json", netJSON(`[[1, 0], [1, 1]]`, `[[0, 1], [0, 1]]`))
	var s topology.Size
	if err := f.Family.Size(nil, &s); err != nil {
		t.Fatal(err)
	}
	if f.LaneGbps != 100 || s.Lanes[0] != 1 || s.Lanes[1] != 4 || s.Link[1] != 2 || s.EndpointLanes != 1 {
		t.Errorf("lane %v Gb/s, size %+v", f.LaneGbps, s)
	}
}

func TestLoadMissing(t *testing.T) {
	if _, err := netfile.Load(filepath.Join(t.TempDir(), "none.json")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("error %v, want that the file does not exist", err)
	}
	path := filepath.Join(t.TempDir(), "bad.json")
	if err := os.WriteFile(path, []byte("{}"), 0o600); err != nil {
		t.Fatal(err)
	}
	_, err := netfile.Load(path)
	var bad *netfile.Error
	if !errors.As(err, &bad) || len(bad.List) != 4 {
		t.Errorf("error %v, want four findings", err)
	}
}

// TestHostile: files of lines that are too long or too many, and values without end, are refused at their place,
// in memory that is linear in the file.
func TestHostile(t *testing.T) {
	for name, c := range map[string]struct{ path, text, want string }{
		"a wide row":     {"n.csv", "a,b\n" + strings.Repeat(",", 1<<20), "n.csv:2:1: error: the line has 1048576 bytes; at most 65536 are read"},
		"a wide head":    {"n.csv", strings.Repeat(",", 1<<20), "n.csv:1:1: error: the line has 1048576 bytes"},
		"many lines":     {"n.csv", "a,b\n" + strings.Repeat("\n", 3<<20), "n.csv:3145729:1: error: the file has more than 3145728 lines"},
		"a wide router":  {"n", "router 0 " + strings.Repeat("node 1 ", 1<<20), "n:1:1: error: the line has 7340041 bytes"},
		"a deep value":   {"n.json", strings.Repeat("[", 1<<20), "n.json:1:65: error: values are nested more than 64 deep here"},
		"a deep unknown": {"n.json", `{"x": ` + strings.Repeat(`{"a":`, 1<<20), "error: values are nested more than 64 deep here"},
		"hidden names":   {"n.csv", "a,b\ngpu-1,\u202eleaf\n", `n.csv:2:7: error: the name "\u202eleaf" holds U+202E, which is not seen`},
		"hidden class":   {"n.json", netJSON(`[[1, 0], [1, 1]]`, `[[0, 1], [0, 1, 2.5]]`)[:1] + "\"design\": \"\\u001b\"}", `the name "\x1b" holds U+001B, which is not seen`},
	} {
		if f, list := netfile.Parse(c.path, []byte(c.text)); f != nil || !strings.Contains(fmt.Sprint(list), c.want) {
			t.Errorf("%s: %.300v, want %s", name, list, c.want)
		}
	}
}

// FuzzParse: no text makes a parser panic, and findings have a line of it; what is accepted builds as its
// counts say, and can be written and read again as a network of the same size.
func FuzzParse(f *testing.F) {
	for path, format := range map[string]string{"testdata/networks/anynet_tree13.anynet": "x", "testdata/networks/two_router.anynet": "x"} {
		data, err := os.ReadFile(path)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(format, data)
	}
	f.Add("x.csv", []byte(smallCSV))
	for _, text := range cablesOf {
		f.Add("x", []byte(text))
	}
	f.Add("x.json", []byte(netJSON(`[[1, 0], [1, 1]]`, `[[0, 1], [0, 1, 2.5]]`)))
	f.Add("x.json", []byte(`{"links": [{"class": "a", "ends": [[0, {}], []]}], "endpoints": [[1, 0]], "switch_classes": 7}`))
	f.Fuzz(func(t *testing.T, path string, data []byte) {
		if len(path) > 8 {
			path = path[len(path)-8:]
		}
		file, list := netfile.Parse(path, data)
		for _, d := range list {
			if d.Pos.File != path || d.Pos.Line > bytes.Count(data, []byte("\n"))+1 || d.Summary == "" {
				t.Errorf("finding %+v", d)
			}
		}
		if file == nil {
			if !list.HasErrors() {
				t.Fatal("neither a network nor an error")
			}
			return
		}
		var s topology.Size
		if err := file.Family.Size(nil, &s); err != nil {
			t.Fatal(err)
		}
		if s.AllSwitches() > 1<<10 || s.Endpoints > 1<<16 {
			return
		}
		n, err := topology.Design{Family: file.Family}.Build()
		if err != nil {
			t.Fatal(err)
		}
		if int64(n.Endpoints()) != s.Endpoints || int64(n.Switches()) != s.AllSwitches() {
			t.Fatalf("%d endpoints and %d switches, the size says %d and %d", n.Endpoints(), n.Switches(), s.Endpoints, s.AllSwitches())
		}
		var text bytes.Buffer
		if err := netfile.Write(&text, n, netfile.Options{}); err != nil {
			t.Fatal(err)
		}
		again, list := netfile.Parse("again.json", text.Bytes())
		if list.HasErrors() {
			t.Fatalf("what was written does not read: %v\n%s", list, text.Bytes())
		}
		var s2 topology.Size
		if err := again.Family.Size(nil, &s2); err != nil || s2.Endpoints != s.Endpoints || s2.AllSwitches() != s.AllSwitches() || s2.SwitchLinks() != s.SwitchLinks() || s2.EndpointLanes != s.EndpointLanes {
			t.Fatalf("size %+v, and of what was written %+v, %v\n%s", s, s2, err, text.Bytes())
		}
	})
}
