package booksim

import (
	"math/bits"
	"strconv"
	"strings"

	"toposearch/simcore"
	"toposearch/topology"
)

// pattern is a traffic pattern as a function of source and the endpoint's stream.
type pattern struct {
	name string
	dest func(src int, r *simcore.Rand) int
}

func (p *pattern) Name() string { return p.name }

func (p *pattern) Dest(src topology.EndpointID, r *simcore.Rand) topology.EndpointID {
	return nodeOf(p.dest(int(src), r))
}

// args splits "name({a,b})" into the name and the elements between the outer braces, which BookSim2
// takes as the arguments; an element may be a list in braces itself.
func args(text string) (name string, list []string) {
	name, rest, ok := strings.Cut(text, "(")
	if !ok {
		return strings.TrimSpace(text), nil
	}
	rest = strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(rest), ")"))
	if strings.HasPrefix(rest, "{") && strings.HasSuffix(rest, "}") {
		rest = rest[1 : len(rest)-1]
	}
	return strings.TrimSpace(name), splitAtCommas(rest)
}

// numbers reads "7" or "{1,2,3}".
func numbers(text string) ([]int, bool) {
	var out []int
	for _, f := range strings.Split(strings.Trim(text, "{} "), ",") {
		x, err := strconv.Atoi(strings.TrimSpace(f))
		if err != nil {
			return nil, false
		}
		out = append(out, x)
	}
	return out, true
}

// traffic makes the pattern that the settings name; nil after an error.
func (s *Settings) traffic(f *fabric) *pattern {
	name, list := args(s.str("traffic"))
	n := f.plant.Endpoints
	p := &pattern{name: name}
	if name != "hotspot" && name != "background" && len(list) > 0 {
		s.errorAt("traffic", "", "the pattern %s takes no arguments", name)
		return nil
	}
	switch name {
	case "bitcomp", "bitrev", "shuffle", "transpose":
		p.dest = s.bitPattern(name, n)
	case "tornado", "neighbor":
		p.dest = s.digits(n, name == "neighbor")
	case "hotspot", "background":
		p.dest = s.hotspot(name == "background", list, n)
	case "badperm_yarc", "bad_dragon", "taper64":
		p.dest = s.adversarial(name, n)
	case "uniform":
		p.dest = func(_ int, r *simcore.Rand) int { return r.IntN(n) }
	case "randperm":
		perm := randperm(n, int64(s.integer("perm_seed")))
		p.dest = func(src int, _ *simcore.Rand) int { return perm[src] }
	case "diagonal":
		p.dest = func(src int, r *simcore.Rand) int {
			if r.IntN(3) == 0 {
				return (src + 1) % n
			}
			return src
		}
	case "asymmetric":
		if n < 2 {
			s.errorAt("traffic", "", "asymmetric needs two nodes")
			return nil
		}
		p.dest = func(src int, r *simcore.Rand) int { return src%(n/2) + r.IntN(2)*(n/2) }
	default:
		s.errorAt("traffic", "there are uniform, bitcomp, bitrev, shuffle, transpose, tornado, neighbor, randperm, "+
			"diagonal, asymmetric, taper64, bad_dragon, badperm_yarc, hotspot and background", "there is no pattern %q", name)
	}
	if p.dest == nil {
		return nil
	}
	return p
}

func (s *Settings) bitPattern(name string, n int) func(int, *simcore.Rand) int {
	if n&(n-1) != 0 {
		s.errorAt("traffic", "", "%s needs a power of two of nodes, there are %d", name, n)
		return nil
	}
	b := bits.Len(uint(n)) - 1
	switch name {
	case "bitcomp":
		return func(src int, _ *simcore.Rand) int { return n - 1 - src }
	case "bitrev":
		return func(src int, _ *simcore.Rand) int {
			return int(bits.Reverse64(uint64(src)) >> (64 - b) & uint64(n-1))
		}
	case "shuffle":
		return func(src int, _ *simcore.Rand) int { return (src<<1 | src>>(max(b, 1)-1)) & (n - 1) }
	}
	if b%2 != 0 {
		s.errorAt("traffic", "", "transpose needs an even power of two of nodes, there are %d", n)
		return nil
	}
	h := b / 2
	return func(src int, _ *simcore.Rand) int { return (src>>h | src<<h) & (n - 1) }
}

// side is the base of the numbers that tornado, neighbor and badperm_yarc take nodes for: xr * k,
// whatever the topology.
func (s *Settings) side() int { return s.integer("k") * s.between("xr", 1, 4096) }

