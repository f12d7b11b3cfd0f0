package routing

import (
	"context"
	"math"
	"slices"
)

// transport is the problem of assignment with weights of any size. It is solved by shortest augmenting paths, by Dijkstra's algorithm over what pairs lack to be tight
// (Edmonds and Karp 1972), which takes the same time however many different weights there are.
type transport struct {
	rows, columns  int
	weight         []int64 // [row*columns+column]
	supply, demand []int32 // which add up to the same
	flow           []int32
	u, v           []int64 // duals: no pair weighs more than both of its, and those that ship weigh as much
	work           int     // pairs looked at

	into   [][]int32 // rows with flow into each column
	far    []int64   // of each column: how far it is,
	before []int32   // and the row before it
	known  []bool    // columns to which the shortest path is known
	near   []int64   // of each row the same; it comes after a column into which it ships
	after  []int32
	path   []int32 // rows that are reached
	seen   []bool
}

func newTransport(rows, columns int) *transport {
	return &transport{rows: rows, columns: columns, weight: make([]int64, rows*columns), supply: make([]int32, rows), demand: make([]int32, columns),
		flow: make([]int32, rows*columns), u: make([]int64, rows), v: make([]int64, columns), into: make([][]int32, columns),
		far: make([]int64, columns), before: make([]int32, columns), known: make([]bool, columns),
		near: make([]int64, rows), after: make([]int32, rows), seen: make([]bool, rows)}
}

// solve ships everything, or what may be shipped in some more steps than most: the duals hold in either case.
func (t *transport) solve(ctx context.Context, most int) error {
	for i := range t.u {
		t.u[i] = slices.Max(t.weight[i*t.columns:][:t.columns])
	}
	for i := range t.supply {
		for t.supply[i] > 0 && t.work < most {
			if err := ctx.Err(); err != nil {
				return err
			}
			t.ship(int32(i), t.search(int32(i)))
		}
	}
	return nil
}

// search finds the shortest path from a row to a column with demand, and moves the duals until all of it is tight.
func (t *transport) search(from int32) (to int) {
	for j := range t.far {
		t.far[j], t.known[j] = math.MaxInt64, false
	}
	clear(t.seen)
	t.path = append(t.path[:0], from)
	t.seen[from], t.near[from] = true, 0
	for at := 0; ; {
		for ; at < len(t.path); at++ {
			i := t.path[at]
			t.work += t.columns
			for j, w := range t.weight[int(i)*t.columns:][:t.columns] {
				if d := t.near[i] + t.u[i] + t.v[j] - w; d < t.far[j] && !t.known[j] {
					t.far[j], t.before[j] = d, i
				}
			}
		}
		to = -1
		for j, d := range t.far {
			if !t.known[j] && (to < 0 || d < t.far[to] || d == t.far[to] && t.demand[j] > 0 && t.demand[to] == 0) {
				to = j
			}
		}
		if t.demand[to] > 0 {
			break
		}
		t.known[to] = true
		for _, k := range t.into[to] {
			if !t.seen[k] {
				t.seen[k], t.near[k], t.after[k] = true, t.far[to], int32(to)
				t.path = append(t.path, k)
			}
		}
	}
	for _, i := range t.path {
		t.u[i] -= t.far[to] - t.near[i]
	}
	for j, known := range t.known {
		if known {
			t.v[j] += t.far[to] - t.far[j]
		}
	}
	return to
}

// ship sends along the path to a column what all of it takes.
func (t *transport) ship(from int32, to int) {
	amount := min(t.supply[from], t.demand[to])
	for j := to; t.before[j] != from; j = int(t.after[t.before[j]]) {
		i := t.before[j]
		amount = min(amount, t.flow[int(i)*t.columns+int(t.after[i])])
	}
	t.supply[from] -= amount
	t.demand[to] -= amount
	for j := to; ; {
		i := t.before[j]
		t.add(i, j, amount)
		if i == from {
			return
		}
		j = int(t.after[i])
		t.add(i, j, -amount)
	}
}

// add changes a flow and keeps into.
func (t *transport) add(i int32, j int, amount int32) {
	f := &t.flow[int(i)*t.columns+j]
	if *f == 0 {
		t.into[j] = append(t.into[j], i)
	}
	if *f += amount; *f == 0 {
		t.into[j] = slices.DeleteFunc(t.into[j], func(k int32) bool { return k == i })
	}
}
