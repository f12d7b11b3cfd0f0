package simcore

import (
	"fmt"
	"math"
	"sort"
	"strconv"
	"strings"

	"toposearch/diag"
	"toposearch/internal/stream"
)

// Injection processes: when an endpoint creates packets. The offered load is the mean of each.
const (
	Bernoulli = "bernoulli" // in every cycle at most one packet, with the same probability
	Poisson   = "poisson"   // gaps are exponential; of the flit engine several packets may be born in one cycle
	OnOff     = "on_off"    // a Bernoulli process that is on and off by turns, a two-state Markov chain
	Constant  = "constant"  // equal gaps, from a random phase on; the cut-through model's
)

// Process is an injection process.
type Process struct {
	Kind   string
	Weight float64 // share of the endpoints that have it, relative to the others
	// Alpha and Beta are the probabilities per cycle that an OnOff source turns on and off, Rate that of a packet while it
	// is on, 0 to follow from the load. Bare reports that the text had none of them.
	Alpha, Beta, Rate float64
	Bare              bool
}

// ParseInjection reads a process, such as "poisson" or "on_off(0.01,0.02)", or several over sources,
// "mixed(0.7*bernoulli,0.3*poisson)". kinds are those that a model has.
func ParseInjection(text string, kinds ...string) ([]Process, error) {
	text = strings.TrimSpace(text)
	inside, ok := strings.CutPrefix(text, "mixed(")
	if !ok {
		p, err := parseProcess(text, kinds)
		return []Process{p}, err
	}
	inside, ok = strings.CutSuffix(inside, ")")
	if !ok {
		return nil, fmt.Errorf("%q does not end in a parenthesis; write mixed(0.7*bernoulli,0.3*poisson)", text)
	}
	var all []Process
	for inside != "" {
		end := strings.IndexByte(inside, ',')
		if open := strings.IndexByte(inside, '('); open >= 0 && open < end {
			if end = strings.IndexByte(inside, ')') + 1; end == len(inside) {
				end = -1
			}
		}
		part := inside
		if inside = ""; end >= 0 {
			part, inside = part[:end], strings.TrimPrefix(part[end:], ",")
		}
		weight, name, ok := strings.Cut(part, "*")
		w, err := strconv.ParseFloat(strings.TrimSpace(weight), 64)
		if !ok || err != nil || !(w > 0 && w <= 1e9) {
			return nil, fmt.Errorf("%q is not weight*process with a weight above 0", strings.TrimSpace(part))
		}
		p, err := parseProcess(strings.TrimSpace(name), kinds)
		if err != nil {
			return nil, err
		}
		p.Weight = w
		all = append(all, p)
	}
	if len(all) == 0 || len(all) > math.MaxUint8 {
		return nil, fmt.Errorf("%q mixes %d processes; 1 to %d can be", text, len(all), math.MaxUint8)
	}
	return all, nil
}

func parseProcess(text string, kinds []string) (Process, error) {
	name, rest, hasArgs := strings.Cut(text, "(")
	p := Process{Kind: name, Weight: 1, Bare: !hasArgs}
	if i := sort.SearchStrings(kinds, name); i == len(kinds) || kinds[i] != name {
		return p, fmt.Errorf("there is no injection process %q here, but %s and mixed(weight*process,...)%s", name, strings.Join(kinds, ", "), diag.Hint(name, kinds))
	}
	if !hasArgs {
		return p, nil
	}
	rest, closed := strings.CutSuffix(rest, ")")
	args := strings.Split(rest, ",")
	if name != OnOff || !closed || len(args) < 2 || len(args) > 3 {
		return p, fmt.Errorf("%q: only %s has numbers: on_off(alpha,beta) or on_off(alpha,beta,rate)", text, OnOff)
	}
	for i, at := range []*float64{&p.Alpha, &p.Beta, &p.Rate}[:len(args)] {
		x, err := strconv.ParseFloat(strings.TrimSpace(args[i]), 64)
		if err != nil || !(x > 0 && x <= 1) {
			return p, fmt.Errorf("%q: %q is not a probability above 0", text, strings.TrimSpace(args[i]))
		}
		*at = x
	}
	return p, nil
}

// Assign says which process each of n endpoints has: as many as its weight says, to the nearest whole number, at random.
func Assign(all []Process, n int, seed uint64) []uint8 {
	of := make([]uint8, n)
	if len(all) < 2 {
		return of
	}
	sum := 0.0
	for _, p := range all {
		sum += p.Weight
	}
	from, upTo := 0, 0.0
	for i, p := range all {
		upTo += p.Weight / sum
		end := n
		if i < len(all)-1 {
			end = min(n, int(math.Round(upTo*float64(n))))
		}
		for ; from < end; from++ {
			of[from] = uint8(i)
		}
	}
	stream.New(seed, "injection").Shuffle(n, func(i, j int) { of[i], of[j] = of[j], of[i] })
	return of
}
