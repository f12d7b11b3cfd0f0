package floor

import (
	"cmp"
	"fmt"
	"slices"

	"toposearch/evaluator/market"
	"toposearch/topology"
)

// NewSchedule places every box of a design, in servers of perServer endpoints. The error wraps ErrNoPlan if it
// cannot be laid out, and topology.ErrInfeasible if there is no such network.
func NewSchedule(m *market.Market, site *Site, perServer int, d topology.Design) (*Schedule, error) {
	s, err := stands(m, site, perServer, d)
	if err != nil || !m.CablesVary() {
		return s, err
	}
	lay := NewLayout(&s.floor)
	defer lay.Free()
	lay.Stream(d, &s.rates)
	runs, rej := lay.Runs(m, &s.rates)
	if rej.Constraint != "" {
		return nil, fmt.Errorf("%s: %w: %s", d, ErrNoPlan, rej.Words())
	}
	s.chosen = runs
	if m.MayShare(&s.rates, s.chosen) {
		if s.shares, err = s.share(); err != nil {
			return nil, err
		}
	}
	cost, low, _ := m.CablesTogether(d.Family, &s.rates, s.chosen, s.shares)
	if s.shares != nil {
		if cost, err = s.plug(cost); err != nil {
			return nil, err
		}
		s.open = max(0, cost-low)
	}
	return s, err
}

// mostBarred bounds the runs of which all sets are tried without parts for several links, those of fewest links first; all further ones go without at once. Whether a set fits takes as
// long as to lay all cables: the cheapest are asked first.
const mostBarred = 4

// attempt is what is bought where some runs go without parts for several links.
type attempt struct {
	runs []market.Run
	cost float64
	late int // 1 if it comes too late
}

// plug finds what can be plugged, where the cheapest together, at cost, cannot: the cheapest of those that come in time, if any does, where the links of some runs have cables and modules for
// single links, which share physical ports as these are split. It says what that costs; what cannot be plugged whatever is chosen stays, and is in over.
func (s *Schedule) plug(cost float64) (float64, error) {
	s.whole = s.market.Wholes(&s.rates, s.chosen, s.shares)
	if len(s.whole) == 0 {
		return cost, nil
	}
	var err error
	if s.over, err = s.overfull(); err != nil || len(s.over) == 0 {
		return cost, err
	}
	var sharing []int
	for k := range s.chosen {
		if market.MostLinks(s.market.Cabling(&s.rates, &s.chosen[k])) > 1 {
			sharing = append(sharing, k)
		}
	}
	slices.SortStableFunc(sharing, func(a, b int) int { return cmp.Compare(s.chosen[a].Count, s.chosen[b].Count) })
	sets := min(len(sharing), mostBarred)
	var all []attempt
	for n := 1; n < 1<<sets; n++ {
		x := attempt{runs: slices.Clone(s.chosen)}
		for k := range x.runs {
			x.runs[k].Single, x.runs[k].Step = n>>(sets-1) != 0, x.runs[k].Need
		}
		for i, k := range sharing {
			x.runs[k].Single = n>>min(i, sets-1)&1 != 0
		}
		late := false
		if x.cost, _, late = s.market.CablesTogether(s.d.Family, &s.rates, x.runs, s.shares); late {
			x.late = 1
		}
		all = append(all, x)
	}
	slices.SortStableFunc(all, func(a, b attempt) int { return cmp.Or(a.late-b.late, cmp.Compare(a.cost, b.cost)) })
	cheapest := s.chosen
	for i := range all {
		s.chosen = all[i].runs
		over, err := s.overfull()
		if err != nil {
			return 0, err
		}
		if len(over) > 0 {
			continue
		}
		for k := range s.chosen { // of those that shared nothing there is nothing to say
			s.chosen[k].Single = s.chosen[k].Single && slices.Contains(sharing, k)
		}
		s.over, s.whole = nil, s.market.Wholes(&s.rates, s.chosen, s.shares)
		return all[i].cost, nil
	}
	s.chosen = cheapest
	return cost, nil
}

// overfull tells where the plugs of cables and modules do not fit.
func (s *Schedule) overfull() ([]Cages, error) {
	filled := plugs{map[plugAt]int64{}, map[topology.SwitchID]int64{}}
	err := s.EachCable(false, func(c Cable) bool {
		filled.add(s, &c)
		return true
	})
	return filled.over(s), err
}

// Bought is the runs of a design's cables with the parts that several links share, how much less another choice of parts costs at most in minor units, and where plugs
// do not fit, whatever is chosen.
func (s *Schedule) Bought() (runs []market.Run, whole []market.Whole, open float64, over []Cages) {
	return s.chosen, s.whole, s.open, s.over
}
