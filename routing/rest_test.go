package routing

import (
	"context"
	"testing"

	"toposearch/topology"
)

// balanced is a ring of classes 1 (inner) and 2 (wrap) with a balanced dateline: states before, crossing, after. The
// link classes after which a packet in VC 1 may go on are a parameter, for a rule that is wrong.
func balanced(onward ...uint8) topology.Rule {
	r := topology.Rule{Name: "balanced", States: 3, Steps: []topology.Step{
		{From: 0, Kind: topology.Kind{Link: 1, From: any8, To: any8}, To: 0, VC: 0},
		{From: 0, Kind: topology.Kind{Link: 1, From: any8, To: any8}, To: 2, VC: 1},
		{From: 0, Kind: topology.Kind{Link: 2, From: any8, To: any8}, To: 1, VC: 0},
		{From: 0, Kind: topology.Kind{Link: 2, From: any8, To: any8}, To: 2, VC: 1},
	}}
	for _, class := range onward {
		for _, from := range []uint8{1, 2} {
			r.Steps = append(r.Steps, topology.Step{From: from, Kind: topology.Kind{Link: class, From: any8, To: any8}, To: 2, VC: 1})
		}
	}
	return r
}

// TestRest: in a ring of 8 whose wrap-around link joins 7 and 0, a packet from 1 to 4 may take either VC, one from
// 6 to 1 must be on VC 0 till 7, takes either on the wrap-around link, and VC 1 from 0 on.
func TestRest(t *testing.T) {
	n := torus(t, true, 8)
	r, err := New(n, balanced(1))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		dst, at topology.SwitchID
		state   uint8
		want    Hop // without its channel
	}{
		{4, 1, 0, Hop{VC: 0, Top: 1, State: 0}},
		{4, 2, 2, Hop{VC: 1, Top: 1, State: 2}},
		{1, 6, 0, Hop{VC: 0, Top: 0, State: 0}},
		{1, 7, 0, Hop{VC: 0, Top: 1, State: 1}},
		{1, 0, 1, Hop{VC: 1, Top: 1, State: 2}},
		{1, 0, 2, Hop{VC: 1, Top: 1, State: 2}},
	} {
		got := r.Next(r.Field(int(c.dst)), c.at, c.state, nil)
		if len(got) != 1 {
			t.Fatalf("%d to %d in state %d: %v", c.at, c.dst, c.state, got)
		}
		c.want.Channel = got[0].Channel
		if got[0] != c.want {
			t.Errorf("%d to %d in state %d: %+v, want %+v", c.at, c.dst, c.state, got[0], c.want)
		}
	}
	for state, want := range []uint8{2, 2, noRest} {
		rest, top, ok := r.Rest(uint8(state))
		if ok != (want != noRest) || ok && (rest != want || top != 1) {
			t.Errorf("rest of state %d: %d on VC %d (%t), want %d on VC 1", state, rest, top, ok, want)
		}
	}
	// Both VCs of a hop count: a packet that crosses the dateline on VC 1 closes the circle, and so do two VCs made one.
	ctx := context.Background()
	for _, c := range []struct {
		rule    topology.Rule
		vcs     int
		acyclic bool
	}{{balanced(1), 0, true}, {balanced(1), 1, false}, {balanced(1, 2), 0, false}} {
		rep, err := CheckDeadlock(ctx, n, c.rule, c.vcs)
		if err != nil || rep.Acyclic != c.acyclic || rep.VCs != max(c.vcs, 1) && c.vcs > 0 {
			t.Errorf("%d steps, %d VCs: %+v (%v), want acyclic %t", len(c.rule.Steps), c.vcs, rep, err, c.acyclic)
		}
	}
}

// TestOneVC: the links of a dragonfly's groups have two VCs, global ones a single one, which then is all.
func TestOneVC(t *testing.T) {
	r, err := New(dragonfly(t, 1, 4, 2), lgl())
	if err != nil {
		t.Fatal(err)
	}
	for k, one := range r.OneVC() {
		if name := r.Net.LinkClasses[r.Kinds[k].Link].Name; one != (r.Kinds[k].Link == 2) {
			t.Errorf("%s: one VC %t", name, one)
		}
	}
	b, err := New(torus(t, true, 8), balanced(1))
	if err != nil {
		t.Fatal(err)
	}
	for k, one := range b.OneVC() {
		if one {
			t.Errorf("%v has one VC", b.Kinds[k])
		}
	}
}
