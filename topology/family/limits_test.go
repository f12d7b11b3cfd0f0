package family

import (
	"errors"
	"math"
	"strings"
	"testing"

	"toposearch/internal/stream"
	"toposearch/topology"
)

// TestTooLarge: what does not fit 31 bits names the largest value that does.
func TestTooLarge(t *testing.T) {
	for _, c := range []struct{ design, want string }{
		// 73^5 = 2073071593 < 2^31 < 74^5.
		{"zcube(n=1000,k=5)", "n = 1000 breaks the rule endpoints and switches fit 31 bits; the nearest n is 73"},
		// Groups have 512*512 = 2^18 endpoints, and 2^18*8192 is 2^31.
		{"dragonfly(p=512,a=512,h=512)", "the nearest g is 8191"},
		// 34^6 = 1544804416, 35^6 = 1838265625, 36^6 = 2176782336.
		{"kntree(k=256,n=6)", "the nearest k is 35"},
		// 256^4 switches alone are 2^32, and with a dimension less 2^24 of them have 2^33 endpoints.
		{"hyperx(s1=256,s2=256,s3=256,s4=256,t=512)", "t = 512 breaks the rule endpoints and switches fit 31 bits; so does even t = 1, unless other parameters shrink too"},
	} {
		d := design(t, c.design)
		var s topology.Size
		err := d.Family.Size(d.V, &s)
		if !errors.Is(err, topology.ErrInfeasible) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want ... %s", c.design, err, c.want)
			continue
		}
		bad := err.(*topology.Infeasible)
		if bad.Others {
			continue
		}
		i := d.Family.Param(bad.Param)
		d.V[i] = bad.Bound
		if err := d.Family.Size(d.V, &s); err != nil {
			t.Errorf("%s: the nearest value %d is no network either: %v", c.design, d.V[i], err)
		}
	}
}

// TestExtremes: at the ends of the parameters, where products pass 2^31 and further, no count
// wraps around: a design that is called valid has the counts of its formulas in floating point, which does not.
func TestExtremes(t *testing.T) {
	for _, f := range All() {
		rng := stream.New(1, "extremes "+f.Name)
		v := make([]int, len(f.Params))
		valid, refused := 0, 0
		for range 3000 {
			for i, p := range f.Params {
				if p.Divides != "" && rng.IntN(5) > 0 {
					if v[i] = p.Min; rng.IntN(3) == 0 {
						v[i] = topology.RatioDraw(v[f.Param(p.Divides)], rng)
					}
					continue
				}
				switch rng.IntN(5) {
				case 0:
					v[i] = p.Min
				case 1:
					v[i] = p.Max
				case 2:
					v[i] = p.Max - rng.IntN(min(4, p.Max-p.Min+1))
				case 3:
					v[i] = p.Min + rng.IntN(p.Max-p.Min+1)
				default:
					if v[i] = p.Max; p.Default != nil {
						v[i] = p.Default(v)
					}
				}
			}
			var s topology.Size
			if err := f.Size(v, &s); err != nil {
				refused++
				continue
			}
			valid++
			names := namesOf(f, v)
			for _, line := range f.Formulas {
				text, _, _ := strings.Cut(line, ";")
				text, where, limited := strings.Cut(text, " where ")
				if limited {
					if ok, err := compute(where, names); err != nil || ok == 0 {
						continue
					}
				}
				name, expression, _ := strings.Cut(text, " = ")
				x, _ := compute(expression, names)
				names[name] = whole(x)
			}
			if _, ok := names["endpoints"]; !ok {
				continue // one level: the formula does not apply
			}
			if s.Endpoints > topology.MostNumbered || s.AllSwitches() > topology.MostNumbered {
				t.Errorf("%s%v: %d endpoints and %d switches are more than can be numbered", f.Name, v, s.Endpoints, s.AllSwitches())
			}
			for name, got := range map[string]int64{"endpoints": s.Endpoints, "switches": s.Switches(), "links": s.SwitchLinks(), "radix": int64(s.Radix())} {
				if want, ok := names[name]; ok && math.Abs(float64(got)-want) > 1e-9*want {
					t.Errorf("%s%v: %d %s, the formula says %v", f.Name, v, got, name, want)
				}
			}
			for c, n := range s.Link {
				if n < 0 {
					t.Errorf("%s%v: %d links of class %d", f.Name, v, n, c)
				}
			}
		}
		if valid == 0 {
			t.Errorf("%s: none of %d designs is valid", f.Name, refused)
		}
	}
}

// TestNotBuilt: what can be counted but whose channels have no numbers is an error of Build, not a
// wrong network.
func TestNotBuilt(t *testing.T) {
	d := design(t, "torus(k1=1000,k2=1000,k3=1000)")
	if _, err := d.Build(); err == nil || !strings.Contains(err.Error(), "6000000000 channels") {
		t.Errorf("%s: Build: %v, want an error that names 6000000000 channels", d, err)
	}
}

// TestUnfinished: a random construction that gives up is an error of Build.
func TestUnfinished(t *testing.T) {
	f := *jellyfish
	f.Wire = func([]int, func(int, topology.SwitchID, topology.SwitchID)) {
		panic(&topology.Unfinished{Design: "this graph", Tries: 7})
	}
	_, err := topology.Design{Family: &f, V: []int{10, 3, 1, 0}}.Build()
	var bad *topology.Unfinished
	if !errors.As(err, &bad) || !strings.Contains(err.Error(), "this graph: no connected network in 7 tries") {
		t.Errorf("Build: %v, want the message of Unfinished", err)
	}
}
