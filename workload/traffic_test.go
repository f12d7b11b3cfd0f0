package workload

import (
	"math"
	"strings"
	"testing"

	"toposearch/workload/collective"
)

// gptTraining is a step of a built-in model on one replica, with tensor and pipeline parallelism.
func gptTraining(t *testing.T, name string, pp, batch, micro, v int, sp bool) *Training {
	t.Helper()
	m, err := Model(name)
	if err != nil {
		t.Fatal(err)
	}
	x := &Training{Model: m, Sequence: 2048, Batch: batch,
		Parallelism: Parallelism{TP: 8, CP: 1, PP: pp, DP: 1, EP: 1, SP: sp, Interleave: v, MicroBatch: micro}}
	if err := x.Check(8 * pp); err != nil {
		t.Fatal(err)
	}
	return x
}

// find is the only communication of a parallelism, a kind and a time.
func find(t *testing.T, x *Training, parallelism string, k collective.Kind, w When) Communication {
	t.Helper()
	var out []Communication
	for _, c := range x.Communications() {
		if c.Parallelism == parallelism && c.Kind == k && c.When == w {
			out = append(out, c)
		}
	}
	if len(out) != 1 {
		t.Fatalf("%d communications of %s by %s %s, want 1", len(out), parallelism, k, w)
	}
	return out[0]
}

// TestCalculonBytes: what Calculon counts for a block's forward pass and a pipeline's message (its
// validation runs): all-reduces of two tensors; with sequence parallelism four halves of the same size.
func TestCalculonBytes(t *testing.T) {
	for _, c := range []struct {
		name         string
		pp, b, micro int
		tp, tpSP     float64
		p2p, p2pSP   float64
	}{
		{"gpt3-22b", 2, 4, 4, 201_326_592, 402_653_184, 100_663_296, 12_582_912},
		{"gpt3-175b", 8, 64, 1, 100_663_296, 201_326_592, 50_331_648, 6_291_456},
		{"gpt3-530b", 35, 280, 1, 167_772_160, 335_544_320, 83_886_080, 10_485_760},
		{"dense-1t", 64, 512, 1, 209_715_200, 419_430_400, 104_857_600, 13_107_200},
	} {
		plain, sp := gptTraining(t, c.name, c.pp, c.b, c.micro, 1, false), gptTraining(t, c.name, c.pp, c.b, c.micro, 1, true)
		layers, _ := plain.stageLayers()
		blocks := 2 * layers * plain.Microbatches() // forward and backward
		reduce := find(t, plain, "tp", collective.AllReduce, Exposed)
		gather, scatter := find(t, sp, "tp", collective.AllGather, Exposed), find(t, sp, "tp", collective.ReduceScatter, Exposed)
		for _, g := range []struct {
			what      string
			got, want float64
		}{
			{"tp", reduce.Bytes * float64(reduce.Count) / float64(blocks), c.tp},
			{"tp with sp", (gather.Bytes*float64(gather.Count) + scatter.Bytes*float64(scatter.Count)) / float64(blocks), c.tpSP},
			{"pp", find(t, plain, "pp", collective.Exchange, Exposed).Bytes, c.p2p},
			{"pp with sp", find(t, sp, "pp", collective.Exchange, Exposed).Bytes, c.p2pSP},
		} {
			if g.got != g.want {
				t.Errorf("%s, %s: %.0f bytes, want %.0f", c.name, g.what, g.got, g.want)
			}
		}
		// A reduce-scatter and an all-gather send what an all-reduce does.
		if a, b := reduce.Wire(), gather.Wire()+scatter.Wire(); math.Abs(a/b-1) > 1e-12 {
			t.Errorf("%s: %g bytes sent without sp, %g with", c.name, a, b)
		}
	}
}

