package routing

import (
	"context"
	"math"
	"testing"

	"toposearch/topology"
)

// On a full mesh of 8 switches, each sending all to the next one, nothing but direct packets crosses the channels between these, and each of them passes 1. With an
// offered y = 8x of a switch y - 1 makes detours, D = (y - 1) / 6 by each other switch. A channel elsewhere is asked for D first hops and, passing a part u of all, for
// D u second ones: u (D + D u) = 1. Of y then 1 + (y - 1) u^2 arrives. With u = 0.98 that is D = 0.5154, y = 4.0922 and 0.9701 of it.
func TestSightedFullMesh(t *testing.T) {
	ctx := context.Background()
	n := hyperx(t, 8, 1, 8)
	r, err := New(n, topology.Minimal())
	if err != nil {
		t.Fatal(err)
	}
	var flows []Flow
	for s := range 8 {
		flows = append(flows, Flow{Src: s, Dst: (s + 1) % 8, Rate: 8})
	}
	for hops := 1; hops < 3; hops++ { // the second hop of a direct way is no channel
		s, err := r.NewSighted(ctx, flows, OwnCapacity(n), Sight{Hops: hops, Draws: 4, May: func(_, _, _ int) bool { return true }})
		if err != nil || s == nil {
			t.Fatal(err, s)
		}
		const u = 0.98
		d := 1 / (u * (1 + u))
		y := 1 + 6*d
		for _, c := range []struct{ load, want float64 }{{1. / 8, 1}, {4. / 8, 1}, {y / 8, (1 + (y-1)*u*u) / y}} {
			if got, err := s.Accepted(ctx, c.load); err != nil || math.Abs(got-c.want) > 3e-3 {
				t.Errorf("%d hops seen, load %.4f: accepted %.4f, want %.4f (%v)", hops, c.load, got, c.want, err)
			}
		}
		if got, err := s.Saturation(ctx, (1+(y-1)*u*u)/y); err != nil || math.Abs(got-y/8) > 4e-3 {
			t.Errorf("%d hops seen: saturates at %.4f, want %.4f (%v)", hops, got, y/8, err)
		}
	}
}

// On a ring of 8, each switch sending a flow to the one two further and nothing by detours, each channel is asked for a flow that begins there, x, and for what has
// passed the one before: with u passing, u (x + x u) = 1, and u^2 of all arrives.
func TestSightedThins(t *testing.T) {
	ctx := context.Background()
	n := torus(t, true, 8)
	r, err := New(n, topology.Minimal())
	if err != nil {
		t.Fatal(err)
	}
	var flows []Flow
	for s := range 8 {
		flows = append(flows, Flow{Src: s, Dst: (s + 2) % 8, Rate: 1})
	}
	s, err := r.NewSighted(ctx, flows, OwnCapacity(n), Sight{Hops: 1, Draws: 4, May: func(_, _, _ int) bool { return false }})
	if err != nil || s == nil {
		t.Fatal(err, s)
	}
	for _, u := range []float64{0.98, 0.8} {
		x := 1 / (u * (1 + u))
		if got, err := s.Accepted(ctx, x); err != nil || math.Abs(got-u*u) > 3e-3 {
			t.Errorf("load %.4f: accepted %.4f, want %.4f (%v)", x, got, u*u, err)
		}
	}
}

// On a full mesh of four switches the first sends 2 to the second and 1, directly, to the third, which fills its channel there. Detours by way of the fourth alone fill all three of its channels, and
// all arrives; half of them by way of the third would be asked of a channel that is full.
func TestSightedAvoidsFull(t *testing.T) {
	n := hyperx(t, 3, 4)
	r, err := New(n, topology.Minimal())
	if err != nil {
		t.Fatal(err)
	}
	s, err := r.NewSighted(t.Context(), []Flow{{Src: 0, Dst: 1, Rate: 2}, {Src: 0, Dst: 2, Rate: 1}}, OwnCapacity(n), Sight{Hops: 2, Draws: 4, May: func(_, dst, _ int) bool { return dst == 1 }})
	if err != nil || s == nil {
		t.Fatal(err, s)
	}
	if got, err := s.Accepted(t.Context(), 0.99); err != nil || got < 0.995 {
		t.Errorf("accepted %.4f of what three channels carry (%v)", got, err)
	}
}

// All go by way of any switch on the full mesh of TestSightedFullMesh: of y a switch sends y/8 by each of six others and y/4 directly. Channels of direct ways carry that alone, and pass 4/y of it; all others are asked
// for y/8 and for what has passed another, u (y/8 + u y/8) = 1, so that u^2 of detours arrive.
func TestSightedValiant(t *testing.T) {
	n := hyperx(t, 8, 1, 8)
	r, err := New(n, topology.Minimal())
	if err != nil {
		t.Fatal(err)
	}
	var flows []Flow
	for s := range 8 {
		flows = append(flows, Flow{Src: s, Dst: (s + 1) % 8, Rate: 8})
	}
	s, err := r.NewSighted(t.Context(), flows, OwnCapacity(n), Sight{All: true, May: func(_, _, _ int) bool { return true }})
	if err != nil || s == nil {
		t.Fatal(err, s)
	}
	const u = 0.98
	y := 8 / (u * (1 + u))
	if got, err := s.Accepted(t.Context(), y/8); err != nil || math.Abs(got-(0.75*u*u+1/y)) > 3e-3 {
		t.Errorf("accepted %.4f, want %.4f (%v)", got, 0.75*u*u+1/y, err)
	}
}

// Uniform traffic is what all pairs of endpoints send each other: on a ring of five, of which minimal routes load each channel with 3 of 4 parts of what an endpoint sends, all of it arrives up
// to a load of 4/3, beyond 1.
func TestSightedUniform(t *testing.T) {
	n := torus(t, true, 5)
	r, err := New(n, topology.Minimal())
	if err != nil {
		t.Fatal(err)
	}
	s, err := r.NewSighted(t.Context(), nil, OwnCapacity(n), Sight{Hops: 2, Draws: 4, May: func(_, _, _ int) bool { return false }})
	if err != nil || s == nil {
		t.Fatal(err, s)
	}
	for _, c := range []struct{ load, want float64 }{{1.3, 1}, {1.36, 0.995}} {
		if got, err := s.Accepted(t.Context(), c.load); err != nil || (got > 0.999) != (c.want == 1) {
			t.Errorf("load %g: accepted %.4f (%v)", c.load, got, err)
		}
	}
}
