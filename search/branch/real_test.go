package branch

import (
	"slices"
	"strings"
	"testing"

	"toposearch/evaluator"
	"toposearch/evaluator/floor"
	"toposearch/evaluator/market"
	"toposearch/internal/racing"
	"toposearch/objectives"
	"toposearch/search"
	"toposearch/search/searchtest"
	"toposearch/study"
	"toposearch/topology"
	"toposearch/topology/family"
	"toposearch/workload"
)

type realSpace struct {
	name     string
	min, max int64
	values   [][]int // nil: any
}

// even is the domain of a taper that levels do not have.
var even = []int{topology.RatioEven}

// The families whose boxes know most of their cables and of what throughput costs, with some values
// of each parameter, in a window where floors are many racks wide.
var realSpaces = []realSpace{
	{"zettafly3", 2000, 2300, [][]int{{1, 2, 3, 8}, {4, 10, 16, 31, 64, 127}, {1, 2, 4, 8, 12, 40, 90}, {2, 3, 4, 5, 9, 13}, nil}},
	{"zettafly4", 2000, 2300, [][]int{{2, 4, 6, 16}, {4, 10, 16, 31, 64}, {1, 2, 4, 8, 12, 40}, {2, 3, 4, 5, 9, 13}, nil}},
	{"dragonflyplus", 2000, 2300, [][]int{{1, 3, 8, 20, 70}, {1, 2, 5, 16, 40}, {1, 4, 11, 32, 60}, {1, 2, 3, 8, 30}, nil}},
	{"fullmesh", 1000, 1100, [][]int{{4, 8, 10, 11, 16, 32, 64}, {2, 4, 8, 10}, {1, 2, 3, 8, 9}, {1, 2, 4}, {1, 2}, {1, 2, 3}, {1, 2, 5}, {1, 3}, {1, 2}, {1, 4}}},
	{"hyperx", 1000, 1100, [][]int{{2, 8, 10, 16}, {2, 4, 10, 16}, {1, 2, 5, 8}, {1, 2}, {1, 2}, {1, 3}, {1, 2}, {1}, {1, 4, 8, 16}}},
	{"torus", 1000, 1100, [][]int{{2, 4, 8, 10, 16}, {4, 10, 16}, {1, 2, 8, 10}, {1, 3, 4}, {1, 2}, {1}, {1, 4, 8}}},
	{"fattree", 1000, 1100, [][]int{{8, 15, 16, 32, 63, 64, 100, 128}, {1, 2, 3, 4}, {topology.RatioEven, topology.RatioOf(3, 1)}, even, even, even,
		{2, 3, 4, 8, 9, 16, 17, 21, 32, 33, 34, 64, 66}, {4, 8, 10, 11, 12, 15, 16, 24, 31, 32, 33, 48, 50, 63, 64, 100}}},
	{"dragonfly", 1000, 1100, [][]int{{1, 4, 8, 16}, {1, 4, 8, 16}, {1, 2, 4, 8}, nil, nil}},
	{"multirail", 2000, 2300, [][]int{{16, 32, 64, 100, 128, 256}, {1, 2, 3}, {topology.RatioEven, topology.RatioOf(5, 3), topology.RatioOf(3, 1)}, even, even, even, {1, 2, 3, 4}, {1, 2, 4}, {1, 2, 3}, {8, 16, 17, 24, 33, 64, 100}, {8, 12, 16, 24, 32, 48, 60, 64, 80, 100, 126, 128, 200}, nil, {1, 2, 4}}},
}

// study is a study of the space with up to most endpoints.
func (x *realSpace) study(t *testing.T, most int64, opt evaluator.Options) *study.Study {
	t.Helper()
	st := searchtest.Small(t, x.min, most)
	opt.BandwidthGbps, opt.Site = 400, floor.Site{Limits: market.Limits{MaxSwitchPorts: 128}}
	st.Options = opt
	f, _ := family.ByName(x.name)
	sp := study.FamilySpace{Family: f}
	for i, p := range f.Params {
		d := study.Domain{Min: p.Min, Max: min(p.Max, 600), Given: true}
		if x.values[i] != nil {
			d.Values = x.values[i]
		}
		sp.Domains = append(sp.Domains, d)
	}
	st.Space = []study.FamilySpace{sp}
	return st
}

// TestEnumerationIsBruteForceForReal: with the real evaluator, whose bounds prune, too.
func TestEnumerationIsBruteForceForReal(t *testing.T) {
	racing.Figures(t)
	for _, x := range realSpaces {
		if testing.Short() && x.name != "fullmesh" && x.name != "dragonflyplus" {
			continue
		}
		for _, enough := range []float64{0, 1} {
			st := x.study(t, x.max, evaluator.Options{})
			st.Objectives[2].Enough = enough
			p := searchtest.RealModel(t, st)
			want, counts := searchtest.BruteForce(t, p)
			got, d, e := EnumerateNames(t, p)
			if strings.Join(got, " ") != strings.Join(want, " ") {
				t.Errorf("%s, enough %g: enumeration found %v, brute force %v", x.name, enough, got, want)
			}
			t.Logf("%s, enough %g: %d designs, %d steps, %d evaluations, front %d", x.name, enough, counts[search.Feasible], e.visits, d.Prog.Evaluated, len(got))
		}
	}
}

