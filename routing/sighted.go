package routing

import (
	"context"
	"fmt"
	"math"
	"slices"

	"toposearch/topology"
)

// Sighted is what a routing carries that decides at the source between the direct way and a detour by way of a random other set, and sees of the direct way
// its first channels (UGAL-L): traffic as a fluid, in buffers that do not fill. Packets whose direct way begins on one channel are a class, of which a
// part goes directly: less while a channel that the class sees is asked for more than it carries, more while none is. Of the detours those are made whose first
// channel is asked for less than that one, since packets compare the two queues. A channel that is asked for too much passes the same part of all that comes, so that what lies
// behind it is asked for less.
type Sighted struct {
	sets    []sightedWays // by destination
	scale   []float64     // of each channel: 1 over its capacity, 0 if it does not count
	classes []sightedClass
	flows   []sightedFlow
	all     bool // detours, see Sight
	offered float64
	own     float64 // of it, what meets no channel

	load, pass []float64   // of each channel: what it is asked for, of its capacity, and the part of it that passes
	in, reach  [][]float64 // by destination, of each place: what comes there, and the part of it that arrives
}

// Sight is how such a routing decides.
type Sight struct {
	Hops  int                          // channels of a way that a source sees
	Draws int                          // of an intermediate at most, until the detour begins elsewhere than the direct way
	May   func(src, dst, mid int) bool // whether a detour from a set to another may go by way of a third
	All   bool                         // it makes detours of all, whatever it sees, by way of any set (Valiant)
	// Parts says whether detours that begin with the channel of the direct way from a switch to a set are made: where ways part behind it.
	Parts func(from topology.SwitchID, dst int, direct topology.ChannelID) bool
}

// sightedWays are the hops towards one destination: of place after place, a switch in a state of the rule, the nearest first.
type sightedWays struct {
	until []int32 // of each place, in by and on
	by    []int32 // channels
	on    []int32 // the places behind them
	start []int32 // of each set
}

// sightedClass is the traffic whose direct way begins with one channel.
type sightedClass struct {
	by     int32
	sees   []int32
	firsts []sightedFirst
}

// sightedFirst is a channel with which detours of a class begin.
type sightedFirst struct {
	by    int32
	taken float64 // of the packets that draw such a detour the part that makes it
}

// sightedFlow is the part of a flow whose direct way begins with one channel.
type sightedFlow struct {
	dst   int
	rate  float64
	class int
	on    int32 // the place behind the channel
	mids  []sightedMid
	found float64 // the part of the packets that find one of them
}

// sightedMid is the detours by way of one set.
type sightedMid struct {
	set    int
	part   float64 // of all detours of the flow
	by, on []int32 // how they begin
	first  []int   // the same, of the class
}

const (
	// sightedMost bounds destinations times channels, and so the time: seconds at this size (128 switches with 8 channels each).
	sightedMost = 1 << 17
	// sightedUniform bounds switches of which all send to all, which takes so many times as long.
	sightedUniform = 40
	// sightedRounds of a load are four times those in which parts settle that do; the mean of the second half stands for those that swing.
	sightedRounds = 300
	sightedSure   = 1e-3 // parts that change by less have settled
	// sightedSlow stands for sightedStep in the second half of the rounds, for classes that overshoot because they share channels.
	sightedSlow = 0.1
)

// NewSighted prepares it, of flows or, where these are nil, uniform traffic; nil: endpoints have several ports, of which this is no model, or the
// network is too large for it.
func (r *Router) NewSighted(ctx context.Context, flows []Flow, capacity func(link int) float64, see Sight) (*Sighted, error) {
	n := len(r.Sets)
	if n < 3 || n*r.Net.Channels() > sightedMost {
		return nil, nil
	}
	for i := range r.Sets {
		if len(r.Sets[i].Ports) != 1 {
			return nil, nil
		}
	}
	if flows == nil {
		if n > sightedUniform {
			return nil, nil
		}
		flows = r.uniformFlows()
	}
	channels := r.Net.Channels()
	s := &Sighted{sets: make([]sightedWays, n), all: see.All, scale: r.scales(capacity), load: make([]float64, channels), pass: make([]float64, channels)}
	for t := range n {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if err := s.sets[t].fill(r, t); err != nil {
			return nil, err
		}
		places := len(s.sets[t].until)
		s.in, s.reach = append(s.in, make([]float64, places)), append(s.reach, make([]float64, places))
	}
	classOf := map[int32]int{}
	for _, f := range flows {
		s.offered += f.Rate
		if f.Src == f.Dst {
			s.own += f.Rate
			continue
		}
		s.add(r, f, see, classOf)
	}
	for i := range s.classes {
		c := &s.classes[i]
		slices.Sort(c.sees)
		c.sees = slices.Compact(c.sees)
	}
	return s, nil
}

