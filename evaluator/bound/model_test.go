package bound

import (
	"testing"

	"toposearch/catalog"
	"toposearch/evaluator/floor"
	"toposearch/evaluator/market"
	"toposearch/evaluator/route"
	"toposearch/internal/racing"
	"toposearch/topology"
	"toposearch/topology/family/familytest"
)

// newModel fills in what site and options leave out: the built-in catalogue, servers of 8 endpoints.
func newModel(t testing.TB, site floor.Site, o market.Options) *Model {
	t.Helper()
	site.FillDefaults()
	if o.Catalog == nil {
		o.Catalog = catalog.Builtin()
	}
	o.Currency, o.Limits, o.SeveralBuildings, o.ShortestM = "USD", site.Limits, site.Buildings > 1, site.ShortestM()
	all, err := market.New(o)
	if err != nil {
		t.Fatal(err)
	}
	var l route.LatencyModel
	l.FillDefaults()
	return New(Options{Market: all, Site: &site, PerServer: 8, Latency: l})
}

func parse(t testing.TB, s string) topology.Design {
	t.Helper()
	return familytest.Parse(t, s)
}

// few is how many designs to sample: less when tests are to be short.
func few(n int) int {
	if testing.Short() || racing.On {
		return max(1, n/4)
	}
	return n
}

// Shapes that are kept take a small part of the memory, however many rates the list has.
func TestShapesFitInMemory(t *testing.T) {
	for _, rates := range []int{1, 4, 40} {
		for _, memory := range []int64{1 << 20, 256 << 20, 1 << 30, 1 << 40} {
			n := placesOfShapes(rates, memory)
			if least := int64(n) * int64(rates) * 4 * 48; n < 1 || n > shapePlaces || least > memory/16 {
				t.Errorf("%d rates, %d bytes: %d shapes take %d at least", rates, memory, n, least)
			}
		}
	}
	if n := placesOfShapes(4, 8<<30); n != shapePlaces {
		t.Errorf("8 GiB hold %d shapes, want %d", n, shapePlaces)
	}
}
