package simcore

import (
	"slices"

	"toposearch/topology"
)

// Stage is what a network is like from a time on, until the next stage of its FailurePlan.
type Stage struct {
	At   int64             // cycles (cut-through: ns) after the beginning of the window
	Down topology.Failures // all that does not work
	// Idle are ports of endpoints that lead to spares and are not in use (topology.Network.Standby).
	Idle []topology.PortFailure
	// Routing is the one in force, by the numbers of the whole network; New says that the stage before had another.
	Routing Routing
	New     bool
	// Carry, of a stage whose routing is New: packets under way go on by it from where they are, as no mixture of its
	// routes with those before can deadlock. Otherwise all that is in the network is discarded as it comes into force.
	Carry bool
}

// FailurePlan says how parts of a network fail and return while it is simulated, in order of time. The first stage is
// the whole network at 0.
type FailurePlan []Stage

// Causes for which packets are lost.
const (
	LostOnLink    = iota // they were on a link that failed
	LostInSwitch         // they were in a switch that failed
	LostAtPort           // tables that are not repaired led them to a port that is down, or they waited there when it failed
	LostNoRoute          // under way when tables changed, where the new ones have no route onward
	LostDiscarded        // under way when tables changed to which they could not be handed over
	numLost
)

// Losses are packets lost, by cause.
type Losses struct {
	OnLink    int64 `json:"on_link"`
	InSwitch  int64 `json:"in_switch"`
	AtPort    int64 `json:"at_port"`
	NoRoute   int64 `json:"no_route"`
	Discarded int64 `json:"discarded"`
	Packets   int64 `json:"packets"`         // their sum
	Flits     int64 `json:"flits,omitempty"` // that these packets had
	Bytes     int64 `json:"bytes,omitempty"` // of the cut-through model instead
}

// FailureReport says what failures cost. Packets are counted from the beginning of the simulation to its end, warm-up and
// drain included: Generated = Delivered + Lost.Packets + UnderWay.
type FailureReport struct {
	Generated   int64   `json:"generated"`
	Delivered   int64   `json:"delivered"`
	Lost        Losses  `json:"lost"`
	UnderWay    int64   `json:"under_way"`             // at the end, in queues of sources too
	Unreachable int64   `json:"unreachable,omitempty"` // not generated, as no route led to their destination
	Phases      []Phase `json:"phases"`
}

// Phase is a piece of the window in which nothing fails, returns or is repaired.
type Phase struct {
	Stage int     `json:"-"`    // of the plan
	From  float64 `json:"from"` // cycles (cut-through: ns) after the beginning of the window
	To    float64 `json:"to"`
	// What does not work, and what the tables in force know not to. Whoever knows names fills them in.
	Down  []string `json:"down"`
	Known []string `json:"tables_without"`
	Stale bool     `json:"stale"` // the two differ
	// Moved are endpoints that a spare stands in for, "endpoint[5] to spare[0]".
	Moved []string `json:"moved,omitempty"`
	// UnreachablePairs are the ordered pairs of endpoints to which the tables in force have no route.
	UnreachablePairs int64 `json:"unreachable_pairs,omitempty"`
	// Accepted is the mean over the senders of what arrived in the phase, in loads.
	Accepted     float64 `json:"accepted"`
	AcceptedCI95 float64 `json:"accepted_ci95,omitempty"`
	// Packets were generated in the phase and delivered, then or later; Latency is theirs, in cycles.
	Generated   int64   `json:"generated"`
	Unreachable int64   `json:"unreachable,omitempty"`
	Packets     int64   `json:"packets"`
	Latency     Latency `json:"latency,omitzero"`
	Lost        Losses  `json:"lost"` // in the phase
}

// phaseBatches is the number of equal parts of a phase from which the confidence interval of its accepted load comes:
// ten are enough for one, and longer than queues last in phases of some thousand cycles.
const phaseBatches = 10

// PhaseTally is what is counted of a phase, by one worker. Sizes are flits or bytes, times in the unit of a model.
type PhaseTally struct {
	from, to               int64
	generated, unreachable int64
	accepted               [phaseBatches]int64 // sizes
	lost                   [numLost]int64
	lostSize               int64
	delivered              int64
	latency                Histogram
	latencySum, latencyOf  [phaseBatches]int64
}

// Phases are the tallies of all stages, by worker, with one more for what belongs to none: before the window,
// and behind it.
type Phases []PhaseTally

// Reset empties the tallies. What happens until Begin belongs to no stage.
func (p Phases) Reset() {
	for i := range p {
		h := p[i].latency
		h.Reset()
		p[i] = PhaseTally{latency: h}
	}
}

// Begin says that stages begin at times, in a window that ends at a time. A stage that begins later is not seen.
func (p Phases) Begin(times []int64, end int64) {
	for i, t := range times {
		p[i].from, p[i].to = min(t, end), end
		if i+1 < len(times) {
			p[i].to = min(times[i+1], end)
		}
	}
}

// At is the tally of a time.
func (p Phases) At(t int64) *PhaseTally {
	for i := len(p) - 2; i >= 0; i-- {
		if t >= p[i].from && t < p[i].to {
			return &p[i]
		}
	}
	return &p[len(p)-1]
}

// Generate counts a packet that was generated at a time, or would have been had there been a route.
func (p Phases) Generate(t int64, reachable bool) {
	if reachable {
		p.At(t).generated++
	} else {
		p.At(t).unreachable++
	}
}

