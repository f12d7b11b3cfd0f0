package evolve

import (
	"math"
	"math/rand/v2"
	"testing"

	"toposearch/internal/stream"
	"toposearch/search/searchtest"
)

// plainSBX and plainPolynomial are the operators as Deb's NSGA-II code writes them.
func plainSBX(x, y, lo, hi, eta float64, rng *rand.Rand) (float64, float64) {
	if math.Abs(x-y) < 1e-14 {
		return x, y
	}
	a, b := min(x, y), max(x, y)
	u := rng.Float64()
	spread := func(edge float64) float64 {
		beta := 1 + 2*edge/(b-a)
		alpha := 2 - math.Pow(beta, -(eta+1))
		if u <= 1/alpha {
			return math.Pow(u*alpha, 1/(eta+1))
		}
		return math.Pow(1/(2-u*alpha), 1/(eta+1))
	}
	c := min(max(0.5*(a+b-spread(a-lo)*(b-a)), lo), hi)
	d := min(max(0.5*(a+b+spread(hi-b)*(b-a)), lo), hi)
	if rng.Uint64()&1 == 0 {
		c, d = d, c
	}
	return c, d
}

func plainPolynomial(x, lo, hi, eta float64, rng *rand.Rand) float64 {
	u := rng.Float64()
	d1, d2 := (x-lo)/(hi-lo), (hi-x)/(hi-lo)
	q := 1 - math.Pow(2*(1-u)+2*(u-0.5)*math.Pow(1-d2, eta+1), 1/(eta+1))
	if u < 0.5 {
		q = math.Pow(2*u+(1-2*u)*math.Pow(1-d1, eta+1), 1/(eta+1)) - 1
	}
	return min(max(x+q*(hi-lo), lo), hi)
}

// The operators draw what the published ones draw, at the edges of the range and for indices whose
// roots are square and cube roots or not.
func TestOperatorsArePublished(t *testing.T) {
	rng, plain := stream.New(1, "test.operators"), stream.New(1, "test.operators")
	parents := stream.New(2, "test.operators")
	for _, eta := range []int{0, 1, crossIndex, mutateIndex, 12, 15, 20} {
		for range 2000 {
			lo, hi := -0.5, float64(1+parents.IntN(100))-0.5
			x, y := lo+parents.Float64()*(hi-lo), lo+parents.Float64()*(hi-lo)
			switch parents.IntN(8) {
			case 0:
				x = lo
			case 1:
				y = hi
			case 2:
				x = y
			}
			near := 1e-12 * (hi - lo)
			c, d := sbx(x, y, lo, hi, eta, rng)
			if e, f := plainSBX(x, y, lo, hi, float64(eta), plain); math.Abs(c-e) > near || math.Abs(d-f) > near {
				t.Fatalf("sbx of %v, %v in [%v, %v], index %d: %v, %v, want %v, %v", x, y, lo, hi, eta, c, d, e, f)
			}
			c = polynomial(x, lo, hi, eta, rng)
			if e := plainPolynomial(x, lo, hi, float64(eta), plain); math.Abs(c-e) > near {
				t.Fatalf("mutation of %v in [%v, %v], index %d: %v, want %v", x, lo, hi, eta, c, e)
			}
		}
	}
}

// Repairing twice changes nothing, wherever the derived parameter is in between; so a child that
// differs from a repaired parent in no other parameter may take over its repair.
func TestRepairIsIdempotent(t *testing.T) {
	p := searchtest.ProblemOf(t, searchtest.Small(t, 250, 300), &searchtest.SizeModel{})
	b := &breeder{p: p, spaces: []int{0, 1, 2, 3, 4}}
	rng := stream.New(4, "test.repair")
	sound, moved := 0, 0
	for i := range 5000 {
		g := b.random(i%5, rng)
		for j := range g.at {
			g.at[j] = int32(rng.IntN(p.Spaces[g.space].Dims[j].N))
		}
		b.repair(g)
		if !g.sound {
			continue
		}
		sound++
		h := g.clone()
		if d := p.Spaces[g.space].Fam.Derived; d >= 0 {
			h.at[d] = int32(rng.IntN(p.Spaces[g.space].Dims[d].N))
			if h.at[d] != g.at[d] {
				moved++
			}
		}
		if !alike(p.Spaces[g.space], g, h) {
			t.Fatalf("%v and %v differ in the derived parameter at most", g.at, h.at)
		}
		b.repair(h)
		if string(h.key(nil)) != string(g.key(nil)) {
			t.Fatalf("%s: %v is repaired to %v", p.Spaces[g.space].Fam.Name, g.at, h.at)
		}
	}
	if sound < 1000 || moved < 500 {
		t.Errorf("%d repaired genomes, %d of them moved, test little", sound, moved)
	}
}

// Variation leaves the parents alone and gives children whose parameters lie in their domains.
func TestVaryKeepsParents(t *testing.T) {
	p := searchtest.ProblemOf(t, searchtest.Small(t, 250, 300), &searchtest.SizeModel{})
	b := &breeder{p: p, spaces: []int{0, 1, 2, 3, 4}}
	rng := stream.New(5, "test.vary")
	changed := 0
	for i := range 5000 {
		x, y := b.random(i%5, rng), b.random(i%5, rng)
		kx, ky := string(x.key(nil)), string(y.key(nil))
		c, d := b.vary(x, y, rng)
		if string(x.key(nil)) != kx || string(y.key(nil)) != ky {
			t.Fatalf("parents %v and %v have changed", x.at, y.at)
		}
		for _, g := range []*genome{c, d} {
			for j, k := range g.at {
				if k < 0 || int(k) >= p.Spaces[g.space].Dims[j].N {
					t.Fatalf("%s: parameter %d has index %d of %d", p.Spaces[g.space].Fam.Name, j, k, p.Spaces[g.space].Dims[j].N)
				}
			}
		}
		if k := string(c.key(nil)); k != kx && k != ky {
			changed++
		}
	}
	if changed < 2500 {
		t.Errorf("%d of 5000 children are new", changed)
	}
}
