package placed

import (
	"cmp"
	"math"
	"slices"
)

// keptLegs are what groups carry of what each switch sends to all others, in all as much as it sends in a pattern to each of them, and receives from all others. What pairs of
// groups put on links is kept for patterns in which all switches send and receive as much as in the one before.
type keptLegs struct {
	g        *Groups
	sent     [2][]float64 // by switch, what they are of: out and in
	out, in  []sides      // by group
	uniform  bool         // all groups have the same
	parts    *spineParts  // of a group, or of all that are turned
	scratch  *groupLegs
	kind     []int // by group, of those that send and receive as much
	kinds    int
	recorded [2][]record // by far and the kinds of the group and of the other: leave, and enter
	list     []legAdd
	room     int // of list, mostRecorded if it is not set
	// What is added up of groups, of turn and those before it, as many as kinds take turns, while all in them are whole in units of 1/wholeUnit, so that they are the same in any
	// order; bounds are the groups that are of another kind than those so many before them.
	sums   []*groupLegs
	turns  int
	turn   int
	whole  bool
	bounds []int
	odd    *oddLegs // where but a few groups are of one kind
}

// wholeUnit is of parts as equal as groups make them mostly, and wholeMost what one may be, so that sums of two of each of wholeGroups have 53 bits at most.
const wholeUnit, wholeMost, wholeGroups = 1 << 20, 1 << 20, 1 << 11

func isWhole(x float64) bool {
	x *= wholeUnit
	return x == math.Trunc(x) && math.Abs(x) <= wholeUnit*wholeMost
}

// legAdd is so much more at one place of groupLegs.all, and record those of a pair of groups.
type legAdd struct {
	at   int
	more float64
}
type record struct{ begin, end int32 }

// mostKept bounds the links of groups that send and receive alike whose legs are kept, for 64 MB, and mostRecorded what is recorded of pairs of groups, for as much: of a million endpoints it is 20 to 40 MB, and what is
// beyond is found again for each pair. mostKinds bounds the groups that differ in what they send and receive, so that to look at pairs of them is less than to look at all groups.
const (
	mostKept     = 1 << 23
	mostRecorded = 1 << 22
	mostKinds    = 16
)

// Bytes is what counting patterns of so many messages takes at most: what switches send by group, twice and with room to grow, the legs at hand and, of groups with the same links, what
// links of those alike have at most (ways), records by kinds and what they hold of pairs of groups (record), which grows by a quarter and may be copied, with the one that goes beyond.
func (g *Groups) Bytes(messages float64) float64 {
	p := g.part(0)
	links := len(p.local) + len(p.global)
	bytes := 60*messages + 8*float64(5*(links+4*g.Each)) + 100*float64(g.Count*g.Each)
	if !g.Turned {
		return bytes
	}
	if bytes += 8 * float64(min(mostKept, g.Count*links)); g.Mids > 0 {
		return bytes + 2*3*24*float64(len(p.global)) // parts, with room to grow
	}
	held, most := 0.0, 0.0 // of a pair of kinds, and of one record
	for far := range g.of(0) {
		j := &g.of(0)[far]
		for _, ends := range [2][]int32{j.exits, j.entries} {
			n := float64(1 + len(ends)*(len(ends)+2) + j.end - j.first)
			held, most = held+n, max(most, n)
		}
	}
	const pairs = mostKinds * mostKinds
	return bytes + 16*2.25*(min(mostRecorded, pairs*held)+most) + 16*pairs*float64(g.Count)
}

// begin makes them those of switches that send and receive so much.
func (k *keptLegs) begin(g *Groups, out, in []float64) {
	if k.g == g && slices.Equal(k.sent[0], out) && slices.Equal(k.sent[1], in) {
		return
	}
	same := func(list []float64) bool { return slices.Min(list) == slices.Max(list) }
	if k.g != g {
		k.parts = nil
	}
	k.g, k.sent = g, [2][]float64{slices.Clone(out), slices.Clone(in)}
	k.out, k.in = g.sides(k.sent[0]), g.sides(k.sent[1])
	if k.uniform = g.Turned && same(out) && same(in); g.Turned && g.Mids == 0 {
		k.scratch = cmp.Or(k.scratch, g.newLegs(0))
		k.sort()
	}
}

// raise makes what links carry at least the legs of a group; without -Inf where there is no link.
func (k *keptLegs) raise(group int, to *groupPart) {
	if k.g.Mids > 0 {
		if k.parts == nil || !k.g.Turned {
			k.parts = k.g.spineParts(group)
		}
		k.parts.raise(k.g, group, k.out, k.in, to)
		return
	}
	k.legs(group).raise(k.out[group], k.in[group], to)
}

// sort puts groups that send and receive as much into kinds; none if there are many.
func (k *keptLegs) sort() {
	k.kind, k.odd = make([]int, len(k.out)), nil
	var first []int
	for i := range k.kind {
		k.kind[i] = slices.IndexFunc(first, func(f int) bool {
			return slices.Equal(k.out[f].of, k.out[i].of) && slices.Equal(k.in[f].of, k.in[i].of)
		})
		if k.kind[i] < 0 {
			if len(first) == mostKinds {
				k.kind = nil
				return
			}
			k.kind[i] = len(first)
			first = append(first, i)
		}
	}
	k.whole, k.turn = len(k.kind) <= wholeGroups, -1
	k.takeTurns()
	for _, i := range first {
		k.whole = k.whole && !slices.ContainsFunc(k.out[i].of, notWhole) && !slices.ContainsFunc(k.in[i].of, notWhole)
	}
	k.kinds, k.list = len(first), k.list[:0]
	if k.odd = oddOnes(k.kind, first, len(k.bounds), k.out, k.in); k.odd != nil {
		return
	}
	for way := range k.recorded {
		k.recorded[way] = make([]record, k.g.Count*k.kinds*k.kinds)
	}
}

