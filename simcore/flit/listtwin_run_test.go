package flit_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"toposearch/internal/racing"
	"toposearch/simcore"
	"toposearch/simcore/booksim"
	"toposearch/simcore/flit"
)

// taping notes every packet before the routing sees it.
type taping struct {
	flit.PortRouting
	made *[]*tPacket
}

func (r taping) InjectPort(p *simcore.Packet, v *simcore.View) simcore.Entry {
	created, size, seq := flit.Facts(p)
	*r.made = append(*r.made, &tPacket{Packet: *p, created: created, size: size, seq: int(seq)})
	return r.PortRouting.InjectPort(p, v)
}

type tapingAgain struct {
	taping
	again flit.Reinjector
}

func (r tapingAgain) Reinject(p *simcore.Packet, v *simcore.View) (lo, hi uint8) {
	return r.again.Reinject(p, v)
}

// listTwin runs a configuration of BookSim2 on the engine and on the list twin, and compares what
// both injected, moved through switches and delivered in every cycle.
func listTwin(t *testing.T, text string, load float64, cycles int, general bool) {
	t.Helper()
	r, diags := booksim.Parse("x.cfg", text, nil)
	if r == nil {
		t.Fatalf("%s: %v", text, diags)
	}
	plant, routing, traffic, cfg := r.Sim().Insides()
	if general {
		cfg.General()
	}
	var made []*tPacket
	tape := taping{routing, &made}
	var use flit.PortRouting = tape
	if again, ok := routing.(flit.Reinjector); ok {
		use = tapingAgain{tape, again}
	}
	fast, err := flit.NewPlant(plant, use, traffic, cfg)
	if err != nil {
		t.Fatal(err)
	}
	fast.Reset(load, 11)
	fast.Record(0, 0, flit.Forever, true)
	type tally struct{ injected, moved, accepted int64 }
	want := make([]tally, cycles)
	for i := range want {
		fast.Step(1)
		c := fast.Counts()
		want[i] = tally{c.Injected, c.FlitHops, c.Accepted}
	}
	slow := newTwin(plant, routing, &cfg)
	for _, p := range made {
		d := &slow.nodes[p.Src]
		d.queue = append(d.queue, p)
	}
	for i := range want {
		slow.cycle()
		if got := (tally{slow.injected, slow.moved, slow.accepted}); got != want[i] {
			t.Errorf("%s load %.2f: after cycle %d the engine has injected, moved, delivered %v, the twin %v", text, load, i, want[i], got)
			return
		}
	}
	c := fast.Counts()
	if sum := int64(c.Latency.Mean()*float64(c.Latency.N()) + 0.5); sum != slow.latency || c.Accepted < 5 {
		t.Errorf("%s load %.2f: latencies add up to %d, the twin's to %d; %d flits arrived", text, load, sum, slow.latency, c.Accepted)
	}
}

// twinNets are small networks of every kind with their VCs.
var twinNets = []string{
	"topology=mesh;k=3;n=2;routing_function=dor", "topology=mesh;k=2;n=3;routing_function=xy_yx;num_vcs=3",
	"topology=mesh;k=3;n=2;routing_function=adaptive_xy_yx", "topology=mesh;k=3;n=2;routing_function=romm",
	"topology=mesh;k=3;n=2;routing_function=min_adapt", "topology=mesh;k=3;n=2;routing_function=planar_adapt",
	"topology=torus;k=3;n=2;routing_function=dim_order", "topology=torus;k=4;n=2;routing_function=dim_order_bal",
	"topology=torus;k=4;n=1;routing_function=valiant", "topology=torus;k=3;n=2;routing_function=min_adapt",
	"topology=fattree;k=2;n=3;routing_function=anca", "topology=fattree;k=4;n=2;routing_function=nca",
	"topology=fly;k=2;n=3;routing_function=dest_tag", "topology=fly;k=6;n=1;routing_function=dest_tag",
	"topology=flatfly;k=3;n=2;c=1;x=3;y=3;routing_function=ugal", "topology=flatfly;k=2;n=2;c=4;x=2;y=2;xr=2;yr=2;routing_function=ugal_xyyx",
	"topology=flatfly;k=4;n=1;c=2;x=4;y=1;xr=2;routing_function=valiant", "topology=cmesh;k=2;n=2;c=4;xr=2;yr=2;routing_function=dor_no_express",
	"topology=dragonflynew;k=1;n=1;routing_function=min;num_vcs=2", "topology=dragonflynew;k=1;n=1;routing_function=ugal;num_vcs=3",
	"topology=qtree;k=3;n=2;routing_function=nca",
}

// drawConfig draws the parameters of a router.
func drawConfig(r *rand.Rand) string {
	var b strings.Builder
	set := func(key string, values ...string) {
		fmt.Fprintf(&b, "%s=%s;", key, values[r.IntN(len(values))])
	}
	net := twinNets[r.IntN(len(twinNets))]
	set("num_vcs", "4", "4", "5", "8")
	b.WriteString(net + ";")
	alloc := []string{"separable_input_first", "separable_input_first", "separable_input_first(matrix)", "separable_output_first",
		"separable_output_first(matrix)", "islip", "islip(3)", "wavefront", "rr_wavefront"}
	set("vc_buf_size", "1", "2", "3", "8")
	set("packet_size", "1", "1", "2", "5", "{{1,3}}", "{{1,6}}")
	set("vc_allocator", alloc...)
	set("sw_allocator", alloc...)
	set("priority", "none", "none", "none", "age", "network_age", "local_age", "queue_length", "hop_count", "sequence")
	set("routing_delay", "1", "1", "1", "0", "0", "2", "3")
	set("credit_delay", "1", "0", "3")
	set("st_prepare_delay", "0", "0", "0", "1", "2")
	set("input_speedup", "1", "1", "2", "3")
	set("output_speedup", "1", "1", "2")
	set("internal_speedup", "1", "1", "1.5", "2", "1.25")
	set("output_buffer_size", "-1", "-1", "1", "3")
	set("wait_for_tail_credit", "0", "0", "1")
	set("hold_switch_for_packet", "0", "0", "1")
	set("vc_busy_when_full", "0", "0", "1")
	set("vc_prioritize_empty", "0", "0", "0", "1")
	set("vc_shuffle_requests", "0", "0", "1")
	if r.IntN(3) == 0 {
		b.WriteString("speculative=1;")
		set("spec_sw_allocator", append([]string{"prio", "prio", "prio"}, alloc...)...)
		set("spec_check_elig", "1", "1", "0")
		set("spec_check_cred", "1", "1", "0")
		set("spec_mask_by_reqs", "0", "1")
	}
	return b.String() + "traffic=uniform;injection_rate_uses_flits=1;injection_rate=0.5;"
}

// Random routers on random networks, cycle by cycle.
func TestListTwin(t *testing.T) {
	racing.Figures(t)
	runs := 120
	if testing.Short() || racing.On {
		runs = 20
	}
	for i := range runs {
		r := rand.New(rand.NewPCG(uint64(i), 5))
		text := drawConfig(r)
		listTwin(t, text, []float64{0.2, 0.6, 1}[r.IntN(3)], 200, r.IntN(2) == 0)
		if t.Failed() {
			return
		}
	}
}
