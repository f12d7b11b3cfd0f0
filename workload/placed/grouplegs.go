package placed

import (
	"cmp"
	"math"
	"slices"
)

// groupLegs are what links of a group carry of the legs of many other groups. Most are to an exit from all switches that are none, or from an entry to all that are none: what these
// carry alike is kept by exit and entry, as so much of each and so many times the value of the switch, until raise.
type groupLegs struct {
	*groupPart
	toExit, toExitTimes, fromEntry, fromEntryTimes []float64
	all                                            []float64 // these, local and global
	room                                           []float64 // by entry
}

func (g *Groups) newLegs(group int) *groupLegs {
	n, square := g.Each, g.Each*g.Each
	all := make([]float64, 4*n+square+g.between(group))
	x := all[4*n:]
	return &groupLegs{&groupPart{n, 0, x[:square], x[square:]}, all[:n], all[n : 2*n], all[2*n : 3*n], all[3*n : 4*n], all, make([]float64, n)}
}

// leave is pass from every switch to every one of the other group, of the sum of what out has for the one and in for the other, on the links of the group of out. Switches without
// links in question are alike but for these.
func (p *groupLegs) leave(j *joined, out, in sides) {
	ne, nf := float64(len(j.exits)), len(j.entries)
	froms, from := out.without(j.exits)
	tos, to := in.without(j.entries)
	into := p.room[:nf] // by entry, what goes on to it over a link inside
	clear(into)
	for e, x := range j.exits {
		times, all := tos/ne, to/ne // to the exit from each switch s that is none: all and out[s] times so much
		row, sent, leads, own := p.local[int(x)*p.each:][:p.each], out.of[x], float64(j.out[e]), 0.0
		for f, y := range j.entries {
			amount := sent + in.of[y]
			if m := float64(j.links[e*nf+f]); m > 0 {
				// To switches that are no entries, and from those that are no exits to this one.
				p.global[j.at[e*nf+f]] += amount/m + (sent*tos+to+(from*tos+froms*to)/ne)/leads + (from+froms*in.of[y])/float64(j.in[f])/m
				times, all = times+1/float64(j.in[f]), all+in.of[y]/float64(j.in[f])
				continue
			}
			part := amount / (leads + float64(j.in[f]))
			own += part
			into[f] += part
			for _, o := range j.led[f] {
				row[j.exits[o]] += part
			}
		}
		for _, f := range j.leads[e] {
			p.global[j.at[e*nf+int(f)]] += own
		}
		p.toExit[x] += all
		p.toExitTimes[x] += times
		for _, s := range j.exits {
			p.local[int(s)*p.each+int(x)] -= all + out.of[s]*times
		}
	}
	for f, part := range into {
		for _, e := range j.led[f] {
			at := int(e)*nf + f
			p.global[j.at[at]] += part / float64(j.links[at])
		}
	}
}

// enter is leave on the links of the group of in.
func (p *groupLegs) enter(j *joined, out, in sides) {
	ne, nf := float64(len(j.exits)), len(j.entries)
	froms, from := out.without(j.exits)
	for f, y := range j.entries {
		times, all := 0.0, 0.0 // from the entry to each switch t that is none: all and in[t] times so much
		for e, x := range j.exits {
			if m := j.links[e*nf+f]; m > 0 {
				part := float64(m) / float64(j.out[e])
				times, all = times+part*(1+froms/ne), all+part*(out.of[x]+from/ne)
				continue
			}
			part := (out.of[x] + in.of[y]) / float64(j.out[e]+j.in[f])
			for _, o := range j.leads[e] {
				p.local[int(j.entries[o])*p.each+int(y)] += part * float64(j.links[e*nf+int(o)])
			}
		}
		p.fromEntry[y] += all
		p.fromEntryTimes[y] += times
		for _, t := range j.entries {
			p.local[int(y)*p.each+int(t)] -= all + in.of[t]*times
		}
	}
}

// raise makes what links carry at least what was added up and kept, of a group that sends and receives so much.
func (p *groupLegs) raise(out, in sides, to *groupPart) {
	for a := range p.each {
		row, high := p.local[a*p.each:][:p.each], to.local[a*p.each:][:p.each]
		sends, enters, times := out.of[a], p.fromEntry[a], p.fromEntryTimes[a]
		for b, x := range row {
			high[b] = max(high[b], x+(p.toExit[b]+sends*p.toExitTimes[b]+enters+in.of[b]*times))
		}
	}
	for i, x := range p.global {
		to.global[i] = max(to.global[i], x)
	}
}

// sides are values of the switches of a group, with their sum.
type sides struct {
	of  []float64
	sum float64
}

// without is how many switches are not in a list, and the sum of their values.
func (x sides) without(list []int32) (n, sum float64) {
	sum = x.sum
	for _, s := range list {
		sum -= x.of[s]
	}
	return float64(len(x.of) - len(list)), sum
}

// towards are the links to a group from the one to which it is so much further on.
func (g *Groups) towards(group, far int) *joined {
	if g.Turned {
		return &g.of(0)[far]
	}
	return &g.of((group - far + g.Count) % g.Count)[far]
}

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
		k.over(group, to)
		return
	}
	k.legs(group).raise(k.out[group], k.in[group], to)
}

// spineParts are which parts of what a switch sends to another group each spine takes and each link from there, and of what one gets the spines there.
type spineParts struct{ exits, links, entries []spinePart }
type spinePart struct {
	at, far int // the spine, or the link as in groupPart.global; how much further on the other group is, or how much less
	part    float64
}

