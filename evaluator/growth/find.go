package growth

import (
	"cmp"
	"slices"
)

// Find gives a match between two networks: the best of several starts, improved until nothing helps, then with their endpoints dealt out anew, that which
// keeps most first.
func Find(old, to *Network, rules Rules) *Match { return Matches(old, to, rules)[0] }

// Matches are that of Find and, where it keeps fewer cables, the best of all starts before endpoints are dealt out anew: what it leaves may be moved where the other has to buy.
func Matches(old, to *Network, rules Rules) []*Match {
	m := &matcher{old: old, to: to, rules: rules, votes: make([]int32, to.vertices())}
	most := MostKept(old, to, rules)
	type found struct {
		*Match
		kept int
	}
	var all []found
	try := func(x *Match) bool {
		m.improve(x)
		m.rest(x)
		m.exchanges(x)
		m.servers(x)
		all = append(all, found{x, Kept(old, to, x, rules)})
		return all[len(all)-1].kept >= most
	}
	for _, hint := range m.hints() {
		if try(m.grow(m.whole(hint), hint)) || try(m.grow(m.none(), hint)) {
			return []*Match{all[len(all)-1].Match}
		}
	}
	if x := m.grow(m.none(), nil); try(x) {
		return []*Match{x}
	}
	slices.SortStableFunc(all, func(a, b found) int { return cmp.Compare(b.kept, a.kept) })
	all = slices.CompactFunc(all, func(a, b found) bool { return slices.Equal(a.New, b.New) })
	best, before := all[0], found{&Match{slices.Clone(all[0].New), slices.Clone(all[0].Old)}, all[0].kept}
	for _, f := range all {
		if f.kept = m.dealt(f.Match, f.kept); f.kept > best.kept {
			best = f
		}
		if best.kept >= most {
			break
		}
	}
	if best.kept > before.kept {
		return []*Match{best.Match, before.Match}
	}
	return []*Match{best.Match}
}
