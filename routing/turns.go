package routing

import (
	"context"
	"fmt"
	"slices"

	"toposearch/topology"
)

// Turns says how traffic passes through switches: how much of what comes in where goes out where, and on which VCs
// it crosses channels. Loads says only how much crosses each. Ports in and out of switches are numbered: channels of the
// network first, then the ports of sets, as Loads.PortStart counts them.
type Turns struct {
	Router    *Router
	PortStart []int32 // as that of Loads
	// Rate[Row[in]+k] is the rate, in units of an endpoint's bandwidth, that comes in at port `in` of a switch and goes out
	// by its k-th port: its channels first, then the ports of sets on it, Local of them.
	Rate  []float64
	Row   []int64
	Local [][]int32           // per switch: ports of sets, counted from 0
	at    []topology.SwitchID // per port of a set
	port  float64             // of flows that keep to one way: what the busiest port of an endpoint that has several carries
	// Single: every endpoint receives from one other at most, so that nothing meets where it leaves the network.
	Single bool
	// On[channel*Codes+2*VC+w] is what crosses a channel on VC alone (w = 0), or on whichever of VC and VC+1 is free.
	On    []float64
	Codes int
	// Layers: VCs are those of tables with layers or of lanes, which a channel shares out whether it needs them or not.
	Layers bool
	// Deal says how many of so many VCs each class has, of tables with layers; nil: equal shares.
	Deal func(have int) []int
	// Legs of a way have as many VCs each, of their own; 0 or 1: there is one. Between 1 and 2: that part of what crosses channels, less 1, keeps to those of its leg, the rest takes any.
	Legs float64
}

const (
	mostTurns    = 1 << 24 // of floats in Turns.Rate: 128 MB
	mostHopVCs   = 32      // hops that are told apart: no simulated switch has more VCs
	mostTurnWork = 5e8     // arrivals times hops, summed over destinations: some seconds
)

// TooManyTurns is the error of a network whose turns would take too much memory or time.
type TooManyTurns struct {
	What         string
	Number, Most int64
}

func (e TooManyTurns) Error() string {
	return fmt.Sprintf("routing: %d %s are more than the %d that are followed", e.Number, e.What, e.Most)
}

// newTurns are those of a router of which none is followed yet.
func (r *Router) newTurns() (*Turns, error) {
	t := &Turns{Router: r, Codes: 2 * r.Rule.VCs()}
	if r.Rule.HopVCs {
		t.Codes = 2 * mostHopVCs
	}
	return t, t.layOut()
}

// Turns follows uniform traffic (flows nil) or given flows over the shortest legal routes, split as for loads. Of a rule
// with HopVCs the VC is the number of hops before.
func (r *Router) Turns(ctx context.Context, flows []Flow) (*Turns, error) {
	t, err := r.newTurns()
	if err != nil {
		return nil, err
	}
	jobs := r.uniformJobs(0)
	if flows != nil {
		if jobs, err = r.flowJobs(flows); err != nil {
			return nil, err
		}
	}
	if err := newTurner(t).follow(ctx, jobs); err != nil {
		return nil, err
	}
	return t, nil
}

// layOut numbers ports and makes room for turns.
func (t *Turns) layOut() error {
	r, n := t.Router, t.Router.Net
	t.PortStart = r.portStart()
	t.Local = make([][]int32, n.Switches())
	for i := range r.Sets {
		for k, p := range r.Sets[i].Ports {
			t.Local[p.Switch] = append(t.Local[p.Switch], t.PortStart[i]+int32(k))
			t.at = append(t.at, p.Switch)
		}
	}
	channels := n.Channels()
	t.Row = make([]int64, channels+int(t.PortStart[len(r.Sets)]))
	size := int64(0)
	for port := range t.Row {
		sw := t.switchOf(port)
		first, end := n.Out(sw)
		t.Row[port] = size
		size += int64(end-first) + int64(len(t.Local[sw]))
	}
	if size > mostTurns {
		return TooManyTurns{"turns of switches", size, mostTurns}
	}
	if codes := int64(channels) * int64(t.Codes); codes > mostTurns {
		return TooManyTurns{"VCs of channels and choices of them", codes, mostTurns}
	}
	t.Rate, t.On = make([]float64, size), make([]float64, channels*t.Codes)
	return nil
}

// arrival is what comes to a node of the product graph through one port.
type arrival struct {
	next int32 // of the same node, -1: none
	in   int32
	hops int32 // before, where VCs follow them; else 0
	rate float64
}

// turner is the scratch space of Turns.
type turner struct {
	*search
	t    *Turns
	head []int32 // of the arrivals of a node, -1: none
	all  []arrival
	hops []Hop
	at   []int
	by   []float64 // of a node: what arrives after so many hops
	work float64
}

func newTurner(t *Turns) *turner {
	f := &turner{search: newSearch(t.Router), t: t, head: make([]int32, t.Router.Net.Switches()*t.Router.states)}
	for i := range f.head {
		f.head[i] = -1
	}
	return f
}

