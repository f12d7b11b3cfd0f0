package routing

import (
	"context"
	"math"
)

// Accepted is the part of the flows that arrives at an offered load.
func (s *Sighted) Accepted(ctx context.Context, x float64) (float64, error) {
	return s.accepted(ctx, x, nil)
}

// accepted is Accepted, or, where a part is asked about, as much of it as tells whether that part arrives.
func (s *Sighted) accepted(ctx context.Context, x float64, part *float64) (float64, error) {
	for i := range s.pass {
		s.pass[i] = 1
	}
	for i := range s.flows {
		for j := range s.flows[i].mids {
			for k := range s.flows[i].mids[j].taken {
				s.flows[i].mids[j].taken[k] = 0
				if s.see.All {
					s.flows[i].mids[j].taken[k] = 1
				}
			}
		}
	}
	sum, last, before := 0.0, 0.0, 0.0
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
		if last += got; (round+1)%sightedSpan == 0 {
			mean := last / sightedSpan
			if part != nil && s.tells(round, mean-*part, mean-before, 1-*part) {
				return mean, nil
			}
			last, before = 0, mean
		}
	}
	return sum / (sightedRounds - sightedRounds/2), nil
}

// tells says whether what arrives is so far from a part that it would not come there if it went on to change as fast as between the last two spans of rounds. Parts that swing let less arrive than
// they do when they have settled.
func (s *Sighted) tells(round int, off, change, lost float64) bool {
	first := 2 * sightedSpan
	if off < 0 {
		first += sightedRounds / 2
	}
	return round >= first && math.Abs(off) > sightedRounds/sightedSpan*math.Abs(change)+lost/2
}

// adjust diverts more or less, and gives the largest change.
func (s *Sighted) adjust(step float64) (change float64) {
	if change = thin(s.load, s.pass); s.see.All {
		return change
	}
	s.lengthen()
	for i := range s.flows {
		f := &s.flows[i]
		c := &s.classes[f.class]
		direct := s.most(c)
		likePeers := direct - f.peers.times*s.meanOf(f.peers.channels)
		idle := direct <= 0 // detours are given up as far as there is room
		if s.see.Sums {
			sum := s.over(c.by) + s.ahead[f.dst][f.on]
			if idle = sum == 0; !idle {
				direct = sum
			}
		}
		made, compared := 0.0, 0.0 // of the detours that begin elsewhere
		for j := range f.mids {
			m, waits := &f.mids[j], 0.0
			if m.follows {
				continue
			}
			if s.see.Sums {
				waits = s.waitsFrom(m, f.dst)
			}
			for k, b := range m.by {
				beyond := min(direct, 0)
				switch {
				case idle:
				case s.see.Sums:
					beyond = direct - s.over(b) - s.ahead[m.ways][m.on[k]] - waits
				default:
					beyond = s.longerThan(f, m, k, direct, likePeers)
				}
				taken := min(1, max(0, m.taken[k]+step*beyond))
				change, m.taken[k] = max(change, math.Abs(taken-m.taken[k])), taken
				made += taken * m.part / float64(len(m.by))
			}
			compared += m.part
		}
		for j := range f.mids {
			if m := &f.mids[j]; m.follows {
				for k := range m.taken {
					m.taken[k] = made / compared
				}
			}
		}
	}
	return change
}

// longerThan is by how much the queue of the direct way, which is like peers by so much, is longer than that of a detour's k-th channel: packets compare them times the hops of the
// ways, see Native.keepDirect.
func (s *Sighted) longerThan(f *sightedFlow, m *sightedMid, k int, direct, likePeers float64) float64 {
	times := float64(f.hops+m.hops) / float64(2*f.hops)
	beyond := min(direct-s.longer[m.by[k]]*times, likePeers)
	if by := min(1/(1+times), f.peers.chance); beyond < 0 && m.taken[k] <= by { // by chance
		return direct * (by - m.taken[k])
	}
	return beyond
}

// over is what a channel is asked for beyond what it carries.
func (s *Sighted) over(c int32) float64 { return max(0, s.load[c]-1) }

// lengthen finds the queues of channels.
func (s *Sighted) lengthen() {
	for c := range s.longer {
		s.longer[c] = s.over(int32(c))
	}
	for t := range s.sets {
		w, ahead := &s.sets[t], s.ahead[t]
		for i := range ahead {
			ahead[i] = 0
			from, until := w.span(int32(i))
			for j := from; j < until; j++ {
				ahead[i] += (s.over(w.by[j]) + ahead[w.on[j]]) / float64(until-from)
			}
		}
	}
	for i := range s.flows {
		f := &s.flows[i]
		if by := s.classes[f.class].by; s.load[by] > 0 {
			s.longer[by] += f.sent / s.load[by] * s.ahead[f.dst][f.on]
		}
	}
}

// most is by how much what a class sees is asked for more than it carries, below 0: by how much the busiest has room.
func (s *Sighted) most(c *sightedClass) float64 {
	most := 0.0
	for _, b := range c.sees {
		most = max(most, s.load[b])
	}
	return most - 1
}

// waitsFrom is what waits on the ways from an intermediate to a set.
func (s *Sighted) waitsFrom(m *sightedMid, dst int) (sum float64) {
	if m.next >= 0 {
		return s.ahead[dst][m.next]
	}
	for on, part := range s.onward(m, dst, m.on[0]) {
		sum += part * s.ahead[dst][on]
	}
	return sum
}

// meanOf is the mean queue of channels.
func (s *Sighted) meanOf(channels []int32) float64 {
	if len(channels) == 0 {
		return 0
	}
	sum := 0.0
	for _, c := range channels {
		sum += s.longer[c]
	}
	return sum / float64(len(channels))
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
		entry := len(s.longer) + int(f.port)
		s.load[entry] += x * f.rate * s.scale[entry]
		enters := f.rate * s.pass[entry]
		direct := enters
		for j := range f.mids {
			m := &f.mids[j]
			for k, c := range m.by {
				amount := enters * m.part / float64(len(m.by)) * m.taken[k]
				if amount > 0 {
					direct -= amount
					got += s.goOn(m, f.dst, m.on[k], x, s.send(m.ways, c, m.on[k], x, amount))
				}
			}
		}
		by := s.classes[f.class].by
		f.sent = x * direct * s.scale[by]
		got += s.arrive(f.dst, f.on, x, s.send(f.dst, by, f.on, x, direct))
	}
	for t := range s.sets {
		s.follow(t)
	}
	return got / s.offered
}

// goOn sends on what has come by a place to an intermediate, and gives what arrives of it.
func (s *Sighted) goOn(m *sightedMid, dst int, by int32, x, amount float64) (got float64) {
	if m.next >= 0 {
		s.in[dst][m.next] += x * amount
		return s.arrive(dst, m.next, x, amount*s.reach[dst][m.next])
	}
	for on, part := range s.onward(m, dst, by) {
		s.in[dst][on] += x * amount * part
		got += s.arrive(dst, on, x, amount*part*s.reach[dst][on])
	}
	return got
}

// arrive lets what has come by a place leave the network, and gives what does.
func (s *Sighted) arrive(dst int, by int32, x, amount float64) (got float64) {
	if !s.several {
		return amount
	}
	channels := len(s.longer)
	first := channels + (len(s.load)-channels)/2 + int(s.first[dst])
	for k, part := range s.sets[dst].end[by] {
		s.load[first+k] += x * amount * part * s.scale[first+k]
		got += amount * part * s.pass[first+k]
	}
	return got
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
		from, until := w.span(int32(i))
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
	return largestLoad(part, func(x float64) (float64, error) { return s.accepted(ctx, x, &part) })
}
