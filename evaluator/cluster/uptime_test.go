package cluster

import (
	"container/heap"
	"math"
	"math/rand/v2"
	"testing"

	"toposearch/catalog"
	"toposearch/internal/stream"
)

// newModel is one without parts, which fail as often as is said.
func newModel(t testing.TB, opt Options) *Model {
	t.Helper()
	m, err := New(opt, &catalog.Catalogue{}, catalog.Currency{Code: "USD"}, 100, 8)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// event is when a part fails or is repaired.
type event struct {
	at   float64
	part int
}

type events []event

func (e events) Len() int           { return len(e) }
func (e events) Less(i, j int) bool { return e[i].at < e[j].at }
func (e events) Swap(i, j int)      { e[i], e[j] = e[j], e[i] }
func (e *events) Push(x any)        { *e = append(*e, x.(event)) }
func (e *events) Pop() any {
	old := *e
	x := old[len(old)-1]
	*e = old[:len(old)-1]
	return x
}

// simulate fails and repairs parts one by one, each for an exponential time, and gives the share of time in which a job
// can run and the mean time between its stops. Part i belongs to unit of[i]; a unit is out while one of its parts is.
// Units of group k < len(need) must be up to the number need[k]; the job stands while one has fewer.
func simulate(rng *rand.Rand, rate, repair []float64, of, group []int, need []int, hours float64) (available, mtbf float64) {
	down, up := make([]int, len(group)), make([]int, len(need))
	for _, g := range group {
		up[g]++
	}
	working := make([]bool, len(rate))
	var q events
	for i := range rate {
		working[i] = true
		heap.Push(&q, event{rng.ExpFloat64() / rate[i], i})
	}
	short, last, ran, stops := 0, 0.0, 0.0, 0
	for {
		e := heap.Pop(&q).(event)
		if short == 0 {
			ran += min(e.at, hours) - last
		}
		if last = e.at; e.at > hours {
			return ran / hours, ran / float64(stops)
		}
		i, u := e.part, of[e.part]
		g := group[u]
		before := up[g] < need[g]
		if working[i] {
			if down[u]++; down[u] == 1 {
				up[g]--
			}
			heap.Push(&q, event{e.at + rng.ExpFloat64()*repair[i], i})
		} else {
			if down[u]--; down[u] == 0 {
				up[g]++
			}
			heap.Push(&q, event{e.at + rng.ExpFloat64()/rate[i], i})
		}
		working[i] = !working[i]
		switch after := up[g] < need[g]; {
		case after && !before:
			if short++; short == 1 {
				stops++
			}
		case before && !after:
			short--
		}
	}
}

// TestUptimeSimulated: the closed form is what a simulation of every part finds, without spares and with one or two for
// each group, the last of which is smaller. Of about 50,000 stops the mean time between them is known to half a percent.
func TestUptimeSimulated(t *testing.T) {
	for _, c := range []struct{ endpoints, group, spares int }{{10, 0, 0}, {10, 4, 1}, {9, 4, 2}, {8, 8, 1}} {
		opt := Options{CPUsPerServer: -1, Group: c.group, Spares: c.spares,
			AFR: map[string]float64{catalog.KindAccelerator: 30}, RepairH: map[string]float64{"": 20}}
		m := newModel(t, opt)
		link, leaf := Failing(10, 8), Failing(5, 3)
		j := Job{Endpoints: int64(c.endpoints), Own: link, Shared: leaf.Times(4)}
		got := m.Uptime(&j)

		var rate, repair []float64
		var of, group, need []int
		unit := func(g int, parts ...[2]float64) {
			for _, p := range parts {
				rate, repair, of = append(rate, p[0]/HoursOfYear), append(repair, p[1]), append(of, len(group))
			}
			group = append(group, g)
		}
		accelerator, wire := [2]float64{30, 20}, [2]float64{10, 8}
		if c.group == 0 {
			need = append(need, c.endpoints)
			for range c.endpoints {
				unit(0, accelerator, wire)
			}
		}
		for left := c.endpoints; c.group > 0 && left > 0; left -= c.group {
			n := min(left, c.group)
			for range n + c.spares {
				unit(len(need), accelerator, wire)
			}
			need = append(need, n)
		}
		for range 4 {
			unit(len(need), [2]float64{5, 3})
		}
		need = append(need, 4)
		available, mtbf := simulate(stream.New(1, "uptime"), rate, repair, of, group, need, 60_000*(got.MTBFh+20))
		if math.Abs(available-got.Available) > 4e-3 || math.Abs(mtbf-got.MTBFh) > 0.02*got.MTBFh {
			t.Errorf("%d endpoints, groups of %d with %d spares: available %.4f, MTBF %.2f h; simulated %.4f and %.2f",
				c.endpoints, c.group, c.spares, got.Available, got.MTBFh, available, mtbf)
		}
		if got.Available > got.AvailableIdle {
			t.Errorf("%+v: parts that fail at rest make more available than parts that do not", got)
		}
	}
}

// TestUptimeUBMesh: the figures printed for UB-Mesh and a Clos network: MTBF of 98.5 and 13.8 h, 75 min to repair. 8760 h
// over them are 88.93 and 634.78 failures a year.
func TestUptimeUBMesh(t *testing.T) {
	m := newModel(t, Options{CPUsPerServer: -1, AFR: map[string]float64{catalog.KindAccelerator: 0}})
	for _, c := range []struct{ perYear, mtbf, available float64 }{{88.93, 98.5, 0.98747}, {634.78, 13.8, 0.91694}} {
		u := m.Uptime(&Job{Endpoints: 8192, Shared: Failing(c.perYear/1000, DefaultRepairH).Times(1000)})
		if math.Abs(u.MTBFh-c.mtbf) > 0.01 || math.Abs(u.AvailableIdle-c.available) > 1e-5 {
			t.Errorf("%g failures a year: MTBF %.2f h, availability %.5f; want %g and %g", c.perYear, u.MTBFh, u.AvailableIdle, c.mtbf, c.available)
		}
		// 1,000 parts that fail at rest too: e^-odds, nearly.
		if want := math.Exp(-DefaultRepairH / c.mtbf); math.Abs(u.Available-want) > 1e-4 {
			t.Errorf("%g failures a year: available %.5f, want about %.5f", c.perYear, u.Available, want)
		}
	}
}

// TestSparesByHand: of 65 units, of which 64 must work, each out of service with probability q: the job can run with
// probability (1-q)^65 + 65 q (1-q)^64.
func TestSparesByHand(t *testing.T) {
	unit := Failing(0.5, 24)
	q := 1 - math.Exp(-unit.Log)
	g := withSpares(&unit, 64, 1)
	up := math.Pow(1-q, 65) + 65*q*math.Pow(1-q, 64)
	if got := math.Exp(-g.Log); math.Abs(got-up) > 1e-12 {
		t.Errorf("64+1 are up with probability %.15f, want %.15f", got, up)
	}
	if got, want := g.PerHour, 65*q*math.Pow(1-q, 64)*64*unit.PerHour/up; math.Abs(got-want) > 1e-12*want {
		t.Errorf("64+1 stop %g times an hour, want %g", got, want)
	}
}

// TestGoodput: the best interval is better than its neighbours, Young's is near for short checkpoints, and the share of
// work that counts is what a simulation of failures finds.
func TestGoodput(t *testing.T) {
	share := func(tau, delta, restart, m float64) float64 {
		return tau / (m * math.Exp(restart/m) * math.Expm1((tau+delta)/m))
	}
	for _, c := range []struct{ mtbf, delta, restart float64 }{{10, 0.01, 0.1}, {5, 0.5, 0.2}, {1, 2, 0.3}, {1000, 1e-6, 0}} {
		m := newModel(t, Options{CheckpointH: c.delta, RestartH: c.restart})
		g := m.Goodput(1 / c.mtbf)
		best := share(g.EveryH, c.delta, c.restart, c.mtbf)
		if math.Abs(best-g.Share) > 1e-9*best || share(1.01*g.EveryH, c.delta, c.restart, c.mtbf) > best || share(0.99*g.EveryH, c.delta, c.restart, c.mtbf) > best {
			t.Errorf("%+v: %+v is not the best interval", c, g)
		}
		if c.delta < 0.01*c.mtbf && math.Abs(g.YoungH/g.EveryH-1) > 0.05 {
			t.Errorf("%+v: every %g h, by Young %g", c, g.EveryH, g.YoungH)
		}
	}
	m := newModel(t, Options{CheckpointH: 0.5, RestartH: 0.2})
	g := m.Goodput(1.0 / 5)
	rng, clock := stream.New(2, "goodput"), 0.0
	const intervals = 100_000
	for range intervals {
		for at, left := 0.0, g.EveryH+0.5; at < left; { // from the last checkpoint to the next
			if fail := rng.ExpFloat64() * 5; fail < left {
				clock, left = clock+fail, g.EveryH+0.5+0.2
				continue
			}
			clock, at = clock+left, left
		}
	}
	if got := g.EveryH * intervals / clock; math.Abs(got-g.Share) > 0.01*g.Share {
		t.Errorf("simulated, %.4f of the time is work that counts; in closed form %.4f", got, g.Share)
	}
}
