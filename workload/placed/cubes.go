package placed

import (
	"fmt"
	"math"
	"math/bits"

	"toposearch/workload"
)

// Cubes is a ZCube with its natural routes: endpoints of Levels ports, one for each level of switches, in the order of their digits to the base Side, the lowest first. That
// of level l leads to the switch which all endpoints share that differ in digit l alone. Switches of a level and the next are linked so that a route up from level l to level m
// exists, once, if digits above m are the same and the lowest l of the source are the highest l of the lowest m of the destination; down is up backwards. Packets take
// shortest routes, in equal parts over the ports that these begin at, and over both ways where a port has two. Loads are counted without building it.
//
// Of two levels a switch of the lower one may have fewer endpoints, a row, and Side is how many switches each level has: endpoints take turns to hang on those of the upper one.
type Cubes struct {
	Row, Side, Levels int
	// Carry is that of a port of an endpoint, and of a link to each level from the one below, each way, in units of what an endpoint sends at Link.BytesPerS.
	Carry []float64
	power []int    // of Side
	above []uint64 // by row, the digits above the lowest, where a row has Side endpoints
}

// NewCubes is the shape without what its links carry.
func NewCubes(row, side, levels int) *Cubes {
	c := &Cubes{Row: row, Side: side, Levels: levels, Carry: make([]float64, levels), power: []int{1}}
	for range levels + 1 {
		c.power = append(c.power, c.power[len(c.power)-1]*side)
	}
	c.above = make([]uint64, 1)
	for i, first := range c.power[:levels-1] { // rows below have one digit less
		for digit := 1; digit < side; digit++ {
			for _, x := range c.above[:first] {
				c.above = append(c.above, x|uint64(digit)<<((i+1)*digitBits))
			}
		}
	}
	return c
}

// Lines are the ports as a grid of endpoints, a star for each switch; nil if endpoints of a switch are not those that differ in a digit.
func (c *Cubes) Lines() *Grid {
	if c.Row != c.Side {
		return nil
	}
	g := &Grid{PerSwitch: 1}
	for range c.Levels {
		g.Dims, g.Carry, g.Stars = append(g.Dims, c.Side), append(g.Carry, c.Carry[0]), append(g.Stars, true)
	}
	return g
}

// Geometry is all but Carry.
func (c *Cubes) Geometry() string { return fmt.Sprint("cubes ", c.Row, c.Side, c.Levels) }

func (c *Cubes) home(endpoint int) int32 { return int32(endpoint) }

// closed is left to byRuns.
func (c *Cubes) closed(workload.Group, pattern) (busiest float64, ok bool) { return 0, false }

func (c *Cubes) under(levels []float64) (most float64) {
	for i, x := range levels {
		most = max(most, x/c.Carry[i])
	}
	return most
}

func (c *Cubes) split([]busiest) float64 { return math.Inf(1) }

// blocks are the endpoints of a switch of the lowest level, which their other ports and its own links lead out of.
func (c *Cubes) blocks() []Subtree {
	links := 0.0
	if c.Levels > 1 {
		links = c.Carry[1] * (float64(c.Side) / float64(c.Row))
	}
	return []Subtree{{Endpoints: c.Row, Carry: float64(c.Row) * (float64(c.Levels-1)*c.Carry[0] + links)}}
}

// cubeLoads are what links carry each way: ports at [endpoint*Levels+level], and links to level l from that below at [(l-1)*endpoints+link].
type cubeLoads struct {
	*Cubes
	out, in, up, down []float64
}

func (c *Cubes) loads() shapeLoads {
	if c.Row != c.Side {
		return &rectLoads{Cubes: c, ports: make([]float64, 4*c.Row*c.Side), links: make(map[int]float64)}
	}
	n := c.power[c.Levels]
	l := &cubeLoads{Cubes: c}
	for i, of := range []*[]float64{&l.out, &l.in, &l.up, &l.down} {
		*of = make([]float64, n*(c.Levels-i/2))
	}
	return l
}

// digitBits are those of a digit among digits, enough for the switches that zcube has at most.
const digitBits = 12

// digits are those of the number of an endpoint, the lowest first.
func (c *Cubes) digits(endpoint int) uint64 {
	return c.above[endpoint/c.Side] | uint64(endpoint%c.Side)
}

// digit is one of digits.
func digit(of uint64, i int) int { return int(of >> (i * digitBits) & (1<<digitBits - 1)) }

