package cut

import "slices"

// Fabric is a network as a routing over the top of a tree sees it: vertices are all switches, and
// channels, one each way of a link, are not merged.
type Fabric struct {
	Start  []int32   // the channels that leave vertex v are [Start[v], Start[v+1])
	To     []int32   // where a channel leads
	Cap    []float64 // of a channel, in bandwidths of an endpoint
	Class  []uint8   // of each vertex
	Tops   []uint8   // the classes that are tried as tops
	Groups []Group
	Port   float64 // capacity of each port of an endpoint that has several
	// Units is the number of sets of endpoints that count as one with all their ports, such as
	// servers with a mesh inside, or 0 if every endpoint counts by itself.
	Units int
	// OneWay networks have channels without a partner.
	OneWay bool
}

// Group is endpoints with the same ports.
type Group struct {
	Endpoints int64
	Ports     []int32 // the vertex of each port of an endpoint
	Unit      int32   // to which the endpoints belong, if there are units
}

// reversed is the fabric with all channels turned round.
func (f *Fabric) reversed() *Fabric {
	r := *f
	n := len(f.Class)
	r.Start, r.To, r.Cap = make([]int32, n+1), make([]int32, len(f.To)), make([]float64, len(f.To))
	for _, u := range f.To {
		r.Start[u+1]++
	}
	for v := range n {
		r.Start[v+1] += r.Start[v]
	}
	at := slices.Clone(r.Start)
	for v := range int32(n) {
		for c := f.Start[v]; c < f.Start[v+1]; c++ {
			u := f.To[c]
			r.To[at[u]], r.Cap[at[u]] = v, f.Cap[c]
			at[u]++
		}
	}
	return &r
}

// levels order vertices by their height; those in no order have height -1.
type levels struct {
	of    []int32
	order []int32 // by height
}

// spread gives every vertex its distance from those on level 0, which are in order already.
func (f *Fabric) spread(l *levels) {
	for i := 0; i < len(l.order); i++ {
		v := l.order[i]
		for _, u := range f.To[f.Start[v]:f.Start[v+1]] {
			if l.of[u] < 0 {
				l.of[u] = l.of[v] + 1
				l.order = append(l.order, u)
			}
		}
	}
}

// none is levels without any vertex.
func (f *Fabric) none() levels {
	l := levels{of: make([]int32, len(f.Class))}
	for v := range l.of {
		l.of[v] = -1
	}
	return l
}

// fromEndpoints makes the height of a vertex its distance from the nearest with endpoints.
func (f *Fabric) fromEndpoints() levels {
	l := f.none()
	for i := range f.Groups {
		for _, v := range f.Groups[i].Ports {
			if l.of[v] < 0 {
				l.of[v] = 0
				l.order = append(l.order, v)
			}
		}
	}
	f.spread(&l)
	return l
}

// towards makes the vertices of a class the tops, at height turn; height 0 is where the ports at the
// largest distance from it are. turn is 0 if that is the class itself, or if some port cannot reach it.
func (f *Fabric) towards(class uint8) (l levels, turn int32) {
	l = f.none()
	for v, c := range f.Class {
		if c == class {
			l.of[v] = 0
			l.order = append(l.order, int32(v))
		}
	}
	f.spread(&l)
	for i := range f.Groups {
		for _, v := range f.Groups[i].Ports {
			if l.of[v] < 0 {
				return l, 0
			}
			turn = max(turn, l.of[v])
		}
	}
	slices.Reverse(l.order)
	for v, d := range l.of {
		l.of[v] = turn - d
		if d < 0 || d > turn {
			l.of[v] = -1
		}
	}
	l.order = slices.DeleteFunc(l.order, func(v int32) bool { return l.of[v] < 0 })
	return l, turn
}
