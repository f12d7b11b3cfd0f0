package fidelity

import (
	"fmt"
	"math"

	"toposearch/internal/stream"
	"toposearch/objectives"
)

// The synthetic benchmark of two fidelities: six families (Clos of two and three levels with rails, dragonfly, dragonfly+, a 3-D full mesh with
// parallel links, a 3-D torus) of 5 to 9 integer parameters, switches of radix 32 to 128 with 200 to 800 Gb/s, 16,384 to 22,000
// endpoints, and a model of plausible shape for cost, latency and throughput. What a simulation gives is the model's value times a
// factor per family, a smooth effect of the parameters within 10 %, and 4 % of scatter from design to design.
//
// The space is thinned (steps of parameters) so that its true front can be had by simulating everything.
type synthetic struct {
	points   []Point
	families int
	seed     uint64
	all      bool // cost is measured, too
}

const (
	leastHosts, mostHosts = 16384, 22000
	scatter               = 0.04
	smooth                = 0.05
)

// switchPrice is that of a switch, and portPower its rate's exponent: as in price lists, twice the rate costs 1.8 times as much.
func switchPrice(radix, rate int) float64 {
	return 120 * math.Pow(float64(radix), 1.05) * math.Pow(float64(rate)/200, 0.85)
}

func cablePrice(rate int, metres float64) float64 {
	return (40 + 6*metres) * math.Pow(float64(rate)/200, 0.8)
}

// network is a design as closed forms describe it.
type network struct {
	hosts, switches, radix, rate int
	near, far                    float64 // links within a rack or group, and between groups
	hops, capacity               float64 // mean links between switches; throughput an endpoint, of its rate
	rails                        int
}

// model gives cost in kUSD, latency in us, and throughput in Gb/s an endpoint, negative.
func (n *network) model() objectives.Vector {
	metres := 5 + 0.5*math.Sqrt(float64(n.switches)*float64(n.radix)/32) // across a floor on which racks of switches and endpoints stand
	cost := float64(n.switches)*switchPrice(n.radix, n.rate) + n.near*cablePrice(n.rate, 3) + n.far*cablePrice(n.rate, metres) +
		float64(n.hosts*n.rails)*cablePrice(n.rate, 2)
	long := n.far / (n.near + n.far)
	latency := 0.6 + 0.35*(n.hops+1) + 0.005*n.hops*(3*(1-long)+metres*long) + 4096*8/float64(n.rate*n.rails)/1000
	return objectives.Vector{cost / 1000, latency, -min(n.capacity, 1) * float64(n.rate*n.rails)}
}

// add takes a design in if it has the asked size and its switches have the ports.
func (s *synthetic) add(family int, n network, ports int, v ...int) {
	if n.hosts < leastHosts || n.hosts > mostHosts || ports > n.radix || ports < n.radix*5/8 {
		return
	}
	v = append(v, n.radix, n.rate)
	p := Point{Name: fmt.Sprint(family, v), Family: family, Low: n.model(), X: make([]float64, len(v))}
	for i, x := range v {
		p.X[i] = math.Log(float64(x))
	}
	s.points = append(s.points, p)
}

func newSynthetic(seed uint64, all bool) *synthetic {
	s := &synthetic{families: 6, seed: seed, all: all}
	for _, radix := range []int{32, 64, 128} {
		for _, rate := range []int{200, 400, 800} {
			s.clos(radix, rate)
			s.groups(radix, rate)
			s.meshes(radix, rate)
		}
	}
	return s
}

