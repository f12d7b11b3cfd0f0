package booksim

import (
	"context"
	"fmt"
	"maps"
	"math"
	"path/filepath"
	"strings"
	"testing"
)

// Every fault is reported at once, with its line and column.
func TestFaultsHavePlaces(t *testing.T) {
	text := "// a comment\ntopolgy = mesh;\nk = eight;\n  num_vcs = 0; /* two\nlines */ n = 2;\nrouting_function = dor\ntopology = mesh;\n" +
		"traffic = hotspot({99});\nuse_read_write = 1;\n= 3;\nvc_allocator = magic;\nsw_alloc_delay = 2;\n"
	_, diags := Parse("bad.cfg", text, []string{"injection_rate=1.5"})
	want := []struct {
		line, col int
		text      string
	}{{2, 1, "topolgy"}, {3, 5, "eight"}, {4, 13, "num_vcs"}, {6, 20, "routing_function"}, {9, 18, "use_read_write"}, {10, 1, "expected a key"}, {12, 18, "sw_alloc_delay"}}
	for _, w := range want {
		found := false
		for _, d := range diags {
			if d.Pos.File == "bad.cfg" && d.Pos.Line == w.line && d.Pos.Column == w.col && strings.Contains(d.Summary, w.text) {
				found = true
			}
		}
		if !found {
			t.Errorf("no fault at %d:%d that names %s among %v", w.line, w.col, w.text, diags)
		}
	}
	near := false
	for _, d := range diags {
		near = near || strings.Contains(d.Detail, `did you mean "topology"`)
	}
	if !near {
		t.Errorf("topolgy: the nearest key is not offered: %v", diags)
	}
}

func TestWrongValues(t *testing.T) {
	for _, c := range []struct{ set, want string }{
		{"topology=blob", "no topology"}, {"routing_function=valiant2", "no routing function"},
		{"traffic=bitcomp;k=6", "power of two"}, {"traffic=transpose;k=2;n=3", "even power of two"},
		{"injection_rate=2", "injection_rate"}, {"num_vcs=33", "not in 1..32"}, {"k=1", "not in"}, {"k=99999;n=3", "more than"},
		{"sim_type=trace", "not supported"}, {"sim_type=batch;max_outstanding_requests=4", "not modelled"}, {"sim_type=batch;batch_size=0", "batch_size"}, {"packet_size={{1,0}}", "not in 1..32768"}, {"vc_allocator=piggyback", "needs speculative = 1"},
		{"topology=torus;num_vcs=1;routing_function=dim_order", "at least 2"}, {"topology=flatfly;c=3;routing_function=ran_min", "xr * yr"},
		{"topology=anynet;network_file=nowhere.anynet;routing_function=min", "cannot read"}, {"noq=1", "not supported"},
		{"num_vcs=1;routing_function=xy_yx", "at least 2"}, {"num_vcs=1;routing_function=romm", "at least 2"},
		{"topology=tree4", "not modelled"}, {"use_read_write={1}", "not supported"}, {"buffer_policy=shared", "not supported"},
		{"topology=torus;routing_function=dim_order_ni", "no routing"}, {"sample_period=1000000;max_samples=2000", "more than"},
		{"vc_alloc_delay=2", "aborts"}, {"sw_alloc_delay=3", "aborts"}, {"buf_size=1", "buf_size"}, {"packet_size={{1,2}};packet_size_rate={{1,2,3}}", "2 sizes and 3 weights"},
		{"packet_size=2.5", "not a whole number"}, {"traffic=uniform(3)", "no arguments"}, {"traffic=tornado;xr=3", "would send"},
		{"traffic=badperm_yarc;xr=2", "badperm_yarc"}, {"traffic=bad_dragon;k=4", "groups"}, {"vc_allocator=magic", "no allocator"},
		{"sw_allocator=islip(0)", "iterations"}, {"priority=lottery", "lottery"}, {"injection_process=poisson", "poisson"},
		{"internal_speedup=0.5", "0.5"}, {"output_buffer_size=0", "output_buffer_size"}, {"st_final_delay=0", "st_final_delay"},
		{"injection_process=on_off;burst_alpha=-1;burst_r1=0.01;injection_rate=0.1", "mean cannot be"}, {"traffic=", "no value"},
		{"topology=cmesh;routing_function=dor_no_express;c=4", "2 x 2 nodes"}, {"topology=cmesh;routing_function=dor;c=4;xr=2;yr=2", "no routing"},
	} {
		text := "topology=mesh;k=4;n=2;routing_function=dor;num_vcs=2;sw_allocator=islip;" + c.set + ";"
		r, diags := Parse("x.cfg", text, nil)
		found := false
		for _, d := range diags {
			found = found || strings.Contains(d.Summary, c.want)
		}
		if r != nil || !found {
			t.Errorf("%s: want a fault with %q, got %v", c.set, c.want, diags)
		}
	}
}