func (g *Groups) spineParts(group int) *spineParts {
	p := new(spineParts)
	for far := 1; far < g.Count; far++ {
		j := &g.of(group)[far]
		for e, x := range j.exits {
			part := 1 / float64(len(j.exits))
			p.exits = append(p.exits, spinePart{int(x), far, part})
			for _, f := range j.leads[e] {
				p.links = append(p.links, spinePart{int(j.at[e*len(j.entries)+int(f)]), far, part / float64(j.out[e])})
			}
		}
		j = g.towards(group, far)
		for e := range j.exits {
			part := 1 / float64(len(j.exits)) / float64(j.out[e])
			for _, f := range j.leads[e] {
				p.entries = append(p.entries, spinePart{int(j.entries[f]), far, part * float64(j.links[e*len(j.entries)+int(f)])})
			}
		}
	}
	return p
}

// over is raise where routes go over spines. Each spine passes on a part of what a switch sends to each other group, and of what one gets from there, which is the same for all switches.
func (k *keptLegs) over(group int, to *groupPart) {
	g, n, out, in := k.g, k.g.Count, k.out[group], k.in[group]
	if k.parts == nil || !g.Turned {
		k.parts = g.spineParts(group)
	}
	switches, mids := float64(g.Each), float64(g.Mids)
	all := make([]float64, 4*g.Mids)
	leave, leaves, enter, enters := all[:g.Mids], all[g.Mids:2*g.Mids], all[2*g.Mids:3*g.Mids], all[3*g.Mids:] // by spine, parts and of parts of what others have
	further := func(far int) float64 {
		if far += group; far >= n {
			far -= n
		}
		return k.in[far].sum
	}
	for _, p := range k.parts.exits {
		leave[p.at] += p.part
		leaves[p.at] += p.part * further(p.far)
	}
	for _, p := range k.parts.links {
		to.global[p.at] = max(to.global[p.at], switches*(out.sum+further(p.far))*p.part)
	}
	for _, p := range k.parts.entries {
		from := group - p.far
		if from < 0 {
			from += n
		}
		enter[p.at] += p.part
		enters[p.at] += p.part * k.out[from].sum
	}
	up, down := to.ways()
	for i := range g.Each {
		sent, got := ((switches-1)*out.of[i]+in.sum-in.of[i])/mids, ((switches-1)*in.of[i]+out.sum-out.of[i])/mids
		for s := range g.Mids {
			a, b := &up[i*g.Mids+s], &down[s*g.Each+i]
			*a = max(*a, sent+switches*out.of[i]*leave[s]+leaves[s])
			*b = max(*b, got+switches*in.of[i]*enter[s]+enters[s])
		}
	}
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
	if k.odd = k.oddOnes(first); k.odd != nil {
		return
	}
	for way := range k.recorded {
		k.recorded[way] = make([]record, k.g.Count*k.kinds*k.kinds)
	}
}

// oddOnes are the groups that are not of the kind of most, of kinds with these first groups; nil: they are many, or it is soon told what groups have more than those before them.
func (k *keptLegs) oddOnes(first []int) *oddLegs {
	count := make([]int, len(first))
	for _, kind := range k.kind {
		count[kind]++
	}
	x := &oddLegs{none: sides{of: make([]float64, k.g.Each)}}
	for kind, n := range count {
		if n > count[x.kind] {
			x.kind = kind
		}
	}
	x.one = first[x.kind]
	if n := len(k.kind); (n-count[x.kind])*mostOdd > n || n-count[x.kind] > max(len(k.bounds), fewOdd) {
		return nil
	}
	more := func(a, b sides) sides {
		d := sides{of: make([]float64, len(a.of)), sum: a.sum - b.sum}
		for i := range d.of {
			d.of[i] = a.of[i] - b.of[i]
		}
		return d
	}
	for i, kind := range k.kind {
		if kind != x.kind {
			x.groups = append(x.groups, i)
			x.out, x.in = append(x.out, more(k.out[i], k.out[x.one])), append(x.in, more(k.in[i], k.in[x.one]))
		}
	}
	return x
}

// legs of a group, until the next is asked for.
func (x *oddLegs) legs(k *keptLegs, group int) *groupLegs {
	if x.base == nil {
		x.base, x.at = k.g.newLegs(0), k.g.newLegs(0)
		k.all(x.one, x.base, func(int) int { return x.one })
	}
	if k.kind[group] != x.kind {
		k.all(group, x.at, itself)
		return x.at
	}
	copy(x.at.all, x.base.all)
	n := k.g.Count
	for i, o := range x.groups {
		x.at.leave(&k.g.of(group)[(o-group+n)%n], x.none, x.in[i])
		x.at.enter(k.g.towards(group, (group-o+n)%n), x.out[i], x.none)
	}
	copy(x.at.toExitTimes, x.base.toExitTimes) // which are of the links, whatever is sent
	copy(x.at.fromEntryTimes, x.base.fromEntryTimes)
	return x.at
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
		return k.odd.legs(k, group)
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

// unlinked makes what a group carries -Inf where there is no link: from a switch to itself.
func (g *Groups) unlinked(p *groupPart) {
	if g.Mids > 0 {
		return
	}
	for i := range g.Each {
		p.local[i*g.Each+i] = math.Inf(-1)
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

// sides are those of all groups.
func (g *Groups) sides(of []float64) []sides {
	out := make([]sides, g.Count)
	for i := range out {
		out[i].of = of[i*g.Each:][:g.Each]
		for _, x := range out[i].of {
			out[i].sum += x
		}
	}
	return out
}
