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

// Place gives each job its endpoints, which no two share, its ranks in the order of their numbers; block is the size of groups or
// regions, which are consecutive endpoints. Large jobs are placed first, as a scheduler does that fills holes with small
// ones; the answer is in the order of sizes. The error names a job that is larger than the network, or that all together are.
func Place(sizes []int, endpoints int, placement string, block int, rng *rand.Rand) ([][]topology.EndpointID, error) {
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
	free := blocks(endpoints, placement, block, rng)
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

// blocks are the endpoints in the order in which jobs take them.
func blocks(endpoints int, placement string, block int, rng *rand.Rand) (free [][]topology.EndpointID) {
	all := make([]topology.EndpointID, endpoints)
	for e := range all {
		all[e] = topology.EndpointID(e)
	}
	switch placement {
	case Random:
		rng.Shuffle(endpoints, func(i, j int) { all[i], all[j] = all[j], all[i] })
		return append(free, all)
	case Compact:
		return append(free, all)
	}
	return slices.Collect(slices.Chunk(all, max(1, min(block, endpoints))))
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
func Isolated(job []topology.EndpointID, block int) bool {
	for _, e := range job {
		if int(e)/max(block, 1) != int(job[0])/max(block, 1) {
			return false
		}
	}
	return true
}
