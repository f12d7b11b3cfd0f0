package simulate

import (
	"context"

	"toposearch/simcore"
	"toposearch/simcore/cutthrough"
	"toposearch/simcore/flit"
	"toposearch/topology"
	"toposearch/workload/placed"
)

// Machine is a simulation of either model that plays scripts, with its units.
type Machine struct {
	Net  *topology.Network // with the rates on sale (evaluator.Rated)
	Unit float64           // bytes of a flit, or 1
	Tick float64           // seconds of a cycle, or of a ps
	Rate float64           // bytes per second that an endpoint sends to the network
	// Packet is the size of packets that draw their ways one by one, in bytes.
	Packet float64
	// Detours are those that packets may take; nil: none.
	Detours *placed.Detours
	Around  *placed.Detours // the same where every message makes one; else nil
	// Follow gives the path of a flow of a routing that keeps each on one; nil: packets choose one by one.
	Follow func(src, dst topology.EndpointID, cross func(topology.ChannelID)) (port int, last topology.SwitchID, ok bool)
	Play   func(ctx context.Context, s simcore.Script) (Played, error)
	// Lonely plays a script of messages that are alone in the network: on one core, since there is nothing to divide.
	Lonely func(ctx context.Context, s simcore.Script) (Played, error)
	// Apart is a time, in ticks, that is longer than a lone message takes.
	Apart int64
	// Probe is the size of a lone message, in units: small beside what collectives send.
	Probe int32
}

// ports is the most that an endpoint has towards others, of its own or, where it relays, of its embedded switch.
func (m *Machine) ports() int {
	most := 1
	for g := range m.Net.Groups() {
		first, end, at := m.Net.Group(g)
		if first == end {
			continue
		}
		most = max(most, len(at))
		if len(at) == 1 && m.Net.Embedded(at[0]) {
			from, to := m.Net.Out(at[0])
			most = max(most, int(to-from))
		}
	}
	return most
}

// sends is the most that an endpoint sends, bytes per second: Rate, and what it has inside a scale-up domain.
func (m *Machine) sends() float64 {
	most := m.Net.MostScaleup(func(class int) float64 { return float64(m.Net.Lanes[class]) })
	return m.Rate * (1 + most/float64(m.Net.EndpointLanes))
}

// Played is how a script ended.
type Played struct {
	Completed  bool   `json:"completed"`
	Deadlocked bool   `json:"deadlocked,omitempty"`
	Stop       string `json:"stop"`
	Packets    int64  `json:"packets"`
	// BusiestLink is the utilisation of the busiest link, and between which it is.
	BusiestLink float64 `json:"busiest_link,omitempty"`
	Busiest     string  `json:"busiest,omitempty"`
	ticks       int64
}

// CutMachine is a simulation of the cut-through model.
func (r *Runner) CutMachine(sim *cutthrough.Sim, rated *topology.Network, maxNs int64) *Machine {
	const psPerS = 1e12
	c := sim.Config()
	sim.OnProgress(func(ns int64) { r.progress().Cycle(simcore.Cycle(ns)) })
	_, most := sim.ZeroLoad(16) // of random pairs, the longest with a margin
	on := func(workers int) func(context.Context, simcore.Script) (Played, error) {
		return func(ctx context.Context, s simcore.Script) (Played, error) {
			sim.Split(workers)
			w, err := sim.RunWorkload(ctx, cutthrough.Workload{Kind: simcore.LoopScript, Script: s, MaxNs: maxNs})
			p := played(&w.Point.Point, w.Completed)
			p.ticks = int64(w.CompletionUs*1e6 + 0.5)
			return p, err
		}
	}
	return &Machine{Net: rated, Unit: 1, Tick: 1 / psPerS, Rate: c.BandwidthGbps * 1e9 / 8, Packet: float64(c.MTUBytes), Apart: int64(apartTimes*1000*most) + 1, Probe: int32(c.CellBytes),
		Play: on(r.workers()), Lonely: on(1)}
}

// FlitMachine is a simulation of the flit model, whose flits are bytes large and whose endpoints send gbps at load 1.
func (r *Runner) FlitMachine(sim *flit.Sim, rated *topology.Network, bytes int, gbps float64, maxCycles int64) *Machine {
	rate := gbps * 1e9 / 8
	sim.OnProgress(r.progress().Cycle)
	play := func(ctx context.Context, s simcore.Script) (Played, error) {
		w, err := sim.RunWorkload(ctx, simcore.Workload{Kind: simcore.LoopScript, Script: s, MaxCycles: maxCycles})
		p := played(&w.Point, w.Completed)
		p.ticks = w.Completion
		return p, err
	}
	return &Machine{Net: rated, Unit: float64(bytes), Tick: float64(bytes) * sim.Rate() / rate, Rate: rate,
		Packet: float64(bytes * sim.Config().PacketFlits), Apart: apartCycles, Probe: 1, Play: play, Lonely: play}
}

// apartTimes is a margin over the longest of some lone packets.
const apartTimes = 4

// apartCycles is longer than a flit takes through any network that the flit model can hold in practice: a hundred hops
// of ten cycles.
const apartCycles = 1000

func played(p *simcore.Point, completed bool) Played {
	out := Played{Completed: completed, Deadlocked: p.Deadlocked, Stop: p.Stop, Packets: p.Packets}
	if d := p.Detail; d != nil && d.Worst != nil {
		out.BusiestLink, out.Busiest = d.Worst.Utilisation, d.Worst.Class+" from "+d.Worst.From+" to "+d.Worst.To
	}
	return out
}
