package report

import (
	"math"
	"slices"
	"strings"
	"testing"

	"toposearch/evaluator/metric"
)

// pointWith makes a point with cost, latency, throughput and power; NaN leaves one out.
func pointWith(name string, cost, latency, through, power float64) Point {
	p := Point{Name: name, Family: "f"}
	set := func(k metric.Key, v float64) {
		if !math.IsNaN(v) {
			p.Metrics[k], p.Have[k] = metric.Figure{Value: v, Lo: v, Hi: v}, true
		}
	}
	set(metric.Cost, cost)
	set(metric.Latency, latency)
	set(metric.UniformThroughput, through)
	set(metric.Power, power)
	set(metric.Endpoints, 100)
	return p
}

func pickNames(d *Data) map[string]string {
	out := map[string]string{}
	for _, p := range Picks(d) {
		out[p.Name] = d.Points[p.Point].Name
	}
	return out
}

// Known answers. Throughput a watt counts to 1: of c (2.0 at 150 W) only 1.0 can be used, which
// is 1/150 and less than b's 0.9/100. Scaled objectives: a (0,1,1) at distance sqrt 2, b
// (1/4, 1/4, .55) at 0.65, c (1,0,0) at 1: b is the knee.
func TestPicks(t *testing.T) {
	nan := math.NaN()
	d := &Data{BandwidthGbps: 400, Objectives: []Objective{{Key: metric.Cost, Better: metric.Lower}, {Key: metric.Latency, Better: metric.Lower}, {Key: metric.UniformThroughput, Better: metric.Higher}},
		Points: []Point{pointWith("a", 10, 500, 0, 90), pointWith("b", 20, 350, 0.9, 100), pointWith("c", 50, 300, 2, 150), pointWith("u", nan, 300, 1.5, nan)}}
	got := pickNames(d)
	for name, want := range map[string]string{"Cheapest": "a", "Fastest": "c", "Best per watt": "b", "Balanced": "b"} {
		if got[name] != want {
			t.Errorf("%s = %s, want %s", name, got[name], want)
		}
	}
	if w, want := PerWatt(d, 1), 0.9*100*400/100; math.Abs(w-want) > 1e-9 {
		t.Errorf("PerWatt(b) = %v, want %v", w, want)
	}
}

// The fastest design may carry next to nothing of its worst traffic. Of those that carry all of it, which more than enough does not beat, the cheapest is
// picked, where the study weighs that.
func TestPickOfAnyTraffic(t *testing.T) {
	d := &Data{Objectives: []Objective{{Key: metric.Cost, Better: metric.Lower}, {Key: metric.Latency, Better: metric.Lower}, {metric.WorstThroughput, metric.Higher, 1}},
		Points: []Point{pointWith("a", 10, 300, 1, 90), pointWith("b", 20, 350, 1, 100), pointWith("c", 15, 400, 1, 150)}}
	for i, x := range []float64{0.02, 1.2, 1} {
		d.Points[i].Metrics[metric.WorstThroughput], d.Points[i].Have[metric.WorstThroughput] = metric.Figure{Value: x, Lo: x, Hi: x}, true
	}
	if got := pickNames(d); got["Any traffic"] != "c" || got["Fastest"] != "a" {
		t.Errorf("picks = %v, want c for any traffic", got)
	}
	d.Objectives = d.Objectives[:2]
	if got, ok := pickNames(d)["Any traffic"]; ok {
		t.Errorf("any traffic = %s in a study that does not weigh it", got)
	}
}

// The knee is the design that verification simulates as that: what is more than enough counts as enough.
func TestKneeOfEnough(t *testing.T) {
	points := []Point{pointWith("p", 10, 500, 0.1, 1), pointWith("q", 20, 300, 1.2, 1), pointWith("r", 21, 300, 3, 1), pointWith("s", 30, 290, 1, 1)}
	for enough, want := range map[float64]string{0: "r", 1: "q"} {
		d := &Data{Points: points, Objectives: []Objective{{Key: metric.Cost, Better: metric.Lower}, {Key: metric.Latency, Better: metric.Lower}, {metric.UniformThroughput, metric.Higher, enough}}}
		if got := pickNames(d)["Balanced"]; got != want {
			t.Errorf("enough %g: the knee is %s, want %s", enough, got, want)
		}
	}
}

// Ties go to the next figure and then to the name, wherever the point stands.
func TestPickTies(t *testing.T) {
	d := &Data{Objectives: []Objective{{Key: metric.Cost, Better: metric.Lower}},
		Points: []Point{pointWith("z", 10, 300, 0.5, 1), pointWith("y", 10, 300, 0.5, 1), pointWith("x", 10, 301, 0.9, 1)}}
	if got := pickNames(d)["Cheapest"]; got != "y" {
		t.Errorf("cheapest = %s, want y: equal to z in all figures and first by name, and faster than x", got)
	}
	d.Points[0], d.Points[1] = d.Points[1], d.Points[0]
	if got := pickNames(d)["Cheapest"]; got != "y" {
		t.Errorf("cheapest = %s in another order, want y", got)
	}
}

