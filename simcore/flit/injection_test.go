package flit

import (
	"math"
	"testing"

	"toposearch/internal/racing"
	"toposearch/simcore"
	"toposearch/topology"
)

// TestSourceQueue: one endpoint sends packets of s flits over its own way, so that they wait for each other only, at the source:
// under Poisson arrivals s rho / 2 (1 - rho) cycles, as in M/D/1, and under Bernoulli ones (s - 1) rho / 2 (1 - rho), as in Geo/D/1. (The
// work U at the begin of a cycle is max(0, U + A - 1) with the work A that comes in one; a packet waits for U and what is
// before it in A. Poisson: E[U] = (s rho + rho^2 - rho) / 2 (1 - rho), and rho / 2 before it.) Half of the sources are of each
// kind if they are mixed.
func TestSourceQueue(t *testing.T) {
	racing.Figures(t)
	const s, rho = 8.0, 0.6
	poisson, bernoulli := s*rho/(2*(1-rho)), (s-1)*rho/(2*(1-rho))
	to := make(fixed, 16)
	for e := range to {
		to[e] = -1
	}
	for name, want := range map[string]float64{"poisson": poisson, "bernoulli": bernoulli, "mixed(1*poisson,1*bernoulli)": (poisson + bernoulli) / 2} {
		cfg := shortConfig()
		cfg.Injection, cfg.PacketFlits, cfg.Measure, cfg.BufferFlits = name, int(s), 150_000, 32
		// Each even endpoint of a row to the next: no two ways meet.
		pairs := to
		for e := 0; e < 16; e += 2 {
			pairs[e] = topology.EndpointID(e + 1)
		}
		p, err := mustNew(t, newGrid(t, 4, false), pairs, cfg).Run(t.Context(), rho)
		if err != nil {
			t.Fatal(err)
		}
		// Eight sources, 11,000 packets each: the mean has an error of a percent, that of a mixture some more, as four or so
		// of the eight that send are of either kind.
		slack := 0.03
		if name[0] == 'm' {
			slack = 0.08
		}
		if got := p.Latency.Mean - p.Network.Mean; math.Abs(got/want-1) > slack {
			t.Errorf("%s: packets wait %.3f cycles at the source, want %.3f", name, got, want)
		}
	}
}

// TestAssign: as many sources have a process as its weight says, the same for a seed.
func TestAssign(t *testing.T) {
	all, err := simcore.ParseInjection("mixed(1*poisson, 2*bernoulli,1*on_off(0.1,0.2,0.3))", "bernoulli", "on_off", "poisson")
	if err != nil || len(all) != 3 || all[2].Alpha != 0.1 || all[2].Beta != 0.2 || all[2].Rate != 0.3 || all[1].Weight != 2 {
		t.Fatalf("%+v, %v", all, err)
	}
	of, again, other := simcore.Assign(all, 1001, 5), simcore.Assign(all, 1001, 5), simcore.Assign(all, 1001, 6)
	count, differ := [3]int{}, 0
	for e := range of {
		count[of[e]]++
		if of[e] != again[e] {
			t.Fatal("the same seed gives another assignment")
		}
		if of[e] != other[e] {
			differ++
		}
	}
	if count != [3]int{250, 501, 250} || differ < 300 {
		t.Errorf("%v sources of each kind, %d differ for another seed", count, differ)
	}
}

// FuzzInjection: a text is read or refused, and what is read has weights above 0 and probabilities.
func FuzzInjection(f *testing.F) {
	for _, s := range []string{"poisson", "on_off(0.1,0.2)", "mixed(1*poisson,2*on_off(0.1,0.2,0.3))", "mixed()", "mixed(1*mixed(2*poisson))", "on_off(1,)", "mixed(1*on_off(0.1,0.2)"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		all, err := simcore.ParseInjection(text, "bernoulli", "on_off", "poisson")
		if err != nil {
			return
		}
		for _, p := range all {
			if !(p.Weight > 0) || p.Kind == "on_off" && !p.Bare && !(p.Alpha > 0 && p.Alpha <= 1 && p.Beta > 0 && p.Beta <= 1 && p.Rate >= 0 && p.Rate <= 1) {
				t.Errorf("%q is read as %+v", text, p)
			}
		}
	})
}
