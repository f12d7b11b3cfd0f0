package objectives

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"toposearch/evaluator/metric"
	"toposearch/internal/stream"
)

// randomPoints draws on a coarse grid, so that ties and equal vectors are frequent.
func randomPoints(rng *rand.Rand, n, d, grid int) []*Point {
	pts := make([]*Point, n)
	for i := range pts {
		v := make(Vector, d)
		for m := range v {
			v[m] = float64(rng.IntN(grid))
		}
		pts[i] = &Point{Name: fmt.Sprintf("p%04d", i), V: v}
		if rng.IntN(4) == 0 {
			pts[i].Violation = float64(1+rng.IntN(5)) / 4
		}
	}
	return pts
}

// plainFront is the definition.
func plainFront(pts []*Point) []*Point {
	var out []*Point
	for _, p := range pts {
		if p.Violation == 0 && !slices.ContainsFunc(pts, func(q *Point) bool { return q.Violation == 0 && Dominates(q.V, p.V) }) {
			out = append(out, p)
		}
	}
	slices.SortFunc(out, Order)
	return out
}

func TestFrontIsTheNonDominatedSet(t *testing.T) {
	for d := 1; d <= 4; d++ {
		for trial := range 60 {
			rng := stream.New(1, "front", uint64(d), uint64(trial))
			pts := randomPoints(rng, 1+rng.IntN(400), d, 2+rng.IntN(60))
			want := plainFront(pts)
			for range 2 { // in two orders of arrival
				rng.Shuffle(len(pts), func(i, j int) { pts[i], pts[j] = pts[j], pts[i] })
				var f Front
				for _, p := range pts {
					f.Add(p)
				}
				if got := f.Points(); !slices.Equal(got, want) {
					t.Fatalf("d=%d trial %d: front of %d points, want %d", d, trial, len(got), len(want))
				}
				if f.Len() != len(want) {
					t.Fatalf("d=%d trial %d: Len = %d, want %d", d, trial, f.Len(), len(want))
				}
				for _, p := range pts {
					if got, want := f.Covered(p.V), slices.ContainsFunc(want, func(q *Point) bool { return Dominates(q.V, p.V) }); got != want {
						t.Fatalf("d=%d: Covered(%v) = %v, want %v", d, p.V, got, want)
					}
				}
				if f.Add(want[0]) {
					t.Fatalf("d=%d: a point already there was added again", d)
				}
			}
		}
	}
}

// plainRanks peels off one front after another.
// Covered and Best agree with a scan of all points, also after points were removed.
func TestFrontAnswersAsPlain(t *testing.T) {
	rng := stream.New(3, "front")
	for _, d := range []int{2, 3, 5} {
		var f Front
		for i, p := range randomPoints(rng, 600, d, 40) {
			f.Add(p)
			if i%20 > 0 {
				continue
			}
			for _, q := range randomPoints(rng, 20, d, 44) {
				m := rng.IntN(d)
				if rng.IntN(2) == 0 {
					f.Prepare(rng.IntN(d))
				}
				covered, best := false, math.Inf(1)
				for _, x := range f.Points() {
					covered = covered || Dominates(x.V, q.V)
					if noWorseBut(x.V, q.V, m) {
						best = min(best, x.V[m])
					}
				}
				if got := f.Covered(q.V); got != covered {
					t.Fatalf("%d points: Covered(%v) = %t, want %t", f.Len(), q.V, got, covered)
				}
				if got := f.Best(q.V, m); got != best {
					t.Fatalf("%d points: Best(%v, %d) = %g, want %g", f.Len(), q.V, m, got, best)
				}
			}
		}
	}
}

func plainRanks(pts []*Point) []int {
	rank := make([]int, len(pts))
	for i := range rank {
		rank[i] = -1
	}
	for r, left := 0, len(pts); left > 0; r++ {
		var front []int
		for i, p := range pts {
			if rank[i] >= 0 {
				continue
			}
			dominated := false
			for j, q := range pts {
				dominated = dominated || rank[j] < 0 && ConstrainedDominates(q, p)
			}
			if !dominated {
				front = append(front, i)
			}
		}
		for _, i := range front {
			rank[i] = r
		}
		left -= len(front)
	}
	return rank
}