// digits is tornado, or neighbor: in base xr*k every one of the first n digits moves on, and further
// digits are dropped.
func (s *Settings) digits(nodes int, neighbor bool) func(int, *simcore.Rand) int {
	b, digits := s.side(), s.between("n", 1, 20)
	if b < 1 {
		return nil
	}
	by := (b+1)/2 - 1
	if neighbor {
		by = 1 % b
	}
	dest := func(src int, _ *simcore.Rand) int {
		d, w := 0, 1
		for range digits {
			d += (src/w%b + by) % b * w
			if w *= b; w > maxNodes {
				break
			}
		}
		return d
	}
	for src := range nodes {
		if d := dest(src, nil); d >= nodes {
			s.errorAt("traffic", "", "with n = %d digits of base xr * k = %d node %d would send to node %d, and there are %d nodes",
				digits, b, src, d, nodes)
			return nil
		}
	}
	return dest
}

// hotspot sends everything to the listed nodes by weight (-1: one random node, drawn once for the
// run); background to all nodes that are not listed.
func (s *Settings) hotspot(background bool, list []string, n int) func(int, *simcore.Rand) int {
	if len(list) == 0 {
		list = []string{"-1"}
	}
	nodes, ok := numbers(list[0])
	for _, x := range nodes {
		ok = ok && x < n && x >= -1
	}
	if !ok || len(nodes) == 0 {
		s.errorAt("traffic", "", "%q does not list nodes in 0..%d", list[0], n-1)
		return nil
	}
	draw := simcore.NewRand(uint64(s.integer("seed")), hotspotStream)
	for i, x := range nodes {
		if x < 0 {
			nodes[i] = draw.IntN(n)
		}
	}
	if background {
		return s.background(nodes, n)
	}
	weights := make([]int, len(nodes))
	for i := range weights {
		weights[i] = 1
	}
	if len(list) > 1 {
		w, ok := numbers(list[1])
		for i := range min(len(w), len(weights)) {
			ok = ok && w[i] > 0
			weights[i] = w[i]
		}
		if !ok {
			s.errorAt("traffic", "", "%q are not positive weights", list[1])
			return nil
		}
	}
	sum := 0
	for _, w := range weights {
		sum += w
	}
	return func(_ int, r *simcore.Rand) int {
		x, i := 0, 0
		if len(nodes) > 1 {
			x = r.IntN(sum)
			for x >= weights[i] {
				x -= weights[i]
				i++
			}
		}
		return nodes[i]
	}
}

// hotspotStream keeps the draw of hot nodes apart from the engine's own streams, which count from 1.
const hotspotStream = 1 << 32

func (s *Settings) background(nodes []int, n int) func(int, *simcore.Rand) int {
	out := make([]bool, n)
	for _, x := range nodes {
		out[x] = true
	}
	var rest []int
	for i, o := range out {
		if !o {
			rest = append(rest, i)
		}
	}
	if len(rest) == 0 {
		s.errorAt("traffic", "", "background leaves no node")
		return nil
	}
	return func(_ int, r *simcore.Rand) int { return rest[r.IntN(len(rest))] }
}

func (s *Settings) adversarial(name string, n int) func(int, *simcore.Rand) int {
	switch name {
	case "badperm_yarc":
		b := s.side()
		if b < 1 || b > maxNodes || (b-1)*b+(n-1)/b >= n {
			s.errorAt("traffic", "", "badperm_yarc sends to node (xr*k - 1) * xr*k + %d, and there are %d nodes", (n-1)/max(b, 1), n)
			return nil
		}
		return func(src int, r *simcore.Rand) int { return r.IntN(b)*b + src/b }
	case "bad_dragon":
		k := s.between("k", 1, maxNodes)
		size := 2 * k * k
		if size > n || n%size != 0 {
			s.errorAt("traffic", "", "bad_dragon needs groups of 2k^2 = %d nodes, there are %d nodes", size, n)
			return nil
		}
		return func(src int, r *simcore.Rand) int { return (src/size+1)%(n/size)*size + r.IntN(size) }
	}
	if n != 64 {
		s.errorAt("traffic", "", "taper64 needs 64 nodes, there are %d", n)
		return nil
	}
	return func(src int, r *simcore.Rand) int {
		if r.Coin() {
			return r.IntN(64)
		}
		return (src + 8*(r.IntN(3)-1) + r.IntN(3) - 1 + 64) % 64
	}
}

// randperm is BookSim2's random permutation of n nodes.
func randperm(n int, seed int64) []int {
	g := newRanArray(seed)
	left := make([]int, n) // sources without a destination, ascending
	for i := range left {
		left[i] = i
	}
	perm := make([]int, n)
	for i := range n {
		j := int(g.upTo(int64(n - 1 - i)))
		perm[left[j]] = i
		left = append(left[:j], left[j+1:]...)
	}
	return perm
}
