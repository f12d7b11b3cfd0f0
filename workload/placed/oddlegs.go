package placed

// oddLegs are legs where most groups are of one kind, of which base has those if all were of it. They are linear in what a switch sends and what it receives, so that groups of
// that kind add what the odd ones have more.
type oddLegs struct {
	kind, one int // the kind of most, and a group of it
	groups    []int
	out, in   []sides // of those, what they have more
	none      sides
	base, at  *groupLegs
}

// mostOdd is of how many groups one may be odd: one costs as much as several that are not, whose legs are recorded. fewOdd of them cost little more than what groups in turns have more, which may turn out to be no sum
// of whole parts.
const mostOdd, fewOdd = 4, 8

// oddOnes are the groups that are not of the kind of most, by the kinds of groups, the first group of each, and what groups send and receive; nil: they are many, or more than differ from
// those before them, whose legs are soon told by what they have more.
func oddOnes(kinds, first []int, differ int, out, in []sides) *oddLegs {
	count := make([]int, len(first))
	for _, kind := range kinds {
		count[kind]++
	}
	x := &oddLegs{none: sides{of: make([]float64, len(out[0].of))}}
	for kind, n := range count {
		if n > count[x.kind] {
			x.kind = kind
		}
	}
	x.one = first[x.kind]
	if n := len(kinds); (n-count[x.kind])*mostOdd > n || n-count[x.kind] > max(differ, fewOdd) {
		return nil
	}
	more := func(a, b sides) sides {
		d := sides{of: make([]float64, len(a.of)), sum: a.sum - b.sum}
		for i := range d.of {
			d.of[i] = a.of[i] - b.of[i]
		}
		return d
	}
	for i, kind := range kinds {
		if kind != x.kind {
			x.groups = append(x.groups, i)
			x.out, x.in = append(x.out, more(out[i], out[x.one])), append(x.in, more(in[i], in[x.one]))
		}
	}
	return x
}

// legs of a group of the kind of most, until the next is asked for.
func (x *oddLegs) legs(g *Groups, group int) *groupLegs {
	copy(x.at.all, x.base.all)
	n := g.Count
	for i, o := range x.groups {
		x.at.leave(&g.of(group)[(o-group+n)%n], x.none, x.in[i])
		x.at.enter(g.towards(group, (group-o+n)%n), x.out[i], x.none)
	}
	copy(x.at.toExitTimes, x.base.toExitTimes) // which are of the links, whatever is sent
	copy(x.at.fromEntryTimes, x.base.fromEntryTimes)
	return x.at
}
