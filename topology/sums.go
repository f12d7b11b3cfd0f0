package topology

// Sums are what the types of a Paths add up to, in the same integers. Means, loads and most of a
// latency follow from them, and where dimensions are independent they take a formula each, however
// many types there are.
type Sums struct {
	Pairs int64             // of weights
	Cross [MaxClasses]int64 // of weights times links of a class; 0 for internal ones
	// Links and Hops are sums of weights times what a path counts: all links but internal ones, and of
	// these the ones between its first and its last nic link.
	Links, Hops       int64
	MaxLinks, MaxHops int
}

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
