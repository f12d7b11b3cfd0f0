package flit_test

import (
	"context"
	"fmt"
	"math"
	"testing"

	"toposearch/internal/racing"
	"toposearch/simcore/booksim"
	"toposearch/simcore/flit"
)

// listMeasure is BookSim2's traffic manager as reference/simcore.md 1.9 tells it, on the list twin. A
// nil one measures nothing.
type listMeasure struct {
	state     string // warming, running, draining, stopped
	period    int
	warmup    int
	most      int
	latency   bool // sim_type
	thres     float64
	warm      [2]float64 // thresholds of latency and accepted rate
	stop      [2]float64
	atHeadNow bool // include_queuing = 0

	drainTime                    int
	plat, nlat, frag, hops, flat int64
	samples, flits, recorded     int64 // recorded: packets under way
	acceptedOf                   []int64
	injected                     int64
	inFlight                     map[*tPacket]bool
}

func (m *listMeasure) stopped() bool { return m != nil && m.state == "stopped" }

func (m *listMeasure) accept(node int) {
	if m != nil && (m.state == "warming" || m.state == "running") {
		m.acceptedOf[node]++
	}
}

func (m *listMeasure) inject() {
	if m != nil && (m.state == "warming" || m.state == "running") {
		m.injected++
	}
}

func (m *listMeasure) atHead(p *tPacket, t int) {
	if m == nil {
		return
	}
	if m.atHeadNow {
		p.created = t
	}
	p.record = m.state == "running" || m.state == "draining" && p.created < m.drainTime
	m.inFlight[p] = true
	if p.record {
		m.recorded++
	}
}

func (m *listMeasure) retire(f *tFlit, t int) {
	if m == nil {
		return
	}
	p := f.p
	m.flat += int64(t - f.injected)
	m.flits++
	p.gone++
	if f.head {
		p.headAt = t
	}
	if !f.tail {
		return
	}
	delete(m.inFlight, p)
	if p.record {
		m.recorded--
	}
	if m.state == "warming" || p.record {
		m.plat += int64(t - p.created)
		m.nlat += int64(t - p.injected)
		m.frag += int64(t - p.headAt - (p.size - 1))
		m.hops += int64(f.hops_)
		m.samples++
	}
}

func (m *listMeasure) clear() {
	m.plat, m.nlat, m.frag, m.hops, m.flat, m.samples, m.flits, m.injected = 0, 0, 0, 0, 0, 0, 0, 0
	clear(m.acceptedOf)
}

// tooSlow is the test of latency_thres.
func (m *listMeasure) tooSlow(t int) bool {
	sum, n := float64(m.plat), float64(m.samples)
	for p := range m.inFlight {
		sum += float64((t - p.created) * (p.size - p.gone))
		n += float64(p.size - p.gone)
	}
	return m.latency && m.thres >= 0 && n > 0 && sum/n > m.thres
}

// measured is what a run of the twin gives.
type measured struct {
	status                               string
	plat, nlat, frag, hops, flat         float64
	accepted, injected, acceptMin, acMax float64
	packets, cycles                      int64
}

func (n *twin) measure(m *listMeasure) (out measured) {
	n.m = m
	m.state, m.inFlight, m.acceptedOf = "warming", map[*tPacket]bool{}, make([]int64, len(n.nodes))
	var cleared int
	var last [2]float64
	converged, clearNow := 0, false
	for p := 0; p < m.most && (m.state != "running" || converged < 3); p++ {
		if clearNow || m.state == "warming" && p%2 == 0 {
			m.clear()
			cleared, clearNow = n.t, false
		}
		for range m.period {
			n.cycle()
		}
		if m.tooSlow(n.t) {
			out.status = booksim.StatusUnstable
			return out
		}
		var acc int64
		for _, a := range m.acceptedOf {
			acc += a
		}
		now := [2]float64{float64(m.plat) / float64(m.samples), float64(acc) / float64(n.t-cleared) / float64(len(n.nodes))}
		change := [2]float64{math.Abs(now[0]-last[0]) / now[0], math.Abs(now[1]-last[1]) / now[1]}
		last = now
		within := func(thres [2]float64) bool {
			return (!m.latency || thres[0] < 0 || change[0] <= thres[0]) && (thres[1] < 0 || change[1] <= thres[1])
		}
		if m.state == "warming" {
			if m.warmup > 0 && p+1 >= m.warmup || m.warmup <= 0 && within(m.warm) {
				m.state, clearNow = "running", true
			}
		} else if within(m.stop) {
			converged++
		} else {
			converged = 0
		}
	}
	if m.state != "running" {
		out.status = booksim.StatusNotWarm
		return out
	}
	m.drainTime = n.t
	per := 1 / float64(n.t-cleared)
	out.acceptMin = math.Inf(1)
	for _, a := range m.acceptedOf {
		out.accepted += float64(a) * per / float64(len(n.nodes))
		out.acceptMin, out.acMax = min(out.acceptMin, float64(a)*per), max(out.acMax, float64(a)*per)
	}
	out.injected = float64(m.injected) * per / float64(len(n.nodes))
	m.state = "draining"
	for steps := 1; m.latency && (m.recorded > 0 || n.queuedBefore(m.drainTime)); steps++ {
		n.cycle()
		if steps%1000 == 0 && m.tooSlow(n.t) {
			out.status = booksim.StatusUnstable
			return out
		}
	}
	m.state = "stopped"
	for len(m.inFlight) > 0 {
		n.cycle()
	}
	s := float64(m.samples)
	out.plat, out.nlat, out.frag, out.hops = float64(m.plat)/s, float64(m.nlat)/s, float64(m.frag)/s, float64(m.hops)/s
	out.flat, out.packets, out.cycles, out.status = float64(m.flat)/float64(m.flits), m.samples, int64(n.t), booksim.StatusOK
	return out
}