func (l *cubeLoads) add(from, to int, share float64) {
	var r cubeRoutes
	l.routes(l.digits(from), l.digits(to), &r)
	for i, x := range r.list[:r.n] {
		part := share / float64(r.parts(i))
		l.out[from*l.Levels+x.at] += part
		l.in[to*l.Levels+x.to] += part
		if x.at <= x.to {
			l.climb(l.up, from, to, x.at, x.to, part)
		} else {
			l.climb(l.down, to, from, x.to, x.at, part)
		}
	}
}

// mostLevels is how many zcube has at most.
const mostLevels = 5

// cubeRoute leads from a port of one endpoint to one of another.
type cubeRoute struct{ at, to int }

// cubeRoutes are those that packets take, of the least hops: n, two of each port at most, from so many ports.
type cubeRoutes struct {
	list     [2 * mostLevels]cubeRoute
	n, ports int
}

// parts is of how many equal parts a route takes one.
func (r *cubeRoutes) parts(i int) int {
	at := r.list[i].at
	if i > 0 && r.list[i-1].at == at || i+1 < r.n && r.list[i+1].at == at {
		return 2 * r.ports
	}
	return r.ports
}

// routes are those between two endpoints, by the digits of both.
func (c *Cubes) routes(a, b uint64, r *cubeRoutes) {
	r.n, r.ports = 0, 0
	top := c.Levels - 1
	apart := max(0, bits.Len64(a^b)-1) / digitBits
	for hops := 0; r.n == 0; hops++ {
		// A route leads up from level l of the source to level m of the destination if digits above m are the same and the lowest l of the source are those of the destination from m-l on; down is up backwards.
		fromUp, toUp := max(0, apart-hops), min(bits.TrailingZeros64(a^b>>(hops*digitBits))/digitBits, top-hops)
		fromDown, toDown := max(apart, hops), min(bits.TrailingZeros64(b^a>>(hops*digitBits))/digitBits+hops, top)
		if hops == 0 { // which is the same way
			toDown = -1
		}
		switch up, down := fromUp <= toUp, fromDown <= toDown; {
		case up && down:
			for at := min(fromUp, fromDown); at <= max(toUp, toDown); at++ {
				before := r.n
				if at >= fromDown && at <= toDown {
					r.add(at, at-hops)
				}
				if at >= fromUp && at <= toUp {
					r.add(at, at+hops)
				}
				r.ports += min(r.n-before, 1)
			}
		case up:
			for at := fromUp; at <= toUp; at++ {
				r.add(at, at+hops)
			}
			r.ports = r.n
		case down:
			for at := fromDown; at <= toDown; at++ {
				r.add(at, at-hops)
			}
			r.ports = r.n
		}
	}
}

func (r *cubeRoutes) add(at, to int) {
	r.list[r.n] = cubeRoute{at, to}
	r.n++
}

// climb loads the links of a route up.
func (l *cubeLoads) climb(links []float64, from, to, at, top int, part float64) {
	for low := to % l.power[top]; at < top; at++ {
		s := from/l.power[at+1]*l.power[at] + low/l.power[top-at]
		links[at*l.power[l.Levels]+s*l.Side+low/l.power[top-at-1]%l.Side] += part
	}
}

func (l *cubeLoads) levels() []float64 {
	most, n := make([]float64, l.Levels), l.power[l.Levels]
	most[0] = max(greatest(l.out), greatest(l.in))
	for i := 1; i < l.Levels; i++ {
		most[i] = max(greatest(l.up[(i-1)*n:i*n]), greatest(l.down[(i-1)*n:i*n]))
	}
	return most
}

func (l *cubeLoads) ways() []busiest { return nil }

// rectLoads are what ports and links carry each way, of messages one by one: ports by endpoint, level and way, out and in; links by switch of either level and way, up and down.
type rectLoads struct {
	*Cubes
	ports []float64
	links map[int]float64 // of a row of few there are many more than messages
}

func (l *rectLoads) add(from, to int, share float64) {
	port := func(at, end int, part float64) {
		l.ports[4*from+2*at] += part
		l.ports[4*to+2*end+1] += part
	}
	switch {
	case from/l.Row == to/l.Row:
		port(0, 0, share)
	case from%l.Side == to%l.Side:
		port(1, 1, share)
	default:
		port(0, 1, share/2)
		port(1, 0, share/2)
		l.links[2*(from/l.Row*l.Side+to%l.Side)] += share / 2
		l.links[2*(to/l.Row*l.Side+from%l.Side)+1] += share / 2
	}
}

func (l *rectLoads) levels() []float64 {
	most := 0.0
	for _, x := range l.links {
		most = max(most, x)
	}
	return []float64{greatest(l.ports), most}
}

func (l *rectLoads) ways() []busiest { return nil }
