package traffic

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"toposearch/diag"
	"toposearch/simcore"
	"toposearch/topology"
)

// Info describes a traffic.
type Info struct {
	Name string
	Args string // what may stand in parentheses
	Doc  string
	Need string // of the number of endpoints or of the network, in words
	make func(o Options, args []string) (*Pattern, error)
}

// All lists every traffic, one line each. "file:PATH" is one too, see FromFile.
func All() []Info {
	return []Info{
		{"uniform", "", "every other endpoint with the same probability; never itself", "2 endpoints", uniform},
		{"bitcomp", "", "the complement of all bits of the source", "a power of two", bits(1, complement)},
		{"bitrev", "", "the bits of the source in reverse order", "a power of two", bits(1, reverse)},
		{"shuffle", "", "the bits of the source rotated left by one", "a power of two", bits(1, rotate)},
		{"transpose", "", "the upper and the lower half of the bits of the source exchanged", "a power of four", bits(2, swapHalves)},
		{"tornado", "k1,k2,...", "each digit of the source plus ceil(k/2)-1; without arguments the coordinates of its switch in a grid (torus, mesh, HyperX, ...), elsewhere one digit of all endpoints", "the product of the arguments", digits(func(k int) int { return (k+1)/2 - 1 })},
		{"neighbor", "k1,k2,...", "each digit of the source plus 1; without arguments as for tornado", "the product of the arguments", digits(func(int) int { return 1 })},
		{"randperm", "seed", "a random permutation without fixed points", "2 endpoints", randperm},
		{"worst", "", "the permutation that is worst for the direct routes of the routing: it fills channel by channel, first the one that any traffic can load most (Towles and Dally, SPAA 2002); longest where that carries less or there are too many pairs to follow", "2 endpoints", worst},
		{"longest", "", "the permutation with the most hops, whatever the routing: longest matching (Jyothi et al., SC 2016); the best of some shifts above " + strconv.Itoa(maxMatched) + " attachment sets", "2 endpoints", longest},
		{"group_shift", "k", "the endpoint of the same number in the k-th next block (default 1)", "blocks of equal size", groupShift},
		{"group_adversarial", "k", "uniform over the k-th next block (default 1): all traffic between two groups on their few links", "blocks of equal size", groupAdversarial},
		{"hotspot", "share,e1,w*e2,...", "with probability share one of the endpoints e1, e2, ..., by weight (default 0.2, endpoint 0), uniform over the others, the hot ones excluded, otherwise", "two endpoints that are not hot", hotspot},
		{"local", "D,R", "with probability R uniform over the other endpoints within D hops, in trees over the subtree of height D, 1 being a leaf switch; uniform otherwise (default 1,0.5)", "somebody within D", local},
		{"fft", "P,Q,phase,mapping", "3D FFT on P x Q processes, decomposed in two dimensions: phase 1 to all others of the row, 2 of the column, both (default) by a coin; process i on endpoint i (row), or column, random(seed), blocked(r,c): tiles of r x c one after another; without P and Q as square as it can be", "P x Q endpoints", fft},
		{"asymmetric", "", "the source modulo N/2, plus N/2 by a coin (BookSim2; may be the source itself)", "an even number", asymmetric},
		{"diagonal", "", "with probability 1/3 the next endpoint, else the source itself (BookSim2)", "2 endpoints", diagonal},
		{"taper", "", "half of the packets to one of the 9 around the source on a square of endpoints, the source itself included, half uniform (BookSim2's taper64)", "a square of at least 9", taper},
		{"mixed", "w1*traffic1,w2*traffic2,...", "one of several traffics, by weight", "what they need", mixed},
	}
}

// ByName makes a traffic from its text.
func ByName(text string, o Options) (*Pattern, error) {
	if o.Network.Endpoints() < 2 {
		return nil, fmt.Errorf("traffic %s: the network has %d endpoints; 2 are needed", text, o.Network.Endpoints())
	}
	if path, ok := strings.CutPrefix(text, "file:"); ok {
		return FromFile(path, o)
	}
	name, args, err := split(text)
	if err != nil {
		return nil, err
	}
	all := All()
	i, err := find(all, name)
	if err != nil {
		return nil, err
	}
	if len(args) > 0 && all[i].Args == "" {
		return nil, fmt.Errorf("traffic %s takes no arguments, got %q", name, strings.Join(args, ","))
	}
	p, err := all[i].make(o, args)
	if err != nil {
		return nil, fmt.Errorf("traffic %s: %w", text, err)
	}
	p.name = text
	return p, nil
}

// CheckName is an error for a text that no network has a traffic for: an unknown name, a parenthesis left
// open. Arguments and files are checked by ByName.
func CheckName(text string) error {
	if strings.HasPrefix(text, "file:") {
		return nil
	}
	name, _, err := split(text)
	if err == nil {
		_, err = find(All(), name)
	}
	return err
}

// find looks a name up.
func find(all []Info, name string) (int, error) {
	i := slices.IndexFunc(all, func(x Info) bool { return x.Name == name })
	if i >= 0 {
		return i, nil
	}
	names := make([]string, len(all))
	for i := range all {
		names[i] = all[i].Name
	}
	return i, fmt.Errorf("there is no traffic %q%s", name, cmp.Or(diag.Hint(name, names), "\ntoposearch help traffic lists them"))
}

// mixed draws a traffic by weight for every packet.
func mixed(o Options, args []string) (*Pattern, error) {
	if len(args) == 0 {
		return nil, fmt.Errorf("name what is mixed: mixed(0.7*uniform,0.3*tornado)")
	}
	var parts []*Pattern
	var upTo []float64
	sum, even := 0.0, 0.0
	for _, a := range args {
		weight, text, ok := strings.Cut(a, "*")
		w, err := strconv.ParseFloat(strings.TrimSpace(weight), 64)
		if !ok || err != nil || !(w > 0 && w <= 1e9) {
			return nil, fmt.Errorf("%q is not weight*traffic with a weight above 0", a)
		}
		p, err := ByName(strings.TrimSpace(text), o)
		if err != nil {
			return nil, err
		}
		sum += w
		even += w * p.uniform
		parts, upTo = append(parts, p), append(upTo, sum)
	}
	return &Pattern{n: o.Network.Endpoints(), draw: func(src int, r *simcore.Rand) int {
		x, i := r.Float64()*sum, 0
		for i < len(upTo)-1 && x >= upTo[i] {
			i++
		}
		return parts[i].next(src, r)
	}, uniform: even / sum, rest: func(src int, add func(int, float64)) {
		before := 0.0
		for i, p := range parts {
			weight := (upTo[i] - before) / sum
			before = upTo[i]
			p.Shares(topology.EndpointID(src), func(dst int, part float64) { add(dst, weight*part) })
		}
	}}, nil
}
