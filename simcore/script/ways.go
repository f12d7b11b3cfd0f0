package script

import (
	"math"
	"slices"

	"toposearch/simcore"
	"toposearch/topology"
)

// Ways divide the messages of a multi-path all-to-all (collective.MultiPath) over the direct way and those by way of every switch with endpoints. Who sends
// names the way of each part. Endpoints begin elsewhere in the same order, those of a switch one after the other, so that
// at no time many of them send to the same switch.
type Ways struct {
	via   []int32 // an endpoint of each set of endpoints with the same switches
	set   []int32 // by endpoint
	place []int32 // by endpoint: among those of its set
}

// NewWays makes them for a network whose endpoints have these sets.
func NewWays(set []int32) *Ways {
	w := &Ways{set: set, place: make([]int32, len(set))}
	count := make(map[int32]int32)
	for e, s := range set {
		w.place[e] = count[s]
		if count[s]++; count[s] == 1 {
			for int(s) >= len(w.via) {
				w.via = append(w.via, -1)
			}
			w.via[s] = int32(e)
		}
	}
	return w
}

// mostWays bounds the messages that all pairs of a task are divided into: a few seconds of a simulation. Pairs that would have more go
// by way of some switches each, all pairs of an endpoint together by way of all.
const mostWays = 1 << 20

// append adds the messages of a multi-path all-to-all, all of a size. Ranks of a switch send to those of different switches at a time, as Latin squares have it: with ranks
// (switch s, place i) to (s + i + t, i + b) at time t of round b each rank receives from one at a time, and each pair of switches has the same to carry at all
// times. Groups begin at different t. Ranks that are not spread evenly over switches send to the next, the one after it, and so on.
func (w *Ways) append(flows []simcore.Flow, ranks []topology.EndpointID, size int32, directly float64) []simcore.Flow {
	n := len(ranks)
	var sets [][]int // ranks by the switch they are on
	at := make(map[int32]int)
	for r, e := range ranks {
		i, ok := at[w.set[e]]
		if !ok {
			i = len(sets)
			at[w.set[e]], sets = i, append(sets, nil)
		}
		sets[i] = append(sets[i], r)
	}
	each, begin := len(sets[0]), int(ranks[0])
	even := directly < 1 && !slices.ContainsFunc(sets, func(s []int) bool { return len(s) != each })
	for s, of := range sets {
		for i, r := range of {
			for t := range n {
				to := (r + t) % n
				if even {
					to = sets[(s+i+begin+t%len(sets))%len(sets)][(i+t/len(sets))%each]
				}
				if to != r {
					flows = w.divide(flows, simcore.Flow{From: int32(ranks[r]), To: int32(ranks[to]), Count: 1, Size: size}, t, n*(n-1), directly)
				}
			}
		}
	}
	return flows
}

// divide appends the parts of the n-th of its sender's messages, one of pairs in all, of a size; directly is the share without a detour. Messages to endpoints of
// the same switches make none.
func (w *Ways) divide(flows []simcore.Flow, m simcore.Flow, n, pairs int, directly float64) []simcore.Flow {
	from, to := w.set[m.From], w.set[m.To]
	switches := len(w.via)
	detours := min(switches-2, mostWays/2/pairs)
	if detours < 1 || from == to || directly >= 1 {
		m.Via = 1 + m.To
		return append(flows, m)
	}
	// As many direct parts as make all parts of one size, at most as many as there are detours, between which they lie.
	direct := int(math.Ceil(min(1, directly/(1-directly)) * float64(detours)))
	given, sum := int32(0), 0.0
	part := func(via int32, share float64) {
		sum += share
		o := m
		o.Size, o.Via = int32(math.Round(sum*float64(m.Size)))-given, 1+via // all together are the message
		if given += o.Size; o.Size > 0 {
			flows = append(flows, o)
		}
	}
	all, each, turn := direct+detours, max(1, (switches-2)/detours), int(w.place[m.From])
	at := (int(from) + turn + n*detours*each) % switches
	for t := range all {
		if x := (t + turn) % all; (x+1)*direct/all > x*direct/all {
			part(m.To, directly/float64(direct))
			continue
		}
		for at == int(from) || at == int(to) {
			at = (at + 1) % switches
		}
		part(w.via[at], (1-directly)/float64(detours))
		at = (at + each) % switches
	}
	return flows
}
