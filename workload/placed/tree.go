package placed

import (
	"fmt"
	"slices"

	"toposearch/workload"
)

// Tree is a network of subtrees whose links to the rest carry equal parts of what leaves and enters a subtree, as those of fat trees do if
// packets are spread over all that lead on: what a subtree sends is all that loads them. The smallest are first.
type Tree []Subtree

// Geometry is the sizes of subtrees.
func (t Tree) Geometry() string {
	sizes := make([]int, len(t))
	for i, b := range t {
		sizes[i] = b.Endpoints
	}
	return fmt.Sprint("tree ", sizes)
}

func (t Tree) under(levels []float64) (most float64) {
	for i, x := range levels {
		most = max(most, x/t[i].Carry)
	}
	return most
}

func (t Tree) home(endpoint int) int32 {
	if len(t) == 0 {
		return 0
	}
	return int32(t[0].number(endpoint))
}

// closed counts who leaves a subtree. Groups lie alike if subtrees and groups hold each other in whole numbers: then all subtrees of
// a level do the same.
func (t Tree) closed(g workload.Group, p pattern) (busiest float64, ok bool) {
	levels, ok := t.leaving(g, p)
	return t.under(levels), ok
}

// leaving are the levels that closed counts.
func (t Tree) leaving(g workload.Group, p pattern) (levels []float64, ok bool) {
	levels = make([]float64, 0, len(t))
	for _, b := range t {
		leave, ok := b.leaving(g, p, 0)
		if !ok {
			return nil, false
		}
		levels = append(levels, leave)
	}
	return levels, true
}

func (t Tree) loads() shapeLoads {
	return &treeLoads{t, make([][]float64, len(t)), make([][]float64, len(t))}
}

// treeLoads are what leaves and enters the subtrees of each level, in shares of S; the slices grow with the endpoints that are met.
type treeLoads struct {
	Tree
	out, in [][]float64
}

func (l *treeLoads) add(from, to int, share float64) {
	for i, b := range l.Tree {
		x, y := b.number(from), b.number(to)
		if x == y {
			return // larger ones hold both
		}
		if most := max(x, y) + 1; most > len(l.out[i]) {
			l.out[i] = slices.Grow(l.out[i], most-len(l.out[i]))[:most]
			l.in[i] = slices.Grow(l.in[i], most-len(l.in[i]))[:most]
		}
		l.out[i][x] += share
		l.in[i][y] += share
	}
}

func (l *treeLoads) levels() []float64 {
	most := make([]float64, len(l.Tree))
	for i := range l.Tree {
		for s, x := range l.out[i] {
			most[i] = max(most[i], x, l.in[i][s])
		}
	}
	return most
}

// inRows are the levels of a pattern of so many ranks on the first endpoints in order, without subtrees across others: what leaves and enters each of a level that begins at another place of
// groups of ranks, and the last, which has fewer.
func (t Tree) inRows(of workload.Group, p pattern, ranks int) []float64 {
	most := make([]float64, len(t))
	for i, b := range t {
		repeat := period(b.Endpoints, of.Stride*of.Size)
		for first := 0; first < ranks; first += b.Endpoints {
			end := first + b.Endpoints
			if first >= repeat && end <= ranks {
				first += (ranks - end) / b.Endpoints * b.Endpoints
				continue
			}
			end = min(end, ranks)
			var outside [2]int // what leaves, and what enters
			p.each(of, func(shift int) {
				for way, shift := range [2]int{shift, -shift} {
					shifted{of, shift}.runs(first, end, func(_, to, n int) {
						outside[way] += n - max(0, min(end, to+n)-max(first, to))
					})
				}
			})
			most[i] = max(most[i], float64(max(outside[0], outside[1])))
		}
	}
	return most
}
