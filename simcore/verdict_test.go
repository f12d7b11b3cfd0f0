package simcore

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

// grows is a backlog at the borders of n batches of 100 units offered, of which a share is accepted that may
// change over the window, with fluctuations about it that decay with a correlation from border to border.
func grows(n int, accepted func(x float64) float64, sd, corr float64, seed uint64) []Border {
	rng := rand.New(rand.NewPCG(seed, 1))
	b, level, dev := make([]Border, n+1), 1000.0, 0.0
	for i := range b {
		if i > 0 {
			level += 100 * (1 - accepted((float64(i)-0.5)/float64(n)))
		}
		dev = corr*dev + sd*math.Sqrt(1-corr*corr)*rng.NormFloat64()
		b[i] = Border{100 * float64(i), level + dev}
	}
	return b
}

func fixed(a float64) func(float64) float64 { return func(float64) float64 { return a } }

// Verdicts on backlogs of which the long-run share is known. Whatever is not Unclear has to be right; what
// is settled and far from 97 % has to be clear.
func TestJudge(t *testing.T) {
	for _, c := range []struct {
		name     string
		accepted func(float64) float64
		sd, corr float64
		want     Verdict // in most cases
		never    Verdict // in hardly any
	}{
		{"stable", fixed(1), 2, 0, Accepted, Rejected},
		{"stable, slow waves", fixed(1), 3, 0.9, Accepted, Rejected},
		{"stable, much under way", fixed(1), 7, 0, Accepted, Rejected},
		{"grows by 1 %", fixed(0.99), 1, 0, Accepted, Rejected},
		{"grows by 2.5 %, noisy", fixed(0.975), 10, 0.5, Unclear, Rejected},
		{"grows by 3.5 %, noisy", fixed(0.965), 10, 0.5, Unclear, Accepted},
		{"grows by 6 %", fixed(0.94), 2, 0, Rejected, Accepted},
		{"overload", fixed(0.5), 2, 0, Rejected, Accepted},
		{"still blocks more and more", func(x float64) float64 { return 0.995 - 0.02*x }, 0.5, 0, Unclear, Accepted},
		{"full load: queues fill as the square root of time does", func(x float64) float64 { return 1 - 0.045/math.Sqrt(0.25+x) }, 1, 0, Unclear, Rejected},
		{"buffers fill, then it keeps up", func(x float64) float64 { return 1 - 0.2*math.Exp(-6*x) }, 1, 0, Unclear, Rejected},
	} {
		var n [3]int
		for seed := range uint64(400) {
			_, _, v := Judge(grows(20, c.accepted, c.sd, c.corr, seed), 100)
			n[v]++
		}
		if n[c.want] < 300 || n[c.never] > 4 {
			t.Errorf("%s: unclear, accepted, rejected %v times of 400; want mostly %d, and %d hardly ever", c.name, n, c.want, c.never)
		}
	}
	if share, _, v := Judge(grows(20, fixed(0.9), 0, 0, 1), 100); math.Abs(share-0.9) > 1e-9 || v != Rejected {
		t.Errorf("a backlog that grows by a tenth: share %g, verdict %d", share, v)
	}
	if _, _, v := Judge([]Border{{0, 3}}, 100); v != Unclear {
		t.Error("no batch: a verdict")
	}
}

// wanders is a backlog at the borders of 20 batches of 100 units offered, whose growth varies about what is not accepted and
// is correlated from batch to batch, as that of queues behind full channels is.
func wanders(accepted, sd float64, seed uint64) []Border {
	const corr = 0.5
	rng := rand.New(rand.NewPCG(seed, 2))
	b, dev := make([]Border, 21), sd*rng.NormFloat64()
	for i := 1; i < len(b); i++ {
		dev = corr*dev + sd*math.Sqrt(1-corr*corr)*rng.NormFloat64()
		b[i] = Border{100 * float64(i), b[i-1].Backlog + 100*(1-accepted) + dev}
	}
	return b
}

// What other runs have told of how much a share varies keeps a load of which just 97 % are accepted from being decided by an error that is too small
// by chance, and leaves what is clear as it is.
func TestSpread(t *testing.T) {
	const runs = 4000
	judge := func(accepted, sd float64, before int) (n [3]int) {
		for seed := range uint64(runs) {
			known := Spread{}
			for i := range before {
				p := &Point{Offered: 0.5, Measured: 20, Continued: true}
				p.Share, p.ShareErr, p.Verdict = known.Judge(wanders(0.97, sd, runs+uint64(i)+seed*100), 100, 20)
				known = known.and(p)
			}
			if known.time != float64(20*before) || known.near(0.53).time != 0 || known.near(0.51) != known {
				t.Fatalf("%d runs of 20 at load 0.5 are known as %+v", before, known)
			}
			_, _, v := known.Judge(wanders(accepted, sd, seed), 100, 20)
			n[v]++
		}
		return n
	}
	alone, with := judge(0.97, 5, 0), judge(0.97, 5, 3)
	if alone[Accepted] < runs/200 || 3*with[Accepted] > alone[Accepted] || 2*with[Rejected] > alone[Rejected] {
		t.Errorf("just 97 %%: unclear, accepted, rejected %v times of %d, with what is known %v", alone, runs, with)
	}
	if with := judge(0.85, 5, 3); with[Rejected] < runs*3/4 {
		t.Errorf("85 %%: unclear, accepted, rejected %v times of %d", with, runs)
	}
	if with := judge(1, 1, 3); with[Accepted] < runs*9/10 {
		t.Errorf("all: unclear, accepted, rejected %v times of %d", with, runs)
	}
	// Runs from an empty network are forgotten once others are known.
	empty := Spread{}.and(&Point{Offered: 0.5, Measured: 20, Share: 0.97, ShareErr: 0.02})
	run := &Point{Offered: 0.5, Measured: 40, Continued: true}
	run.ShareErr = math.Sqrt((20*20*0.02*0.02 + 40*40*0.01*0.01) / 60 / 40) // as it judges one whose own is 0.01
	if got, want := empty.and(run), (Spread{load: 0.5, time: 40, squares: 40 * 40 * 0.01 * 0.01}); math.Abs(got.squares-want.squares) > 1e-12 || got.time != want.time || got.empty {
		t.Errorf("known %+v, want %+v", got, want)
	}
}

