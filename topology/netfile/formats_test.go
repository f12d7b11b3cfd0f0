package netfile_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"toposearch/topology"
	"toposearch/topology/netfile"
)

// cablesOf is one network, two endpoints on two linked switches, in each format that other tools write, as they write it.
var cablesOf = map[string]string{
	// infiniband-diags: GUIDs of ports in brackets, rates in comments; an aggregation node hangs on each switch.
	"ibnetdiscover": `#
# Topology file: generated on Mon Nov 23 07:00:00 2026
#
# Initiated from node 2c9000000000100 port 2c9000000000101

vendid=0x2c9
devid=0xd2f0
sysimgguid=0x2c9000000000000
switchguid=0x2c9000000000000(2c9000000000000)
Switch	3 "S-0002c90000000000"		# "MF0;leaf-0:MQM9700/U1" enhanced port 0 lid 3 lmc 0
[1]	"H-0002c90000000100"[1](2c9000000000101) 		# "gpu-0 mlx5_0" lid 1 4xNDR
[2]	"S-0002c90000000010"[2]		# "leaf-1" lid 4 4xNDR
[3]	"H-0002c90000000300"[1](2c9000000000301) 		# "Mellanox Technologies Aggregation Node" lid 9 4xNDR

vendid=0x2c9
devid=0xd2f0
switchguid=0x2c9000000000010(2c9000000000010)
Switch	2 "S-0002c90000000010"		# "leaf-1" base port 0 lid 4 lmc 0
[1]	"H-0002c90000000200"[1](2c9000000000201) 		# "gpu-1 mlx5_0" lid 2 4xNDR
[2]	"S-0002c90000000000"[2]		# "MF0;leaf-0:MQM9700/U1" lid 3 4xNDR

vendid=0x2c9
devid=0x1021
caguid=0x2c9000000000100
Ca	1 "H-0002c90000000100"		# "gpu-0 mlx5_0"
[1](2c9000000000101) 	"S-0002c90000000000"[1]		# lid 1 lmc 0 "MF0;leaf-0:MQM9700/U1" lid 3 4xNDR

caguid=0x2c9000000000200
Ca	1 "H-0002c90000000200"		# "gpu-1 mlx5_0"
[1](2c9000000000201) 	"S-0002c90000000010"[1]		# lid 2 lmc 0 "leaf-1" lid 4 4xNDR

caguid=0x2c9000000000300
Ca	1 "H-0002c90000000300"		# "Mellanox Technologies Aggregation Node"
[1](2c9000000000301) 	"S-0002c90000000000"[3]		# lid 9 lmc 0 "MF0;leaf-0:MQM9700/U1" lid 3 4xNDR
`,
	// NetBox's import form, with a power cable.
	"netbox": `side_a_device,side_a_type,side_a_name,side_b_device,side_b_type,side_b_name,type,status,label,length,length_unit,description
gpu-0,dcim.interface,eth0,leaf-0,dcim.interface,Ethernet1/1,dac-passive,connected,C1,250,cm,400 Gb/s
gpu-1,dcim.interface,eth0,leaf-1,dcim.interface,Ethernet1/1,dac-passive,connected,C2,2.5,m,400 Gb/s
leaf-0,dcim.interface,Ethernet1/33,leaf-1,dcim.interface,Ethernet1/33,aoc,connected,C3,10,m,400 Gb/s
leaf-0,dcim.powerport,PSU1,pdu-0,dcim.poweroutlet,1,,connected,C4,1,m,
`,
	// The table of cables that NetBox exports.
	"netbox table": "Label,Device A,Termination A,Device B,Termination B,Status,Length\nC1,gpu-0,eth0,leaf-0,e1,Connected,2.5 m\nC2,gpu-1,eth0,leaf-1,e1,Connected,2.5 m\nC3,leaf-0,e2,leaf-1,e2,Connected,10 m\n",
	// networkx 3: other data, nodes behind edges.
	"graphml": `<?xml version='1.0' encoding='utf-8'?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">
  <key id="d1" for="edge" attr.name="gbps" attr.type="long" /><key id="d2" for="node" attr.name="rack" attr.type="string" />
  <graph edgedefault="undirected">
    <edge source="gpu-0" target="a" id="0"><data key="d1">400</data></edge>
    <node id="a"><data key="d2">R1</data></node><node id="b" /><node id="gpu-0" /><node id="gpu-1" />
    <edge source="b" target="gpu-1" id="0"><data key="d1">400</data></edge>
    <edge source="a" target="b" id="0"><data key="d1">400</data></edge>
  </graph>
</graphml>
`,
	"edges":      "# a comment\nleaf0 leaf1\ngpu0 leaf0 # another\nleaf1 gpu1\n",
	"Graph Golf": "0 1\n",
}

