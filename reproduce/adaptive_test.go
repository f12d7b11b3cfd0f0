package reproduce

import (
	"context"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/optimize/convex/lp"

	"toposearch/internal/racing"
	"toposearch/simcore"
)

// detourBound is the largest load of each of size endpoints of the first active of some groups, one link between any two, that
// goes to the next active group, directly and by way of the others: a linear programme over flows. With even, all
// detours of a pair carry the same.
func detourBound(t *testing.T, groups, active, size int, even bool) float64 {
	t.Helper()
	type flow struct{ from, by, to int } // by == to: direct
	var flows []flow
	for i := range active {
		to := (i + 1) % active
		for k := range groups {
			if k != i {
				flows = append(flows, flow{i, k, to})
			}
		}
	}
	// Columns: flows, the load, then a slack for each link.
	links := groups * groups
	cols := len(flows) + 1 + links
	rows := active + links
	if even {
		rows += active * (groups - 3)
	}
	a, b := mat.NewDense(rows, cols, nil), make([]float64, rows)
	add := func(r, c int, x float64) { a.Set(r, c, a.At(r, c)+x) }
	next := active + links
	for i := range active {
		add(i, len(flows), -float64(size))
		before := -1
		for j, f := range flows {
			if f.from != i {
				continue
			}
			add(i, j, 1)
			if even && f.by != f.to {
				if before >= 0 {
					add(next, before, 1)
					add(next, j, -1)
					next++
				}
				before = j
			}
		}
	}
	for j, f := range flows {
		add(active+f.from*groups+f.by, j, 1)
		if f.by != f.to {
			add(active+f.by*groups+f.to, j, 1)
		}
	}
	for k := range links {
		add(active+k, len(flows)+1+k, 1)
		b[active+k] = 1
	}
	c := make([]float64, cols)
	c[len(flows)] = -1
	best, _, err := lp.Simplex(c, a, b, 1e-10, nil)
	if err != nil {
		t.Fatal(err)
	}
	return -best
}

// The load of the asymmetric scenario lies between what equal detours carry, 4.5 of 8, and the best ones, 6.5.
func TestAsymmetricBounds(t *testing.T) {
	racing.Figures(t)
	l, err := newAdaptiveLab()
	if err != nil {
		t.Fatal(err)
	}
	size := l.net.Endpoints() / l.groups()
	equal, best := detourBound(t, l.groups(), asymmetricActive, size, true), detourBound(t, l.groups(), asymmetricActive, size, false)
	if math.Abs(equal-4.5/8) > 1e-6 || math.Abs(best-6.5/8) > 1e-6 {
		t.Errorf("equal detours carry %.4f, the best %.4f; want 0.5625 and 0.8125", equal, best)
	}
	if asymmetricLoad < 1.1*equal || asymmetricLoad > 0.9*best {
		t.Errorf("load %g is not clearly between %g and %g", asymmetricLoad, equal, best)
	}
}

// The rules for a mark: at most as slow as allowed, and the load accepted.
func TestAdaptiveMarks(t *testing.T) {
	point := func(latency float64, saturated bool) simcore.Point {
		return simcore.Point{Latency: simcore.Latency{Mean: latency}, Saturated: saturated}
	}
	for i, c := range []struct {
		got  mark
		want bool
	}{
		{indirectMark(point(49, false), 40), true}, {indirectMark(point(51, false), 40), false}, {indirectMark(point(10, true), 40), false},
		{phantomMark(point(109, false), point(500, false), 100), true}, {phantomMark(point(111, false), point(200, false), 100), false},
		{phantomMark(point(100, false), point(100, true), 100), false}, {phantomMark(point(100, true), point(100, false), 100), false},
		{asymmetricMark(point(100, false)), true}, {asymmetricMark(point(100, true)), false},
	} {
		if c.got.solves != c.want {
			t.Errorf("case %d: %+v, want %v", i, c.got, c.want)
		}
	}
}

// Neither never nor always making detours passes any scenario, a UGAL that knows all queues every one; and Valiant carries most of
// what equal detours do.
func TestAdaptiveControls(t *testing.T) {
	if testing.Short() {
		t.Skip("simulates")
	}
	ctx := context.Background()
	l, err := newAdaptiveLab()
	if err != nil {
		t.Fatal(err)
	}
	y, err := l.yardsticks(ctx)
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string][3]bool{"natural": {}, "valiant": {}, "ugal_g": {true, true, true}} {
		m, err := l.marks(ctx, adaptiveRow{name: name}, y)
		if err != nil {
			t.Fatal(err)
		}
		if got := [3]bool{m.of[0].solves, m.of[1].solves, m.of[2].solves}; got != want {
			t.Errorf("%s: %v, want %v: %+v", name, got, want, m.of)
		}
	}
	p, _, err := l.run(ctx, trial{routing: "valiant", traffic: someGroups{l.net.Endpoints() / l.groups(), asymmetricActive}, load: asymmetricLoad})
	// A switch with four VCs reaches some 0.85 of what channels carry under adverse traffic.
	if ideal := 4.5 / 8; err != nil || p.Accepted > 1.02*ideal || p.Accepted < 0.8*ideal {
		t.Errorf("valiant accepts %.4f of asymmetric load (%v), equal detours carry %.4f", p.Accepted, err, ideal)
	}
}
