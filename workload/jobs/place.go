package jobs

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"toposearch/diag"
	"toposearch/topology"
)

// Placements of jobs on endpoints.
const (
	Compact = "compact" // the first free endpoints, one job behind the other
	Random  = "random"  // endpoints drawn from all that are free
	ByGroup = "group"   // as Compact inside the blocks of the construction: in the fullest in which a job fits, else in the emptiest
	Region  = "region"  // the same by blocks as large as the non-blocking region
)

var placements = []string{Compact, Random, ByGroup, Region}

// CheckPlacement says what placements there are if the name is of none.
func CheckPlacement(name string) error {
	if !slices.Contains(placements, name) {
		return fmt.Errorf("%q is no placement%s; there are %s", name, diag.Hint(name, placements), strings.Join(placements, ", "))
	}
	return nil
}

// Blocks are groups or regions of so many consecutive endpoints.
func Blocks(endpoints, size int) [][]topology.EndpointID {
	all := make([]topology.EndpointID, endpoints)
	for e := range all {
		all[e] = topology.EndpointID(e)
	}
	return slices.Collect(slices.Chunk(all, max(1, min(size, endpoints))))
}

// OnSameSwitches are the endpoints of a network by the switches that they are on, in the order of the first of each.
func OnSameSwitches(n *topology.Network) (blocks [][]topology.EndpointID) {
	at := make(map[string]int)
	for g := range n.Groups() {
		first, end, ports := n.Group(g)
		key := fmt.Sprint(ports)
		i, ok := at[key]
		if !ok {
			i, blocks = len(blocks), append(blocks, nil)
			at[key] = i
		}
		for e := first; e < end; e++ {
			blocks[i] = append(blocks[i], e)
		}
	}
	return blocks
}

// Place gives each job its endpoints, which no two share, its ranks in the order of their numbers; blocks are the groups or
// regions of all endpoints. Large jobs are placed first, as a scheduler does that fills holes with small
// ones; the answer is in the order of sizes. The error names a job that is larger than the network, or that all together are.
func Place(sizes []int, endpoints int, placement string, blocks [][]topology.EndpointID, rng *rand.Rand) ([][]topology.EndpointID, error) {
	if err := CheckPlacement(placement); err != nil {
		return nil, err
	}
	total := 0
	for i, n := range sizes {
		if n < 1 || n > endpoints {
			return nil, fmt.Errorf("job %d has %d endpoints, and the network %d: leave it out, or take a larger network", i+1, n, endpoints)
		}
		total += n
	}
	if total > endpoints {
		return nil, fmt.Errorf("%d jobs have %d endpoints together, %d more than the network: leave some out, or take a larger network", len(sizes), total, total-endpoints)
	}
	free := inOrder(endpoints, placement, blocks, rng)
	order := make([]int, len(sizes))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(sizes[b], sizes[a]) })
	out := make([][]topology.EndpointID, len(sizes))
	for _, i := range order {
		need := sizes[i]
		for need > 0 {
			at := choose(free, need)
			n := min(need, len(free[at]))
			out[i] = append(out[i], free[at][:n]...)
			free[at] = free[at][n:]
			need -= n
		}
		slices.Sort(out[i])
	}
	return out, nil
}

// inOrder are the endpoints in the order in which jobs take them.
func inOrder(endpoints int, placement string, blocks [][]topology.EndpointID, rng *rand.Rand) [][]topology.EndpointID {
	switch placement {
	case Random:
		all := Blocks(endpoints, endpoints)
		rng.Shuffle(endpoints, func(i, j int) { all[0][i], all[0][j] = all[0][j], all[0][i] })
		return all
	case Compact:
		return Blocks(endpoints, endpoints)
	}
	return slices.Clone(blocks)
}

// choose is the block with least room in which a job fits, the first of equals; if there is none, the one with most.
func choose(free [][]topology.EndpointID, need int) int {
	best, most := -1, 0
	for i, f := range free {
		if len(f) >= need && (best < 0 || len(f) < len(free[best])) {
			best = i
		}
		if len(f) > len(free[most]) {
			most = i
		}
	}
	if best < 0 {
		return most
	}
	return best
}

// Isolated reports whether a job is inside one block.
func Isolated(job []topology.EndpointID, blocks [][]topology.EndpointID) bool {
	at := slices.IndexFunc(blocks, func(b []topology.EndpointID) bool { return slices.Contains(b, job[0]) })
	return at >= 0 && !slices.ContainsFunc(job, func(e topology.EndpointID) bool { return !slices.Contains(blocks[at], e) })
}
