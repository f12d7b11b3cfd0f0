package market

import "toposearch/catalog"

// Shares is where the links of the runs of a design end that may have parts for several links: how many are bought of these depends on which links
// start or end at the same boxes.
type Shares struct {
	Modules Ends // ends of links, by box
	Joined  Ends // links, by the two boxes that they join: of straight cables and fibres
	Split   Ends // ends of links at boxes of which a cage may be split
}

// Ends are places where links of several runs share a part.
type Ends struct {
	Alike []Alike
	Alone []int64 // ends by run that have a part to themselves, however many it serves: at ports of adapters
}

// Alike are places with the same links.
type Alike struct {
	Places int64
	Links  []int32 // by run
}

// at is where a part is shared.
func (s *Shares) at(p *catalog.Part) *Ends {
	switch {
	case p.Kind == catalog.KindTransceiver:
		return &s.Modules
	case p.Splitter():
		return &s.Split
	}
	return &s.Joined
}

// units is how many parts for each links the runs take that use them.
func (e *Ends) units(each int64, uses []bool) (units int64) {
	for r, n := range e.Alone {
		if uses[r] {
			units += n
		}
	}
	for i := range e.Alike {
		a, n := &e.Alike[i], int64(0)
		for r, k := range a.Links {
			if uses[r] {
				n += int64(k)
			}
		}
		units += a.Places * ((n + each - 1) / each)
	}
	return units
}
