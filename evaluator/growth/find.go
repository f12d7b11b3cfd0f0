package growth

// Find gives a match between two networks: the best of several starts, improved until nothing helps.
func Find(old, to *Network, rules Rules) *Match {
	m := &matcher{old: old, to: to, rules: rules, votes: make([]int32, to.vertices())}
	most := MostKept(old, to, rules)
	var best *Match
	kept := -1
	try := func(x *Match) bool {
		m.improve(x)
		m.rest(x)
		m.exchanges(x)
		m.servers(x)
		if k := Kept(old, to, x, rules); k > kept {
			best, kept = x, k
		}
		return kept >= most
	}
	for _, hint := range m.hints() {
		if try(m.grow(m.whole(hint), hint)) || try(m.grow(m.none(), hint)) {
			return best
		}
	}
	try(m.grow(m.none(), nil))
	return best
}