func (s *synthetic) clos(radix, rate int) {
	for rails := 1; rails <= 2; rails++ {
		for down := radix / 2; down < radix; down += 4 { // two levels, the upper one of chassis of 4 x radix ports
			up := radix - down
			for leaves := leastHosts / down; leaves*down <= mostHosts && leaves <= 4*radix; leaves += 6 {
				links := float64(leaves * up * rails)
				s.add(0, network{leaves * down, rails * (leaves + 7*leaves*up/(4*radix)), radix, rate, links / 3, links * 2 / 3, 2 - 2/float64(leaves), float64(up) / float64(down), rails},
					down+up, rails, down, up, leaves)
			}
			for taper := 1; taper <= 4; taper++ { // three levels
				for perPod := 4; perPod <= radix/2; perPod += 4 {
					top := max(perPod*up/taper, 1)
					for pods := 4; pods <= radix; pods += 4 {
						hosts := pods * perPod * down
						spines := (perPod*up + radix - 1) / radix
						links := float64(pods*perPod*up*rails) + 0
						s.add(1, network{hosts, rails * (pods*perPod + 2*pods*spines + pods*top/radix), radix, rate, links, float64(pods * top * rails),
							4 - 2/float64(pods) - 2/float64(pods*perPod), float64(up) / float64(down) / float64(taper), rails}, down+up, rails, down, up, perPod, pods, taper)
					}
				}
			}
		}
	}
}

func (s *synthetic) groups(radix, rate int) {
	for p := 2; p <= radix/2; p += 2 {
		for a := 4; a <= radix; a += 4 {
			for h := 2; h <= radix/2; h += 3 {
				for g := 4; g <= a*h+1; g += 1 + g/3 {
					hosts, local, global := p*a*g, float64(a*(a-1)/2*g), float64(a*h*g)/2
					far := float64(g-1) / float64(g)
					s.add(2, network{hosts, a * g, radix, rate, local, global, 1 + far*(2-2/float64(a)), min(float64(a)/float64(2*p), float64(h)/float64(p)/far*0.9), 1},
						p+a-1+h, p, a, h, g)
					leafUp := a / 2
					s.add(3, network{p * a * g, (a + leafUp) * g, radix, rate, float64(a * leafUp * g), float64(leafUp*h*g) / 2, 2 + far, min(float64(leafUp)/float64(p), float64(leafUp*h)/float64(a*p)/far), 1},
						max(p+leafUp, a+h), p, a, h, g)
				}
			}
		}
	}
}

func (s *synthetic) meshes(radix, rate int) {
	for t := 4; t <= radix*3/4; t += 4 {
		for x := 4; x <= 32; x += 2 {
			for y := x; y <= 32; y += 2 {
				for z := y; z <= 40 && t*x*y*z <= mostHosts; z++ {
					n := x * y * z
					for b := 1; b <= 4; b++ {
						links := float64(n*b*(x+y+z-3)) / 2
						s.add(4, network{n * t, n, radix, rate, links / 2, links / 2, 3 - 1/float64(x) - 1/float64(y) - 1/float64(z), float64(b*x) / float64(t), 1},
							t+b*(x+y+z-3), t, x, y, z, b)
						s.add(5, network{n * t, n, radix, rate, float64(n*2*b) * 2, float64(n*2*b) / 1, float64(x+y+z) / 4, 8 * float64(2*b) / float64(t*z), 1},
							t+6*2*b, t, x, y, z, b)
					}
				}
			}
		}
	}
}

// simulate is the expensive fidelity.
func (s *synthetic) simulate(i int) objectives.Vector {
	p := &s.points[i]
	v := make(objectives.Vector, len(p.Low))
	for j := range v {
		if v[j] = p.Low[j]; j == 0 && !s.all {
			continue // what is bought is known
		}
		of := stream.New(s.seed, "factor", uint64(p.Family), uint64(j))
		y := math.Log(0.85 + 0.3*of.Float64()) // of the family
		effect, norm := 0.0, 0.0
		for _, x := range p.X {
			w := of.NormFloat64()
			effect, norm = effect+w*math.Sin(x/2+of.Float64()), norm+w*w
		}
		y += smooth * effect / math.Sqrt(norm)
		y += scatter * stream.New(s.seed, "scatter", uint64(i), uint64(j)).NormFloat64()
		v[j] *= math.Exp(y)
	}
	return v
}

// measured are the objectives that a simulation measures.
func (s *synthetic) measured() []bool { return []bool{s.all, true, true} }
