package cutthrough

import (
	"container/heap"
	"context"
	"fmt"
	"math"
	"testing"

	"toposearch/internal/racing"
	"toposearch/simcore"
	"toposearch/simcore/route"
	"toposearch/simcore/traffic"
	"toposearch/topology"
	"toposearch/topology/family/familytest"
)

// The twin is the model as one would write it down: packets are objects, one queue of closures in
// order of time, no windows, no lists threaded through packets, queues as slices.
type twin struct {
	s       *Sim // for the tables of ports and times
	now     int64
	todo    agenda
	seq     int
	free    []int64   // outputs
	busy    []int64   // inputs
	credit  []int64   // by output and VC; with PFC less what was sent
	turn    [][]int32 // by output and VC: inputs with packets, in turn
	wait    []map[int32][]*parcel
	last    []int32
	nicFree []int64
	nicRoom []int64
	nicWait [][]*parcel
	sum     int64
	count   int
	longest int64
	hops    int
	pause   *twinPFC // nil: credits
	armed   map[[2]int64]bool
}

// parcel is a packet.
type parcel struct {
	p             simcore.Packet
	created, tail int64
	size          int
	in, vc        int32
	lo, hi        int32
}

func (t *twin) later(at int64, kind int, port int32, do func()) {
	t.seq++
	heap.Push(&t.todo, task{at, kind, port, t.seq, do})
}

func newTwin(s *Sim) *twin {
	t := &twin{s: s, armed: map[[2]int64]bool{}, free: make([]int64, len(s.out)), busy: make([]int64, len(s.in)), credit: make([]int64, len(s.lanes)),
		turn: make([][]int32, len(s.lanes)), wait: make([]map[int32][]*parcel, len(s.lanes)), last: make([]int32, len(s.out)),
		nicFree: make([]int64, len(s.nic)), nicRoom: make([]int64, len(s.nicCredit)), nicWait: make([][]*parcel, len(s.nic))}
	for l := range t.wait {
		t.wait[l] = map[int32][]*parcel{}
		t.credit[l] = int64(s.perVC)
		if s.out[l/s.vcs].downSw < 0 {
			t.credit[l] = math.MaxInt32 / 2
		}
	}
	for i := range t.nicRoom {
		t.nicRoom[i] = int64(s.perVC)
	}
	if s.cfg.FlowControl == PFC {
		t.pause = newTwinPFC(s)
		for l := range t.credit {
			t.credit[l] = math.MaxInt32
		}
		for i := range t.nicRoom {
			t.nicRoom[i] = math.MaxInt32
		}
	}
	return t
}

// offer creates every packet of the run, drawn as the engine draws them.
func (t *twin) offer(load float64, until int64) {
	s := t.s
	gap := s.mean * 8000 / (load * s.cfg.BandwidthGbps)
	var base [3]uint64
	for i := range base {
		r := simcore.NewRand(s.cfg.Seed, uint64(i+1))
		base[i] = r.Uint64()
	}
	for e := range s.net.Endpoints() {
		arrive, dest, own := simcore.NewRand(base[0], uint64(e)), simcore.NewRand(base[1], uint64(e)), simcore.NewRand(base[2], uint64(e))
		next := func() int64 { return int64(-math.Log(1-arrive.Float64())*gap + 0.5) }
		for at := next(); at < until; at += next() {
			x := &parcel{created: at}
			dst := s.traffic.Dest(topology.EndpointID(e), &dest)
			if len(s.sums) > 1 {
				for d := arrive.IntN(s.sums[len(s.sums)-1]); d >= s.sums[x.size]; {
					x.size++
				}
			}
			x.p = simcore.Packet{Src: topology.EndpointID(e), Dst: dst, Mid: -1, Rand: simcore.NewRand(own.Uint64(), 0)}
			en := s.routing.Inject(&x.p, nil)
			x.lo, x.hi = int32(en.Lo), min(int32(en.Hi), int32(s.vcs-1))
			k := s.epTie[s.epStart[e]+int32(en.Port)]
			x.p.Port = uint8(en.Port)
			t.later(at, 5, s.nic[k].in, func() {
				t.nicWait[k] = append(t.nicWait[k], x)
				t.inject(k)
			})
		}
	}
}