// Without a price there is no cheapest, and a front of no points has no picks.
func TestPicksMissing(t *testing.T) {
	nan := math.NaN()
	d := &Data{Objectives: []Objective{{Key: metric.Latency, Better: metric.Lower}}, Points: []Point{pointWith("a", nan, 300, nan, nan)}}
	got := pickNames(d)
	if len(got) != 1 || got["Fastest"] != "a" {
		t.Errorf("picks = %v, want only the fastest", got)
	}
	if got := Picks(&Data{}); got != nil {
		t.Errorf("picks of nothing = %v", got)
	}
}

// A pick by a figure that the search was not after claims to be the best of the front only.
func TestPickRules(t *testing.T) {
	d := &Data{Objectives: []Objective{{Key: metric.Latency, Better: metric.Lower}, {Key: metric.UniformThroughput, Better: metric.Higher}},
		Points: []Point{pointWith("a", 10, 300, 0.5, 100)}}
	want := map[string]string{"Cheapest": "least cost on the front", "Fastest": "least mean latency", "Best per watt": "most usable throughput a watt on the front"}
	for _, p := range Picks(d) {
		if p.Rule != want[p.Name] {
			t.Errorf("%s: %q, want %q", p.Name, p.Rule, want[p.Name])
		}
		delete(want, p.Name)
	}
	if len(want) > 0 {
		t.Errorf("no picks %v", want)
	}
}

// The way out is the smallest change in proportion; fewer endpoints than asked only if nothing else is.
func TestWayOut(t *testing.T) {
	relax := func(c string, bound, needed float64, design string) Relaxation {
		return Relaxation{Constraint: c, Bound: bound, Needed: needed, Design: design, Origin: "site.toml:6:1"}
	}
	d := &Data{Closest: []Closest{{Family: "f", Design: "f(a=1)", Relax: []Relaxation{relax("endpoints.count", 1000, 990, "f(a=2)"), relax("building.racks", 20, 24, "f(a=3)")}},
		{Family: "g", Design: "g(a=1)", Relax: []Relaxation{relax("procurement.lead_time", 10, 11, "")}}}}
	if got, want := wayOut(d), "procurement.lead_time from 10 to 11, for g(a=1) (site.toml:6)."; !strings.HasSuffix(got, want) {
		t.Errorf("way out: %q, want %q", got, want)
	}
	d.Closest = d.Closest[:1]
	d.Closest[0].Relax = d.Closest[0].Relax[:1]
	if got := wayOut(d); !strings.Contains(got, "endpoints.count from 1") || !strings.Contains(got, "to 990, for f(a=2)") {
		t.Errorf("way out: %q", got)
	}
	if d.Points = []Point{{}}; wayOut(d) != "" {
		t.Error("a way out of a front")
	}
}

// Every metric has its place among the figures of a design, and only one.
func TestGroupsHoldAllKeys(t *testing.T) {
	seen := map[metric.Key]int{}
	for _, g := range groups {
		for _, k := range g.keys {
			seen[k]++
		}
	}
	for k := range metric.Count {
		if seen[k] != 1 {
			t.Errorf("%s is in %d groups", metric.Keys[k].Name, seen[k])
		}
	}
}

// Margins are fractions of the limit, from the side on which it binds, the tightest first.
func TestSlacks(t *testing.T) {
	d := &Data{Points: []Point{pointWith("a", 90, 300, 0.66, math.NaN())},
		Limits: []Limit{{Name: "power", Key: metric.Power, Max: true, Bound: 5}, {Name: "cost", Key: metric.Cost, Max: true, Bound: 100},
			{Name: "throughput", Key: metric.UniformThroughput, Bound: 0.6}, {Name: "latency", Key: metric.Latency, Max: true, Bound: 200}}}
	got := Slacks(d, 0)
	for i, want := range []struct {
		name   string
		margin float64
	}{{"latency", -0.5}, {"cost", 0.1}, {"throughput", 0.1}, {"power", math.NaN()}} {
		m := got[i].Margin
		if got[i].Limit.Name != want.name || math.Abs(m-want.margin) > 1e-9 || math.IsNaN(m) != math.IsNaN(want.margin) {
			t.Errorf("slack %d = %s %v, want %s %v", i, got[i].Limit.Name, m, want.name, want.margin)
		}
	}
}

// A curve ends at its first saturated load, where it cannot fall; loads without a latency are
// left out.
func TestRising(t *testing.T) {
	got := rising([]CurvePoint{{0.1, 0.1, 15, 20, false}, {0.2, 0.2, 0, 0, false}, {0.4, 0.39, 76, 100, false}, {0.5, 0.4, 69, 90, true}, {1, 0.4, 340, 400, true}})
	want := []CurvePoint{{0.1, 0.1, 15, 20, false}, {0.4, 0.39, 76, 100, false}, {0.5, 0.4, 76, 90, true}}
	if !slices.Equal(got, want) {
		t.Errorf("rising = %v, want %v", got, want)
	}
}
