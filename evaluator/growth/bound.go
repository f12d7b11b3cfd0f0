package growth

import (
	"slices"

	"toposearch/catalog"
)

// MostKept bounds the cables that any match can keep. Of the cables of a kind between boxes of two models (or endpoints) it keeps at
// most the smaller number of both networks; and of the cables of a kind and far end at the boxes of a model at most what the boxes
// with the most cables of one have in common with those of the other: paired by their order the sum of the smaller numbers is largest.
func MostKept(old, to *Network, rules Rules) int {
	x, y := old.ends(rules), to.ends(rules)
	total := 0
	for k, n := range x.count {
		most := min(n, y.count[k])
		if k.near == k.far { // both ends of each are counted
			most = min(most, common(x.degrees[k], y.degrees[k])/2)
		} else {
			most = min(most, common(x.degrees[k], y.degrees[k]), common(x.degrees[k.turned()], y.degrees[k.turned()]))
		}
		total += most
	}
	return total
}

// end is a kind of cable seen from one of its ends.
type end struct {
	kind      Kind
	near, far model
}

// model is of a box, nothing of an endpoint.
type model struct {
	part     *catalog.Part
	endpoint bool
}

func (e end) turned() end { return end{e.kind, e.far, e.near} }

// ends counts cables by what they join, each once, and how many of them each vertex has.
type ends struct {
	count   map[end]int
	degrees map[end][]int
}

func (n *Network) ends(rules Rules) ends {
	out := ends{map[end]int{}, map[end][]int{}}
	of := func(v int32) model { return model{n.part(v), n.isEndpoint(v)} }
	for v := range int32(n.vertices()) {
		own := map[end]int{}
		for _, c := range n.cables(v) {
			a := &n.Cables[c]
			e := end{a.Kind, of(v), of(a.far(v))}
			if !rules.Switches && (!e.near.endpoint || !e.far.endpoint) {
				continue
			}
			own[e]++
		}
		for e, d := range own {
			out.degrees[e] = append(out.degrees[e], d)
		}
	}
	for i := range n.Cables {
		a := &n.Cables[i]
		e := end{a.Kind, of(a.A), of(a.B)}
		if !rules.Switches && (!e.near.endpoint || !e.far.endpoint) {
			continue
		}
		if e.near != e.far && !lower(e.near, e.far) {
			e = e.turned()
		}
		out.count[e]++
	}
	return out
}

// lower orders two different models, endpoints first, then by part number.
func lower(a, b model) bool {
	if a.endpoint != b.endpoint {
		return a.endpoint
	}
	return name(a.part) < name(b.part)
}

func name(p *catalog.Part) string {
	if p == nil {
		return ""
	}
	return p.PartNo
}

// common is the most that two lists of numbers can have in common if each of one is set against at most one of the other.
func common(a, b []int) (sum int) {
	a, b = slices.Clone(a), slices.Clone(b)
	slices.Sort(a)
	slices.Sort(b)
	for i := range min(len(a), len(b)) {
		sum += min(a[len(a)-1-i], b[len(b)-1-i])
	}
	return sum
}
