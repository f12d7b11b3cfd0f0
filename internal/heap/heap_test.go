package heap

import (
	"cmp"
	"container/heap"
	"fmt"
	"slices"
	"testing"

	"toposearch/internal/stream"
)

// Values come out as a sort would put them, by key, then by tie, also after a filter.
func TestHeap(t *testing.T) {
	rng := stream.New(1, "heap")
	for n := range 60 {
		var h Heap[int, [2]int]
		var want [][2]int
		for i := range n {
			x := [2]int{rng.IntN(8), i}
			h.Push(x[0], uint64(n-i), x)
			want = append(want, x)
		}
		if n%2 == 1 {
			keep := func(x [2]int) bool { return x[1]%3 > 0 }
			h.Filter(keep)
			want = slices.DeleteFunc(want, func(x [2]int) bool { return !keep(x) })
		}
		slices.SortFunc(want, func(a, b [2]int) int { return cmp.Or(cmp.Compare(a[0], b[0]), cmp.Compare(b[1], a[1])) })
		for i, w := range want {
			if k, v := h.Least(); h.Len() != len(want)-i || v != w || k != w[0] {
				t.Fatalf("%d values, the %d-th: %v of %d, want %v of %d", n, i, v, h.Len(), w, len(want)-i)
			}
			h.Pop()
		}
		if h.Len() != 0 {
			t.Fatalf("%d values are left", h.Len())
		}
	}
}

// plain is the heap of the standard library.
type plain [][2]int

func (p plain) Len() int           { return len(p) }
func (p plain) Less(i, j int) bool { return p[i][0] < p[j][0] }
func (p plain) Swap(i, j int)      { p[i], p[j] = p[j], p[i] }
func (p *plain) Push(x any)        { *p = append(*p, x.([2]int)) }
func (p *plain) Pop() any {
	x := (*p)[len(*p)-1]
	*p = (*p)[:len(*p)-1]
	return x
}

// Equal keys without ties come out in the order of container/heap.
func TestTwin(t *testing.T) {
	rng := stream.New(2, "heap")
	var h Heap[int, [2]int]
	var p plain
	for i := range 5000 {
		if h.Len() > 0 && rng.IntN(5) < 2 {
			_, got := h.Pop()
			if want := heap.Pop(&p).([2]int); got != want {
				t.Fatalf("call %d: %v, container/heap gives %v", i, got, want)
			}
			continue
		}
		x := [2]int{rng.IntN(20), i}
		h.Push(x[0], 0, x)
		heap.Push(&p, x)
	}
	h.Reset()
	if h.Len() != 0 {
		t.Error("a reset heap is not empty")
	}
}

// BenchmarkHeap takes the first of so many out and puts it back further behind, beside what it takes
// with container/heap.
func BenchmarkHeap(b *testing.B) {
	for _, size := range []int{16, 1024, 65536} {
		rng := stream.New(3, "heap")
		b.Run(fmt.Sprintf("size=%d", size), func(b *testing.B) {
			var h Heap[uint64, int32]
			for range size {
				h.Push(rng.Uint64N(1<<40), 0, 1)
			}
			for b.Loop() {
				k, v := h.Pop()
				h.Push(k+rng.Uint64N(1<<40), 0, v)
			}
		})
		b.Run(fmt.Sprintf("container/size=%d", size), func(b *testing.B) {
			var p plain
			for range size {
				heap.Push(&p, [2]int{rng.IntN(1 << 40), 1})
			}
			for b.Loop() {
				x := heap.Pop(&p).([2]int)
				x[0] += rng.IntN(1 << 40)
				heap.Push(&p, x)
			}
		})
	}
}
