package placed

import (
	"context"
	"maps"
	"math"
	"slices"

	"toposearch/workload"
	"toposearch/workload/collective"
)

// waiting follows what each rank has received, step by step.
type waiting struct {
	n    *Network
	c    workload.Communication
	lone Lone
	// ready[chain][rank] is when a rank has all that it waits for in a chain of lanes.
	ready [][]float64
	least float64   // the shortest latency of a message
	in    []float64 // when the port of a rank has taken in what came so far
	// What channels carry of S, and ranks send, in all steps that do not repeat: some ranks are steps ahead of others.
	busy   map[int32]float64
	sent   []float64
	end    float64 // of messages that do not wait for each other
	routes *routes
}

func (w *waiting) last() (t float64) {
	for _, chain := range w.ready {
		t = max(t, slices.Max(chain))
	}
	return t
}

// each calls f for a lane's messages in a repetition, in all groups, by ranks of the network.
func (w *waiting) each(l *collective.Lane, places, k int, f func(from, to int)) {
	g := w.c.Group
	l.Each(places, k, func(from, to int) {
		for first := range firsts(g, len(w.n.Endpoint)) {
			f(first+from*g.Stride, first+to*g.Stride)
		}
	})
}

// step lets the lanes of a step go.
func (w *waiting) step(ctx context.Context, places int, st collective.Step) error {
	var crowd map[int32]float64              // shares of S on channels
	if st.Repeat == 1 && w.n.Around == nil { // ranks of steps that repeat fall out of step, so that they do not meet again and again
		var err error
		if crowd, err = w.crowd(ctx, places, st); err != nil {
			return err
		}
	}
	port := w.n.Link.BytesPerS
	for i := range st.Lanes {
		l := &st.Lanes[i]
		for len(w.ready) <= l.Chain {
			w.ready = append(w.ready, make([]float64, len(w.n.Endpoint)))
		}
		now := w.ready[l.Chain]
		next := slices.Clone(now)
		bytes := l.Share * w.c.Bytes
		for k := range st.Repeat {
			if crowd != nil {
				w.share(l, places, crowd)
			}
			w.each(l, places, k, func(from, to int) {
				latency, rate := w.lone(w.n.Endpoint[from], w.n.Endpoint[to], bytes)
				if w.least == 0 || latency < w.least {
					w.least = latency
				}
				start := now[from]
				if l.Grow != 0 {
					start += float64(k) * bytes / port
				}
				took := bytes / rate
				if crowd != nil {
					took = max(took, w.meets(crowd, from, to)*w.c.Bytes/port)
				}
				// What others still send to the rank shares its port.
				w.in[to] = max(start+w.n.Link.Alpha+latency+took, w.in[to]+bytes/port)
				next[to] = max(next[to], w.in[to])
				next[from] = max(next[from], start+bytes/port)
			})
			if l.Grow == 0 {
				copy(now, next)
			}
		}
		copy(now, next)
	}
	return nil
}

// share lets what ranks still receive as a step begins divide their ports with what arrives in it from ranks that are ahead: half each until
// one of the two is there. What channels hold up to less than half of the port's rate leaves room for the other.
func (w *waiting) share(l *collective.Lane, places int, crowd map[int32]float64) {
	now, alone := w.ready[l.Chain], l.Share*w.c.Bytes/w.n.Link.BytesPerS
	before := slices.Clone(now)
	w.each(l, places, 0, func(from, to int) {
		latency, _ := w.lone(w.n.Endpoint[from], w.n.Endpoint[to], l.Share*w.c.Bytes)
		if left := w.in[to] - (before[from] + w.n.Link.Alpha + latency); left > 0 && w.in[to] == before[to] {
			took := max(alone, w.meets(crowd, from, to)*w.c.Bytes/w.n.Link.BytesPerS)
			now[to] += min(left, max(0, 2*alone-took))
		}
	})
}

// busiest is what the busiest channel or rank carries of S in the steps that do not repeat.
func (w *waiting) busiest() (most float64) {
	most = slices.Max(w.sent)
	for _, x := range w.busy {
		most = max(most, x)
	}
	return most
}

// mostLate bounds the messages whose routes are followed one by one.
const mostLate = 1 << 16

