package search

import (
	"context"
	"math"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"
	"time"

	"toposearch/constraints"
	"toposearch/evaluator"
	"toposearch/evaluator/bound"
	"toposearch/evaluator/metric"
	"toposearch/objectives"
	"toposearch/study"
	"toposearch/topology"
	"toposearch/topology/family"
)

// sizeModel scores designs by their counts alone: cost grows with switches and links, power with
// ports, and throughput with links per endpoint. Its intervals are exact at level 0 but for cost,
// which is known to 10 %, as cable lengths are not known there; so bounds prune and leave work.
type sizeModel struct {
	evaluations atomic.Int64
	hook        func(n int64) // called before each evaluation
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

func (m *sizeModel) Enclose(b bound.Box, _ *bound.Ladder, out *metric.Intervals) {
	if b.Single() {
		m.enclose(b.Lo, out)
	} else {
		m.encloseBox(b.Lo, b.Hi, out)
	}
}

func (m *sizeModel) enclose(s *topology.Size, out *metric.Intervals) {
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

func (m *sizeModel) encloseBox(bl, bh *topology.Size, out *metric.Intervals) {
	cl, pl, _, _ := figures(bl)
	ch, ph, _, _ := figures(bh)
	out.Set(metric.Radix, float64(bl.Radix()), float64(bh.Radix()))
	out.Set(metric.Cost, 0.9*cl, 1.1*ch)
	out.Set(metric.Power, pl, ph)
	out.Set(metric.UniformThroughput, 0, math.Min(1, float64(bh.SwitchLinks())/float64(max(bl.Endpoints, 1))))
}

func (m *sizeModel) Evaluate(ctx context.Context, d topology.Design, req evaluator.Request) (*evaluator.Result, error) {
	n := m.evaluations.Add(1)
	if m.hook != nil {
		m.hook(n)
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

// small is a study of several families with narrowed ranges, small enough for brute force.
func small(t testing.TB, lo, hi int64, limits ...constraints.Limit) *study.Study {
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
		for i, p := range f.Params {
			d := study.Domain{Min: p.Min, Max: p.Max, Given: true}
			if i < len(fs.max) {
				d.Max = min(d.Max, fs.max[i])
			}
			sp.Domains = append(sp.Domains, d)
		}
		st.Space = append(st.Space, sp)
	}
	input(st, "study.toml", "name = \"Small one\"\n")
	return st
}

func limit(k metric.Key, isMax bool, bound float64) constraints.Limit {
	return constraints.Limit{Key: k, Name: "limits." + metric.Keys[k].Name, Max: isMax, Bound: bound}
}

func problem(t testing.TB, st *study.Study, m Model) *Problem {
	t.Helper()
	p, err := NewProblem(st, m)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// runIn runs a problem in a directory and gives the bytes of the journal and of front.json.
func runIn(t testing.TB, p *Problem, dir *RunDir, opt Options) (*Outcome, string, string) {
	t.Helper()
	out, err := p.run(context.Background(), dir, opt)
	if err != nil {
		t.Fatal(err)
	}
	return out, read(t, filepath.Join(dir.Path, "journal.jsonl")), read(t, filepath.Join(dir.Path, "front.json"))
}

func create(t testing.TB, st *study.Study) *RunDir {
	t.Helper()
	d, err := Create(st, t.TempDir(), "", Origin{Program: "test", Started: time.Unix(0, 0).UTC()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { d.Close() })
	return d
}

func read(t testing.TB, path string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}