// TestTolerance: a front that leaves out what is better than one of it by no more than a part covers all of the whole front within that.
func TestTolerance(t *testing.T) {
	racing.Figures(t)
	fewer := 0
	for _, x := range realSpaces {
		if testing.Short() && x.name != "fullmesh" && x.name != "dragonflyplus" {
			continue
		}
		p := searchtest.RealModel(t, x.study(t, x.max, evaluator.Options{}))
		_, whole, _ := EnumerateNames(t, p)
		for _, part := range []float64{0.001, 0.02, 0.1} {
			p.Tolerance = part
			_, d, e := EnumerateNames(t, p)
			for _, m := range whole.Front.Ordered() {
				if !slices.ContainsFunc(d.Front.Vectors(), func(v objectives.Vector) bool { return within(v, m.Vector, part) }) {
					t.Errorf("%s: with %g nothing stands for %s %v", x.name, part, m.Name, m.Vector)
				}
			}
			if n := e.open.len() + len(e.pending); n > 0 {
				t.Errorf("%s: %d left", x.name, n)
			}
			if d.Prog.Evaluated > whole.Prog.Evaluated+int64(whole.Front.Len()) {
				t.Errorf("%s: with %g it evaluates %d designs, without %d", x.name, part, d.Prog.Evaluated, whole.Prog.Evaluated)
			}
			fewer += whole.Front.Len() - d.Front.Len()
			t.Logf("%s: with %g %d of %d on the front, %d of %d evaluated", x.name, part, d.Front.Len(), whole.Front.Len(), d.Prog.Evaluated, whole.Prog.Evaluated)
		}
	}
	if fewer <= 0 {
		t.Error("no tolerance leaves anything out")
	}
}

// within tells whether v is worse than w by no more than a part of the better value in each objective.
func within(v, w objectives.Vector, part float64) bool {
	for j := range v {
		a, b := v[j], w[j]
		if a < 0 { // more is better
			a, b = -b, -a
		}
		if a > b*(1+part)*(1+1e-12) {
			return false
		}
	}
	return true
}

// TestEnumerationOfStepsIsBruteForce: boxes are bounded by what collectives of a step take on the widest of their designs, and by parts that stop a job.
func TestEnumerationOfStepsIsBruteForce(t *testing.T) {
	racing.Figures(t)
	model, err := workload.Model("gpt3-22b")
	searchtest.Must(t, err)
	accelerator := workload.System{FLOPS: 989e12, Efficiency: 0.5, Memory: 80e9}
	accelerator.Link[1].Alpha = 5e-6
	for _, x := range []realSpace{
		{"hyperx", 250, 260, [][]int{{2, 4}, {1, 2, 4}, {1}, {1}, {1, 2, 3, 5, 8}, {1, 2, 3, 7}, {1}, {1}, {16, 32, 64, 65}}},
		{"dragonfly", 250, 270, [][]int{{8, 16, 32}, {2, 4, 8}, {1, 2, 3, 4, 5, 9}, {4, 5, 8}, {0, 1}}},
		{"dragonflyplus", 250, 270, [][]int{{2, 4}, {1, 2, 4, 8}, {8, 16, 32}, {1, 2, 3, 5, 7, 8}, {2, 4, 8}}},
	} {
		st := x.study(t, x.max, evaluator.Options{})
		st.Options.Training = &evaluator.Training{Model: model, Sequence: 2048, Batch: 128, Accelerator: accelerator, MessageBytes: 1e9}
		st.Options.BoundTraining, st.Options.BoundUptime = true, true
		for i, name := range []string{"cost", "step_time", "availability"} {
			st.Objectives[i], err = objectives.New(name)
			searchtest.Must(t, err)
		}
		p := searchtest.RealModel(t, st)
		want, counts := searchtest.BruteForce(t, p)
		got, d, _ := EnumerateNames(t, p)
		if strings.Join(got, " ") != strings.Join(want, " ") {
			t.Errorf("%s: enumeration found %v, brute force %v", x.name, got, want)
		}
		t.Logf("%s: %d designs, %d evaluations, front %d", x.name, counts[search.Feasible], d.Prog.Evaluated, len(got))
	}
}

// Where the best division is searched, bounds by what links carry count as many times the effort, the more the more endpoints: tasks, trials and stages are measured by it.
func TestEffortOfSearchedDivisions(t *testing.T) {
	model, err := workload.Model("gpt3-22b")
	searchtest.Must(t, err)
	accelerator := workload.System{FLOPS: 989e12, Efficiency: 0.5, Memory: 80e9}
	effort := func(given *workload.Parallelism, g int) int64 {
		x := realSpace{"dragonfly", 250, 4000, [][]int{{8}, {8}, {4}, {g}, {0}}}
		st := x.study(t, x.max, evaluator.Options{})
		st.Options.Training = &evaluator.Training{Model: model, Sequence: 2048, Batch: 128, Accelerator: accelerator, MessageBytes: 1e9, Parallelism: given}
		st.Options.BoundTraining = true
		st.Objectives[0], err = objectives.New("step_time")
		searchtest.Must(t, err)
		w := newTask(searchtest.RealModel(t, st))
		if why := w.judge(w.p.Spaces[0], []int{8, 8, 4, g, 0}); why != "" {
			t.Fatal(why)
		}
		return w.enc.Refine()
	}
	given := &workload.Parallelism{TP: 8, PP: 4, DP: 8, CP: 1, EP: 1, Interleave: 1, MicroBatch: 1}
	one, best, most := effort(given, 4), effort(nil, 4), effort(nil, 32)
	if one <= 0 || best < 5*one || most < 4*best {
		t.Errorf("%d of a given division, %d of the best, %d with eight times the endpoints", one, best, most)
	}
}