// A long run ends where it would not be clear in the longest window, unless no share would be; a short one when its window does, and load 1 before.
func TestDecideLoad(t *testing.T) {
	for _, c := range []struct {
		load, share, err, windows float64
		verdict                   Verdict
		left, short               bool
		stops                     bool
		want                      Verdict
	}{
		{0.5, 0.971, 0.004, 1, Unclear, true, false, true, Unclear},  // 0.006 would be needed: 0.001 + 0.004 are less
		{0.5, 0.974, 0.004, 1, Unclear, true, false, false, Unclear}, // 0.004 + 0.004 are more
		{0.5, 0.971, 0.03, 1, Unclear, true, false, false, Unclear},  // 0.045 would be needed: no share is so large
		{0.5, 0.974, 0.004, 2, Unclear, true, false, true, Unclear},  // 0.0085 would be needed
		{0.5, 0.974, 0.004, 0.25, Unclear, true, false, false, Unclear},
		{0.5, 0.8, 0.004, 0.5, Rejected, true, true, false, Rejected}, // queues may still fill
		{1, 0.8, 0.004, 0.5, Rejected, true, true, true, Rejected},
		{1, 0.99, 0.004, 0.5, Accepted, true, true, false, Accepted}, // and would be the answer
		{1, 0.99, 0.004, 1, Accepted, true, true, true, Accepted},
		{0.5, 0.974, 0.001, 1, Accepted, true, false, true, Accepted},
		{0.5, 0.974, 0.001, 1.5, Rejected, true, false, true, Rejected},
	} {
		pt := &Point{Offered: c.load, Share: c.share, ShareErr: c.err, Verdict: c.verdict}
		if stops := pt.DecideLoad(c.windows, 4, c.left, c.short); stops != c.stops || pt.Verdict != c.want {
			t.Errorf("%+v: stops %t, verdict %d", c, stops, pt.Verdict)
		}
	}
}

// A search encloses the load at which 97 % are accepted, whatever the network does above it, in few loads;
// loads that cannot be decided widen the interval and nothing else.
func TestSearchSaturation(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 7))
	tried, longs, most := 0, 0, 0
	const runs = 2000
	for range runs {
		full := 0.05 * math.Pow(30, rng.Float64()) // 0.05 to 1.5
		shape, hazy := rng.IntN(3), []float64{0, 0, 0.004, 0.02}[rng.IntN(4)]
		accepts := func(x float64) float64 {
			switch over := x/full - 1; {
			case over <= 0:
				return x
			case shape == 0: // all sources share the busiest channel
				return full
			case shape == 1: // half of the traffic goes on
				return full + (x-full)/2
			default: // and one that loses throughput beyond
				return full / (1 + 0.1*over)
			}
		}
		right := 1.0 // by bisection
		if accepts(1) < SaturatedBelow {
			for lo, hi := full, 1.0; hi-lo > 1e-9; {
				if right = (lo + hi) / 2; accepts(right) >= SaturatedBelow*right {
					lo = right
				} else {
					hi = right
				}
			}
		}
		s, err := SearchSaturation(0, func(x float64, long bool, _ Spread) (Point, error) {
			p := Point{Offered: x, Accepted: accepts(x), Share: accepts(x) / x, Verdict: Accepted}
			if x > right {
				p.Verdict = Rejected
			}
			if !long { // and so does not know well
				share := min(p.Share*(1+0.004*rng.NormFloat64()-0.005*rng.Float64()), 1)
				p.Accepted, p.Share = share*x, share
				if share > 0.9 && share < 0.99 {
					p.Verdict = Unclear
				}
				return p, nil
			}
			longs++
			if math.Abs(x/right-1) < hazy {
				p.Verdict = Unclear
			}
			return p, nil
		})
		name := fmt.Sprintf("full at %.4f, shape %d, undecided within %g", full, shape, hazy)
		if err != nil || s.Load > right*(1+1e-9) || s.High() < right*(1-1e-9) {
			t.Fatalf("%s: [%.5f, %.5f] does not hold %.5f (%v)", name, s.Load, s.High(), right, err)
		}
		if w := s.High() - s.Load; w > s.Tolerance*s.High()+1e-12 && s.Undecided == 0 || w > 0.02+(2.5*hazy+0.03)*s.High() && hazy > 0 {
			t.Errorf("%s: [%.5f, %.5f] is too wide", name, s.Load, s.High())
		}
		tried, most = tried+len(s.Points), max(most, len(s.Points))
	}
	if mean, long := float64(tried)/runs, float64(longs)/runs; mean > 8 || long > 3.5 || most > 20 {
		t.Errorf("%.1f loads in the mean, %.1f of them in long runs, %d at most", mean, long, most)
	}
}