func (t *twin) inject(k int32) {
	s := t.s
	if len(t.nicWait[k]) == 0 || t.nicFree[k] > t.now {
		return
	}
	x := t.nicWait[k][0]
	best := int32(-1)
	for v := x.lo; v <= x.hi; v++ {
		if t.pause != nil && t.pause.nicStop[[2]int32{k, v}] {
			continue
		}
		if room := t.nicRoom[k*int32(s.vcs)+v]; room >= int64(s.bytes[x.size]) && (best < 0 || room > t.nicRoom[k*int32(s.vcs)+best]) {
			best = v
		}
	}
	if best < 0 {
		return
	}
	t.nicWait[k] = t.nicWait[k][1:]
	t.nicRoom[k*int32(s.vcs)+best] -= int64(s.bytes[x.size])
	ser := s.ser[0][x.size]
	t.nicFree[k] = t.now + ser
	t.later(t.nicFree[k], 7, s.nic[k].in, func() { t.inject(k) })
	x.vc, x.in = best, s.nic[k].in
	at := t.now
	x.tail = at
	if !s.internal {
		at += s.cable[0] + s.pass[0]
		x.tail = at + ser
	}
	t.later(at, 4, x.in, func() { t.arrive(s.nic[k].sw, x) })
}

func (t *twin) arrive(sw int32, x *parcel) {
	s := t.s
	t.store(sw, x)
	x.p.VC = uint8(x.vc)
	h := s.routing.Route(topology.SwitchID(sw), &x.p, nil)
	x.p.Hops++
	o, vc := int32(-1), int32(h.Lo)
	if h.Channel != simcore.Eject {
		first, _ := s.net.Out(topology.SwitchID(sw))
		o = s.outStart[sw] + int32(h.Channel-first)
		for v := vc; v <= int32(h.Hi); v++ {
			if a, b := t.mayNot(o, v), t.mayNot(o, vc); !a && b || a == b && t.credit[o*int32(s.vcs)+v] > t.credit[o*int32(s.vcs)+vc] {
				vc = v
			}
		}
	} else {
		vc = 0
		for k := range s.nic {
			if s.nic[k].endpoint == int32(x.p.Dst) && s.nic[k].sw == sw && !s.internal {
				o = s.eject(int32(k))
			}
		}
	}
	if o < 0 {
		tail := x.tail
		if s.in[x.in].upSw >= 0 {
			tail -= s.pass[1]
		}
		t.giveBack(x, max(t.now, x.tail))
		t.done(x, tail)
		return
	}
	l := o*int32(s.vcs) + vc
	in := x.in
	if !s.voq {
		in = 0
	}
	if len(t.wait[l][in]) == 0 {
		t.turn[l] = append(t.turn[l], in)
	}
	t.wait[l][in] = append(t.wait[l][in], x)
	t.serve(o)
}

func (t *twin) giveBack(x *parcel, tail int64) {
	s := t.s
	if t.pause != nil {
		t.leave(x)
		return
	}
	in, vc, b := &s.in[x.in], x.vc, int64(s.bytes[x.size])
	if in.upSw < 0 {
		k := in.up
		if !s.internal {
			tail += s.cable[0] + s.control
		}
		t.later(tail, 1, x.in, func() {
			t.nicRoom[k*int32(s.vcs)+vc] += b
			t.inject(k)
		})
		return
	}
	t.later(tail+s.cable[in.class]+s.control, 0, in.up, func() {
		t.credit[in.up*int32(s.vcs)+vc] += b
		t.serve(in.up)
	})
}

// again looks at an output at a time, once.
func (t *twin) again(at int64, o int32) {
	k := [2]int64{at, int64(o)}
	if !t.armed[k] {
		t.armed[k] = true
		t.later(at, 6, o, func() {
			delete(t.armed, k)
			t.serve(o)
		})
	}
}

func (t *twin) serve(o int32) {
	s := t.s
	if t.free[o] > t.now {
		t.again(t.free[o], o)
		return
	}
	for k := range int32(s.vcs) {
		vc := (t.last[o] + 1 + k) % int32(s.vcs)
		l := o*int32(s.vcs) + vc
		for i, in := range t.turn[l] {
			x := t.wait[l][in][0]
			if t.credit[l] < int64(s.bytes[x.size]) || t.mayNot(o, vc) {
				break
			}
			if s.voq && t.busy[x.in] > t.now {
				t.again(t.busy[x.in], o)
				continue
			}
			t.wait[l][in] = t.wait[l][in][1:]
			t.turn[l] = append(append([]int32{}, t.turn[l][:i]...), t.turn[l][i+1:]...)
			if len(t.wait[l][in]) > 0 {
				t.turn[l] = append(t.turn[l], in)
			}
			t.send(o, vc, x)
			return
		}
	}
}

func (t *twin) send(o, vc int32, x *parcel) {
	s := t.s
	out := &s.out[o]
	t.free[o], t.last[o] = t.now+s.ser[out.class][x.size], vc
	tail := max(t.free[o], x.tail)
	if in := &s.in[x.in]; s.voq && (in.upSw >= 0 || !s.internal) {
		t.busy[x.in] = t.now + s.read[in.class][x.size]
	}
	t.giveBack(x, tail)
	t.again(t.free[o], o)
	cable := s.cable[out.class]
	if out.downSw < 0 {
		t.done(x, tail+cable)
		return
	}
	t.credit[o*int32(s.vcs)+vc] -= int64(s.bytes[x.size])
	pass := s.pass[0]
	if s.net.Embedded(topology.SwitchID(out.downSw)) {
		pass = s.pass[1]
	}
	x.vc, x.in, x.tail = vc, out.down, tail+cable+pass
	t.later(t.now+cable+pass, 4, x.in, func() { t.arrive(out.downSw, x) })
}