// Whatever the format, it is the one network.
func TestForeignFormats(t *testing.T) {
	n, err := topology.Design{Family: mustParse(t, "x", "router 0 node 0 router 1\nrouter 1 node 1\n").Family}.Build()
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range cablesOf {
		f := mustParse(t, "x", text)
		m, err := topology.Design{Family: f.Family}.Build()
		if err != nil {
			t.Fatal(err)
		}
		if same, _ := topology.Isomorphic(n, m, 1e6); same != topology.Same {
			t.Errorf("%s: %d switches, %d endpoints, %d channels: another network", name, m.Switches(), m.Endpoints(), m.Channels())
		}
		if want := map[string]float64{"ibnetdiscover": 400, "netbox": 400, "graphml": 400}[name]; f.LaneGbps != want {
			t.Errorf("%s: %g Gb/s, want %g", name, f.LaneGbps, want)
		}
		warned := map[string]string{"ibnetdiscover": "1 nodes are left out", "netbox": "1 cables", "Graph Golf": "one is put on each vertex"}[name]
		if got := fmt.Sprint(f.Warnings); warned == "" && len(f.Warnings) > 0 || !strings.Contains(got, warned) {
			t.Errorf("%s: warnings %s, want %q", name, got, warned)
		}
		if f.Nics != nil && f.Nics[0].LengthM != 0 && f.Nics[0].LengthM != 2.5 {
			t.Errorf("%s: %g m, want 2.5", name, f.Nics[0].LengthM)
		}
	}
	// GraphML keeps classes and forwarding parts.
	f := mustParse(t, "x.graphml", `<graphml><key id="k" for="all" attr.name="kind"/><key id="c" for="all" attr.name="class"/><key id="e" for="node" attr.name="embedded"/><graph>
<node id="x"><data key="k">switch</data><data key="c">npu</data><data key="e">true</data></node><node id="y"><data key="k">switch</data><data key="c">npu</data><data key="e">true</data></node>
<node id="1"><data key="k">endpoint</data></node><node id="2"><data key="k">endpoint</data></node>
<edge source="1" target="x"/><edge source="y" target="2"/><edge source="x" target="y"><data key="c">dim1</data></edge></graph></graphml>`)
	if c := f.Family.SwitchClasses; len(c) != 1 || c[0].Name != "npu" || !c[0].Embedded || f.Family.LinkClasses[1].Name != "dim1" || f.Family.LinkClasses[0].Name != topology.ClassInternal {
		t.Errorf("classes %+v, %+v", c, f.Family.LinkClasses)
	}
}

