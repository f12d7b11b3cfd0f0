package branch

import (
	"cmp"
	"math"
	"slices"
	"testing"

	"toposearch/internal/stream"
)

// The queue gives what a stable sort of all that it holds would, however pushes and pops mix.
func TestQueueIsStableSort(t *testing.T) {
	rng := stream.New(1, "test.queue")
	for round := range 50 {
		var q queue[node]
		var plain []node
		pushed := int32(0)
		for range 400 {
			if q.len() != len(plain) {
				t.Fatalf("round %d: the queue holds %d nodes, want %d", round, q.len(), len(plain))
			}
			if len(plain) > 0 && rng.IntN(5) < 2 {
				got, want := q.pop(), plain[0]
				plain = plain[1:]
				if got.lo != want.lo || got.key != want.key {
					t.Fatalf("round %d: popped node %d with key %g, want %d with %g", round, got.lo, got.key, want.lo, want.key)
				}
				continue
			}
			n := node{box: box{lo: pushed}, key: float64(rng.IntN(8))} // many are equal
			if n.key == 0 {
				n.key = math.Inf(-1)
			}
			pushed++
			q.push(n.key, &n)
			at, _ := slices.BinarySearchFunc(plain, n.key, func(a node, key float64) int {
				if a.key <= key {
					return -1
				}
				return 1
			})
			plain = slices.Insert(plain, at, n)
		}
		q.drop(func(n *node) bool { return n.lo%2 != 0 })
		plain = slices.DeleteFunc(plain, func(n node) bool { return n.lo%2 != 0 })
		for _, want := range plain {
			if got := q.pop(); got.lo != want.lo {
				t.Fatalf("round %d: after dropping odd ones popped %d, want %d", round, got.lo, want.lo)
			}
		}
	}
}

// What is dropped is what was asked for, and the rest comes in its order.
func TestQueueDrops(t *testing.T) {
	rng := stream.New(3, "queue drops")
	var q queue[node]
	type numbered struct {
		key    float64
		number int32
	}
	var want []numbered
	for i := range 3 * page {
		n := node{key: float64(rng.IntN(50)), box: box{hi: int32(i)}}
		if i%3 != 0 {
			want = append(want, numbered{n.key, int32(i)})
		}
		q.push(n.key, &n)
	}
	q.drop(func(n *node) bool { return n.hi%3 == 0 })
	slices.SortStableFunc(want, func(a, b numbered) int { return cmp.Compare(a.key, b.key) })
	for i := range want {
		n := q.pop()
		if n.key != want[i].key || n.hi != want[i].number {
			t.Fatalf("node %d is number %d with key %g, want %d with %g", i, n.hi, n.key, want[i].number, want[i].key)
		}
	}
	if q.len() != 0 {
		t.Errorf("%d nodes are left", q.len())
	}
}
