package routing

import "slices"

// rows says which states of a rule share a row of a table: those from which packets go on in the same way.
type rows struct {
	of    []uint8 // by state: its row
	state []uint8 // by row: a state that has it
}

func (r rows) n() int { return len(r.state) }

// allStates gives every state a row.
func (r *Router) allStates() (rs rows) {
	for s := range r.states {
		rs.of, rs.state = append(rs.of, uint8(s)), append(rs.state, uint8(s))
	}
	return rs
}

// equalStates gives states with the same steps, on the same VCs, one row. So are the two of a ring behind its
// dateline (package topology/family, dateline.go).
func (r *Router) equalStates() rows { return r.rowsOf(r.goOnAlike) }

// equalSteps gives states with the same steps one row, on whatever VCs.
func (r *Router) equalSteps() rows {
	return r.rowsOf(func(s, t int) bool {
		for k := range r.Kinds {
			if r.next[k*r.states+s] != r.next[k*r.states+t] {
				return false
			}
		}
		return true
	})
}

func (r *Router) rowsOf(alike func(s, t int) bool) (rs rows) {
	for s := range r.states {
		i := slices.IndexFunc(rs.state, func(t uint8) bool { return alike(s, int(t)) })
		if i < 0 {
			i = rs.n()
			rs.state = append(rs.state, uint8(s))
		}
		rs.of = append(rs.of, uint8(i))
	}
	return rs
}

func (r *Router) goOnAlike(s, t int) bool {
	S := r.states
	for k := range r.Kinds {
		a, b := k*S+s, k*S+t
		if r.next[a] != r.next[b] {
			return false
		}
		for to := range S {
			if r.next[a]>>to&1 != 0 && r.vc[a*S+to] != r.vc[b*S+to] {
				return false
			}
		}
	}
	return true
}
