package family

import (
	"strconv"

	"toposearch/topology"
)

// layeredPair are the links between two layers: block b of hi blocks of the lower one is paired with block b mod hj of the upper,
// and node x of a block has e links, to nodes (e*x+m) mod size of its partner, m = 0..e-1. rate is B.
type layeredPair struct{ hi, hj, e, rate int }

// on tells whether there are links.
func (p *layeredPair) on() bool { return p.hi > 0 && p.hj > 0 }

// layeredInner are the links within a layer: a node at coordinates X has, in each of d dimensions k, p[k] attempts m = 1..p[k],
// each to the node with coordinates X'_t = a[k][0][t]*m + sum over r of a[k][r+1][t]*X_r + c[k][t], modulo the size of dimension t.
// The first coordinate varies fastest. Of two dimensions the sizes are s and what is left of the layer.
type layeredInner struct {
	d, s int
	p    [layeredDims]int
	a    [layeredDims][layeredDims + 1][layeredDims]int
	c    [layeredDims][layeredDims]int
	rate int
}

// on tells whether links are attempted.
func (r *layeredInner) on() bool { return r.d > 0 && (r.p[0] > 0 || r.d > 1 && r.p[1] > 0) }

// sizes of the dimensions of a layer of n nodes; 1 for those that it has not.
func (r *layeredInner) sizes(n int) [layeredDims]int {
	if r.d < 2 {
		return [layeredDims]int{max(n, 1), 1}
	}
	s := max(r.s, 1)
	return [layeredDims]int{s, max(n/s, 1)}
}

// layeredNet is a tuple by name: nodes of each layer, links of each pair of layers and within each layer.
type layeredNet struct {
	relay bool
	n     [layeredLayers]int
	pair  [layeredPairs]layeredPair
	in    [layeredLayers]layeredInner // by layer
}

// decode reads a tuple.
func (l *layeredNet) decode(v []int, relay bool) {
	l.relay = relay
	copy(l.n[:], v)
	for i := range l.pair {
		x := v[layeredPairAt+i*layeredPairLen:]
		l.pair[i] = layeredPair{x[0], x[1], x[2], x[3]}
	}
	for k := range layeredInners(relay) {
		l.in[layeredInnerOf[k]].decode(v[layeredInnerAt+k*layeredInnerLen:])
	}
}

func (r *layeredInner) decode(x []int) {
	r.d, r.s, x = x[0], x[1], x[2:]
	x = x[copy(r.p[:], x):]
	for k := range r.a {
		for i := range r.a[k] {
			x = x[copy(r.a[k][i][:], x):]
		}
	}
	for k := range r.c {
		x = x[copy(r.c[k][:], x):]
	}
	r.rate = x[0]
}

// encode writes the tuple.
func (l *layeredNet) encode(v []int) {
	copy(v, l.n[:])
	for i, p := range l.pair {
		copy(v[layeredPairAt+i*layeredPairLen:], []int{p.hi, p.hj, p.e, p.rate})
	}
	for k := range layeredInners(l.relay) {
		l.in[layeredInnerOf[k]].encode(v[layeredInnerAt+k*layeredInnerLen:])
	}
}

func (r *layeredInner) encode(x []int) {
	x[0], x[1], x = r.d, r.s, x[2:]
	x = x[copy(x, r.p[:]):]
	for k := range r.a {
		for i := range r.a[k] {
			x = x[copy(x, r.a[k][i][:]):]
		}
	}
	for k := range r.c {
		x = x[copy(x, r.c[k][:]):]
	}
	x[0] = r.rate
}

// noInner and noPair are what stands where there are no links, which are the defaults of the parameters.
var (
	noInner = layeredInner{rate: 1}
	noPair  = layeredPair{e: 1, rate: 1}
)

// layeredParams names the hyperparameters as the paper does: the layers behind the letter, then what counts within.
func layeredParams(relay bool) []topology.Param {
	out := []topology.Param{{Name: "n1", Doc: "N_1: accelerators", Min: 2, Max: layeredMost}}
	add := func(name, doc string, least, most, usual int) {
		out = append(out, topology.Param{Name: name, Doc: doc, Min: least, Max: most, Default: topology.Const(usual)})
	}
	for i := 1; i < layeredLayers; i++ {
		x := strconv.Itoa(i + 1)
		add("n"+x, "N_"+x+": switches of layer "+x, 0, layeredNodes, 0)
	}
	for _, p := range layeredPairOf {
		i, j := strconv.Itoa(p[0]+1), strconv.Itoa(p[1]+1)
		between := " for the links of layers " + i + " and " + j
		add("h"+i+j+"_"+i, "H^"+i+": blocks of layer "+i+between+"; 0: none", 0, layeredMost, 0)
		add("h"+i+j+"_"+j, "H^"+j+": blocks of layer "+j+between+"; 0: none", 0, layeredNodes, 0)
		add("e"+i+j, "E: links of a node of layer "+i+" to layer "+j, 1, layeredNodes, 1)
		add("b"+i+j, "B: bandwidth factor of a link of layers "+i+" and "+j, 1, layeredRates, 1)
	}
	for k := range layeredInners(relay) {
		i := strconv.Itoa(layeredInnerOf[k] + 1)
		of := " of the links within layer " + i
		add("d"+i, "D: dimensions"+of+"; 0: none", 0, layeredDims, 0)
		add("s"+i+"_1", "S^1: size of dimension 1"+of+" if there are two; the other is what is left", 0, layeredNodes, 0)
		for d := range layeredDims {
			add("p"+i+"_"+strconv.Itoa(d+1), "P^"+strconv.Itoa(d+1)+": attempts of a node in dimension "+strconv.Itoa(d+1), 0, layeredNodes-1, 0)
		}
		for d := range layeredDims {
			for r := range layeredDims + 1 {
				for t := range layeredDims {
					from := "coordinate " + strconv.Itoa(r)
					if r == 0 {
						from = "the number of the attempt"
					}
					add("a"+i+"_"+strconv.Itoa(d+1)+"_"+strconv.Itoa(r)+strconv.Itoa(t+1),
						"A: coefficient of "+from+" for coordinate "+strconv.Itoa(t+1)+" of the target, dimension "+strconv.Itoa(d+1), -layeredNodes, layeredNodes, 0)
				}
			}
		}
		for d := range layeredDims {
			for t := range layeredDims {
				add("c"+i+"_"+strconv.Itoa(d+1)+"_"+strconv.Itoa(t+1),
					"C: offset of coordinate "+strconv.Itoa(t+1)+" of the target, dimension "+strconv.Itoa(d+1), -layeredNodes, layeredNodes, 0)
			}
		}
		add("b"+i+i, "B: bandwidth factor of a link within layer "+i, 1, layeredRates, 1)
	}
	return out
}