// BookSim2's zero-load latency: Li + Le + 1 + H P + sum L + s - 1 (reference/simcore.md 1.2), as
// 3 + 4H + sum L of the mean route. At 1 % load with self-addressed packets.
func TestZeroLoad(t *testing.T) {
	for _, c := range []struct {
		name, text string
		link       float64 // mean latency of a link; 0: not uniform, see hops below
		hops       float64 // mean routers passed, derived by hand
	}{
		// 2 dimensions, mean |a-b| over 8 = 63/24 = 2.625 each.
		{"mesh8", "topology=mesh;k=8;n=2;routing_function=dor", 1, 1 + 2*2.625},
		// Ring of 8: mean distance 2. Folded links take 2.
		{"torus8", "topology=torus;k=8;n=2;routing_function=dim_order", 2, 1 + 2*2},
		// 64 nodes, 4-ary 3-tree: same leaf 4/64 (1 router), same middle block 12/64 (3), else 5.
		{"fattree", "topology=fattree;k=4;n=3;routing_function=nca", 1, (4*1 + 12*3 + 48*5) / 64.0},
		{"fly", "topology=fly;k=4;n=3;routing_function=dest_tag", 1, 3},
		// Two dimensions of 4, differing with probability 3/4 each.
		{"flatfly", "topology=flatfly;k=4;n=2;c=4;x=4;y=4;xr=2;yr=2;routing_function=ran_min;use_noc_latency=0", 1, 1 + 2*0.75},
		{"cmesh", "topology=cmesh;k=4;n=2;c=4;xr=2;yr=2;routing_function=dor_no_express;use_noc_latency=0", 1, 1 + 2*1.25},
		// Tree of 3 levels of 4: as the fat tree.
		{"qtree", "topology=qtree;k=4;n=3;routing_function=nca", 1, (4*1 + 12*3 + 48*5) / 64.0},
	} {
		r, diags := Parse(c.name, c.text+";num_vcs=4;traffic=uniform;injection_rate=0.01;sample_period=10000;latency_thres=-1;", nil)
		if r == nil {
			t.Fatalf("%s: %v", c.name, diags)
		}
		res, err := r.Run(context.Background())
		if err != nil || res.Status != StatusOK {
			t.Fatalf("%s: %s, %v", c.name, res.Status, err)
		}
		if math.Abs(res.Hops/c.hops-1) > 0.02 {
			t.Errorf("%s: %.3f routers, want %.3f", c.name, res.Hops, c.hops)
		}
		want := 3 + 4*res.Hops + c.link*(res.Hops-1)
		if c.name != "qtree" && (res.Latency.Mean < want-0.001 || res.Latency.Mean > want*1.015) {
			t.Errorf("%s: latency %.3f, zero load %.3f", c.name, res.Latency.Mean, want)
		}
	}
}

// Overrides win over the file, and averages over sim_count runs count all packets.
func TestOverrides(t *testing.T) {
	text := "topology=mesh;k=3;n=2;routing_function=dor;num_vcs=2;injection_rate=0.1;sample_period=200;"
	one, _ := Parse("a", text, nil)
	two, diags := Parse("a", text, []string{"sim_count=2", "injection_rate = 0.2"})
	if one == nil || two == nil {
		t.Fatal(diags)
	}
	a, _ := one.Run(context.Background())
	b, _ := two.Run(context.Background())
	if b.Packets < 3*a.Packets || math.Abs(b.Accepted-0.2) > 0.05 || math.Abs(a.Accepted-0.1) > 0.05 {
		t.Errorf("accepted %.3f of 0.1 and %.3f of 0.2, packets %d and %d", a.Accepted, b.Accepted, a.Packets, b.Packets)
	}
}

