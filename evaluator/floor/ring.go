package floor

import (
	"toposearch/topology"
)

// mostTurns bounds the table of links, 8 MiB: beyond it there are hardly more bundles than entries.
const mostTurns = 1 << 20

// turn adds a bundle around a ring.
func (l *Layout) turn(b *topology.Bundle) {
	t := &l.turns
	if t.ring == 0 || t.class != b.Class || t.ring != b.Ring || t.step != b.Step {
		l.endTurns()
		l.beginTurns(b)
	}
	x, y := int(b.A)-t.from, int(b.B)-t.from
	if len(t.links) == 0 || min(x, y) < 0 || max(x, y) >= t.step || t.count[b.Shift] != 0 && t.count[b.Shift] != b.Count {
		l.ring(b, int64(b.Times))
		return
	}
	t.count[b.Shift] = b.Count
	n := len(t.first)
	t.links[(b.Shift*n+int(t.column[x]))*n+int(t.column[y])] += int64(b.Times)
}

// beginTurns finds the columns of the ring that a first bundle goes around.
func (l *Layout) beginTurns(b *topology.Bundle) {
	t := &l.turns
	t.class, t.ring, t.step = b.Class, b.Ring, b.Step
	t.from = int(min(b.A, b.B))
	t.column, t.first, t.links = grow(t.column, t.step), append(t.first[:0], t.from), t.links[:0]
	t.places = t.places[:0]
	end := t.from + t.ring*t.step
	if end > len(l.spots) {
		return
	}
	for r := int(l.runAt[t.from]); ; r++ {
		next := int(l.runs[r].end)
		if next >= end {
			break
		}
		t.column[(next-t.from)%t.step] = 1
	}
	t.column[0] = 0
	for x := 1; x < t.step; x++ {
		if t.column[x] == 1 {
			t.first = append(t.first, t.from+x)
		}
		t.column[x] += t.column[x-1]
	}
	if n := t.ring * len(t.first) * len(t.first); n <= mostTurns {
		t.links, t.count = grow(t.links, n), grow(t.count, t.ring)
	}
	if l.p.buildings == 1 {
		for _, at := range t.first {
			for range t.ring {
				t.places = append(t.places, rackAt{l.spots[at].x, l.spots[at].y})
				at += t.step
			}
		}
	}
}

// endTurns lays the bundles that were gathered.
func (l *Layout) endTurns() {
	t := &l.turns
	n := len(t.first)
	for i, times := range t.links {
		if times > 0 {
			b := topology.Bundle{
				A: topology.SwitchID(t.first[i/n%n]), B: topology.SwitchID(t.first[i%n]),
				Class: t.class, Count: t.count[i/n/n], Ring: t.ring, Shift: i / n / n, Step: t.step,
			}
			l.ring(&b, times)
		}
	}
	t.ring, t.links = 0, t.links[:0]
}

// ring counts times links for each of a bundle around a ring, place by place.
func (l *Layout) ring(b *topology.Bundle, times int64) {
	t := &l.turns
	if x, y := int(b.A)-t.from, int(b.B)-t.from; len(t.places) > 0 && min(x, y) >= 0 && max(x, y) < t.step {
		here, there := t.places[int(t.column[x])*t.ring:][:b.Count], t.places[int(t.column[y])*t.ring:][:t.ring]
		counts, row := l.counts[2*int64(b.Class)*l.cells:][:l.cells], int32(l.p.perRow)
		to := b.Shift
		for _, p := range here {
			if to >= len(there) {
				to -= len(there)
			}
			q := there[to]
			dx, dy := p.x-q.x, p.y-q.y
			counts[max(dy, -dy)*row+max(dx, -dx)] += times
			to++
		}
		return
	}
	from, to := int(b.A), int(b.B)+b.Shift*b.Step
	end := int(b.B) + b.Ring*b.Step
	for range b.Count {
		l.count(b.Class, l.spots[from], l.spots[to], times)
		from, to = from+b.Step, to+b.Step
		if to >= end {
			to -= b.Ring * b.Step
		}
	}
}
