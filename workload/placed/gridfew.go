package placed

import "math"

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

// fewest is how many times as many links as a pattern may load a grid has to have for them to be kept one by one: to find one takes a few times as long as to know its place.
const fewest = 4

// counts are the links of a grid, and whether a pattern of so many messages between switches loads few of them.
func (g *Grid) counts(messages float64) (links float64, few bool) {
	n, joined := float64(product(g.Dims)), true
	for d, s := range g.Dims {
		switch ring, _ := g.ring(d); {
		case ring > 0:
			links, joined = links+n/float64(s)*2*float64(ring+1), false
		case g.star(d):
			links, joined = links+2*n, false
		default:
			links += n * float64(s)
		}
	}
	return links, joined && messages*float64(len(g.Dims)) <= links/fewest
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

// loadsOf are loads of a pattern of so many messages between switches, those of a pattern before if they are given back (again).
func (g *Grid) loadsOf(messages int) *gridLoads {
	if _, few := g.counts(float64(messages)); !few {
		return g.loads().(*gridLoads)
	}
	n := product(g.Dims)
	if l := g.spare; l != nil {
		g.spare = nil
		return l
	}
	l := &gridLoads{Grid: g, weights: g.weights(), out: make([]float64, n), in: make([]float64, n), few: new(gridFew)}
	for range g.Dims {
		l.few.first, l.few.links = append(l.few.first, make([]int32, n)), append(l.few.links, nil)
	}
	return l
}

// again forgets what was added, and keeps the memory for a pattern to come.
func (g *Grid) again(l *gridLoads) {
	if l.few == nil {
		return
	}
	clear(l.out)
	clear(l.in)
	for d, links := range l.few.links {
		for i := range links {
			l.few.first[d][links[i].at] = 0
		}
		l.few.links[d] = links[:0]
	}
	g.spare = l
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

// fewWays are ways of a dimension: links that carry nothing without detours are told by the one with most legs, which follow from what switches send and receive (legs).
func (l *gridLoads) fewWays(d, step int) (out busiest) {
	s, n := l.Dims[d], len(l.out)
	from, to := l.byCoordinates(step, s)
	legs := func(at, y int) float64 {
		return float64(n/(step*s))*from[at/step] + float64(step)*to[y*step+at%step]
	}
	for _, x := range l.few.links[d] {
		out = out.add(linkLoad{x.load, legs(int(x.at), int(x.y))})
	}
	if most := l.mostIdle(d, step, from, to, legs); !math.IsInf(most, -1) {
		out = out.add(linkLoad{0, most})
	}
	return out
}

// byCoordinates are what switches send by their coordinates from a dimension on, and receive by those up to it.
func (l *gridLoads) byCoordinates(step, s int) (out, in []float64) {
	n := len(l.out)
	out, in = make([]float64, n/step), make([]float64, step*s)
	for at := 0; at < n; at += step * s {
		for i := range step * s {
			out[(at+i)/step] += l.out[at+i]
			in[i] += l.in[at+i]
		}
	}
	return out, in
}

// mostClasses bounds the kinds of ends by which links are counted; with more of them links are gone through.
const mostClasses = 64

// mostIdle is the most that a link of a dimension has of legs which carries nothing else, -Inf if there is none. Links whose ends send and receive as much are counted.
func (l *gridLoads) mostIdle(d, step int, from, to []float64, legs func(at, y int) float64) (most float64) {
	s, n := l.Dims[d], len(l.out)
	most = math.Inf(-1)
	a, classesA := classesOf(from)
	b, classesB := classesOf(to)
	if classesA > mostClasses || classesB > mostClasses {
		for at := range n {
			for y := range s {
				if y != at/step%s && !l.few.has(d, at, y) {
					most = max(most, legs(at, y))
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
		oneA[c] = from[i]
	}
	for i, c := range b {
		countB[c*s+i/step]++
		oneB[c] = to[i]
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
				most = max(most, float64(n/(step*s))*oneA[i]+float64(step)*oneB[j])
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
