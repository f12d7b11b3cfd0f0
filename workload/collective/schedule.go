package collective

// Perm says who sends to whom in a step: every rank to at most one. Ranks form a grid; a dimension of it
// is given by its Stride and Size: the coordinate of rank r is r/Stride modulo Size.
type Perm struct {
	Stride, Size int
	// Shift is added to the coordinate, modulo Size; in repetition k of the step Shift + k Grow is.
	Shift, Grow int
	// Xor, if not 0, flips bits of the coordinate instead.
	Xor int
	// Table, if there is one, holds the receiver of each rank instead, -1 for none.
	Table []int32
	// From turns Table round: it holds the sender to each rank, and a sender may have several
	// receivers; only switches, which copy, do.
	From bool
	// Folded, if it has ranks, is one of HalvingDoubling instead.
	Folded Folded
}

// Each calls f for all senders and receivers of repetition k among n ranks and switches.
func (p Perm) Each(n, k int, f func(from, to int)) {
	if p.Table != nil {
		for r, o := range p.Table {
			switch {
			case o < 0:
			case p.From:
				f(int(o), r)
			default:
				f(r, int(o))
			}
		}
		return
	}
	for r := range n {
		if to := p.Of(r, k); to >= 0 {
			f(r, to)
		}
	}
}

// Inverse is the permutation that leads back: its Each calls f for a receiver and its sender. Of n ranks and switches; every
// receiver has one sender.
func (p Perm) Inverse(n int) Perm {
	switch {
	case p.Table != nil && p.From:
		return Perm{Table: p.Table}
	case p.Table != nil:
		back := Perm{Table: make([]int32, n)}
		for r := range back.Table {
			back.Table[r] = -1
		}
		for r, to := range p.Table {
			if to >= 0 {
				back.Table[to] = int32(r)
			}
		}
		return back
	case p.Folded.Ranks > 0:
		return Perm{Folded: p.Folded.back()}
	}
	p.Shift, p.Grow = -p.Shift, -p.Grow
	return p
}

// Of is where one rank leads in repetition k, -1 for nowhere. Tables with From have no such place.
func (p Perm) Of(r, k int) int {
	if p.Table != nil {
		return int(p.Table[r])
	}
	if p.Folded.Ranks > 0 {
		return p.Folded.to(r)
	}
	i := r / p.Stride % p.Size
	j := i ^ p.Xor
	if p.Xor == 0 {
		if j = (i + p.Shift + k*p.Grow) % p.Size; j < 0 {
			j += p.Size
		}
	}
	if j == i {
		return -1
	}
	return r + (j-i)*p.Stride
}

// Lane is one permutation of a step. The lanes of a step run at the same time.
type Lane struct {
	Perm
	Share  float64 // of S, from every sender in each repetition
	Level  int     // of the network: 0 near, 1 far
	Port   int     // of the ranks; lanes on different ports do not share a rate
	Chain  int     // whose data it carries on: lanes of different chains do not wait for each other
	Reduce bool    // the receiver adds what it gets to what it has
	// pieces appends the pieces of data that a sender sends in a repetition.
	pieces func(from, k int, to []int) []int
}

// Step is lanes that run Repeat times, each time once what was sent before has arrived.
type Step struct {
	Repeat int
	// AtOnce: repetitions of lanes that grow do not wait, each uses a port of its own, from Lane.Port on.
	AtOnce bool
	Lanes  []Lane
}

// Schedule is a collective as steps.
type Schedule struct {
	Kind     Kind
	Ranks    int
	Switches int // that add and copy; their numbers follow those of the ranks
	Steps    []Step
	// The vector has unit pieces; a piece belongs to the rank that is its number modulo Ranks. Of an
	// all-to-all unit is Ranks, and piece s*Ranks+d goes from s to d.
	unit int
}

// Cost counts the steps and, step by step, what the busiest port sends.
func (s *Schedule) Cost() Cost {
	var c Cost
	for _, st := range s.Steps {
		level, most := 0, 0.0
		port := make(map[int]float64)
		for _, l := range st.Lanes {
			port[l.Port] += l.Share
			most = max(most, port[l.Port])
			level = max(level, l.Level)
		}
		times := st.Repeat
		if st.AtOnce {
			times = 1
		}
		c.Steps[level] += times
		c.Share[level] += float64(times) * most
	}
	return c
}

// merge runs sequences of steps beside each other: lanes that repeat for a different time are cut where
// one of them changes.
func merge(seqs ...[]Step) []Step {
	var out []Step
	at, done := make([]int, len(seqs)), make([]int, len(seqs))
	for {
		var st Step
		for i, seq := range seqs {
			if at[i] == len(seq) {
				continue
			}
			left := seq[at[i]].Repeat - done[i]
			if len(st.Lanes) == 0 || left < st.Repeat {
				st.Repeat = left
			}
			for _, l := range seq[at[i]].Lanes {
				st.Lanes = append(st.Lanes, l.after(done[i]))
			}
		}
		if len(st.Lanes) == 0 {
			return out
		}
		out = append(out, st)
		for i, seq := range seqs {
			if at[i] == len(seq) {
				continue
			}
			if done[i] += st.Repeat; done[i] == seq[at[i]].Repeat {
				at[i], done[i] = at[i]+1, 0
			}
		}
	}
}

// after is a lane from a later repetition on.
func (l Lane) after(k int) Lane {
	if k == 0 {
		return l
	}
	l.Shift += k * l.Grow
	pieces := l.pieces
	l.pieces = func(from, j int, to []int) []int { return pieces(from, j+k, to) }
	return l
}