// TestUBMeshTraffic: the volumes of UB-Mesh's table (arXiv:2503.20377, Table 1) in MiB. TP and EP follow from a
// width of 12,288, 8,192 tokens, 48 layers of a stage, 26 microbatches, tp = 16 and ep = 8 with one expert a
// token: 4,992 all-reduces of 192 MiB, of which 360 are sent, and as many all-to-alls of 12, of which 10.5 are.
// The others are taken as printed; the shares are 52.89, 44.08, 1.54, 0.15 and 1.34 %.
func TestUBMeshTraffic(t *testing.T) {
	const mib = 1 << 20
	m := gpt("moe-2t", "", 96, 12288, 96)
	m.Experts = &Experts{Routed: 8, Active: 1, FFN: 4 * 12288}
	x := &Training{Model: m, Sequence: 8192, Batch: 26 * 8,
		Parallelism: Parallelism{TP: 16, CP: 1, PP: 2, DP: 8, EP: 8, SP: true, Interleave: 1, MicroBatch: 1}}
	if err := x.Check(256); err != nil {
		t.Fatal(err)
	}
	var list []Communication
	tp, count := 0.0, 0
	for _, c := range x.Communications() {
		if c.Parallelism == "tp" && c.When == Exposed {
			tp += c.Wire()
			count += c.Count
			list = append(list, c)
		}
	}
	if count != 2*4992 || tp != 4992*360*mib {
		t.Errorf("tp: %d halves, %g MiB, want 9984 and %d", count, tp/mib, 4992*360)
	}
	ep := find(t, x, "ep", collective.AllToAll, Exposed)
	if ep.Count != 4992 || ep.Wire() != 4992*10.5*mib {
		t.Errorf("ep: %s, %g MiB, want 4992 times 10.5", ep, ep.Wire()/mib)
	}
	printed := func(name string, k collective.Kind, n int, wire float64, count int) Communication {
		return Communication{Parallelism: name, Kind: k, Group: Group{1, n}, Bytes: wire * mib / k.WireShare(n), Count: count}
	}
	list = append(list, ep, printed("sp", collective.AllGather, 16, 180, 4992), printed("sp", collective.AllGather, 16, 360, 1664),
		printed("pp", collective.Exchange, 2, 192, 26), printed("dp", collective.AllReduce, 64, 711.75, 64))
	shares := Shares(list)
	for name, want := range map[string]float64{"tp": 52.89, "sp": 44.08, "ep": 1.54, "pp": 0.15, "dp": 1.34} {
		if got := 100 * shares[name]; math.Abs(got-want) > 0.006 {
			t.Errorf("%s: %.3f %%, want %.2f", name, got, want)
		}
	}
}

// TestZeROTraffic: replicas send as much with stages 0, 1 and 2, and half as much again with stage 3
// (Rajbhandari et al., section 7); from stage 2 on gradients are scattered with every microbatch.
func TestZeROTraffic(t *testing.T) {
	m, err := Model("gpt3-22b")
	if err != nil {
		t.Fatal(err)
	}
	wire := func(stage, batch int) float64 {
		x := &Training{Model: m, Sequence: 2048, Batch: batch, Parallelism: Parallelism{TP: 1, CP: 1, PP: 1, DP: 512, EP: 1, Interleave: 1, MicroBatch: 1, ZeRO: stage}}
		sum := 0.0
		for _, c := range x.Communications() {
			if c.Parallelism != "dp" || c.Group != (Group{1, 512}) {
				t.Errorf("stage %d: %s", stage, c)
			}
			sum += c.Wire()
		}
		return sum
	}
	total, _ := m.Params()
	one := 2 * 511.0 / 512 * 2 * float64(total)
	for _, c := range []struct {
		stage, batch int
		want         float64
	}{{0, 512, 1}, {1, 512, 1}, {2, 512, 1}, {3, 512, 1.5}, {0, 2048, 1}, {1, 2048, 1}, {2, 2048, 2.5}, {3, 2048, 6}} {
		if got := wire(c.stage, c.batch) / one; math.Abs(got-c.want) > 1e-9 {
			t.Errorf("stage %d, %d sequences: %g, want %g", c.stage, c.batch, got, c.want)
		}
	}
}

