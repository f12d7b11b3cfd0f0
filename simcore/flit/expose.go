package flit

import "toposearch/simcore"

// What follows lets a compatibility mode measure in its own way, cycle by cycle.

// Counts is what has been counted since Restart; slices and histograms are the Sim's own and
// change as it goes on.
type Counts struct {
	Accepted, Injected       int64   // flits
	AcceptedBy, InjectedBy   []int64 // by endpoint
	Latency, NetworkLatency  *simcore.Histogram
	FlitLatency              *simcore.Histogram // of all flits that have arrived, with TimeFlits
	SwitchSum, FragmentSum   int64              // over the sampled packets: switches passed; tail behind head beyond size - 1
	Packets                  int64              // whose tail has arrived
	Outstanding              int64              // recorded packets under way
	FlitHops                 int64              // since Reset
	InFlight                 int                // flits in the network
	Live                     int                // packets made and not arrived
	LastMove                 simcore.Cycle
	Attempts, Silent, NoPath int64 // packets drawn since Reset; of them not sent, not reachable
}

// Counts gives the counters.
func (s *Sim) Counts() Counts {
	t := &s.stat
	return Counts{t.accFlits, t.injFlits, t.acc, t.inj, &t.plat, &t.nlat, &t.flat, t.hops, t.frag, t.accPackets,
		t.outstanding, t.flitHops, s.inNet, s.live, s.moved, t.attempts, t.silent, t.unreachable}
}

// FullLoad is load 1, in flits per cycle of all endpoints that send.
func (s *Sim) FullLoad() float64 { return s.Rate() * s.senders() }

// Restart sets the counters of a window to zero.
func (s *Sim) Restart() { s.stat.restart() }

// Record says which packets are measured: those that reach the head of their source queue in
// cycle now or later and were created in [from, to). With all, every packet is sampled.
func (s *Sim) Record(now, from, to simcore.Cycle, all bool) {
	s.stat.recNow, s.stat.recFrom, s.stat.recTo, s.stat.all = now, from, to, all
}

// Forever is later than every cycle.
const Forever simcore.Cycle = never

// StopInjection makes no more packets; what waits for its creation is dropped.
func (s *Sim) StopInjection() { s.stopped = true }

// CreatedUpTo reports whether every packet due before a cycle has been made.
func (s *Sim) CreatedUpTo(c simcore.Cycle) bool { return !s.backlogBefore(c) }

// Ages is the sum of the ages of the flits of the packets under way, and their number; without
// TimeFlits those of packets of which a part has arrived count in full.
func (s *Sim) Ages() (sum, flits int64) {
	for _, pg := range s.pages[:s.pool.used.Load()] {
		for i := range pg.packet {
			if p := &pg.packet[i]; p.size > 0 {
				n := int64(p.size - p.gone)
				sum += (int64(s.now) - int64(p.created)) * n
				flits += n
			}
		}
	}
	return sum, flits
}

// Stuck reports whether flits are in the network and none has moved for the deadlock time.
func (s *Sim) Stuck() bool { return s.stuck() }

// FindDeadlock gives the cycle of packets that wait for each other.
func (s *Sim) FindDeadlock() *simcore.Deadlock { return s.findDeadlock() }

// Size is the number of switches, and of their ports: the larger of the inputs and the outputs,
// which are as many unless links are one-way.
func (s *Sim) Size() (switches, ports int) { return s.switches, int(max(s.nIn, s.nOut)) }