func (t *twin) done(x *parcel, tail int64) {
	from, to := int64(t.s.cfg.WarmupNs)*1000, int64(t.s.cfg.WarmupNs+t.s.cfg.MeasureNs)*1000
	if x.created < from || x.created >= to {
		return
	}
	t.sum += tail - x.created
	t.longest = max(t.longest, tail-x.created)
	t.count++
	t.hops += int(x.p.Hops)
}

// The engine and its twin agree to the picosecond: the same packets, the same sum of latencies, the
// same longest one. Packet sizes are odd and cables differ, so that few events coincide.
func TestTwin(t *testing.T) {
	racing.Figures(t)
	designs := []string{"dragonfly(p=2,a=4,h=2)", "fattree(k=4,l=3)", "bcube(n=3,l=2)", "zcube(n=3,k=2)", "hpn(k=16,g=4,segments=2)",
		"hammingmesh(a=2,b=2,x=2,y=2,k=8)", "omega(k=2,n=3)", "torus(k1=4,k2=3,t=2)"}
	for i, design := range designs {
		if testing.Short() && i%3 != 0 {
			continue
		}
		for k, load := range []float64{0.15, 0.3, 0.25, 0.35, 0.8} {
			c := DefaultConfig()
			c.Queueing = []string{VOQ, Output}[k&1]
			c.WarmupNs, c.MeasureNs, c.DrainNs, c.Seed = 3000, 12_000, 60_000, uint64(i*10+k)
			if k == 4 { // long queues at the sources, also of several ports
				c.MeasureNs = 4000
			}
			if c.Speedup = 1.3; k == 2 || k == 3 {
				c.Sizes, c.Weights, c.BufferBytes = []int{67, 1501, 4096}, []int{2, 1, 3}, 400_000
			}
			s := twinSim(t, design, c)
			if s.Endpoints() > 40 { // as many packets as on the smaller ones
				s.cfg.MeasureNs = 3000
			}
			agrees(t, s, load, fmt.Sprintf("%s %s at %g", design, c.Queueing, load))
		}
	}
}

// agrees runs both.
func agrees(t *testing.T, s *Sim, load float64, name string) *twin {
	t.Helper()
	p, err := s.Run(context.Background(), load)
	if err != nil {
		t.Fatal(err)
	}
	w := newTwin(s)
	w.offer(load, s.now)
	for len(w.todo) > 0 && w.todo[0].at < s.now {
		x := heap.Pop(&w.todo).(task)
		w.now = x.at
		x.do()
	}
	if w.count == 0 {
		t.Errorf("%s: no packets", name)
	}
	pauses := int64(0)
	if w.pause != nil {
		pauses = w.pause.pauses
	}
	mean := float64(w.sum) / float64(w.count) / 1000
	if int64(w.count) != p.Packets || math.Abs(mean-p.Latency.Mean) > 1e-6 || math.Abs(float64(w.longest)/1e6-p.LatencyUs.Max) > 1e-9 ||
		math.Abs(float64(w.hops)/float64(w.count)-p.Hops.Switches) > 1e-9 || pauses != p.Pauses || p.Dropped > 0 {
		t.Errorf("%s: %d packets take %.6f ns, at most %.6f us, with %d pauses; the twin's %d take %.6f, at most %.6f, with %d", name, p.Packets, p.Latency.Mean,
			p.LatencyUs.Max, p.Pauses, w.count, mean, float64(w.longest)/1e6, pauses)
	}
	return w
}

func twinSim(t *testing.T, design string, c Config) *Sim { return twinWith(t, design, "uniform", c) }

func twinWith(t *testing.T, design, pattern string, c Config) *Sim {
	t.Helper()
	d, n := familytest.Build(t, design)
	opt := route.Options{}
	if d.Family.Natural != nil {
		opt.Natural = d.Family.Natural(d.V)
	}
	r, err := route.ByName(t.Context(), "natural", n, opt)
	if err != nil {
		t.Fatal(err)
	}
	tr, err := traffic.ByName(pattern, traffic.Options{Network: n})
	if err != nil {
		t.Fatal(err)
	}
	c.BandwidthGbps = 400
	for i := range n.LinkClasses {
		c.ClassGbps = append(c.ClassGbps, 400*float64(max(1, n.Lanes[i]))/float64(n.EndpointLanes))
		c.ClassCableNs = append(c.ClassCableNs, 13.371*float64(i+1))
	}
	s, err := New(n, r, tr, c)
	if err != nil {
		t.Fatal(err)
	}
	return s
}
