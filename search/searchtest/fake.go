package searchtest

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"math"
	"sync/atomic"
	"testing"

	"toposearch/constraints"
	"toposearch/evaluator"
	"toposearch/evaluator/bound"
	"toposearch/evaluator/metric"
	"toposearch/objectives"
	"toposearch/search"
	"toposearch/study"
	"toposearch/topology"
	"toposearch/topology/family"
)

// SizeModel scores designs by their counts alone: cost grows with switches and links, power with
// ports, and throughput with links per endpoint. Its intervals are exact at level 0 but for cost,
// which is known to 10 %, as cable lengths are not known there; so bounds prune and leave work.
type SizeModel struct {
	Evaluations atomic.Int64
	Hook        func(n int64) // called before each evaluation
}

func figures(s *topology.Size) (cost, power, latency, throughput float64) {
	e := float64(max(s.Endpoints, 1))
	links := float64(s.SwitchLinks() + s.EndpointLinks())
	cost = 1000*float64(s.Switches()) + 37*links
	power = 3*float64(s.Radix())*float64(s.Switches()) + links
	throughput = math.Min(1, float64(s.SwitchLinks())/e)
	latency = math.Floor(100 * math.Log(e) / math.Log(2+float64(s.Radix())))
	return cost, power, latency, throughput
}

// Enclose is exact for a design but for the cost, and bounds the figures of a box by those of its corners.
func (m *SizeModel) Enclose(b bound.Box, _ *bound.Ladder, out *metric.Intervals) {
	if b.Single() {
		m.enclose(b.Lo, out)
	} else {
		m.encloseBox(b.Lo, b.Hi, out)
	}
}

func (m *SizeModel) enclose(s *topology.Size, out *metric.Intervals) {
	cost, power, latency, throughput := figures(s)
	out.Point(metric.Endpoints, float64(s.Endpoints))
	out.Point(metric.Radix, float64(s.Radix()))
	out.Set(metric.Cost, 0.9*cost, 1.1*cost)
	out.Point(metric.Power, power)
	out.Point(metric.Latency, latency)
	out.Point(metric.UniformThroughput, throughput)
	if s.Radix() > 200 {
		out.Reject = metric.Reject{Constraint: "switch.models", Got: float64(s.Radix()), Bound: 200}
	}
}

func (m *SizeModel) encloseBox(bl, bh *topology.Size, out *metric.Intervals) {
	cl, pl, _, _ := figures(bl)
	ch, ph, _, _ := figures(bh)
	out.Set(metric.Radix, float64(bl.Radix()), float64(bh.Radix()))
	out.Set(metric.Cost, 0.9*cl, 1.1*ch)
	out.Set(metric.Power, pl, ph)
	out.Set(metric.UniformThroughput, 0, math.Min(1, float64(bh.SwitchLinks())/float64(max(bl.Endpoints, 1))))
}

