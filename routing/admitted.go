package routing

// PathCount counts the paths between two NPUs of an nD-FullMesh, summed over all pairs of source and destination, and
// those of them that AllPath admits on two lanes.
type PathCount struct {
	// Shortest paths: the dimensions in which the two differ, in any order.
	Shortest, ShortestAdmitted int64
	// Detour: one hop more, by a third NPU of one of those dimensions, at any time.
	Detour, DetourAdmitted int64
	// Around: two hops more, out and back in a dimension in which the two agree.
	Around, AroundAdmitted int64
	// InOrder counts the paths of Detour that cross dimensions in their order, all of which are admitted.
	InOrder int64
}

// CountPaths counts paths in a full mesh of so many NPUs in each dimension. Its time is factorial in the
// dimensions, of which it takes at most six.
func CountPaths(dims []int) PathCount {
	var out PathCount
	if len(dims) > 6 {
		panic("routing: paths of more than six dimensions are too many to list")
	}
	for differ := range 1 << len(dims) {
		pairs := int64(1)
		var cross []int
		for d, n := range dims {
			pairs *= int64(n)
			if differ>>d&1 != 0 {
				pairs *= int64(n - 1)
				cross = append(cross, d)
			}
		}
		if len(cross) == 0 {
			continue
		}
		all, ok, _ := orders(cross, -1)
		out.Shortest += pairs * all
		out.ShortestAdmitted += pairs * ok
		for d, n := range dims {
			all, ok, sorted := orders(append(cross[:len(cross):len(cross)], d), d)
			if differ>>d&1 != 0 {
				by := pairs * int64(n-2)
				out.Detour += by * all
				out.DetourAdmitted += by * ok
				out.InOrder += by * sorted
				continue
			}
			by := pairs * int64(n-1)
			out.Around += by * all
			out.AroundAdmitted += by * ok
		}
	}
	return out
}

// orders counts the different orders of hops by dimension: all, those in which at most one hop is not
// in a higher dimension than the one before, and those that never go to a lower one. The dimension `twice` stands in
// the list twice; if the list has no other in between, going out and back is no path, so a dimension
// that is not crossed otherwise, which the caller adds last, must not follow itself.
func orders(hops []int, twice int) (all, admitted, sorted int64) {
	around := twice >= 0
	for _, d := range hops[:len(hops)-1] {
		around = around && d != twice
	}
	if around {
		hops = append(hops, twice)
	}
	used := make([]bool, len(hops))
	var walk func(left, last, turns, falls int)
	walk = func(left, last, turns, falls int) {
		if left == 0 {
			all++
			if turns <= 1 {
				admitted++
			}
			if falls == 0 {
				sorted++
			}
			return
		}
		tried := -1 // equal hops are tried once: the list is small, so look for the first that is free
		for i, d := range hops {
			if used[i] || d == twice && tried == d || around && d == last {
				continue
			}
			if d == twice {
				tried = d
			}
			used[i] = true
			t, f := turns, falls
			if d <= last {
				t++
			}
			if d < last {
				f++
			}
			walk(left-1, d, t, f)
			used[i] = false
		}
	}
	walk(len(hops), -1, 0, 0)
	return all, admitted, sorted
}
