package simulate

import (
	"context"
	"fmt"
	"math"

	"toposearch/routing"
	"toposearch/simcore/script"
	"toposearch/topology"
	"toposearch/workload"
	"toposearch/workload/jobs"
	"toposearch/workload/placed"
)

// JobsDocument is several jobs that repeat a collective on one network, each alone and all together.
type JobsDocument struct {
	Head
	Collective string  `json:"collective"`
	Bytes      float64 `json:"bytes"`
	Placement  string  `json:"placement"`
	Jobs       []Job   `json:"jobs"`
	// Isolated is the share of jobs whose endpoints are in one of the non-blocking Regions, the largest of Region endpoints; 0 endpoints: the family
	// names none.
	Region   int                     `json:"region_endpoints,omitempty"`
	Regions  [][]topology.EndpointID `json:"-"`
	Isolated float64                 `json:"isolated"`
	// Slowdowns of all jobs, simulated and computed: messages are played over ports and links, which who sends shares packet by packet. Switches hold all that waits,
	// as those of the cut-through model do; in the flit model, whose VCs hold a few packets, what waits for a link is in the way of what does not, and jobs slow down more.
	Mean         float64 `json:"mean_slowdown,omitempty"`
	Max          float64 `json:"max_slowdown,omitempty"`
	AnalyticMean float64 `json:"analytic_mean_slowdown,omitempty"`
	AnalyticMax  float64 `json:"analytic_max_slowdown"`
	// AnalyticLeast: there are too many messages to follow each, or ways that no message names (apr_*), so that the largest slowdown alone is computed, which is that at
	// least by what channels need.
	AnalyticLeast bool `json:"analytic_at_least,omitempty"`
	Played
	WallS float64 `json:"wall_s"`
}

// Job is one of them.
type Job struct {
	Endpoints int                 `json:"endpoints"`
	First     topology.EndpointID `json:"first"` // of its ranks
	Algorithm string              `json:"algorithm"`
	Isolated  bool                `json:"isolated"` // in one region
	// Times are the collectives that it does while the slowest does one or more; the times are of one of them.
	Times            int     `json:"times"`
	AloneUs          float64 `json:"alone_us"`
	TogetherUs       float64 `json:"together_us,omitempty"`
	Slowdown         float64 `json:"slowdown,omitempty"`
	AnalyticUs       float64 `json:"analytic_alone_us"`
	AnalyticSlowdown float64 `json:"analytic_slowdown,omitempty"` // 0: AnalyticLeast
}

// mostTimes bounds how often a short job repeats its collective beside a long one.
const mostTimes = 32

// Jobs plays the collective c in each of the groups alone, as often as takes as long as the slowest does, and then in
// all of them at once; doc has what is known of them.
func (r *Runner) Jobs(ctx context.Context, m *Machine, doc *JobsDocument, c *Collective, router *routing.Router) error {
	wall := r.stopwatch()
	tasks := make([]script.Task, len(c.Groups))
	slowest := 0.0
	for i, g := range c.Groups {
		a, err := c.algorithm(m, len(g))
		if err != nil {
			return fmt.Errorf("job %d of %d endpoints: %w", i+1, len(g), err)
		}
		tasks[i] = script.Task{Kind: c.Kind, Algorithm: a, Bytes: c.Bytes, Ranks: g, Times: 1}
		doc.Jobs = append(doc.Jobs, Job{Endpoints: len(g), First: g[0], Algorithm: a.Name(), Isolated: jobs.Isolated(g, doc.Regions)})
		if doc.Jobs[i].AloneUs, err = r.alone(ctx, m, c, tasks[i]); err != nil {
			return err
		}
		slowest = max(slowest, doc.Jobs[i].AloneUs)
	}
	for i := range tasks {
		j := &doc.Jobs[i]
		j.Times = int(min(max(math.Round(slowest/j.AloneUs), 1), mostTimes))
		if tasks[i].Times = j.Times; j.Times == 1 {
			continue
		}
		var err error
		if j.AloneUs, err = r.alone(ctx, m, c, tasks[i]); err != nil {
			return err
		}
	}
	t, err := script.New(m.Net.Endpoints(), m.ports(), tasks, m.Unit, c.alpha(m))
	if err != nil {
		return err
	}
	lone, err := m.lone(ctx, t)
	if err != nil {
		return err
	}
	if doc.Played, err = m.Play(ctx, t); err != nil {
		return err
	}
	if err := doc.model(ctx, m, c, tasks, router, lone); err != nil {
		return err
	}
	doc.sum(m, t)
	doc.WallS = wall()
	return nil
}

