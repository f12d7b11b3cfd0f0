package collective

import (
	"fmt"
	"slices"
)

// Flow is a stream of Count equal messages from one rank to another, of which each waits for what its sender has to have
// received before: for data, not for steps. It is what simulators play.
type Flow struct {
	From, To, Count int
	Share           float64 // of S, of each message
	Chain           int     // of Lane; of a tree, which of them
	After           []Need
}

// Need says that message i of a flow waits for the first i + Lead messages of another, by its number, that ends at its
// sender: for all of them if there are fewer.
type Need struct{ Flow, Lead int }

// FlowsOf is an algorithm as flows.
func FlowsOf(a Algorithm, k Kind) ([]Flow, error) {
	if f, ok := a.(interface{ Flows(Kind) ([]Flow, error) }); ok {
		return f.Flows(k)
	}
	s, err := a.Schedule(k)
	if err != nil {
		return nil, err
	}
	if s.Switches > 0 {
		return nil, fmt.Errorf("collective: the algorithm %s needs switches that add, which are not simulated; use ring or double tree", a.Name())
	}
	return s.Flows(), nil
}

// Again are flows so many times in a row. A rank begins again when it has received all that it is to receive.
func Again(list []Flow, times int) []Flow {
	flows := make([]Flow, 0, len(list)*times)
	var into map[int][]int // flows of the time before by receiver
	for range times {
		base, now := len(flows), make(map[int][]int)
		flows = Append(flows, list, func(rank int) int { return rank })
		for i := base; i < len(flows); i++ {
			f := &flows[i]
			for _, in := range into[f.From] {
				f.After = append(f.After, Need{in, flows[in].Count})
			}
			now[f.To] = append(now[f.To], i)
		}
		into = now
	}
	return flows
}

// Append appends flows, which wait for one another, behind others, by other numbers of their ranks.
func Append(to, flows []Flow, rank func(int) int) []Flow {
	base := len(to)
	for _, f := range flows {
		f.From, f.To, f.After = rank(f.From), rank(f.To), slices.Clone(f.After)
		for i := range f.After {
			f.After[i].Flow += base
		}
		to = append(to, f)
	}
	return to
}

// Flows are the messages of a schedule in which steps do not wait for each other but for data: what a rank sends in a chain
// of lanes waits for all that it has received in the chain in steps and repetitions before. Repetitions that grow, each
// between other ranks, send what the ranks had before the step, and do not wait for one another.
func (s *Schedule) Flows() []Flow {
	type place struct{ chain, rank int }
	var flows []Flow
	into := make(map[place][]int) // flows that end there
	for _, st := range s.Steps {
		first := len(flows)
		for _, l := range st.Lanes {
			times, count := 1, st.Repeat
			if l.Grow != 0 {
				times, count = st.Repeat, 1
			}
			at := len(flows)
			for k := range times {
				l.Each(s.Ranks, k, func(from, to int) {
					f := Flow{From: from, To: to, Count: count, Share: l.Share, Chain: l.Chain}
					for _, in := range into[place{l.Chain, from}] {
						f.After = append(f.After, Need{in, flows[in].Count})
					}
					flows = append(flows, f)
				})
			}
			if count > 1 { // a repetition waits for the one before
				in := make(map[int]int)
				for i := at; i < len(flows); i++ {
					in[flows[i].To] = i
				}
				for i := at; i < len(flows); i++ {
					if o, ok := in[flows[i].From]; ok {
						flows[i].After = append(flows[i].After, Need{o, 0})
					}
				}
			}
		}
		for i := first; i < len(flows); i++ {
			p := place{flows[i].Chain, flows[i].To}
			into[p] = append(into[p], i)
		}
	}
	return flows
}

// Flows are those up both trees and down again. A segment goes on as soon as it is there: what is up at the root goes down
// while others still come.
func (a DoubleTree) Flows(k Kind) ([]Flow, error) {
	if err := a.valid(k); err != nil {
		return nil, err
	}
	var flows []Flow
	for t, parents := range a.parents() {
		up, down := make([]int, a.N), make([]int, a.N) // flows by child
		children := make([][]int, a.N)
		for r, p := range parents {
			if p < 0 {
				continue
			}
			children[p] = append(children[p], r)
			up[r], down[r] = len(flows), len(flows)+1
			f := Flow{Count: a.Segments, Share: 1 / float64(2*a.Segments), Chain: t}
			f.From, f.To = r, p
			flows = append(flows, f)
			f.From, f.To = p, r
			flows = append(flows, f)
		}
		for r, p := range parents {
			if p < 0 {
				continue
			}
			for _, c := range children[r] {
				flows[up[r]].After = append(flows[up[r]].After, Need{up[c], 1})
			}
			if parents[p] >= 0 {
				flows[down[r]].After = []Need{{down[p], 1}}
				continue
			}
			for _, c := range children[p] {
				flows[down[r]].After = append(flows[down[r]].After, Need{up[c], 1})
			}
		}
	}
	return flows, nil
}
