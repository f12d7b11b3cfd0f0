package flow

import (
	"context"
	"slices"
)

// Terminal is a vertex with endpoints.
type Terminal struct {
	Vertex    int32
	Endpoints int64
}

// edge joins two terminals of a tree of least cuts.
type edge struct {
	paths int
	a, b  int32
}

// SumPairs sums the numbers of link-disjoint paths between all ordered pairs of endpoints on different
// terminals, which are different vertices of a graph without links one way. It takes one flow for each
// terminal but the first. The error is that of the context.
func (u *Unit) SumPairs(ctx context.Context, terminals []Terminal) (int64, error) {
	tree, err := u.cutTree(ctx, terminals)
	if err != nil {
		return 0, err
	}
	// The paths of a pair are the least on its way through the tree; edges are joined from the largest.
	slices.SortStableFunc(tree, func(x, y edge) int { return y.paths - x.paths })
	root, endpoints, sum := make([]int32, len(terminals)), make([]int64, len(terminals)), int64(0)
	for i, t := range terminals {
		root[i], endpoints[i] = int32(i), t.Endpoints
	}
	find := func(i int32) int32 {
		for root[i] != i {
			root[i] = root[root[i]]
			i = root[i]
		}
		return i
	}
	for _, e := range tree {
		a, b := find(e.a), find(e.b)
		sum += int64(e.paths) * endpoints[a] * endpoints[b] * 2
		root[a] = b
		endpoints[b] += endpoints[a]
	}
	return sum, nil
}

// cutTree is a tree of least cuts (Gomory, Hu, J. SIAM 9(4), 1961), built as by Gusfield (SIAM J. Comput.
// 19(1), 1990).
func (u *Unit) cutTree(ctx context.Context, terminals []Terminal) ([]edge, error) {
	parent, tree := make([]int32, len(terminals)), make([]edge, 0, len(terminals))
	at := make([]int32, len(u.stops)) // terminal of each vertex, counted from 1; 0 is none
	for i, t := range terminals {
		at[t.Vertex] = int32(i) + 1
	}
	for i := 1; i < len(terminals); i++ {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		j := parent[i]
		s, t := terminals[i].Vertex, terminals[j].Vertex
		most := min(u.Leaving(s), u.Entering(t))
		flow := u.Paths([]Port{{s, int32(most)}}, []Port{{t, int32(most)}}, most)
		tree = append(tree, edge{flow, int32(i), j})
		switch flow {
		case u.Leaving(s): // s alone is a least cut
		case u.Leaving(t):
			for x := i + 1; x < len(terminals); x++ {
				if parent[x] == j {
					parent[x] = int32(i)
				}
			}
		default: // the last search found all vertices on the side of s
			for _, v := range u.queue {
				if x := at[v] - 1; int(x) > i && parent[x] == j {
					parent[x] = int32(i)
				}
			}
		}
	}
	return tree, nil
}