func TestRanksPeelFronts(t *testing.T) {
	for d := 1; d <= 4; d++ {
		for trial := range 40 {
			rng := stream.New(2, "ranks", uint64(d), uint64(trial))
			pts := randomPoints(rng, 1+rng.IntN(80), d, 2+rng.IntN(12))
			got := make([]int, len(pts))
			n := Ranks(pts, got)
			want := plainRanks(pts)
			if !slices.Equal(got, want) || n != slices.Max(want)+1 {
				t.Fatalf("d=%d trial %d: ranks %v (%d), want %v", d, trial, got, n, want)
			}
		}
	}
}

// Five points on a line from (0,4) to (4,0) with one at (1,3) moved: gaps are read off by hand.
func TestCrowding(t *testing.T) {
	var pts []*Point
	for i, v := range []Vector{{0, 10}, {1, 6}, {3, 5}, {6, 1}, {10, 0}} {
		pts = append(pts, &Point{Name: fmt.Sprint(i), V: v})
	}
	got := make([]float64, len(pts))
	Crowding(pts, got)
	inf := math.Inf(1)
	// Second: (3-0)/10 + (10-5)/10; third: (6-1)/10 + (6-1)/10; fourth: (10-3)/10 + (5-0)/10.
	want := []float64{inf, 0.8, 1.0, 1.2, inf}
	for i := range want {
		if got[i] != want[i] && math.Abs(got[i]-want[i]) > 1e-12 {
			t.Errorf("point %d: distance %g, want %g", i, got[i], want[i])
		}
	}
}

// plainVolume counts unit cells of the grid that some point dominates.
func plainVolume(pts []Vector, ref Vector) float64 {
	d := len(ref)
	cell := make([]int, d)
	count := 0
	var walk func(m int)
	walk = func(m int) {
		if m == d {
			for _, p := range pts {
				ok := true
				for i := range p {
					ok = ok && p[i] <= float64(cell[i])
				}
				if ok {
					count++
					return
				}
			}
			return
		}
		for c := 0; c < int(ref[m]); c++ {
			cell[m] = c
			walk(m + 1)
		}
	}
	walk(0)
	return float64(count)
}

func TestHypervolumeCountsCells(t *testing.T) {
	for d := 1; d <= 5; d++ {
		for trial := range 40 {
			rng := stream.New(3, "hv", uint64(d), uint64(trial))
			var pts []Vector
			for _, p := range randomPoints(rng, rng.IntN(25), d, 9) {
				pts = append(pts, p.V)
			}
			ref := make(Vector, d)
			for m := range ref {
				ref[m] = float64(5 + rng.IntN(3))
			}
			if got, want := Hypervolume(pts, ref), plainVolume(pts, ref); got != want {
				t.Fatalf("d=%d trial %d: hypervolume of %v below %v = %g, want %g", d, trial, pts, ref, got, want)
			}
		}
	}
}

// A front bent towards the ideal point has its knee at the bend.
func TestKneeAndBest(t *testing.T) {
	var pts []*Point
	for _, v := range []Vector{{0, 100}, {1, 50}, {2, 10}, {5, 8}, {10, 0}} {
		pts = append(pts, &Point{Name: fmt.Sprint(v), V: v})
	}
	if got := Knee(pts); got != 2 { // 0.2 + 0.1
		t.Errorf("knee = %d, want 2", got)
	}
	if Best(pts, 0) != 0 || Best(pts, 1) != 4 {
		t.Errorf("best = %d, %d, want 0, 4", Best(pts, 0), Best(pts, 1))
	}
	if Knee(nil) != -1 || Best(nil, 0) != -1 {
		t.Error("an empty front has a pick")
	}
}