// What an endpoint is and what a link is made of stands beside the cables, whatever their names; where nothing is said the name decides, and what a cable is of
// is its own affair.
func TestToldCables(t *testing.T) {
	f := mustParse(t, "x.csv", `a,b,gbps,medium,class,a_class,a_kind,b_class,b_kind
box-0,host-0,900,,internal,,endpoint,npu,embedded on_chip
box-1,host-1,900,,internal,,endpoint,npu,embedded on_chip
host-0,host-1,50,board pcb,x,npu,embedded on_chip,npu,embedded on_chip
host-0,sw,400,ocs/4/1,nic,npu,embedded on_chip,row,shares_box=2
host-1,sw2,400,ocs/4/1,nic,npu,embedded on_chip,row,shares_box=2
`)
	d := topology.Design{Family: f.Family}
	var s topology.Size
	if err := f.Family.Size(nil, &s); err != nil {
		t.Fatal(err)
	}
	place := f.Family.Place(nil)
	c := f.Family.SwitchClasses
	if s.Endpoints != 2 || len(c) != 2 || !c[0].Embedded || !c[0].OnChip || c[0].Relay || !c[1].SharesBox || s.Switch[1].Together != 2 ||
		!slices.Equal(place.Boards, []int{1}) || place.Homes[0] != topology.Inside || f.Family.LinkClasses[0].Name != topology.ClassInternal {
		t.Errorf("%s: %+v, classes %+v, placement %+v", d, s, c, place)
	}
	if m := f.Family.Media; len(m) != 2 || m[0].Medium != "pcb" || m[1].Medium != "ocs" || m[1].Groups != 4 || !slices.Equal(m[1].Classes, []int{2}) {
		t.Errorf("media %+v", m)
	}
	// The internal link has what the endpoint sends, less than its links to others.
	if f.LaneGbps*float64(s.EndpointLanes) != 900 {
		t.Errorf("an endpoint has %d lanes of %g Gb/s, want 900 Gb/s", s.EndpointLanes, f.LaneGbps)
	}
	// A kind without a class, beside switches of none.
	for path, text := range map[string]string{"x.csv": "a,b,class,a_kind,b_kind\nx0,y0,internal,endpoint,embedded\nx1,y1,internal,endpoint,embedded\ny0,s,nic,embedded,\ny1,s,nic,embedded,\n",
		"x.edges": netfile.EndpointsEach + " 1, vertices embedded\n0 1\n"} {
		c := mustParse(t, path, text).Family.SwitchClasses
		if len(c) != map[string]int{"x.csv": 2, "x.edges": 1}[path] || c[0].Name != "embedded" || !c[0].Embedded || len(c) > 1 && c[1] != (topology.SwitchClass{Name: "core"}) {
			t.Errorf("%s: classes %+v", path, c)
		}
	}
	old := mustParse(t, "x.csv", "a,b,medium\ngpu0,s0,pcb\ngpu1,s1,copper\ns0,s1,pcb\ns0,s1,aoc\n").Family
	if p := old.Place(nil); len(p.Boards) > 0 || len(old.Media) > 0 {
		t.Errorf("media of cables without a class are %+v, %+v", p.Boards, old.Media)
	}
}

