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
	a, classesA := classesOf(legs.out)
	b, classesB := classesOf(legs.in)
	if classesA > mostClasses || classesB > mostClasses {
		for at := range n {
			for y := range s {
				if y != at/step%s && !l.few.has(d, at, y) {
					most = max(most, legs.between(at, y))
				}
			}
		}
		return most
	}
	idle := make([]int, classesA*classesB)                             // links by the kinds of their ends
	countA, countB := make([]int, classesA*s), make([]int, classesB*s) // ends by kind and coordinate
	oneA, oneB := make([]float64, classesA), make([]float64, classesB)
	for i, c := range a {
		countA[c*s+i%s]++
		oneA[c] = legs.out[i]
	}
	for i, c := range b {
		countB[c*s+i/step]++
		oneB[c] = legs.in[i]
	}
	for _, x := range l.few.links[d] {
		idle[a[int(x.at)/step]*classesB+b[int(x.y)*step+int(x.at)%step]]--
	}
	for i := range classesA {
		for j := range classesB {
			sumA, sumB := 0, 0
			for x, k := range countA[i*s:][:s] {
				sumA, sumB = sumA+k, sumB+countB[j*s+x]
				idle[i*classesB+j] -= k * countB[j*s+x] // no link
			}
			if idle[i*classesB+j]+sumA*sumB > 0 {
				most = max(most, legs.of(oneA[i], oneB[j]))
			}
		}
	}
	return most
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