func TestObjectiveDirections(t *testing.T) {
	cost, _ := New("cost")
	thr, err := New("uniform_throughput")
	if err != nil || cost.Better != metric.Lower || thr.Better != metric.Higher {
		t.Fatalf("cost %v, uniform_throughput %v, %v", cost, thr, err)
	}
	if _, err := New("endpoints"); err == nil {
		t.Error("endpoints is no objective by itself, yet it was accepted")
	}
	var values [metric.Count]float64
	values[metric.Cost], values[metric.UniformThroughput] = 5, math.NaN()
	v := make(Vector, 2)
	Fill(v, []Objective{cost, thr}, &values)
	if v[0] != 5 || !math.IsInf(v[1], 1) {
		t.Errorf("vector = %v, want [5 +Inf]", v)
	}
	var in metric.Intervals
	in.At[metric.UniformThroughput], in.Have[metric.UniformThroughput] = metric.Interval{Lo: 0.2, Hi: 0.9}, true
	FillBest(v, []Objective{cost, thr}, &in)
	if !math.IsInf(v[0], -1) || v[1] != -0.9 {
		t.Errorf("best corner = %v, want [-Inf -0.9]", v)
	}
	if n := testing.AllocsPerRun(100, func() { Fill(v, []Objective{cost, thr}, &values); FillBest(v, []Objective{cost, thr}, &in) }); n != 0 {
		t.Errorf("Fill allocates %g times", n)
	}
}

func BenchmarkFrontAdd(b *testing.B) {
	for _, d := range []int{2, 3, 4} {
		b.Run(fmt.Sprintf("objectives=%d,points=100000", d), func(b *testing.B) {
			rng := stream.New(4, "bench")
			pts := make([]*Point, 100_000)
			for i := range pts {
				// On a sphere: nearly all points are on the front.
				v := make(Vector, d)
				n := 0.0
				for m := range v {
					v[m] = math.Abs(rng.NormFloat64())
					n += v[m] * v[m]
				}
				for m := range v {
					v[m] = 1 - v[m]/math.Sqrt(n)
				}
				pts[i] = &Point{Name: fmt.Sprint(i), V: v}
			}
			b.ResetTimer()
			for b.Loop() {
				var f Front
				for _, p := range pts {
					f.Add(p)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/1e5, "ns/point")
		})
	}
}

// Means over routes that differ in their last bits only are told apart by nothing; the figure itself stays.
func TestLastBitsAreNotTold(t *testing.T) {
	latency, throughput := Of(metric.Latency, metric.Lower), Of(metric.UniformThroughput, metric.Higher)
	for _, c := range []struct {
		o    Objective
		x, y float64
		same bool
	}{
		{latency, 1578.7430694037, 1578.7430694035, true},
		{latency, 1578.743069, 1578.743071, false},
		{throughput, 0.8378906250000001, 0.8378906250000003, true},
		{throughput, 0.83789062, 0.83789063, false},
		{throughput, 1.5, 1.2, true}, // more than enough
		{Of(metric.Cost, metric.Lower), 1e8, 1e8 + 1e-7, false},
	} {
		if got := c.o.Cost(c.x) == c.o.Cost(c.y); got != c.same {
			t.Errorf("%s: %v and %v count as the same: %v, want %v", c.o.Name(), c.x, c.y, got, c.same)
		}
	}
	if x := 1578.7430694037; latency.Figure(latency.Cost(x), x) != x {
		t.Errorf("latency %v is shown as %v", x, latency.Figure(latency.Cost(x), x))
	}
	if got := throughput.Figure(throughput.Cost(1.5), 1.5); got != 1 {
		t.Errorf("a throughput of 1.5, of which 1 is enough, is shown as %v", got)
	}
}

// BenchmarkHypervolume is of points on a sphere, among which none dominates another.
func BenchmarkHypervolume(b *testing.B) {
	for _, c := range []struct{ dims, points int }{{3, 4096}, {4, 512}, {4, 2048}, {5, 256}, {5, 512}, {6, 128}, {6, 256}, {8, 64}, {8, 128}, {12, 48}} {
		pts, ref := onSphere(stream.New(3, "sphere", uint64(c.dims)), c.points, c.dims)
		b.Run(fmt.Sprintf("objectives=%d/points=%d", c.dims, c.points), func(b *testing.B) {
			for b.Loop() {
				Hypervolume(pts, ref)
			}
		})
	}
}

// onSphere draws points at distance 1 from the reference point, and below it in all objectives.
func onSphere(rng *rand.Rand, points, dims int) (pts []Vector, ref Vector) {
	for range points {
		v, square := make(Vector, dims), 0.0
		for i := range v {
			v[i] = -math.Abs(rng.NormFloat64())
			square += v[i] * v[i]
		}
		for i := range v {
			v[i] /= math.Sqrt(square)
		}
		pts = append(pts, v)
	}
	return pts, make(Vector, dims)
}
