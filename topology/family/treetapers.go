package family

import "toposearch/topology"

// treeTapers is the place of the tapers of fattree and multirail among their parameters, behind k and l.
const treeTapers = 2

// taperNames name the tapers of levels by how far they are above the second one.
var taperNames = [maxLevels - 2]string{"taper2", "taper3", "taper4", "taper5"}

// taperRules say that a level that tapers is below the top.
var taperRules = [maxLevels - 2]string{"1:1 unless l >= 3", "1:1 unless l >= 4", "1:1 unless l >= 5", "1:1 unless l >= 6"}

// taperParam is the taper of the i-th level from the second on, of switches of k ports.
func taperParam(i int, doc string) topology.Param {
	return topology.Param{Name: taperNames[i], Doc: doc, Min: topology.RatioEven, Max: topology.RatioMost,
		Default: topology.Const(topology.RatioEven), Divides: "k"}
}

// withTapers are parameters k and l, the tapers of all levels between leaves and top, and the rest.
func withTapers(kl, rest []topology.Param) []topology.Param {
	for i, level := range []string{"second", "third", "fourth", "fifth"} {
		kl = append(kl, taperParam(i, "ports down : ports up of a switch of the "+level+" level, where that is below the top"))
	}
	return append(kl, rest...)
}

// checkTapers tells whether every taper is of a level below the top and divides the ports of a switch.
func (t *tree) checkTapers(tapers []int, s *topology.Size) error {
	for i, x := range tapers {
		switch {
		case x == topology.RatioEven:
		case i+2 >= t.l:
			return s.Fail(taperNames[i], x, taperRules[i], topology.RatioEven)
		case !topology.RatioDivides(x, t.k):
			return s.Fail(taperNames[i], x, "p:q with p+q a divisor of k", topology.RatioNearest(x, t.k))
		}
	}
	return nil
}

// nextTaper is the least taper of level h from x on of trees of l levels of switches of k ports.
func nextTaper(k, l, h, x int) int {
	if h >= l {
		if x > topology.RatioEven {
			return beyond
		}
		return x
	}
	down := topology.RatioPart(x, k)
	if k < 2 || down >= k {
		return beyond
	}
	return topology.RatioOf(down, k-down)
}

// taperFormulas are what trees of l > 1 levels have in common.
var taperFormulas = []string{
	"d2 = if(l>2, k*taper2/(taper2+1), 1); ports down of a switch of the second level; and so on",
	"d3 = if(l>3, k*taper3/(taper3+1), 1)",
	"d4 = if(l>4, k*taper4/(taper4+1), 1)",
	"d5 = if(l>5, k*taper5/(taper5+1), 1)",
	"u = k - d; uplinks of a leaf",
	"u2 = if(l>2, k-d2, 1); ports up of a switch of the second level; and so on",
	"u3 = if(l>3, k-d3, 1)",
	"u4 = if(l>4, k-d4, 1)",
	"u5 = if(l>5, k-d5, 1)",
	"leaves = pods*d2*d3*d4*d5",
	"level2 = if(l>2, pods*u*d3*d4*d5, 0); switches of the second level; and so on",
	"level3 = if(l>3, pods*u*u2*d4*d5, 0)",
	"level4 = if(l>4, pods*u*u2*u3*d5, 0)",
	"level5 = if(l>5, pods*u*u2*u3*u4, 0)",
	"up = u*u2*u3*u4*u5; uplinks of a pod",
	"t = if(l<=3, taper2, if(l=4, taper3, if(l=5, taper4, taper5))); the taper below the top",
	"e = divisor(if(l=2, u, if(t=1, k/2, up)), k/pods); links of a top switch to a pod: the largest divisor that fits",
	"tree = leaves + level2 + level3 + level4 + level5 + up/e; switches of a tree",
	"wires = leaves*u + level2*u2 + level3*u3 + level4*u4 + level5*u5; links of a tree",
}