func TestAnynetFaults(t *testing.T) {
	many := "router 0 node 0\n"
	for r := range maxRouters {
		many += fmt.Sprintf("router %d router %d\n", r, r+1)
	}
	for _, c := range []struct {
		text, want string
		line       int
	}{
		{"router 0 node 0 router 1\nrouter 1 node 1 4\n", "no latency", 2},
		{"router 0 node 0\nnode 1\n", "starts with its router", 2},
		{"router 0 node 0\nrouter x\n", "not a number of a router", 2},
		{"router 0 node 0 router\n", "without a number", 1},
		{"router 0 node 0\nrouter 2 node 1\n", "no router 1", 0},
		{"router 0 node 0 node 2\n", "no node 1", 0},
		{"router 0 node 0\nrouter 1 node 0\n", "two routers", 2},
		{"routers 0\n", "expected router or node", 1},
		{"router 0 router 1\n", "no nodes", 0},
		{many, "4097 routers; at most 4096", 0},
	} {
		_, diags := readAnynet("f", c.text)
		if len(diags) == 0 || !strings.Contains(diags[0].Summary, c.want) || diags[0].Pos.Line != c.line {
			t.Errorf("%q: %v, want %q in line %d", c.text, diags, c.want, c.line)
		}
	}
}

// FuzzParse: reading ends without a panic and says why where there is no run; of a run all settings, written
// as a configuration, read as the same settings. Findings name a line of the text.
func FuzzParse(f *testing.F) {
	files, _ := filepath.Glob("testdata/configs/*.cfg")
	f.Add("topology = fly; k = 2; n = 2; traffic = hotspot({{0,1},{1,2}}); routing_function = dest_tag;")
	f.Add("/* open\ntopology = mesh")
	f.Add("k={{1,2},{3}};packet_size={1,2};=;;")
	f.Add(strings.Repeat("{", 40) + "k=(")
	if len(files) == 0 {
		f.Fatal("no configurations")
	}
	over := []string{"k=2", "n=2", "num_vcs=4", "c=1", "vc_buf_size=4"} // large networks are not what is tested
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 2000 || strings.Contains(text, "anynet") {
			return // no files of this machine
		}
		r, diags := Parse("fuzz", text, over)
		if r == nil && len(diags) == 0 {
			t.Error("neither a run nor a reason")
		}
		for _, d := range diags {
			if d.Summary == "" || d.Pos.File == "fuzz" && d.Pos.Line > strings.Count(text, "\n")+1 {
				t.Errorf("%q: finding %+v", text, d)
			}
		}
		if r == nil {
			return
		}
		var b strings.Builder
		for k, v := range r.Settings.Values() {
			if v != "" {
				fmt.Fprintf(&b, "%s = %s;\n", k, v)
			}
		}
		again, diags := Parse("again", b.String(), nil)
		if again == nil || !maps.Equal(again.Settings.Values(), r.Settings.Values()) {
			t.Errorf("%q: its settings are read as others: %v\n%s", text, diags, b.String())
		}
	})
}

// FuzzAnynet: a network that is read has routers and nodes numbered without gaps and every link both ways, and
// written again it is the same; findings name a line.
func FuzzAnynet(f *testing.F) {
	f.Add("router 0 node 0 router 1 3\nrouter 1 node 1\n")
	f.Add("router 0 node 99999999 router -1\n")
	f.Add("router 1 node 0 router 1 \nrouter 0")
	f.Fuzz(func(t *testing.T, text string) {
		a, diags := readAnynet("fuzz", text)
		for _, d := range diags {
			if d.Summary == "" || d.Pos.Line > strings.Count(text, "\n")+1 {
				t.Errorf("%q: finding %+v", text, d)
			}
		}
		if len(diags) > 0 || len(a.nodeAt) >= 200 || len(a.routers) >= 200 {
			return
		}
		a.fabric(2)
		var b strings.Builder
		for r := range a.routers {
			fmt.Fprintf(&b, "router %d\n", r)
		}
		for n, r := range a.nodeAt {
			fmt.Fprintf(&b, "router %d node %d\n", r, n)
		}
		for l, latency := range a.latency {
			if _, back := a.latency[anyLink{l.to, l.from}]; !back || latency < 1 {
				t.Errorf("%q: link %v has latency %d, and the other way %v", text, l, latency, back)
			}
			fmt.Fprintf(&b, "router %d router %d %d\n", l.from, l.to, latency)
		}
		again, diags := readAnynet("again", b.String())
		if len(diags) > 0 || !maps.Equal(again.nodeAt, a.nodeAt) || !maps.Equal(again.latency, a.latency) {
			t.Errorf("%q is written as %q and read as %+v, %v", text, b.String(), again, diags)
		}
	})
}
