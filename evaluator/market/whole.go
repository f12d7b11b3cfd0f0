package market

import (
	"slices"

	"toposearch/catalog"
	"toposearch/topology"
)

// Whole is how many of a part are needed that serves several links: more than the fractions that the links
// add up to, since links share it only between the same boxes.
type Whole struct {
	Part   *catalog.Part
	Units  int64
	Spare  [topology.MaxClasses]float64 // of them beyond those fractions, by class of links
	Links  int64                        // that have it straight from box to box, or at a port of an adapter
	SpareW float64                      // draw beyond that of the fractions
}

// Wholes are the parts of runs that serve several links.
func (m *Market) Wholes(r *Rates, runs []Run, sh *Shares) (out []Whole) {
	for i := range runs {
		for _, it := range m.Cabling(r, &runs[i]).Items {
			if it.Part == nil || it.Den <= 1 || slices.ContainsFunc(out, func(w Whole) bool { return w.Part == it.Part }) {
				continue
			}
			uses := make([]bool, len(runs))
			for k := range runs {
				uses[k] = slices.ContainsFunc(m.Cabling(r, &runs[k]).Items[:], func(x catalog.Item) bool { return x.Part == it.Part })
			}
			out = append(out, wholeOf(it.Part, sh.at(it.Part), runs, uses))
		}
	}
	return out
}

// wholeOf is how many of a part are bought. What of one serves no link is a spare of the last class of the links that share it: of that to
// endpoints, the first, only where no other link does.
func wholeOf(p *catalog.Part, at *Ends, runs []Run, uses []bool) Whole {
	w, each, idle := Whole{Part: p}, int64(p.Ports), int64(0) // idle: whose draw is not that of links
	free := [topology.MaxClasses]int64{}                      // of each places of a part
	for i := range at.Alike {
		a, n, class := &at.Alike[i], int64(0), 0
		for r, k := range a.Links {
			if uses[r] && k > 0 {
				n, class = n+int64(k), max(class, runs[r].Class)
			}
		}
		units := (n + each - 1) / each
		w.Units, w.Links = w.Units+a.Places*units, w.Links+a.Places*n
		free[class] += a.Places * (units*each - n)
		idle += a.Places * (units*each - n)
	}
	for r, n := range at.Alone {
		if !uses[r] {
			continue
		}
		w.Units, w.Links = w.Units+n, w.Links+n
		free[runs[r].Class] += n * (each - 1)
		if p.Kind != catalog.KindTransceiver { // a module at an adapter draws as one of a link does
			idle += n * (each - 1)
		}
	}
	for class, n := range free {
		w.Spare[class] = float64(n) / float64(each)
	}
	// The draw of a module, and of both ends of a cable, but of no split end that hangs free; fibres draw nothing.
	spare := float64(idle) / float64(each) * p.PowerW
	switch {
	case p.Kind == catalog.KindTransceiver, p.Kind == catalog.KindCable && p.Splitter():
		w.SpareW = spare
	case p.Kind == catalog.KindCable:
		w.SpareW = 2 * spare
	}
	return w
}