// uniformFlows are those of all endpoints to all others.
func (r *Router) uniformFlows() (flows []Flow) {
	others := float64(r.Net.Endpoints() - 1)
	for src := range r.Sets {
		for dst := range r.Sets {
			to := float64(r.Sets[dst].Endpoints)
			if src == dst {
				to--
			}
			flows = append(flows, Flow{Src: src, Dst: dst, Rate: float64(r.Sets[src].Endpoints) * to / others})
		}
	}
	return flows
}

// fill finds the hops towards a set.
func (w *sightedWays) fill(r *Router, t int) error {
	f := r.Field(t)
	place := make([]int32, len(f.Dist))
	var hops []Hop
	for i, x := range f.order {
		place[x] = int32(i)
		if f.Dist[x] > 0 {
			hops = r.Next(f, topology.SwitchID(int(x)/r.states), uint8(int(x)%r.states), hops[:0])
			for _, h := range hops {
				w.by = append(w.by, int32(h.Channel))
				w.on = append(w.on, place[int(r.Net.To(h.Channel))*r.states+int(h.State)])
			}
		}
		w.until = append(w.until, int32(len(w.by)))
	}
	for m := range r.Sets {
		at := int(r.Sets[m].Ports[0].Switch) * r.states
		if f.Dist[at] == Unreachable {
			return fmt.Errorf("routing: no route from endpoint %d to endpoint %d", r.Sets[m].First, r.Sets[t].First)
		}
		w.start = append(w.start, place[at])
	}
	return nil
}

// hops are those of a place, in by and on.
func (w *sightedWays) hops(place int32) (from, until int32) {
	if place > 0 {
		from = w.until[place-1]
	}
	return from, w.until[place]
}

// begin is how the ways from a set begin.
func (w *sightedWays) begin(src int) (by, on []int32) {
	from, until := w.hops(w.start[src])
	return w.by[from:until], w.on[from:until]
}

// ahead appends the channels of the ways from a place on, so many hops far.
func (w *sightedWays) ahead(place int32, hops int, list []int32) []int32 {
	for at := []int32{place}; hops > 0 && len(at) > 0; hops-- {
		var on []int32
		for _, i := range at {
			from, until := w.hops(i)
			list, on = append(list, w.by[from:until]...), append(on, w.on[from:until]...)
		}
		slices.Sort(on)
		at = slices.Compact(on)
	}
	return list
}

// add takes a flow in, divided over the channels with which its direct way may begin.
func (s *Sighted) add(r *Router, f Flow, see Sight, classOf map[int32]int) {
	by, on := s.sets[f.Dst].begin(f.Src)
	for i, c := range by {
		id, ok := classOf[c]
		if !ok {
			id = len(s.classes)
			classOf[c] = id
			s.classes = append(s.classes, sightedClass{by: c, sees: []int32{c}})
		}
		x := sightedFlow{dst: f.Dst, rate: f.Rate / float64(len(by)), class: id, on: on[i]}
		found := 0.0
		if x.mids, found = s.detours(r, f.Src, f.Dst, c, see); see.All {
			x.found = found
		} else {
			x.found = 1 - math.Pow(1-found, float64(see.Draws))
		}
		class := &s.classes[id]
		class.sees = s.sets[f.Dst].ahead(on[i], see.Hops-1, class.sees)
		for j := range x.mids {
			m := &x.mids[j]
			for _, b := range m.by {
				at := slices.IndexFunc(class.firsts, func(t sightedFirst) bool { return t.by == b })
				if at < 0 {
					at = len(class.firsts)
					class.firsts = append(class.firsts, sightedFirst{by: b})
				}
				m.first = append(m.first, at)
			}
		}
		s.flows = append(s.flows, x)
	}
}

// detours are those that lead to another switch first than the channel does, since the direct way is compared with these, or behind a channel where ways part (a
// spine): in a Dragonfly+ they are taken without a comparison, or decided there; found is the part of draws that give one.
func (s *Sighted) detours(r *Router, src, dst int, c int32, see Sight) (mids []sightedMid, found float64) {
	all, to := 0, r.Net.To(topology.ChannelID(c))
	alike := s.all || see.Parts != nil && see.Parts(r.Sets[src].Ports[0].Switch, dst, topology.ChannelID(c))
	if s.all && src != dst {
		all = 2 // its own and its destination's, by way of which it goes directly
	}
	for m := range s.sets {
		if m == src || m == dst || !see.May(src, dst, m) {
			continue
		}
		all++
		d := sightedMid{set: m}
		by, on := s.sets[m].begin(src)
		for i := range by {
			if alike || r.Net.To(topology.ChannelID(by[i])) != to {
				d.by, d.on = append(d.by, by[i]), append(d.on, on[i])
			}
		}
		if len(d.by) > 0 {
			d.part = float64(len(d.by)) / float64(len(by))
			found += d.part
			mids = append(mids, d)
		}
	}
	for i := range mids {
		mids[i].part /= found
	}
	return mids, found / float64(max(all, 1))
}

