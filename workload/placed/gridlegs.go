package placed

import "math"

// legs are the loads of what each switch sends to all others, in all as much as it sends in l to each of them, and receives from all others. In a dimension
// a message passes from where it still has the later coordinates of its source to where it has the earlier ones of its destination: of sources that differ
// in the earlier ones alone, and of destinations that differ in the later ones.
func (l *gridLoads) legs() *gridLoads {
	x, step, n := l.Grid.loads().(*gridLoads), 1, len(l.out)
	for d, s := range l.Dims {
		legs := l.legsAlong(step, s)
		for at := range n {
			for y := range s {
				if y != at/step%s {
					x.pass(d, step, at, y, legs.between(at, y))
				}
			}
		}
		step *= s
	}
	return x
}

// legsAlong are the legs on links of a dimension: what switches send by their coordinates from the dimension on, and receive by those up to it.
type legsAlong struct {
	out, in []float64
	step    int // between neighbours
	times   int // destinations that differ in later coordinates alone
}

// legsAlong adds them up for a dimension of s switches.
func (l *gridLoads) legsAlong(step, s int) *legsAlong {
	n := len(l.out)
	x := &legsAlong{make([]float64, n/step), make([]float64, step*s), step, n / (step * s)}
	for at := 0; at < n; at += step * s {
		for i := range step * s {
			x.out[(at+i)/step] += l.out[at+i]
			x.in[i] += l.in[at+i]
		}
	}
	return x
}

// between are those of the link from a switch to coordinate y.
func (x *legsAlong) between(at, y int) float64 {
	return x.of(x.out[at/x.step], x.in[y*x.step+at%x.step])
}

// of are those of a link between ends that send and receive so much.
func (x *legsAlong) of(out, in float64) float64 {
	return float64(x.times)*out + float64(x.step)*in
}

// fewWays are ways of a dimension: links that carry nothing without detours are told by the one with most legs, which follow from what switches send and receive (legs).
func (l *gridLoads) fewWays(d, step int) (out busiest) {
	legs := l.legsAlong(step, l.Dims[d])
	for _, x := range l.few.links[d] {
		out = out.add(linkLoad{x.load, legs.between(int(x.at), int(x.y))})
	}
	if most := l.mostIdle(d, legs); !math.IsInf(most, -1) {
		out = out.add(linkLoad{0, most})
	}
	return out
}

// mostClasses bounds the kinds of ends by which links are counted; with more of them links are gone through.
const mostClasses = 64

// mostIdle is the most that a link of a dimension has of legs which carries nothing else, -Inf if there is none. Links whose ends send and receive as much are counted.
func (l *gridLoads) mostIdle(d int, legs *legsAlong) (most float64) {
	s, n, step := l.Dims[d], len(l.out), legs.step
	most = math.Inf(-1)
	kinds, ok := legs.kindsOf(s)
	if !ok {
		for at := range n {
			for y := range s {
				if y != at/step%s && !l.few.has(d, at, y) {
					most = max(most, legs.between(at, y))
				}
			}
		}
		return most
	}
	for _, x := range l.few.links[d] {
		kinds.carries(int(x.at), int(x.y))
	}
	if x, has := kinds.mostIdle(); has {
		return x
	}
	return most
}

// legKinds counts links of a dimension by how much their ends send and receive.
type legKinds struct {
	*legsAlong
	s    int   // switches along it
	a, b []int // the kind of each of out, and of in
	n    int   // kinds of in
	idle []int // how many links less than all carry something, by both kinds
}

// kindsOf are they, of links none of which carries anything; false: there are more than mostClasses of one end.
func (x *legsAlong) kindsOf(s int) (k *legKinds, ok bool) {
	k = &legKinds{legsAlong: x, s: s}
	a, classesA := classesOf(x.out)
	b, classesB := classesOf(x.in)
	if classesA > mostClasses || classesB > mostClasses {
		return nil, false
	}
	k.a, k.b, k.n, k.idle = a, b, classesB, make([]int, classesA*classesB)
	return k, true
}

// carries is a link from a switch to coordinate y that carries something.
func (k *legKinds) carries(at, y int) {
	k.idle[k.a[at/k.step]*k.n+k.b[y*k.step+at%k.step]]--
}

// mostIdle is the most that a link has of legs which carries nothing, if there is one.
func (k *legKinds) mostIdle() (most float64, has bool) {
	most = math.Inf(-1)
	classesA, classesB, s := len(k.idle)/k.n, k.n, k.s
	countA, countB := make([]int, classesA*s), make([]int, classesB*s) // ends by kind and coordinate
	oneA, oneB := make([]float64, classesA), make([]float64, classesB)
	for i, c := range k.a {
		countA[c*s+i%s]++
		oneA[c] = k.out[i]
	}
	for i, c := range k.b {
		countB[c*s+i/k.step]++
		oneB[c] = k.in[i]
	}
	for i := range classesA {
		for j := range classesB {
			idle, sumA, sumB := k.idle[i*classesB+j], 0, 0
			for x, n := range countA[i*s:][:s] {
				sumA, sumB = sumA+n, sumB+countB[j*s+x]
				idle -= n * countB[j*s+x] // no link
			}
			if idle+sumA*sumB > 0 {
				most, has = max(most, k.of(oneA[i], oneB[j])), true
			}
		}
	}
	return most, has
}

// classesOf are numbers for the values of a list, and how many there are, at most one more than mostClasses.
func classesOf(list []float64) (of []int, classes int) {
	of = make([]int, len(list))
	number := make(map[float64]int)
	last, c := math.NaN(), 0
	for i, x := range list {
		if x != last {
			var ok bool
			if c, ok = number[x]; !ok {
				c = len(number)
				if number[x] = c; c == mostClasses {
					return nil, c + 1
				}
			}
			last = x
		}
		of[i] = c
	}
	return of, len(number)
}

// Bytes is what counting patterns of so many messages takes at most: of few links with room to grow, else of all with their legs and lists of these.
func (g *Grid) Bytes(messages float64) float64 {
	links, few := g.counts(messages)
	n, dims := float64(product(g.Dims)), float64(len(g.Dims))
	if few {
		return 54*messages*dims + n*(16+4*dims)
	}
	return 32*links + 32*n
}
