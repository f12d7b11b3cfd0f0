package placed

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

// raise makes what links carry at least the legs of a group (keptLegs.raise). Each spine passes on a part of what a switch sends to each other group, and of what one gets from there, which is the same for all switches.
func (p *spineParts) raise(g *Groups, group int, outs, ins []sides, to *groupPart) {
	n, out, in := g.Count, outs[group], ins[group]
	switches, mids := float64(g.Each), float64(g.Mids)
	all := make([]float64, 4*g.Mids)
	leave, leaves, enter, enters := all[:g.Mids], all[g.Mids:2*g.Mids], all[2*g.Mids:3*g.Mids], all[3*g.Mids:] // by spine, parts and of parts of what others have
	further := func(far int) float64 {
		if far += group; far >= n {
			far -= n
		}
		return ins[far].sum
	}
	for _, x := range p.exits {
		leave[x.at] += x.part
		leaves[x.at] += x.part * further(x.far)
	}
	for _, x := range p.links {
		to.global[x.at] = max(to.global[x.at], switches*(out.sum+further(x.far))*x.part)
	}
	for _, x := range p.entries {
		from := group - x.far
		if from < 0 {
			from += n
		}
		enter[x.at] += x.part
		enters[x.at] += x.part * outs[from].sum
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
