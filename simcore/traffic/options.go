package traffic

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"toposearch/topology"
)

// Options is what a traffic may need to know.
type Options struct {
	Network *topology.Network
	// Blocks is the number of equal blocks of consecutive endpoints (groups, pods); 0 or 1: none.
	Blocks int
	// Dims are the sizes of a grid of switches, see topology.Family; nil: there is none.
	Dims []int
	// Tree: packets go up and then down, so that "local" counts the height of subtrees and not hops.
	Tree bool
	Seed uint64 // of random permutations without a seed of their own
	// Router has the routes that "worst" is the worst permutation of; nil: those of any routing, as for "longest".
	Router interface {
		WorstPermutation(ctx context.Context, capacity func(link int) float64) (to []int32, how string, err error)
	}
	// Context ends the search for the worst permutation; nil: nothing does.
	Context context.Context
}

// For is what traffics need to know of a design and its network.
func For(d topology.Design, n *topology.Network) Options {
	o := Options{Network: n, Dims: d.Dims()}
	if d.Family.Place != nil {
		o.Blocks = d.Family.Place(d.V).Blocks
	}
	if d.Family.Natural != nil {
		rule := d.Family.Natural(d.V)
		o.Tree = rule.Name == "updown" && rule.States == 2 // up, then down: no other step
	}
	return o
}

// ints reads whole numbers in [lo, hi].
func ints(args []string, lo, hi int) ([]int, error) {
	out := make([]int, len(args))
	for i, a := range args {
		x, err := strconv.Atoi(a)
		if err != nil || x < lo || x > hi {
			return nil, fmt.Errorf("argument %q is not a whole number from %d to %d", a, lo, hi)
		}
		out[i] = x
	}
	return out, nil
}

// split takes "name(a,b(c,d))" apart into the name and the arguments of the outer parentheses.
func split(text string) (name string, args []string, err error) {
	text = strings.TrimSpace(text)
	name, rest, ok := strings.Cut(text, "(")
	if !ok {
		return text, nil, nil
	}
	rest, ok = strings.CutSuffix(rest, ")")
	if !ok {
		return "", nil, fmt.Errorf("traffic %q does not end in a parenthesis; write name(a,b)", text)
	}
	depth, from := 0, 0
	for i := range len(rest) {
		switch rest[i] {
		case '(':
			depth++
		case ')':
			depth--
		case ',':
			if depth == 0 {
				args = append(args, strings.TrimSpace(rest[from:i]))
				from = i + 1
			}
		}
		if depth < 0 {
			return "", nil, fmt.Errorf("traffic %q closes a parenthesis that is not open", text)
		}
	}
	if depth != 0 {
		return "", nil, fmt.Errorf("traffic %q leaves a parenthesis open", text)
	}
	return strings.TrimSpace(name), append(args, strings.TrimSpace(rest[from:])), nil
}