// TestGroups: ranks that differ in one coordinate alone, and groups at once cover all ranks.
func TestGroups(t *testing.T) {
	m, err := Model("deepseek-v3")
	if err != nil {
		t.Fatal(err)
	}
	x := &Training{Model: m, Sequence: 4096, Batch: 64, Parallelism: Parallelism{TP: 2, CP: 2, PP: 4, DP: 8, EP: 8, SP: true, Interleave: 1, MicroBatch: 1, ZeRO: 1}}
	if err := x.Check(128); err != nil {
		t.Fatal(err)
	}
	want := map[string]Group{"tp": {1, 2}, "cp": {2, 2}, "ep": {2, 8}, "pp": {32, 4}, "dp": {2, 16}, "dp of experts": {16, 2}}
	seen := make(map[string]bool)
	for _, c := range x.Communications() {
		seen[c.Parallelism] = true
		if c.Group != want[c.Parallelism] {
			t.Errorf("%s, want group %v", c, want[c.Parallelism])
		}
	}
	if len(seen) != len(want) {
		t.Errorf("communications of %v, want of %v", seen, want)
	}
	// Keys and values of DeepSeek's attention are made of 512 + 64 numbers a token; 64 microbatch passes of 16
	// layers of three passes of one message.
	if c := find(t, x, "cp", collective.Exchange, BesideCore); c.Bytes != 2*2048*576 || c.Count != 8*16*3 {
		t.Errorf("%s, want 384 of 2359296 B", c)
	}
	// Each rank has a half of 2,048 tokens, each of which goes to eight experts.
	if c := find(t, x, "ep", collective.AllToAll, Exposed); c.Bytes != 1024*8*7168*2 || c.Count != 4*8*16 {
		t.Errorf("%s, want 512 of 117440512 B", c)
	}
}

// TestCheck: each product is named with how far it misses.
func TestCheck(t *testing.T) {
	for _, c := range []struct {
		change func(*Training)
		want   string
	}{
		{func(x *Training) { x.DP = 3; x.Batch = 63 }, "8 x 1 x 8 x 3 = 192 ranks, 128 more than the 64 accelerators"},
		{func(x *Training) { x.PP = 6 }, "8 x 1 x 6 x 1 = 48 ranks leave 16 of the 64 accelerators idle"},
		{func(x *Training) { x.TP, x.PP = 64, 1 }, "tp = 64 does not divide the 96 heads of gpt3-175b: 32 are left over"},
		{func(x *Training) { x.MicroBatch = 3 }, "dp x micro = 1 x 3 = 3 does not divide the batch of 64: 1 sequences are left over"},
		{func(x *Training) { x.Interleave = 13 }, "pp x interleave = 8 x 13 = 104 chunks, 8 more than the 96 layers"},
		{func(x *Training) { x.Batch, x.Interleave = 63, 2 }, "batch/(dp x micro) = 63 is 7 more than a multiple of 8"},
		{func(x *Training) { x.EP = 2 }, "ep = 2, but gpt3-175b has no experts"},
		{func(x *Training) { x.SP, x.Sequence = true, 2044 }, "cp x tp = 1 x 8 = 8 does not divide the sequence of 2044, as sp needs: 4 tokens"},
		{func(x *Training) { x.CP, x.PP, x.Sequence = 8, 1, 2044 }, "cp = 8 does not divide the sequence of 2044: 4 tokens are left over"},
		{func(x *Training) { x.ZeRO = 4 }, "zero = 4"},
		{func(x *Training) { x.TP = 0 }, "tp = 0; at least 1"},
		// 2^64 ranks, whose number is 0 in 64 bits
		{func(x *Training) { x.TP, x.CP, x.PP, x.DP = 1<<16, 1<<16, 1<<16, 1<<16 }, "are more than 9007199254740992 ranks"},
	} {
		x := gptTraining(t, "gpt3-175b", 8, 64, 1, 1, false)
		c.change(x)
		if err := x.Check(64); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v\nwant %s", err, c.want)
		}
	}
	m, err := Model("deepseek-v3")
	if err != nil {
		t.Fatal(err)
	}
	x := &Training{Model: m, Sequence: 4096, Batch: 64, Parallelism: Parallelism{TP: 2, CP: 1, PP: 1, DP: 16, EP: 24, Interleave: 1, MicroBatch: 1}}
	for _, want := range []string{"ep = 24 does not divide the 256 experts", "cp x dp = 1 x 16 = 16, whose ranks share the experts: 16 are left over", "set sp"} {
		if err := x.Check(32); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v\nwant %s", err, want)
		}
	}
}