// Faults name the line and what to do.
func TestForeignFaults(t *testing.T) {
	head, _, _ := strings.Cut(cablesOf["netbox"], "\n")
	const told = "a,b,class,medium,a_class,a_kind,b_class,b_kind\n"
	for _, c := range []struct{ path, text, want string }{
		{"x", strings.Replace(cablesOf["ibnetdiscover"], "[2]\t\"S-0002c90000000010\"[2]", "[2]\t\"S-0002c90000000010\"[1]", 1), "x:12:1: error: port 1 of leaf-1 does not lead back"},
		{"x", strings.Replace(cablesOf["ibnetdiscover"], "4xNDR", "4xHDR", 1), "200 and 400 Gb/s"},
		{"x", "Switch 4 \"S-1\"\n[5] \"S-2\"[1]\n", "x:2:1: error: port 5 of S-1, which has 4"},
		{"x", "Switch 4 \"S-1\"\n[1] \"S-2\"[1]\n", "S-2 has no record"},
		{"x", "Switch 400 \"S-1\"\n", "numbers 254"},
		{"x", "Switch 4 \"S-1\"\nrubbish\n", "x:2:1: error: this is no line of ibnetdiscover"},
		{"x.csv", head + "\ngpu-0,dcim.interface,e0,leaf-0,dcim.interface,,,,,,,\n", "x.csv:2:47: error: a cable without side_b_name"},
		{"x.csv", head + "\ngpu-0,,e0,leaf-0,,e1,,,,3,yard,\n", "\"yard\" is no unit"},
		{"x.csv", head + "\ngpu-0,,e0,leaf-0,,e1,,,,,,\ngpu-1,,e0,leaf-0,,e1,,,,,,\n", "e1 of leaf-0 stands twice"},
		{"x.csv", "side_a_device,side_a_name\n", "no column side_b_device"},
		{"x.graphml", "<graphml><graph>\n<edge source='a' target='b'/></graph></graphml>", "x.graphml:2:1: error: an edge from \"a\" to \"b\": there is no such node"},
		{"x.graphml", "<graphml><graph><hyperedge/></graph></graphml>", "hyperedge is not read"},
		{"x.graphml", "<graphml><graph><node id='a'><graph/></node></graph></graphml>", "a graph within a node"},
		{"x.graphml", "<svg/>", "is GraphML"}, {"x.graphml", "<graphml><graph>", "no XML"},
		{"x.graphml", "<graphml><graph edgedefault='directed'><node id='gpu0'/><node id='s'/><edge source='gpu0' target='s'/></graph></graphml>", "to and fro"},
		{"x.graphml", "<graphml><graph><node id='gpu0'/><node id='gpu1'/><edge source='gpu0' target='gpu1'/></graph></graphml>", "both endpoints"},
		{"x.csv", told + "e1,npu,internal,,,endpoint,x,embedded wheel\n", "x.csv:2:30: error: npu: \"wheel\" is no kind of device; there are endpoint, switch"},
		{"x.csv", told + "e1,npu,internal,,,endpoint,x,relay\n", "is embedded, too"}, {"x.csv", told + "e1,s,nic,,,endpoint,x,shares_box=0\n", "no number of switches"},
		{"x.csv", told + "e1,npu,internal,,,endpoint,x,embedded\ne2,npu,internal,,,endpoint,y,embedded\n", "x.csv:3:4: error: npu is something else here"},
		{"x.csv", told + "e1,a,nic,,,endpoint,x,\na,e1,link,,x,,,switch\n", "e1 is something else here"},
		{"x.csv", told + "e1,a,nic,,,,x,\na,b,l,board,x,,x,\nb,c,l,copper,x,,x,\n", "a link of class l has the medium \"\", another \"board\""},
		{"x.csv", told + "e1,a,nic,ocs/16/1,,,x,\n", "endpoints do not hang over circuit switches"},
		{"x.csv", told + "e1,a,nic,,,endpoint,x,\ne2,b,nic,,,endpoint,x,embedded\na,b,l,,x,,x,embedded\n", "of the kind embedded, and others of the class are not"},
		{"x.edges", netfile.EndpointsEach + " 2, vertices embedded\n0 1\n", "no kind of vertices with 2 endpoints"},
		{"x", "# class npu: wheel\nSwitch 4 \"S-1\"\n", "\"wheel\" is no kind"}, {"x", "# class npu: endpoint\nSwitch 4 \"S-1\"\n", "a switch is no endpoint"},
		{"x.csv", "", "x.csv:1:1: error: the file is empty"}, {"x", "two words\n", "not a network file"}, {"x", "a, b\n", "no endpoints"}, {"x", "a\tb\n", "no endpoints"}, // CSV
		{"x", "0 2\n", "no 1"}, {"x.edges", "0,1 2,3\n", "places on a grid"}, {"x.edges", "0 1 2\n", "x.edges:1:1: error: 3 words"}, {"x.edges", "0 0\n", "linked to itself"},
		{"x.edges", netfile.EndpointsEach + " 99999999999\n0 1\n", "no number of endpoints"}, {"x.edges", netfile.EndpointsEach + " 99999999\n0 1\n", "at most"},
	} {
		want := strings.Replace(c.want, "no 1", "but none 1", 1)
		f, list := netfile.Parse(c.path, []byte(c.text))
		var b strings.Builder
		list.Print(&b)
		if f != nil || !strings.Contains(b.String(), want) {
			t.Errorf("%.60q: %s, want %s", c.text, b.String(), want)
		}
	}
}
