package floor

import (
	"fmt"

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
	s.open = m.CablesTogether(d.Family, &s.rates, s.chosen, s.shares)
	return s, nil
}

// Bought is the runs of a design's cables with the parts that several links share, how much less another choice of parts costs at most in minor units, and where plugs
// do not fit.
func (s *Schedule) Bought() (runs []market.Run, whole []market.Whole, open float64, over []Cages, err error) {
	filled := plugs{map[plugAt]int64{}, map[topology.SwitchID]int64{}}
	if s.shares == nil {
		return s.chosen, nil, s.open, nil, nil
	}
	whole = s.market.Wholes(&s.rates, s.chosen, s.shares)
	if len(whole) == 0 {
		return s.chosen, nil, s.open, nil, nil
	}
	err = s.EachCable(false, func(c Cable) bool {
		filled.add(s, &c)
		return true
	})
	return s.chosen, whole, s.open, filled.over(s), err
}
