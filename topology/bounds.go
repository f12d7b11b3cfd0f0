package topology

import "slices"

// SizeBounds encloses the size of every valid design in the box lo..hi, corners included.
func (f *Family) SizeBounds(lo, hi []int, bl, bh *Size) {
	bl.Reset(f)
	bh.Reset(f)
	if f.Bounds != nil {
		f.Bounds(lo, hi, bl, bh)
		return
	}
	f.Count(lo, bl)
	f.Count(hi, bh)
}

// Tighten narrows the sizes of a box to what its designs have per endpoint; the endpoints of bl
// and bh must be those of the designs that count.
func (p *PerEndpoint) Tighten(bl, bh *Size) {
	if !p.Known {
		return
	}
	// Products round: a few parts in 10^16.
	const below, above = 1 - 1e-12, 1 + 1e-12
	n, m := float64(bl.Endpoints), float64(bh.Endpoints)
	for i := range bl.Family.SwitchClasses {
		bl.Switch[i].Count = max(bl.Switch[i].Count, int64(p.Switch[i]*n*below))
	}
	for c := range bl.Family.LinkClasses {
		bl.Link[c] = max(bl.Link[c], int64(p.Link[c]*n*below))
		if most := p.LinkMost[c] * m * above; most < float64(bh.Link[c]) {
			bh.Link[c] = max(bl.Link[c], int64(most)+1)
		}
	}
}

// BoundPerEndpoint fills p for a box and endpoints between least and most, at least 1.
func (f *Family) BoundPerEndpoint(lo, hi []int, least, most int64, p *PerEndpoint) {
	*p = PerEndpoint{}
	if f.PerEndpoint == nil || least < 2 {
		return
	}
	f.PerEndpoint(lo, hi, least, most, p)
	p.OneShape = f.Multiplies != nil && f.oneLayout(f.Multiplies, lo, hi, &p.Shape)
	p.OnePlan = f.Unplaced != nil && f.oneLayout(f.Unplaced, lo, hi, &p.Plan)
	for i, x := range hi {
		p.Widest[i] = int32(x)
	}
}

// oneLayout says whether all parameters but the free ones, never the first, are fixed in a box, and gives their values
// with 1 for those.
func (f *Family) oneLayout(free []int, lo, hi []int, like *Values) bool {
	for i := range f.Params {
		switch {
		case i > 0 && slices.Contains(free, i):
			like[i] = 1
		case lo[i] != hi[i]:
			return false
		default:
			like[i] = int32(lo[i])
		}
	}
	return true
}

// HasRounds tells whether links of a class are known by rounds.
func (p *PerEndpoint) HasRounds() bool {
	for c := range p.Fan {
		if p.Fan[c].Spread[0] > 0 {
			return true
		}
	}
	return false
}