// Accepted is the part of the flows that arrives at an offered load.
func (s *Sighted) Accepted(ctx context.Context, x float64) (float64, error) {
	for i := range s.pass {
		s.pass[i] = 1
	}
	at := 0.0
	if s.all {
		at = 1
	}
	for i := range s.classes {
		for j := range s.classes[i].firsts {
			s.classes[i].firsts[j].taken = at
		}
	}
	sum := 0.0
	for round := range sightedRounds {
		if err := ctx.Err(); err != nil {
			return 0, err
		}
		got, step := s.round(x), sightedStep
		if round >= sightedRounds/2 {
			step = sightedSlow
			sum += got
		}
		if s.adjust(step) < sightedSure {
			return got, nil
		}
	}
	return sum / (sightedRounds - sightedRounds/2), nil
}

// adjust diverts more or less, and gives the largest change.
func (s *Sighted) adjust(step float64) (change float64) {
	if change = thin(s.load, s.pass); s.all {
		return change
	}
	for i := range s.classes {
		c, most := &s.classes[i], 0.0
		for _, b := range c.sees {
			most = max(most, s.load[b])
		}
		for j := range c.firsts {
			f := &c.firsts[j]
			beyond := most - 1
			if beyond > 0 {
				beyond = most - max(1, s.load[f.by]) // packets compare the queues of both
			}
			taken := min(1, max(0, f.taken+step*beyond))
			change, f.taken = max(change, math.Abs(taken-f.taken)), taken
		}
	}
	return change
}

// round sends all once, and gives the part that arrives.
func (s *Sighted) round(x float64) float64 {
	clear(s.load)
	for t := range s.sets {
		s.sets[t].reaches(s.reach[t], s.pass)
	}
	got := s.own
	for i := range s.flows {
		f := &s.flows[i]
		class := &s.classes[f.class]
		direct := 1.0
		for j := range f.mids {
			m := &f.mids[j]
			from, there := s.sets[f.dst].start[m.set], 0.0
			for k, c := range m.by {
				amount := f.rate * f.found * m.part / float64(len(m.by)) * class.firsts[m.first[k]].taken
				if amount > 0 {
					there += s.send(m.set, c, m.on[k], x, amount)
					direct -= amount / f.rate
				}
			}
			s.in[f.dst][from] += x * there
			got += there * s.reach[f.dst][from]
		}
		got += s.send(f.dst, class.by, f.on, x, f.rate*direct)
	}
	for t := range s.sets {
		s.follow(t)
	}
	return got / s.offered
}

// reaches computes what arrives of what comes to each place.
func (w *sightedWays) reaches(reach, pass []float64) {
	from := int32(0)
	for i, until := range w.until {
		if reach[i] = 1; from < until {
			sum := 0.0
			for j := from; j < until; j++ {
				sum += pass[w.by[j]] * reach[w.on[j]]
			}
			reach[i] = sum / float64(until-from)
		}
		from = until
	}
}

// send puts traffic on a channel towards a set, at a load x, and gives what arrives of it.
func (s *Sighted) send(to int, c, on int32, x, amount float64) float64 {
	s.load[c] += x * amount * s.scale[c]
	amount *= s.pass[c]
	s.in[to][on] += x * amount
	return amount * s.reach[to][on]
}

// follow leads what has come to all places on to the destination, the farthest first.
func (s *Sighted) follow(t int) {
	w, in := &s.sets[t], s.in[t]
	for i := len(in) - 1; i >= 0; i-- {
		amount := in[i]
		in[i] = 0
		from, until := w.hops(int32(i))
		if amount == 0 || from == until {
			continue
		}
		amount /= float64(until - from)
		for j := from; j < until; j++ {
			c := w.by[j]
			s.load[c] += amount * s.scale[c]
			in[w.on[j]] += amount * s.pass[c]
		}
	}
}

// Saturation is the largest load, at most 1, of which a part is accepted.
func (s *Sighted) Saturation(ctx context.Context, part float64) (float64, error) {
	return largestLoad(part, func(x float64) (float64, error) { return s.Accepted(ctx, x) })
}