// Evaluate adds what level 0 leaves open of the cost.
func (m *SizeModel) Evaluate(ctx context.Context, d topology.Design, req evaluator.Request) (*evaluator.Result, error) {
	n := m.Evaluations.Add(1)
	if m.Hook != nil {
		m.Hook(n)
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	r := &evaluator.Result{Design: d}
	if err := d.Family.Size(d.V, &r.Size); err != nil {
		return nil, err
	}
	var iv metric.Intervals
	m.enclose(&r.Size, &iv)
	r.Reject = iv.Reject
	for k := range iv.Have {
		if iv.Have[k] {
			x := (iv.At[k].Lo + iv.At[k].Hi) / 2
			r.Metrics[k], r.Have[k] = metric.Figure{Value: x, Lo: x, Hi: x, Unit: metric.Keys[k].Unit, Method: "size"}, true
		}
	}
	// What level 0 knows to 10 % depends on the design here, and stays inside.
	wobble := 1 + 0.09*math.Sin(float64(len(d.String())*7+d.V[0]))
	c := r.Metrics[metric.Cost].Value * wobble
	r.Metrics[metric.Cost] = metric.Figure{Value: c, Lo: c * 0.99, Hi: c, Unit: "USD", Method: "size"}
	return r, nil
}

// Small is a study of several families with narrowed ranges, small enough for brute force.
func Small(t testing.TB, lo, hi int64, limits ...constraints.Limit) *study.Study {
	t.Helper()
	st := &study.Study{
		Name: "Small one", Seed: 7, MinEndpoints: lo, MaxEndpoints: hi,
		Constraints: &constraints.Set{Limits: limits},
		Search:      study.Search{Strategy: study.Enumerate},
	}
	for _, name := range []string{"cost", "latency", "uniform_throughput"} {
		o, err := objectives.New(name)
		if err != nil {
			t.Fatal(err)
		}
		st.Objectives = append(st.Objectives, o)
	}
	for _, fs := range []struct {
		name string
		max  []int
	}{
		{"zcube", []int{64, 3}},
		{"dragonfly", []int{8, 12, 8, 40, 3}},
		{"dragonflyplus", []int{6, 6, 8, 4, 20}},
		{"hyperx", []int{8, 8, 4, 2, 2, 2, 2, 2, 8}},
		{"fattree", []int{32, 3, 32, 16}},
	} {
		f, ok := family.ByName(fs.name)
		if !ok {
			t.Fatalf("there is no family %s", fs.name)
		}
		sp := study.FamilySpace{Family: f}
		for _, p := range f.Params {
			d := study.Domain{Min: p.Min, Max: p.Max, Given: true}
			if p.Divides != "" {
				d.Max = d.Min
			} else if len(fs.max) > 0 {
				d.Max, fs.max = min(d.Max, fs.max[0]), fs.max[1:]
			}
			sp.Domains = append(sp.Domains, d)
		}
		st.Space = append(st.Space, sp)
	}
	input(st, "study.toml", "name = \"Small one\"\n")
	return st
}

// LimitOn is a limit on a metric under the name that [limits] gives it.
func LimitOn(k metric.Key, isMax bool, bound float64) constraints.Limit {
	return constraints.Limit{Key: k, Name: "limits." + metric.Keys[k].Name, Max: isMax, Bound: bound}
}

// ProblemOf is a study as a problem under a model.
func ProblemOf(t testing.TB, st *study.Study, m search.Model) *search.Problem {
	t.Helper()
	p, err := search.NewProblem(st, m)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func input(st *study.Study, path, text string) {
	sum := sha256.Sum256([]byte(text))
	st.Inputs = append(st.Inputs, study.Input{Path: path, Bytes: []byte(text), SHA256: hex.EncodeToString(sum[:])})
}

// Pods is a study of small networks under the real evaluator and the built-in price list.
func Pods(t testing.TB, families ...string) *study.Study {
	t.Helper()
	st, faults := study.LoadExample()
	if err := faults.Err(); err != nil {
		t.Fatal(err)
	}
	st.MinEndpoints, st.MaxEndpoints = 64, 72
	st.Search = study.Search{Strategy: study.Auto}
	st.Verify = study.Verify{Finalists: 3, Traffic: []string{"uniform", "worst"}, Cycles: 1000, Packet: 4, Loads: 3}
	st.Space = nil
	for _, name := range families {
		f, ok := family.ByName(name)
		if !ok {
			t.Fatalf("there is no family %s", name)
		}
		st.Space = append(st.Space, study.FamilySpace{Family: f})
	}
	return st
}

// RealModel is a study under the real evaluator.
func RealModel(t testing.TB, st *study.Study) *search.Problem {
	t.Helper()
	m, err := evaluator.New(st.Options)
	if err != nil {
		t.Fatal(err)
	}
	return ProblemOf(t, st, m)
}

// Must fails a test by an error.
func Must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// Only narrows a study to one family.
func Only(st *study.Study, name string) *study.Study {
	for _, fs := range st.Space {
		if fs.Family.Name == name {
			st.Space = []study.FamilySpace{fs}
			return st
		}
	}
	panic("no family " + name)
}

// BruteForce is the plain twin of an enumeration: every tuple, evaluated, judged, compared.
func BruteForce(t testing.TB, p *search.Problem) (names []string, tuples map[string]int64) {
	t.Helper()
	tuples = map[string]int64{}
	var f search.Archive
	for i, sp := range p.Spaces {
		EachTuple(sp, func(v []int) {
			var s topology.Size
			canon := make([]int, len(v))
			switch {
			case sp.Fam.Size(v, &s) != nil:
				tuples[constraints.NoNetwork]++
				return
			case s.Endpoints < p.Min || s.Endpoints > p.Max:
				tuples[constraints.Window]++
				return
			case sp.Duplicate(v, canon):
				tuples[search.Duplicate]++
				return
			}
			c := search.Candidate{Space: i, V: canon}
			r, err := p.Model.Evaluate(context.Background(), p.Design(i, canon), p.Request)
			if err != nil {
				t.Fatal(err)
			}
			if sc := p.ScoreEntry(search.NewEntry("", r)); sc.Feasible() {
				tuples[search.Feasible]++
				f.Add(search.Member{Candidate: c, Vector: sc.V, Name: p.Name(c)})
			}
		})
	}
	for _, m := range f.Ordered() {
		names = append(names, m.Name)
	}
	return names, tuples
}

// EachTuple visits every tuple of a space; v is its own only during the call.
func EachTuple(sp *search.Space, visit func(v []int)) {
	v := make([]int, len(sp.Dims))
	var all func(d int)
	all = func(d int) {
		if d == len(v) {
			visit(v)
			return
		}
		for k := range sp.Dims[d].N {
			v[d] = sp.Dims[d].At(k)
			all(d + 1)
		}
	}
	all(0)
}

// Violation sums what is missed.
func Violation(ms []constraints.Miss) (sum float64) {
	for _, m := range ms {
		sum += m.Violation
	}
	return sum
}

// EachDesign visits every design of a space once, in its canonical form.
func EachDesign(sp *search.Space, visit func(canon []int)) {
	EachTuple(sp, func(v []int) {
		var s topology.Size
		canon := make([]int, len(v))
		if sp.Fam.Size(v, &s) == nil && !sp.Duplicate(v, canon) {
			visit(canon)
		}
	})
}

// Narrowed is the space of a family of st with other upper ends.
func Narrowed(st *study.Study, name string, ends ...int) study.FamilySpace {
	for _, sp := range st.Space {
		if sp.Family.Name == name {
			for i, end := range ends {
				sp.Domains[i].Max = end
			}
			return sp
		}
	}
	panic(name)
}
