package evaluator

import (
	"context"
	"flag"
	"fmt"
	"io"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"toposearch/evaluator/metric"
	"toposearch/topology"
	"toposearch/topology/family"
	draw "toposearch/topology/survey"
)

var (
	modelsFlag   = flag.Bool("models", false, "print what methods are modelled to take beside what they take")
	modelsMost   = flag.Float64("models.most", 3, "seconds that a method may be modelled to take to be measured")
	modelsRun    = flag.Float64("models.run", math.Inf(1), "ms that methods may be modelled to take to be run; what takes longer is modelled only")
	modelsFamily = flag.String("models.family", "", "this family only")
)

// cpu is the time that the process has taken on all cores: other processes do not count in it.
func cpu() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// modelDesigns are of each family the designs drawn that are nearest to these numbers of endpoints.
func modelDesigns(f *topology.Family) []topology.Design {
	return nearest(f, rand.New(rand.NewPCG(1, 2)), []float64{100, 1000, 10_000, 100_000})
}

// nearest draws designs of a family, and keeps those that are nearest to numbers of endpoints, and within a factor of two.
func nearest(f *topology.Family, rng *rand.Rand, wanted []float64) (out []topology.Design) {
	best := make([]struct {
		v   []int
		off float64
	}, len(wanted))
	for i := range best {
		best[i].off = math.Log(2)
	}
	v := make([]int, len(f.Params))
	var size topology.Size
	for k := range 20_000 {
		draw.Draw(f, rng, v, k%2 == 1)
		if f.Size(v, &size) != nil {
			continue
		}
		for i, n := range wanted {
			if off := math.Abs(math.Log(float64(size.Endpoints) / n)); off < best[i].off {
				best[i].v, best[i].off = slices.Clone(v), off
			}
		}
	}
	for _, b := range best {
		if b.v != nil {
			out = append(out, topology.Design{Family: f, V: b.v})
		}
	}
	return out
}

var errLong = fmt.Errorf("longer than is measured")

// modelled is what a method was modelled to take over what it took, of one design, the less of two measurements.
type modelled struct{ model, took float64 }

// modelTable holds them by method and design.
type modelTable map[string]map[string]modelled

func (m modelTable) note(method, design string, model, took float64) {
	if m[method] == nil {
		m[method] = map[string]modelled{}
	}
	if old, ok := m[method][design]; ok {
		took = min(took, old.took)
	}
	m[method][design] = modelled{model, took}
}

// leastMeasured is what a method has to take, or to be modelled to take, to be compared, ns: below it clocks and caches are measured.
const leastMeasured = 3e5

// print prints for each method the median of modelled over measured, the range of eight tenths of the designs, and the share within a factor of two.
func (m modelTable) print(w io.Writer) {
	all, within := 0, 0
	fmt.Fprintf(w, "%-80s %5s %8s %8s %8s %7s\n", "method", "n", "10 %", "median", "90 %", "in 2")
	for _, method := range slices.Sorted(maps.Keys(m)) {
		var of []float64
		in := 0
		for _, x := range m[method] {
			if max(x.model, x.took) < leastMeasured {
				continue
			}
			r := max(x.model, 1) / max(x.took, 1)
			if of = append(of, r); r >= 0.5 && r <= 2 {
				in++
			}
		}
		if len(of) == 0 {
			continue
		}
		slices.Sort(of)
		all, within = all+len(of), within+in
		fmt.Fprintf(w, "%-80s %5d %8.2g %8.2g %8.2g %5.0f %%\n", method, len(of), of[len(of)/10], of[len(of)/2], of[len(of)-1-len(of)/10], 100*float64(in)/float64(len(of)))
	}
	fmt.Fprintf(w, "%d of %d, %.0f %%, within a factor of two\n", within, all, 100*float64(within)/float64(max(all, 1)))
}

// The table counts each design once, by the faster of two measurements, and nothing that is too short to be measured.
func TestModelTable(t *testing.T) {
	m := modelTable{}
	m.note("cut", "a", 1e6, 4e6)
	m.note("cut", "a", 1e6, 1.9e6) // within two
	m.note("cut", "b", 1e6, 2.1e6) // not
	m.note("cut", "c", 1e3, 1e5)   // too short
	var out strings.Builder
	if m.print(&out); !strings.HasSuffix(out.String(), "1 of 2, 50 %, within a factor of two\n") {
		t.Error(out.String())
	}
}

// TestModels prints the table that the cost models are fitted by, design by design and then method by method. Run it with -models.
func TestModels(t *testing.T) {
	if !*modelsFlag {
		t.Skip("measures for minutes: -models")
	}
	table := modelTable{}
	defer table.print(os.Stdout)
	for _, f := range family.All() {
		if *modelsFamily != "" && f.Name != *modelsFamily {
			continue
		}
		for _, d := range modelDesigns(f) {
			measureDesign(t, d, table)
		}
	}
}

// measureDesign prints a line for each method of a design.
func measureDesign(t *testing.T, d topology.Design, table modelTable) {
	for _, named := range [][]string{nil, {RoutingDeployed}} {
		opt := Options{BandwidthGbps: 400, Algorithms: named, MaxVCs: 8}
		e := newEvaluator(t, opt)
		r, err := e.Evaluate(context.Background(), d, Request{Level: 0})
		if err != nil {
			return
		}
		for k := range metric.Count {
			if later[k] != "" || metric.Keys[k].Level == 0 {
				continue
			}
			if named != nil && k != metric.WorstThroughput && k != metric.UniformThroughput && k != metric.VCsAdaptive {
				continue
			}
			for range 2 {
				_, _ = e.Evaluate(context.Background(), d, Request{Level: 0, Keys: []metric.Key{k}, Trace: func(s Step, run func() error) error {
					if s.Ns > *modelsMost*1e9 {
						fmt.Fprintf(os.Stdout, "MODEL\t%s\t%d\t%s\t%s\t%d\t%.0f\t-\t-\n", d, r.Size.Endpoints, metric.Keys[s.Metric].Name, s.Method, s.Level, s.Ns)
						return errLong
					}
					if s.Ns > *modelsRun*1e6 {
						fmt.Fprintf(os.Stdout, "MODELLED\t%s\t%s\t%s\t%.0f\n", d, metric.Keys[s.Metric].Name, s.Method, s.Ns)
						return ErrSkipped
					}
					t0, c0 := time.Now(), cpu()
					err := run()
					c1, t1 := cpu(), time.Since(t0)
					if err == nil {
						table.note(metric.Keys[s.Metric].Name+", "+s.Method, d.String(), s.Ns, float64(c1-c0))
					}
					fmt.Fprintf(os.Stdout, "MODEL\t%s\t%d\t%s\t%s\t%d\t%.0f\t%d\t%d\n", d, r.Size.Endpoints, metric.Keys[s.Metric].Name, s.Method, s.Level, s.Ns, c1-c0, t1)
					return err
				}})
			}
		}
	}
}
