package placed

import "math"

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

// unlinked makes what a group carries -Inf where there is no link: from a switch to itself.
func (g *Groups) unlinked(p *groupPart) {
	if g.Mids > 0 {
		return
	}
	for i := range g.Each {
		p.local[i*g.Each+i] = math.Inf(-1)
	}
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
