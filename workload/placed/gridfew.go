package placed

// gridFew are what links of a grid carry, those that carry something: of lines whose switches are all joined, of a pattern that loads few of their links.
type gridFew struct {
	first [][]int32   // by dimension and switch: the last added of its links, by its place in links and one more; 0 for none
	links [][]fewLink // by dimension
}

// fewLink is the link from a switch to coordinate y, and before is the next of the switch, as in gridFew.first.
type fewLink struct {
	at, y, before int32
	load          float64
}

func (f *gridFew) add(d, at, y int, share float64) {
	first, links := &f.first[d][at], f.links[d]
	for i := *first; i > 0; i = links[i-1].before {
		if x := &links[i-1]; x.y == int32(y) {
			x.load += share
			return
		}
	}
	f.links[d] = append(links, fewLink{int32(at), int32(y), *first, share})
	*first = int32(len(links) + 1)
}

// has tells whether a link carries something.
func (f *gridFew) has(d, at, y int) bool {
	for i := f.first[d][at]; i > 0; i = f.links[d][i-1].before {
		if f.links[d][i-1].y == int32(y) {
			return true
		}
	}
	return false
}
