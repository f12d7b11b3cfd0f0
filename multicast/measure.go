package multicast

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/stat/distuv"

	"toposearch/internal/stream"
)

// Experiment measures messages to groups: one message at a time, each from another member, on a network
// with a background.
type Experiment struct {
	Fabric  *Fabric
	Routing Routing
	// Order, if not nil, makes groups by NewRooted, otherwise by NewGroup.
	Order   Order
	Method  Method
	Members int // of a group, the creator included
	Groups  int // drawn at random, each in a simulation of its own; at least 2 for an interval
	// Messages of a group; one begins Gap cycles after the one before has arrived everywhere.
	Messages int
	Gap      int
	Config   Config
}

// Outcome is what an experiment has measured.
type Outcome struct {
	// Last is the mean latency, in cycles, from a message's creation to its last flit at its last member, over
	// groups; CI95 is half its 95 % confidence interval (Student's t over the groups' means), Most the largest of any message.
	Last, CI95, Most float64
	// Window has the means over groups of what they measured; its Most figures are the largest of any.
	Window
	// Links is the mean number of links between switches in the groups' trees.
	Links float64
	// Heads are the head flits of data that endpoints sent per message, Control and Notify the packets before data per group.
	Heads, Control, Notify float64
	// Delivered reports whether every message reached every member once and nobody else. If not, Last is of those that did.
	Delivered bool
}

// settle is the least number of cycles before a group's first message: queues of a background below saturation
// reach their lengths in some hundred. A group is waited for until its members have been notified.
const settle = 1000

// Run runs the experiment. The seed of Config draws groups, senders and background.
func (x *Experiment) Run(ctx context.Context) (o Outcome, err error) {
	if x.Groups < 1 || x.Messages < 1 || x.Gap < 0 {
		return o, fmt.Errorf("multicast: an experiment of %d groups and %d messages, %d cycles apart: there must be at least 1, 1 and 0", x.Groups, x.Messages, x.Gap)
	}
	if n := x.Fabric.Endpoints(); x.Members < 2 || x.Members > n {
		return o, fmt.Errorf("multicast: groups of %d members in %s, which has %d endpoints", x.Members, x.Fabric.Name, n)
	}
	o.Delivered = true
	var means []float64
	for k := range x.Groups {
		if err := ctx.Err(); err != nil {
			return o, err
		}
		mean, err := x.group(k, &o)
		if err != nil {
			return o, err
		}
		if !math.IsNaN(mean) {
			means = append(means, mean)
		}
	}
	n := float64(x.Groups)
	for _, f := range []*float64{&o.Offered, &o.Accepted, &o.Latency, &o.LinkLoad, &o.BufferMean, &o.Links, &o.Control, &o.Notify} {
		*f /= n
	}
	o.Heads /= n * float64(x.Messages)
	o.Last, o.CI95 = interval(means)
	return o, nil
}

// group simulates the k-th group and gives the mean latency of its messages, NaN if none arrived.
func (x *Experiment) group(k int, o *Outcome) (float64, error) {
	r := stream.New(x.Config.Seed, "multicast group", uint64(k))
	members := r.Perm(x.Fabric.Endpoints())[:x.Members]
	g, err := x.tree(ID{members[0], k & (1<<idBits - 1)}, members[1:])
	if err != nil {
		return 0, err
	}
	cfg := x.Config
	cfg.Seed = stream.New(x.Config.Seed, "multicast run", uint64(k)).Uint64()
	s, err := NewSim(x.Fabric, x.Routing, cfg)
	if err != nil {
		return 0, err
	}
	if x.Method == Table {
		s.Create(g)
	}
	for s.now < settle || x.Method == Table && s.Count.Notified < int64(x.Members)-1 && s.now < settle+patience*int64(x.Members) {
		s.Step()
	}
	s.Restart()
	o.Links += float64(g.Links(x.Fabric))
	sum, arrived := 0.0, 0
	for range x.Messages {
		n, err := s.Send(x.Method, g, members[r.IntN(len(members))], cfg.Flits, nil)
		if err != nil {
			return 0, err
		}
		if !s.Run(deadlockCycles + patience*int64(cfg.Flits)*int64(x.Members)) {
			o.Delivered = false
			break
		}
		last := float64(s.messages[n].last - s.messages[n].sent)
		o.Most = max(o.Most, last)
		sum += last
		arrived++
		for range x.Gap {
			s.Step()
		}
	}
	c := s.Count
	o.Delivered = o.Delivered && c.Missed == 0 && c.Duplicates == 0 && c.Strangers == 0
	sent := s.Counts()
	o.Heads += sent.Heads
	o.Control += sent.Control
	o.Notify += sent.Notify
	o.add(s.Window())
	return sum / float64(arrived), nil
}

func (x *Experiment) tree(id ID, others []int) (*Group, error) {
	if x.Order != nil {
		return NewRooted(x.Fabric, x.Order, id, others)
	}
	return NewGroup(x.Fabric, x.Routing, id, others)
}

func (o *Outcome) add(w Window) {
	o.Cycles += w.Cycles
	o.Offered += w.Offered
	o.Accepted += w.Accepted
	o.Latency += w.Latency
	o.LinkLoad += w.LinkLoad
	o.LinkMost = max(o.LinkMost, w.LinkMost)
	o.BufferMean += w.BufferMean
	o.BufferMost = max(o.BufferMost, w.BufferMost)
	o.Flits += w.Flits
}

// interval is the mean of independent values and half its 95 % confidence interval; 0 for fewer than two.
func interval(x []float64) (mean, half float64) {
	for _, v := range x {
		mean += v / float64(len(x))
	}
	if len(x) < 2 {
		return mean, 0
	}
	sum := 0.0
	for _, v := range x {
		sum += (v - mean) * (v - mean)
	}
	n := float64(len(x))
	return mean, distuv.StudentsT{Sigma: 1, Nu: n - 1}.Quantile(0.975) * math.Sqrt(sum/(n-1)/n)
}
