package main

import (
	"fmt"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"toposearch/evaluator/metric"
	"toposearch/internal/racing"
)

// What a run says of the routing of a design, and of the throughput that it has with it, eval, explain, report and plan
// say too: by default, with routings that the study names, judged by the worst case, with flows that keep their path.
func TestRoutingAgrees(t *testing.T) {
	racing.Figures(t)
	const text = `name = "t"
constraints = ["site.toml"]
[endpoints]
count = { min = 64, max = 72 }
bandwidth = "400 Gb/s"
[space]
families = ["fattree", "hyperx", "dragonfly"]
[space.fattree]
k = 16
l = 2
[space.hyperx]
s1 = [4, 5]
s2 = 1
s3 = 1
s4 = 1
k1 = [1, 2, 4]
k2 = 1
k3 = 1
k4 = 1
t = [14, 16]
[space.dragonfly]
p = 2
a = 4
h = 2
arrangement = "palmtree"
[[objective]]
metric = "cost"
[[objective]]
metric = "%s"
[verify]
finalists = 0
%s
`
	for name, c := range map[string]struct {
		objective, routing string
		want               []string // that some design on the front takes
	}{
		"default":  {"uniform_throughput", "", []string{"natural", "ugal_l"}},
		"named":    {"worst_throughput", "[routing]\nalgorithms = [\"natural\", \"ugal_l\"]", []string{"ugal_l"}},
		"in order": {"uniform_throughput", "[routing]\nin_order = true", []string{"natural+hash"}},
		"tables":   {"uniform_throughput", "[routing]\nalgorithms = [\"dfsssp\"]\nin_order = true", []string{"dfsssp"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Chdir(t.TempDir())
			for file, data := range map[string]string{"study.toml": fmt.Sprintf(text, c.objective, c.routing), "site.toml": "[routing]\nvcs = { max = 4 }\n"} {
				if err := os.WriteFile(file, []byte(data), 0o666); err != nil {
					t.Fatal(err)
				}
			}
			if status, _, errw := command(t, "run", "study.toml", "--out", "run", "--quiet"); status != 0 {
				t.Fatalf("exit %d: %s", status, errw)
			}
			type point struct {
				Design, Routing string
				Unfit           string `json:"routing_unfit"`
				Metrics         map[string]metric.Figure
			}
			var front, rep struct{ Front []point }
			var plan struct {
				Families []struct {
					Family   string
					Routings []string
				}
			}
			decode(t, "toposearch.front/1", &front, "show", "run")
			decode(t, "toposearch.report/1", &rep, "report", "run")
			decode(t, "toposearch.plan/1", &plan, "plan", "study.toml")
			var taken []string
			for i, p := range front.Front {
				taken = append(taken, p.Routing)
				family, _, _ := strings.Cut(p.Design, "(")
				at := slices.IndexFunc(rep.Front, func(q point) bool { return q.Design == p.Design })
				if at < 0 || rep.Front[at].Routing != p.Routing || rep.Front[at].Unfit != p.Unfit {
					t.Errorf("%s by %s: not so in the report: %+v", p.Design, p.Routing, rep.Front)
				}
				for _, f := range plan.Families {
					if f.Family == family && !slices.Contains(f.Routings, p.Routing) {
						t.Errorf("%s by %s: the plan has %v", p.Design, p.Routing, f.Routings)
					}
				}
				if i > 2 {
					continue
				}
				var why struct {
					Routing string
					Unfit   string `json:"routing_unfit"`
				}
				decode(t, "toposearch.explain/1", &why, "explain", "run", p.Design)
				if why.Routing != p.Routing || why.Unfit != p.Unfit {
					t.Errorf("%s by %s (%s): explained with %s (%s)", p.Design, p.Routing, p.Unfit, why.Routing, why.Unfit)
				}
				for _, more := range []string{"--level=1", "--level=2", "--metrics=" + c.objective} {
					var ev struct{ Designs []point }
					decode(t, "toposearch.eval/1", &ev, "eval", p.Design, "--study", "study.toml", "--budget", "10ms", more)
					q := ev.Designs[0]
					if q.Routing != p.Routing || q.Unfit != p.Unfit || more != "--level=1" && math.Abs(q.Metrics[c.objective].Value/p.Metrics[c.objective].Value-1) > 1e-9 {
						t.Errorf("%s by %s, %+v: eval %s has %s, %+v", p.Design, p.Routing, p.Metrics[c.objective], more, q.Routing, q.Metrics[c.objective])
					}
				}
			}
			for _, name := range c.want {
				if !slices.Contains(taken, name) {
					t.Errorf("designs take %v, and none %s", taken, name)
				}
			}
		})
	}
}
