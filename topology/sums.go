package topology

// Sum adds the types of a family up.
func (p *Paths) Sum(f *Family) {
	s := &p.Sums
	*s = Sums{}
	n := len(f.LinkClasses)
	first, inside := 0, -1
	var nics uint32
	for c := range n {
		switch f.LinkClasses[c].Name {
		case ClassNic:
			nics |= 1 << c
		case ClassInternal:
			inside = c
		}
	}
	if inside == 0 {
		first = 1
	}
	for i := range p.Types {
		t := &p.Types[i]
		links, nic := int64(0), uint32(0)
		for c := first; c < n; c++ {
			x := int64(t.Cross[c])
			if x == 0 || c == inside {
				continue
			}
			links += x
			nic |= 1 << c & nics
			s.Cross[c] += t.Weight * x
		}
		hops := links
		if nic != 0 {
			hops -= 2
		}
		s.Pairs += t.Weight
		s.Links += t.Weight * links
		s.Hops += t.Weight * hops
		s.MaxLinks, s.MaxHops = max(s.MaxLinks, int(links)), max(s.MaxHops, int(hops))
	}
}