// Lose counts a packet of a size.
func (p Phases) Lose(t int64, cause int, size int64) {
	x := p.At(t)
	x.lost[cause]++
	x.lostSize += size
}

// Arrive counts what has arrived at a time.
func (p Phases) Arrive(t, size int64) {
	if x := p.At(t); x.to > x.from {
		x.accepted[(t-x.from)*phaseBatches/(x.to-x.from)] += size
	}
}

// Deliver counts a packet that was generated at a time and is delivered.
func (p Phases) Deliver(created, latency int64) {
	x := p.At(created)
	x.delivered++
	if x.to > x.from {
		b := (created - x.from) * phaseBatches / (x.to - x.from)
		x.latency.Add(latency)
		x.latencySum[b] += latency
		x.latencyOf[b]++
	}
}

// Add adds the tallies of another worker.
func (p Phases) Add(o Phases) {
	for i := range p {
		x, y := &p[i], &o[i]
		x.generated, x.unreachable, x.delivered, x.lostSize = x.generated+y.generated, x.unreachable+y.unreachable, x.delivered+y.delivered, x.lostSize+y.lostSize
		x.latency.Merge(&y.latency)
		for c := range x.lost {
			x.lost[c] += y.lost[c]
		}
		for b := range x.accepted {
			x.accepted[b] += y.accepted[b]
			x.latencySum[b] += y.latencySum[b]
			x.latencyOf[b] += y.latencyOf[b]
		}
	}
}

// Report sums up phases that were reached by a time. one is the size that all senders together offer in a unit of time
// at load 1; summarize gives a histogram in cycles, of which one has unit units of time; flits says what sizes are.
func (p Phases) Report(now int64, one, unit float64, flits bool, summarize func(*Histogram) Latency) *FailureReport {
	r := &FailureReport{Phases: []Phase{}}
	var all [numLost]int64
	size := int64(0)
	for i := range p {
		x := &p[i]
		r.Generated, r.Delivered, r.Unreachable = r.Generated+x.generated, r.Delivered+x.delivered, r.Unreachable+x.unreachable
		size += x.lostSize
		for c := range all {
			all[c] += x.lost[c]
		}
		if i < len(p)-1 && x.to > x.from && x.from < now {
			r.Phases = append(r.Phases, x.report(p[0].from, now, one, unit, flits, summarize))
			r.Phases[len(r.Phases)-1].Stage = i
		}
	}
	r.Lost = losses(all, size, flits)
	r.UnderWay = r.Generated - r.Delivered - r.Lost.Packets
	return r
}

func (x *PhaseTally) report(begin, now int64, one, unit float64, flits bool, summarize func(*Histogram) Latency) Phase {
	to := min(x.to, now)
	out := Phase{From: float64(x.from-begin) / unit, To: float64(to-begin) / unit, Generated: x.generated, Unreachable: x.unreachable,
		Packets: x.delivered, Lost: losses(x.lost, x.lostSize, flits)}
	sum := int64(0)
	var batches []float64
	for _, a := range x.accepted {
		sum += a
		batches = append(batches, float64(a)/(one*float64(x.to-x.from)/phaseBatches))
	}
	out.Accepted = float64(sum) / (one * float64(to-x.from))
	if to == x.to && to-x.from >= phaseBatches {
		out.AcceptedCI95 = CI95(ErrOfMean(batches), phaseBatches)
	}
	if x.latency.N() > 0 {
		out.Latency = summarize(&x.latency)
		means := BatchMeans(x.latencySum[:], x.latencyOf[:])
		out.Latency.StdErr = ErrOfMean(means) / unit
		out.Latency.CI95 = CI95(out.Latency.StdErr, len(means))
	}
	return out
}

func losses(by [numLost]int64, size int64, flits bool) Losses {
	l := Losses{OnLink: by[LostOnLink], InSwitch: by[LostInSwitch], AtPort: by[LostAtPort], NoRoute: by[LostNoRoute], Discarded: by[LostDiscarded]}
	for _, n := range by {
		l.Packets += n
	}
	if flits {
		l.Flits = size
	} else {
		l.Bytes = size
	}
	return l
}

// Next is when what works in a stage fails next; down tells of a stage whether it does not work there. 0: never.
func (p FailurePlan) Next(stage int, times []int64, down func(stage int) bool) int64 {
	for k := stage + 1; k < len(p); k++ {
		if down(k) {
			return times[k]
		}
	}
	return 0
}

// DownPorts lists the ports of endpoints that do not work in a stage, those of switches that have failed left out.
func (s *Stage) DownPorts() []topology.PortFailure { return slices.Concat(s.Down.Ports, s.Idle) }

// DownChannels lists, in order, the channels of the links that do not work in a stage, those of switches that have
// failed included, of a network.
func (s *Stage) DownChannels(n *topology.Network) []topology.ChannelID {
	var out []topology.ChannelID
	add := func(c topology.ChannelID) {
		out = append(out, c)
		if r := n.Rev(c); r >= 0 {
			out = append(out, r)
		}
	}
	for _, c := range s.Down.Links {
		add(c)
	}
	for c := range topology.ChannelID(n.Channels()) {
		if len(s.Down.Switches) > 0 && (slices.Contains(s.Down.Switches, n.To(c)) || slices.Contains(s.Down.Switches, n.From(c))) {
			out = append(out, c)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}
