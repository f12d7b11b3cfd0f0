package collective

import (
	"fmt"
	"math"
)

// MostChecked ranks and switches fit into a Check: whose data a piece holds is the bits of a word.
const MostChecked = 64

// holdings[r][p] are the ranks whose data piece p at r is the sum of, as bits.
type holdings [][]uint64

// parcel is a piece under way.
type parcel struct {
	to, piece int
	whose     uint64
	reduce    bool
}

// Check carries every piece of data through the schedule: no rank sends what it has not, adds the same
// data twice, or sends or receives twice on a port in a step; every sender sends the share that its lane
// says; and at the end every rank has what it should. It is for at most MostChecked ranks and
// switches, and takes time and memory with the square or, of an all-to-all, the cube of them.
func (s *Schedule) Check() error {
	nodes := s.Ranks + s.Switches
	if nodes > MostChecked {
		return fmt.Errorf("collective: a schedule of %d ranks and switches is not checked; at most %d", nodes, MostChecked)
	}
	h := s.begin()
	for i, st := range s.Steps {
		for k := range st.Repeat {
			var sent []parcel
			for _, l := range st.Lanes {
				var err error
				if sent, err = s.send(h, l, k, sent); err != nil {
					return fmt.Errorf("step %d, repetition %d: %w", i, k, err)
				}
			}
			if err := s.onePort(st, k); err != nil {
				return fmt.Errorf("step %d, repetition %d: %w", i, k, err)
			}
			for _, p := range sent {
				have := &h[p.to][p.piece]
				if p.reduce && *have&p.whose != 0 && s.Kind != Barrier { // to hear twice of a rank does no harm
					return fmt.Errorf("step %d, repetition %d: rank %d adds the same data to piece %d twice", i, k, p.to, p.piece)
				}
				if p.reduce {
					p.whose |= *have
				}
				*have = p.whose
			}
		}
	}
	return s.end(h)
}

// pieces is how many there are in all.
func (s *Schedule) pieces() int {
	if s.Kind == AllToAll {
		return s.Ranks * s.unit
	}
	return s.unit
}

// sized is how many pieces S has.
func (s *Schedule) sized() int {
	if s.Kind == Pipeline {
		return 1 // each is a message
	}
	return s.unit
}

// begin is what the ranks hold at first; switches hold nothing.
func (s *Schedule) begin() holdings {
	h := make(holdings, s.Ranks+s.Switches)
	for r := range h {
		h[r] = make([]uint64, s.pieces())
		for p := range h[r] {
			mine := s.Kind == AllReduce || s.Kind == ReduceScatter || s.Kind == Barrier || (s.Kind == Broadcast || s.Kind == Pipeline) && r == 0 ||
				s.Kind == AllGather && p%s.Ranks == r || s.Kind == AllToAll && p/s.Ranks == r
			if mine && r < s.Ranks {
				h[r][p] = 1 << r
			}
		}
	}
	return h
}

// send is what a lane's senders send, from what they had before the step.
func (s *Schedule) send(h holdings, l Lane, k int, sent []parcel) ([]parcel, error) {
	var err error
	var list []int
	l.Each(s.Ranks, k, func(from, to int) {
		list = l.pieces(from, k, list[:0])
		if share := float64(len(list)) / float64(s.sized()); math.Abs(share-l.Share) > 1e-12 && err == nil {
			err = fmt.Errorf("%d sends %g of S, not %g", from, share, l.Share)
		}
		for _, p := range list {
			if h[from][p] == 0 && err == nil {
				err = fmt.Errorf("%d sends piece %d, of which it has nothing", from, p)
			}
			sent = append(sent, parcel{to, p, h[from][p], l.Reduce})
		}
	})
	return sent, err
}

// onePort checks that no rank sends, or receives, twice on a port; switches have a port for each link.
func (s *Schedule) onePort(st Step, k int) error {
	type use struct {
		rank, port int
		sends      bool
	}
	used := make(map[use]bool)
	var err error
	for _, l := range st.Lanes {
		l.Each(s.Ranks, k, func(from, to int) {
			for _, u := range []use{{from, l.Port, true}, {to, l.Port, false}} {
				if used[u] && u.rank < s.Ranks {
					err = fmt.Errorf("rank %d uses port %d twice (sending: %v)", u.rank, u.port, u.sends)
				}
				used[u] = true
			}
		})
	}
	return err
}

// end checks what the ranks hold at last.
func (s *Schedule) end(h holdings) error {
	all := ^uint64(0) >> (64 - s.Ranks)
	for r := range s.Ranks {
		for p, got := range h[r] {
			want, due := all, true
			switch s.Kind {
			case ReduceScatter:
				due = p%s.Ranks == r
			case AllGather:
				want = 1 << (p % s.Ranks)
			case Broadcast, Pipeline:
				want = 1
			case AllToAll:
				want, due = 1<<(p/s.Ranks), p%s.Ranks == r
			}
			if due && got != want {
				return fmt.Errorf("%s: rank %d ends with data of ranks %b in piece %d, want %b", s.Kind, r, got, p, want)
			}
		}
	}
	return nil
}