// late is when the last link has carried what a step whose repetitions do not wait for each other puts on it, in shares of S at
// the rate of an endpoint: each link is busy with what of it comes when endpoints send the k-th of their messages and later, from
// then on. 0 if there are too many messages to follow. In w.end is when the last of it has arrived.
func (w *waiting) late(ctx context.Context, places int, st collective.Step) (share float64, err error) {
	if len(w.n.Endpoint)*st.Repeat > mostLate {
		return 0, nil
	}
	after, first := make(map[int32]float64), make(map[int32]float64) // and the shortest latency of what takes it
	unit := w.c.Bytes / w.n.Link.BytesPerS
	for k := st.Repeat - 1; k >= 0; k-- {
		begun := 0.0
		for i := range st.Lanes {
			l := &st.Lanes[i]
			begun += float64(k) * l.Share
			w.each(l, places, k, func(from, to int) {
				x, e := w.routes.between(ctx, from, to)
				if e != nil {
					err = e
					return
				}
				latency, _ := w.lone(w.n.Endpoint[from], w.n.Endpoint[to], l.Share*w.c.Bytes)
				for _, u := range x.channels() {
					after[u.channel] += u.share * l.Share
					if x, ok := first[u.channel]; !ok || latency < x {
						first[u.channel] = latency
					}
				}
			})
		}
		for c, x := range after {
			share = max(share, begun+x)
			w.end = max(w.end, (begun+x)*unit+first[c])
		}
	}
	for c := range after {
		after[c] += first[c] / unit
	}
	w.end = max(w.end, unit*w.spread(after, places, st))
	return share, err
}

// spread is when the last link has carried what packets put on it that each take one of the ways which their routes leave open, in shares of S at
// the rate of an endpoint, in the median: how many take a link is a sum of draws, mean of which is what late counts, and the longest of
// many links is later than the mean of each. Sums of draws are taken as normal, and links as independent.
func (w *waiting) spread(mean map[int32]float64, places int, st collective.Step) float64 {
	if w.n.PacketBytes <= 0 {
		return 0
	}
	variance := make(map[int32]float64)
	for i := range st.Lanes {
		l := &st.Lanes[i]
		packet := min(l.Share, w.n.PacketBytes/w.c.Bytes)
		for k := range st.Repeat {
			w.each(l, places, k, func(from, to int) {
				for _, u := range w.ways(from, to) {
					// Of share/packet packets each is on the link with a chance of part, for packet*share/part.
					variance[u.channel] += l.Share * packet * u.share * u.share * (1 - u.part) / u.part
				}
			})
		}
	}
	low, high := 0.0, 0.0
	for c, x := range mean {
		low, high = max(low, x), max(high, x+10*math.Sqrt(variance[c])) // beyond ten deviations is nothing
	}
	channels := slices.Sorted(maps.Keys(mean))
	for range 50 { // halvings, to the last bits
		t := (low + high) / 2
		all := 0.0 // logarithm of the chance that all are done
		for _, c := range channels {
			if v := variance[c]; v > 0 {
				all += math.Log1p(-math.Erfc((t-mean[c])/math.Sqrt(2*v)) / 2)
			}
		}
		if all < -math.Ln2 {
			low = t
		} else {
			high = t
		}
	}
	return high
}

// crowd is how long channels are busy with a step, in shares of S at the rate of an endpoint.
func (w *waiting) crowd(ctx context.Context, places int, st collective.Step) (map[int32]float64, error) {
	busy := make(map[int32]float64)
	var failed error
	for i := range st.Lanes {
		l := &st.Lanes[i]
		w.each(l, places, 0, func(from, to int) {
			x, err := w.routes.between(ctx, from, to)
			if err != nil {
				failed = err
				return
			}
			w.sent[from] += l.Share
			for _, u := range x.channels() {
				busy[u.channel] += u.share * l.Share
				w.busy[u.channel] += u.share * l.Share
			}
		})
	}
	return busy, failed
}

// ways are the channels between two ranks whose route was asked for.
func (w *waiting) ways(from, to int) []used {
	return w.routes.known[[2]int32{w.n.set(from), w.n.set(to)}].channels()
}

// meets is the longest that a channel on the way between two ranks is busy in a step.
func (w *waiting) meets(busy map[int32]float64, from, to int) (most float64) {
	for _, u := range w.ways(from, to) {
		most = max(most, busy[u.channel])
	}
	return most
}
