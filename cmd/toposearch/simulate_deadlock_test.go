package main

import (
	"encoding/json"
	"strconv"
	"strings"
	"testing"

	"toposearch/internal/racing"
	"toposearch/simulate"
)

// Every native routing is proven, with the VCs that the theory gives: lgl of a dragonfly one before
// and one behind the global link; twice that for two legs; one more for the first hop of PAR;
// by groups a detour's first leg ends with the global link, so that it needs one. A VC per hop of
// minimal routes, dateline classes of a torus, none of an up*/down* tree.
func TestCheckDeadlockOfEveryRouting(t *testing.T) {
	racing.Figures(t)
	for _, c := range []struct {
		design, routing, rule string
		vcs                   int
	}{
		{"dragonfly(p=2,a=4,h=2)", "natural", "lgl", 2},
		{"dragonfly(p=2,a=4,h=2)", "natural+hash", "lgl", 2},
		{"dragonfly(p=2,a=4,h=2)", "minimal", "minimal", 3},
		{"dragonfly(p=2,a=4,h=2)", "updown", "updown", 1},
		{"dragonfly(p=2,a=4,h=2)", "valiant", "lgl", 4},
		{"dragonfly(p=2,a=4,h=2)", "valiant+group", "lgl", 3},
		{"dragonfly(p=2,a=4,h=2)", "ugal_l", "lgl", 4},
		{"dragonfly(p=2,a=4,h=2)", "ugal_l+group+adaptive", "lgl", 3},
		{"dragonfly(p=2,a=4,h=2)", "ugal_g", "lgl", 4},
		{"dragonfly(p=2,a=4,h=2)", "par", "lgl", 5},
		{"torus(k1=5,k2=4)", "natural", "dor", 2},
		{"torus(k1=5,k2=4)", "valiant", "dor", 4},
		{"hypercube(n=4)", "ugal_l", "dor", 2},
		{"fattree(k=4,l=3)", "natural+adaptive", "updown", 1},
		// All accelerators of a 2 x 2 board are at both borders: none comes to one over the board.
		{"hammingmesh(a=2,b=2,x=2,y=2,k=8)", "natural", "dor", 1},
		// Three hops between some switches, but two between the nearest ports of endpoints.
		{"zcube(n=3,k=3)", "minimal", "minimal", 2},
		{"slimfly(q=5,p=2)", "valiant", "minimal", 4},
	} {
		status, out, errs := call("simulate", c.design, "--check-deadlock", "--routing", c.routing, "--json")
		var doc simulate.DeadlockDocument
		if err := json.Unmarshal([]byte(out), &doc); err != nil || status != 0 {
			t.Errorf("%s %s: exit status %d, %v: %s", c.design, c.routing, status, err, errs)
			continue
		}
		most := 0
		for _, k := range doc.ClassVCs {
			most = max(most, k)
		}
		if !doc.Acyclic || !doc.Proven || doc.VCs != c.vcs || doc.Rule != c.rule || most != c.vcs || doc.Routing != c.routing {
			t.Errorf("%s %s: %+v; want %d VCs, rule %s", c.design, c.routing, doc, c.vcs, c.rule)
		}
		// The simulator asks for exactly as many, and refuses fewer before it starts.
		var sim simulate.Document
		_, out, errs = call("simulate", c.design, "--routing", c.routing, "--load", "0.1", "--cycles", "10", "--warmup", "0", "--json")
		if err := json.Unmarshal([]byte(out), &sim); err != nil || sim.Config["vcs_needed"] != float64(c.vcs) {
			t.Errorf("%s %s: %v VCs needed, want %d: %v%s", c.design, c.routing, sim.Config["vcs_needed"], c.vcs, err, errs)
		}
		if c.vcs > 1 {
			fewer := strconv.Itoa(c.vcs - 1)
			if status, _, errs := call("simulate", c.design, "--routing", c.routing, "--load", "0.1", "--vcs", fewer); status != exitUsage || !strings.Contains(errs, "needs "+strconv.Itoa(c.vcs)+" virtual channels") {
				t.Errorf("%s %s with %s VCs: exit status %d, %s", c.design, c.routing, fewer, status, errs)
			}
		}
	}
}

// One VC on a ring closes it; the cycle shown is one of the ring's two directions, by name.
func TestCheckDeadlockCycle(t *testing.T) {
	status, out, errs := call("simulate", "ring(n=5)", "--check-deadlock", "--vcs", "1", "--json")
	var doc simulate.DeadlockDocument
	if err := json.Unmarshal([]byte(out), &doc); err != nil || status != 0 {
		t.Fatalf("exit status %d, %v: %s", status, err, errs)
	}
	if doc.Acyclic || !doc.Proven || len(doc.Cycle) != 5 {
		t.Fatalf("%s", out)
	}
	for i, s := range doc.Cycle {
		if next := doc.Cycle[(i+1)%5]; s.To != next.From || s.ToID != next.FromID || s.VC != 0 {
			t.Errorf("step %d: %+v, then %+v", i, s, next)
		}
	}
	_, out, _ = call("simulate", "ring(n=5)", "--check-deadlock", "--vcs", "1")
	if !strings.Contains(out, "switch[1]") || !strings.Contains(out, "which waits for the first") {
		t.Errorf("%s", out)
	}
	for _, bad := range [][]string{{"--routing", "valiant", "--vcs", "3"}, {"--routing", "natral"}} {
		if status, _, errs := call(append([]string{"simulate", "ring(n=5)", "--check-deadlock"}, bad...)...); status != exitUsage || errs == "" {
			t.Errorf("%v: exit status %d: %s", bad, status, errs)
		}
	}
}