// queuedBefore reports whether a source has a packet created before a cycle that waits for its turn.
func (n *twin) queuedBefore(t int) bool {
	for i := range n.nodes {
		if q := n.nodes[i].queue; len(q) > 0 && q[0].created < t {
			return true
		}
	}
	return false
}

// Whole runs of BookSim2's measurement, figure by figure.
func TestListMeasure(t *testing.T) {
	racing.Figures(t)
	base := "num_vcs=4;vc_buf_size=4;vc_allocator=separable_input_first;sw_allocator=separable_input_first;injection_rate_uses_flits=1;"
	for i, c := range []struct {
		text    string
		period  int
		warmup  int
		most    int
		latency bool
		thres   float64
		warm    [2]float64
		stop    [2]float64
		rate    float64
		status  string
	}{
		{"topology=mesh;k=3;routing_function=dor;", 200, 3, 6, true, -1, [2]float64{-1, -1}, [2]float64{-1, -1}, 0.3, "ok"},
		{"topology=mesh;k=3;routing_function=dor;packet_size={{1,4}};", 150, 2, 7, false, -1, [2]float64{-1, -1}, [2]float64{-1, -1}, 0.5, "ok"},
		{"topology=mesh;k=3;routing_function=dor;packet_size=3;", 100, 0, 20, true, 500, [2]float64{0.1, 0.1}, [2]float64{0.02, 0.02}, 0.3, "ok"},
		{"topology=torus;k=4;n=1;routing_function=dim_order;", 100, 0, 20, false, 500, [2]float64{0.05, 0.05}, [2]float64{-1, 0.01}, 0.4, "ok"},
		{"topology=fly;k=4;n=2;routing_function=dest_tag;packet_size=2;", 100, 2, 12, true, 500, [2]float64{0.05, 0.05}, [2]float64{0.05, 0.05}, 0.4, "ok"},
		{"topology=mesh;k=3;routing_function=dor;traffic=hotspot(4);", 200, 2, 20, true, 60, [2]float64{0.05, 0.05}, [2]float64{0.05, 0.05}, 0.5, "unstable"},
		{"topology=mesh;k=3;routing_function=dor;traffic=hotspot(4);", 200, 2, 5, true, 135, [2]float64{-1, -1}, [2]float64{-1, -1}, 0.112, "ok"},
		{"topology=mesh;k=3;routing_function=dor;", 50, 0, 6, true, 500, [2]float64{1e-6, 1e-6}, [2]float64{0.1, 0.1}, 0.3, "not_warm"},
		{"topology=mesh;k=3;routing_function=dor;include_queuing=0;", 200, 1, 4, false, -1, [2]float64{-1, -1}, [2]float64{-1, -1}, 1, "ok"},
		{"topology=mesh;k=3;routing_function=dor;include_queuing=0;packet_size=3;", 200, 1, 4, true, -1, [2]float64{-1, -1}, [2]float64{-1, -1}, 0.9, "ok"},
		{"topology=mesh;k=3;routing_function=dor;packet_size=4;", 200, 1, 3, true, -1, [2]float64{-1, -1}, [2]float64{-1, -1}, 1, "ok"},
		{"topology=mesh;k=3;routing_function=dor;packet_size=4;", 300, 1, 3, true, 80, [2]float64{-1, -1}, [2]float64{-1, -1}, 1, "unstable"},
	} {
		mode := map[bool]string{true: "latency", false: "throughput"}[c.latency]
		text := base + c.text + fmt.Sprintf("sim_type=%s;sample_period=%d;warmup_periods=%d;max_samples=%d;latency_thres=%g;warmup_thres=%g;"+
			"acc_warmup_thres=%g;stopping_thres=%g;acc_stopping_thres=%g;injection_rate=%g;seed=%d;", mode, c.period, c.warmup, c.most, c.thres,
			c.warm[0], c.warm[1], c.stop[0], c.stop[1], c.rate, i)
		r, diags := booksim.Parse("x.cfg", text, nil)
		if r == nil {
			t.Fatalf("%s: %v", text, diags)
		}
		res, err := r.Run(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		got := measured{res.Status, res.Latency.Mean, res.Network.Mean, res.Fragment, res.Hops, res.Flit.Mean, res.Accepted, res.Injected,
			res.AcceptMin, res.AcceptMax, res.Packets, res.Cycles}
		want := tapeOf(t, r, int(res.Cycles)+1000).measure(&listMeasure{period: c.period, warmup: c.warmup, most: c.most, latency: c.latency,
			thres: c.thres, warm: c.warm, stop: c.stop, atHeadNow: r.Settings.Values()["include_queuing"] == "0"})
		if got.status != c.status || want.status != c.status {
			t.Errorf("%s: status %s, the twin's %s, want %s", text, got.status, want.status, c.status)
			continue
		}
		if c.status == "ok" && !got.near(want) {
			t.Errorf("%s:\n got %+v\nwant %+v", text, got, want)
		}
	}
}

func (a measured) near(b measured) bool {
	for _, x := range [][2]float64{{a.plat, b.plat}, {a.nlat, b.nlat}, {a.frag, b.frag}, {a.hops, b.hops}, {a.flat, b.flat}, {a.accepted, b.accepted},
		{a.injected, b.injected}, {a.acceptMin, b.acceptMin}, {a.acMax, b.acMax}} {
		if math.Abs(x[0]-x[1]) > 1e-9*(1+math.Abs(x[1])) {
			return false
		}
	}
	return a.packets == b.packets && a.cycles == b.cycles
}

// tapeOf is a twin of a run with the packets that its sources make in so many cycles.
func tapeOf(t *testing.T, r *booksim.Run, cycles int) *twin {
	t.Helper()
	plant, routing, traffic, cfg := r.Sim().Insides()
	cfg.AtHead = false // creation times are those of the sources
	var made []*tPacket
	s, err := flit.NewPlant(plant, taping{routing, &made}, traffic, cfg)
	if err != nil {
		t.Fatal(err)
	}
	s.Reset(r.Load(), r.Seed())
	s.Step(cycles)
	n := newTwin(plant, routing, &cfg)
	for _, p := range made {
		d := &n.nodes[p.Src]
		d.queue = append(d.queue, p)
	}
	return n
}

// sim_type batch: every source sends batch_size packets as fast as it can; the time until all have
// arrived is the twin's.
func TestListBatch(t *testing.T) {
	racing.Figures(t)
	for i, text := range []string{
		"topology=mesh;k=3;routing_function=dor;batch_size=40;", "topology=torus;k=4;n=1;routing_function=dim_order;packet_size=3;batch_size=30;",
		"topology=fly;k=4;n=2;routing_function=dest_tag;packet_size={{1,5}};batch_size=25;traffic=randperm;", "topology=mesh;k=2;routing_function=dor;batch_size=1;",
	} {
		r, diags := booksim.Parse("x.cfg", fmt.Sprintf("num_vcs=4;vc_buf_size=4;sim_type=batch;seed=%d;%s", i, text), nil)
		if r == nil {
			t.Fatal(diags)
		}
		res, err := r.Run(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		plant, routing, traffic, cfg := r.Sim().Insides()
		var made []*tPacket
		s, err := flit.NewPlant(plant, taping{routing, &made}, traffic, cfg)
		if err != nil {
			t.Fatal(err)
		}
		s.Reset(64, r.Seed()) // more than any source can send: a packet whenever it has none
		s.Step(int(res.Cycles))
		n := newTwin(plant, routing, &cfg)
		for _, p := range made {
			n.nodes[p.Src].queue = append(n.nodes[p.Src].queue, p)
		}
		each, flits := int64(cfg.PacketsEach), int64(0)
		for _, p := range made {
			flits += int64(p.size)
		}
		for n.accepted < flits {
			n.cycle()
		}
		if int64(len(made)) != each*int64(len(n.nodes)) || res.Packets != int64(len(made)) || res.Cycles != int64(n.t) {
			t.Errorf("%s: %d packets in %d cycles, the twin's %d in %d, want %d of each node", text, res.Packets, res.Cycles, len(made), n.t, each)
		}
	}
}
