package floor

import "slices"

// inSections adds up what links inside sections need. Sections that lie alike in the rows are the same: those in one row, wherever in it,
// and those around its end from as far before it on.
func (a *leastSum) inSections(p *Plan, visit func(in *leastSum, section int64)) {
	const mostSeen = 16 // sections of a rack more have one way more to lie around an end, and there are fewer of them
	type lying struct {
		at int64 // in its row
		leastSum
	}
	var seen []lying
	var straight leastSum // in one row
	inRow := false
	width := p.endRacks + p.netRacks
	for section := range p.sections {
		first := p.base(section)
		at, whole := first%p.perRow, (section+1)*p.perSection <= p.blocks
		around := at+width > p.perRow
		if whole && !around && inRow {
			a.join(&straight)
			continue
		}
		if whole && around {
			if i := slices.IndexFunc(seen, func(x lying) bool { return x.at == at }); i >= 0 {
				a.join(&seen[i].leastSum)
				continue
			}
		}
		in := *a
		in.count, in.m, in.price, in.watts = 0, 0, 0, 0
		visit(&in, section)
		a.join(&in)
		if whole && !around {
			straight, inRow = in, true
		} else if whole && len(seen) < mostSeen {
			seen = append(seen, lying{at, in})
		}
	}
}

// kept gives a visit of a section that is made once for all that lie alike, of this design and of others. The racks of a section, and the end of
// its row if it is before them, are not in the key yet.
func (a *leastSum) kept(p *Plan, key lyingKey, visit func(in *leastSum, section int64)) func(in *leastSum, section int64) {
	width := p.endRacks + p.netRacks
	if width > p.perRow { // around more than one end
		return visit
	}
	key.speed, key.endRacks, key.netRacks = a.speed, p.endRacks, p.netRacks
	blank := *a
	blank.count, blank.m, blank.price, blank.watts, blank.evenM, blank.longestM, blank.distances = 0, 0, 0, 0, 0, 0, nil
	return func(in *leastSum, section int64) {
		key := key
		if key.end = p.perRow - p.base(section)%p.perRow; key.end >= width {
			key.end = 0
		}
		sum := a.lyings.Of(key, func() leastSum {
			sum := blank
			visit(&sum, section)
			return sum
		})
		in.join(&sum)
	}
}