// takeTurns finds after how many groups kinds come again most often: groups of ranks begin at the same place of every so-manieth.
func (k *keptLegs) takeTurns() {
	n := len(k.kind)
	for turns := 1; turns <= mostKinds && turns < n; turns++ {
		var bounds []int
		for i, kind := range k.kind {
			if k.kind[(i+n-turns)%n] != kind {
				bounds = append(bounds, i)
			}
		}
		if turns == 1 || len(bounds) < len(k.bounds) {
			k.turns, k.bounds = turns, bounds
		}
	}
}

func notWhole(x float64) bool { return !isWhole(x) }

// legs are those of a group, until the next is asked for. Where it can be they are added up by what the group has more than the one of its kind so many turns before, whose links are the same: of
// other groups only those count that are of another kind than those as many before them.
func (k *keptLegs) legs(group int) *groupLegs {
	if !k.g.Turned {
		p := k.g.newLegs(group)
		k.all(group, p, itself)
		return p
	}
	if k.odd != nil {
		return k.oddLegs(group)
	}
	turns, n := 1, k.g.Count
	if k.kind != nil && k.whole {
		turns = k.turns
	}
	for len(k.sums) < turns {
		k.sums = append(k.sums, k.g.newLegs(0))
	}
	sums, next := k.sums[group%turns], k.turn+1 == group
	k.turn = group
	if next && k.kind != nil && k.whole && group >= turns && k.kind[group] == k.kind[group-turns] {
		for _, o := range k.bounds {
			before := (o + n - turns) % n
			for way, far := range [2]int{(o - group + n) % n, (group - o + n) % n} {
				if far > 0 {
					k.sum(sums, group, before, far, way, -1)
					k.sum(sums, group, o, far, way, 1)
				}
			}
		}
		if k.whole {
			return sums
		}
	}
	k.all(group, sums, itself)
	return sums
}

// oddLegs are legs where but a few groups are of one kind.
func (k *keptLegs) oddLegs(group int) *groupLegs {
	x := k.odd
	if x.base == nil {
		x.base, x.at = k.g.newLegs(0), k.g.newLegs(0)
		k.all(x.one, x.base, func(int) int { return x.one })
	}
	if k.kind[group] == x.kind {
		return x.legs(k.g, group)
	}
	k.all(group, x.at, itself)
	return x.at
}

func itself(group int) int { return group }

// all adds up what a group carries, if others send and receive as those do that as gives.
func (k *keptLegs) all(group int, to *groupLegs, as func(other int) int) {
	g, n := k.g, k.g.Count
	clear(to.all)
	for s, x := range k.out[group].of {
		for t, y := range k.in[group].of {
			to.local[s*g.Each+t] = x + y
		}
	}
	for far := 1; far < n; far++ {
		k.sum(to, group, as((group+far)%n), far, 0, 1)
		k.sum(to, group, as((group-far+n)%n), far, 1, 1)
	}
}

// sum adds so many times what a group carries of what it sends to another that is so much further on (way 0), or receives from one to which it is (1).
func (k *keptLegs) sum(to *groupLegs, group, other, far, way int, times float64) {
	if way == 0 && k.out[group].sum+k.in[other].sum == 0 || way == 1 && k.out[other].sum+k.in[group].sum == 0 {
		return
	}
	if k.kind == nil || k.odd != nil {
		k.add(to, group, other, far, way)
		return
	}
	r := &k.recorded[way][(far*k.kinds+k.kind[group])*k.kinds+k.kind[other]]
	if r.end == 0 {
		k.record(r, group, other, far, way)
	}
	for _, x := range k.list[r.begin:r.end] {
		to.all[x.at] += times * x.more
	}
	if len(k.list) > cmp.Or(k.room, mostRecorded) { // this is the last record
		k.list, *r = k.list[:r.begin], record{}
	}
}

// add adds what a group carries of what it sends to another that is so much further on (way 0), or receives from one to which it is (1).
func (k *keptLegs) add(p *groupLegs, group, other, far, way int) {
	if way == 0 {
		p.leave(&k.g.of(group)[far], k.out[group], k.in[other])
	} else {
		p.enter(k.g.towards(group, far), k.out[other], k.in[group])
	}
}

// record is add once for all groups of the kinds of these two, which meet the same links.
func (k *keptLegs) record(r *record, group, other, far, way int) {
	k.add(k.scratch, group, other, far, way)
	begin, j, each := len(k.list), k.g.towards(group, far), k.g.Each
	take := func(at int) {
		if x := &k.scratch.all[at]; *x != 0 {
			k.whole = k.whole && isWhole(*x)
			k.list, *x = append(k.list, legAdd{at, *x}), 0
		}
	}
	ends := j.exits
	if way == 1 {
		ends = j.entries
	}
	for _, x := range ends {
		take(2*way*each + int(x))
		take((2*way+1)*each + int(x))
		for _, y := range ends {
			take((4+int(x))*each + int(y))
		}
	}
	for i := j.first; i < j.end; i++ {
		take((4+each)*each + i)
	}
	if len(k.list) == begin { // so that it is known
		k.list = append(k.list, legAdd{})
	}
	*r = record{int32(begin), int32(len(k.list))}
}
