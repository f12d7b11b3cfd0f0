package evaluator

import (
	"context"
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"slices"
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

// TestModels prints the table that the cost models are fitted by. Run it with -models.
func TestModels(t *testing.T) {
	if !*modelsFlag {
		t.Skip("measures for minutes: -models")
	}
	for _, f := range family.All() {
		if *modelsFamily != "" && f.Name != *modelsFamily {
			continue
		}
		for _, d := range modelDesigns(f) {
			measureDesign(t, d)
		}
	}
}

// measureDesign prints a line for each method of a design.
func measureDesign(t *testing.T, d topology.Design) {
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
					t0, c0 := time.Now(), cpu()
					err := run()
					c1, t1 := cpu(), time.Since(t0)
					fmt.Fprintf(os.Stdout, "MODEL\t%s\t%d\t%s\t%s\t%d\t%.0f\t%d\t%d\n", d, r.Size.Endpoints, metric.Keys[s.Metric].Name, s.Method, s.Level, s.Ns, c1-c0, t1)
					return err
				}})
			}
		}
	}
}