// follow adds the turns of jobs.
func (f *turner) follow(ctx context.Context, jobs []job) error {
	for i := range jobs {
		if err := ctx.Err(); err != nil {
			return err
		}
		f.push(&jobs[i])
		if f.work > mostTurnWork {
			return TooManyTurns{"ways on of what arrives at switches", int64(f.work), mostTurnWork}
		}
	}
	return nil
}

func (f *turner) arrive(node int, a arrival) {
	a.next, f.head[node] = f.head[node], int32(len(f.all))
	f.all = append(f.all, a)
}

// push follows the traffic of a job.
func (f *turner) push(j *job) {
	if j.to == nil {
		f.run(j.set)
	} else {
		f.runTo(j.to)
	}
	f.all = f.all[:0]
	if j.flows != nil {
		for _, x := range j.flows {
			f.enter(x.Src, x.Rate)
		}
	} else {
		for _, x := range f.r.uniformTo(j.set) {
			f.enter(x.Src, x.Rate*j.weight/float64(f.r.Net.Endpoints()-1))
		}
	}
	f.drain(j.set)
}

// drain lets what has come go on to a set.
func (f *turner) drain(set int) {
	for _, x := range slices.Backward(f.field.order) {
		if f.head[x] >= 0 {
			f.pass(int(x), set)
			f.head[x] = -1
		}
	}
}

// enter lets a set send over its nearest ports.
func (f *turner) enter(src int, rate float64) {
	var d uint16
	if f.at, d = f.r.Inject(&f.field, src, f.at[:0]); d == Unreachable {
		return
	}
	ports, total := f.r.Sets[src].Ports, int32(0)
	for _, i := range f.at {
		total += ports[i].Count
	}
	for _, i := range f.at {
		in := int32(f.r.Net.Channels()) + f.t.PortStart[src] + int32(i)
		f.arrive(int(ports[i].Switch)*f.r.states, arrival{in: in, rate: rate * float64(ports[i].Count) / float64(total)})
	}
}

// pass lets what has come to a node go on, or leave.
func (f *turner) pass(x, dst int) {
	r, t := f.r, f.t
	sw := topology.SwitchID(x / r.states)
	first, end := r.Net.Out(sw)
	if f.field.Dist[x] == 0 {
		out := int64(end-first) + int64(t.exit(sw, dst))
		for i := f.head[x]; i >= 0; i = f.all[i].next {
			t.Rate[t.Row[f.all[i].in]+out] += f.all[i].rate
		}
		return
	}
	f.hops = r.Next(&f.field, sw, uint8(x%r.states), f.hops[:0])
	f.by = f.by[:0]
	for i := f.head[x]; i >= 0; i = f.all[i].next {
		a := &f.all[i]
		for int(a.hops) >= len(f.by) {
			f.by = append(f.by, 0)
		}
		f.by[a.hops] += a.rate
		for _, h := range f.hops {
			t.Rate[t.Row[a.in]+int64(h.Channel-first)] += a.rate / float64(len(f.hops))
		}
		f.work += float64(len(f.hops))
	}
	for _, h := range f.hops {
		to := int(r.Net.To(h.Channel)) * r.states
		for hops, rate := range f.by {
			if rate == 0 {
				continue
			}
			rate /= float64(len(f.hops))
			code, after := int(2*h.VC+h.Top-h.VC), int32(0)
			if r.Rule.HopVCs {
				code, after = min(2*hops, t.Codes-2), int32(hops)+1
			}
			t.On[int(h.Channel)*t.Codes+code] += rate
			if rest, _, ok := r.Rest(h.State); ok && h.Top > h.VC { // either VC, by what is free
				rate /= 2
				f.arrive(to+int(rest), arrival{in: int32(h.Channel), rate: rate})
			}
			f.arrive(to+int(h.State), arrival{in: int32(h.Channel), hops: after, rate: rate})
		}
	}
}

// exit is the index, among the ports of sets on a switch, of that of dst.
func (t *Turns) exit(sw topology.SwitchID, dst int) int {
	for i, p := range t.Router.Sets[dst].Ports {
		if p.Switch == sw {
			return slices.Index(t.Local[sw], t.PortStart[dst]+int32(i))
		}
	}
	panic("routing: a route ends where its destination has no port")
}

// switchOf is the one into which a port leads.
func (t *Turns) switchOf(in int) topology.SwitchID {
	if channels := t.Router.Net.Channels(); in >= channels {
		return t.at[in-channels]
	}
	return t.Router.Net.To(topology.ChannelID(in))
}

// Crossings is what crosses channels, summed up.
func (t *Turns) Crossings() (sum float64) {
	for _, x := range t.On {
		sum += x
	}
	return sum
}

// Each calls f for the outputs to which something goes from an input, with the rate.
func (t *Turns) Each(in int, f func(out int, rate float64)) {
	n := t.Router.Net
	channels := n.Channels()
	sw := t.switchOf(in)
	first, end := n.Out(sw)
	row := t.Rate[t.Row[in]:]
	for k := range int(end - first) {
		if row[k] > 0 {
			f(int(first)+k, row[k])
		}
	}
	for k, p := range t.Local[sw] {
		if x := row[int(end-first)+k]; x > 0 {
			f(channels+int(p), x)
		}
	}
}