// alone is the time of one of a task's collectives when it has the network for itself, in us.
func (r *Runner) alone(ctx context.Context, m *Machine, c *Collective, task script.Task) (float64, error) {
	t, err := script.New(m.Net.Endpoints(), m.ports(), []script.Task{task}, m.Unit, c.alpha(m))
	if err != nil {
		return 0, err
	}
	p, err := m.Play(ctx, t)
	if err == nil && !p.Completed {
		err = fmt.Errorf("a job of %d endpoints alone is not completed (%s)", len(task.Ranks), p.Stop)
	}
	return float64(p.ticks) * m.Tick * 1e6 / float64(task.Times), err
}

// model computes what jobs take alone, and how they slow each other down.
func (d *JobsDocument) model(ctx context.Context, m *Machine, c *Collective, tasks []script.Task, router *routing.Router, lone placed.Lone) error {
	var all []placed.Job
	var ranks []topology.EndpointID
	for _, x := range tasks {
		all = append(all, placed.Job{Kind: c.Kind, Algorithm: x.Algorithm, Bytes: c.Bytes, Ranks: len(x.Ranks), Times: x.Times})
		ranks = append(ranks, x.Ranks...)
	}
	n := m.network(router, c, ranks)
	done, ok, err := n.Together(ctx, all, lone)
	if err != nil {
		return err
	}
	if !ok {
		d.AnalyticLeast = true
		return d.modelLeast(ctx, n, all, lone)
	}
	for i := range all {
		alone, ok, err := m.network(router, c, tasks[i].Ranks).Together(ctx, all[i:i+1], lone)
		if err != nil {
			return err
		}
		if !ok {
			return fmt.Errorf("job %d alone has more messages than it has among all", i+1)
		}
		d.Jobs[i].AnalyticUs, d.Jobs[i].AnalyticSlowdown = alone[0]*1e6/float64(all[i].Times), done[i]/alone[0]
	}
	return nil
}

// modelLeast is model where messages are not followed: by what channels need at least.
func (d *JobsDocument) modelLeast(ctx context.Context, n *placed.Network, all []placed.Job, lone placed.Lone) error {
	alone := make([]float64, len(all))
	first := 0
	for i, j := range all {
		e, err := n.On(n.Endpoint[first:first+j.Ranks]).ByAlgorithm(ctx, workload.Communication{Kind: j.Kind, Group: workload.Group{Stride: 1, Size: j.Ranks}, Bytes: j.Bytes, Count: 1}, j.Algorithm, lone)
		if err != nil {
			return err
		}
		first += j.Ranks
		alone[i], d.Jobs[i].AnalyticUs = e.Total, e.Total*1e6
	}
	var err error
	d.AnalyticMax, err = n.Slowest(ctx, all, alone)
	return err
}

// sum fills in what was played together, and what all jobs have.
func (d *JobsDocument) sum(m *Machine, t *script.Tasks) {
	n := float64(len(d.Jobs))
	for i := range d.Jobs {
		j := &d.Jobs[i]
		if j.Isolated {
			d.Isolated += 1 / n
		}
		d.AnalyticMean += j.AnalyticSlowdown / n
		d.AnalyticMax = max(d.AnalyticMax, j.AnalyticSlowdown)
		if !d.Completed {
			continue
		}
		j.TogetherUs = float64(t.Done(i)) * m.Tick * 1e6 / float64(j.Times)
		j.Slowdown = j.TogetherUs / j.AloneUs
		d.Mean += j.Slowdown / n
		d.Max = max(d.Max, j.Slowdown)
	}
}
