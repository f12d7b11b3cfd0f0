package routing

import (
	"context"
	"fmt"
)

// assignment is a transportation problem over a dense matrix of small weights: ship every
// supply to the demands so that the weight in all is largest. It is solved by the Hungarian
// method (Kuhn 1955) on small integers: flow goes over tight pairs only, those whose duals add
// up to their weight, by depth-first searches that share what they have visited; where none gets
// through, duals move by the least slack.
type assignment struct {
	n              int
	weight         []uint16
	supply, demand []int32
	selfless       []bool // rows that may not ship to their own column
	flow           []int32
	u, v           []int32
	into           [][]int32 // rows with flow into each column
	rowSeen        []bool
	colSeen        []bool
	next           []int32 // of each row: columns before it are not tight, or seen, until duals move or what was seen is forgotten
	work, most     int     // steps: pairs looked at, and how many may be before the rest is not shipped; 0: any number
}

// HeaviestShipment ships from each of some places what it has, and to each as much as it has, so that the weight in
// all is largest: weight and the answer are matrices, [from*places+to]. What is shipped may stay at its place. The
// error is that of the context.
func HeaviestShipment(ctx context.Context, weight []uint16, amount []int32) ([]int32, error) {
	a := newAssignment(len(amount), weight)
	copy(a.supply, amount)
	copy(a.demand, amount)
	err := a.solve(ctx)
	return a.flow, err
}

func newAssignment(n int, weight []uint16) *assignment {
	return &assignment{n: n, weight: weight, supply: make([]int32, n), demand: make([]int32, n), selfless: make([]bool, n),
		flow: make([]int32, n*n), u: make([]int32, n), v: make([]int32, n), into: make([][]int32, n),
		rowSeen: make([]bool, n), colSeen: make([]bool, n), next: make([]int32, n)}
}

// solve ships everything, or what most allows. Supplies and demands must add up to the same.
func (a *assignment) solve(ctx context.Context) error {
	for i := range a.n {
		for j := range a.n {
			if a.allowed(i, j) {
				a.u[i] = max(a.u[i], int32(a.weight[i*a.n+j]))
			}
		}
	}
	for {
		if err := ctx.Err(); err != nil {
			return err
		}
		if a.most > 0 && a.work >= a.most {
			return nil
		}
		clear(a.rowSeen)
		clear(a.colSeen)
		clear(a.next)
		pushed, left := false, false
		for i := range a.n {
			for a.supply[i] > 0 && !a.rowSeen[i] {
				got := a.push(i, a.supply[i])
				a.supply[i] -= got
				if got == 0 {
					break
				}
				pushed = true
				// What this search has visited may still lead on.
				a.rowSeen[i] = false
			}
			left = left || a.supply[i] > 0
		}
		if !left {
			return nil
		}
		if !pushed && !a.adjust() {
			return fmt.Errorf("routing: endpoints cannot be paired without sending to themselves")
		}
	}
}

func (a *assignment) allowed(i, j int) bool { return i != j || !a.selfless[i] }

// push ships up to an amount from row i along one path, and gives how much.
func (a *assignment) push(i int, amount int32) int32 {
	a.rowSeen[i] = true
	a.work += a.n
	row, v, seen := a.weight[i*a.n:(i+1)*a.n], a.v[:a.n], a.colSeen[:a.n]
	u := a.u[i]
	for j := int(a.next[i]); j < len(row); j++ {
		if u+v[j] != int32(row[j]) || seen[j] || !a.allowed(i, j) {
			continue
		}
		a.next[i] = int32(j)
		if d := a.demand[j]; d > 0 {
			got := min(amount, d)
			a.demand[j] -= got
			a.ship(i, j, got)
			return got
		}
		seen[j] = true
		for _, k := range a.into[j] {
			if a.rowSeen[k] {
				continue
			}
			got := a.push(int(k), min(amount, a.flow[int(k)*a.n+j]))
			if got > 0 {
				a.ship(int(k), j, -got)
				a.ship(i, j, got)
				return got
			}
		}
	}
	a.next[i] = int32(a.n)
	return 0
}

// ship changes a flow and keeps into.
func (a *assignment) ship(i, j int, x int32) {
	f := &a.flow[i*a.n+j]
	if *f == 0 {
		a.into[j] = append(a.into[j], int32(i))
	}
	if *f += x; *f != 0 {
		return
	}
	list := a.into[j]
	for k, r := range list {
		if r == int32(i) {
			a.into[j] = append(list[:k], list[k+1:]...)
			return
		}
	}
}

// adjust moves the duals after searches that all failed: what they have visited is the set to
// move. False: nothing can become tight.
func (a *assignment) adjust() bool {
	delta := int32(-1)
	for i := range a.n {
		if !a.rowSeen[i] {
			continue
		}
		a.work += a.n
		for j := range a.n {
			if !a.colSeen[j] && a.allowed(i, j) {
				if s := a.u[i] + a.v[j] - int32(a.weight[i*a.n+j]); delta < 0 || s < delta {
					delta = s
				}
			}
		}
	}
	if delta < 0 {
		return false
	}
	for i := range a.n {
		if a.rowSeen[i] {
			a.u[i] -= delta
		}
		if a.colSeen[i] {
			a.v[i] += delta
		}
	}
	return true
}

// value is the weight of what is shipped.
func (a *assignment) value() int64 {
	var sum int64
	for x, f := range a.flow {
		sum += int64(f) * int64(a.weight[x])
	}
	return sum
}
