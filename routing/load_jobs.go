package routing

import (
	"context"
	"errors"
	"fmt"

	"toposearch/topology"
)

// ErrNoTraffic says that a network has no pair of endpoints.
var ErrNoTraffic = errors.New("routing: fewer than two endpoints")

// UniformLoads gives the loads of uniform traffic: every endpoint sends 1/(N-1) to every other.
// Its cost is a breadth-first search and a sweep over all channels per destination set.
func UniformLoads(ctx context.Context, n *topology.Network, rule topology.Rule, opt LoadOptions) (*Loads, error) {
	r, err := New(n, rule)
	if err != nil {
		return nil, err
	}
	return r.UniformLoads(ctx, opt)
}

// UniformLoads is the function of that name for a compiled rule.
func (r *Router) UniformLoads(ctx context.Context, opt LoadOptions) (*Loads, error) {
	if r.Net.Endpoints() < 2 {
		return nil, ErrNoTraffic
	}
	if opt.Sample < 0 || opt.Sample > 0 && opt.Orbits != nil {
		return nil, fmt.Errorf("routing: a sample of %d destinations, %d orbits", opt.Sample, len(opt.Orbits))
	}
	if opt.Sample >= len(r.Sets) {
		opt.Sample = 0
	}
	if opt.Orbits != nil {
		return r.loads(ctx, r.orbitJobs(opt.Orbits), opt)
	}
	return r.loads(ctx, r.uniformJobs(opt.Sample), opt)
}

// uniformJobs lists the destinations of uniform traffic: all sets, or a sample that stands for
// all endpoints.
func (r *Router) uniformJobs(sample int) []job {
	jobs := make([]job, len(r.Sets))
	for i := range jobs {
		jobs[i] = job{set: i, weight: 1}
	}
	if sample == 0 {
		return jobs
	}
	var endpoints int64
	for k := range sample {
		set := int(int64(k) * int64(len(r.Sets)) / int64(sample))
		jobs[k].set = set
		endpoints += r.Sets[set].Endpoints
	}
	jobs = jobs[:sample]
	for k := range jobs {
		jobs[k].weight = float64(r.Net.Endpoints()) / float64(endpoints)
	}
	return jobs
}

// orbitJobs lists the sets of representatives.
func (r *Router) orbitJobs(orbits []topology.Orbit) []job {
	var jobs []job
	at := make(map[int]int)
	for _, o := range orbits {
		set := int(r.SetOf[r.Net.GroupOf(topology.EndpointID(o.Rep))])
		i, ok := at[set]
		if !ok {
			i = len(jobs)
			at[set] = i
			jobs = append(jobs, job{set: set})
		}
		// A set stands for its endpoints, the orbit for all of its count.
		jobs[i].weight += float64(o.Count) / float64(r.Sets[set].Endpoints)
	}
	return jobs
}

// FlowLoads gives the loads of given flows, a permutation for instance.
func (r *Router) FlowLoads(ctx context.Context, flows []Flow, opt LoadOptions) (*Loads, error) {
	if opt.Orbits != nil || opt.Sample != 0 {
		return nil, errors.New("routing: flows have neither orbits nor samples")
	}
	jobs, err := r.flowJobs(flows)
	if err != nil {
		return nil, err
	}
	return r.loads(ctx, jobs, opt)
}

// MixedLoads gives the loads of traffic of which a part of what every endpoint sends goes to all others alike, with flows
// beside it. The rate of a flow may be negative, as far as it only takes away from that part.
func (r *Router) MixedLoads(ctx context.Context, part float64, flows []Flow, opt LoadOptions) (*Loads, error) {
	if part == 0 {
		return r.FlowLoads(ctx, flows, opt)
	}
	if r.Net.Endpoints() < 2 {
		return nil, ErrNoTraffic
	}
	if opt.Orbits != nil || opt.Sample != 0 {
		return nil, errors.New("routing: flows have neither orbits nor samples")
	}
	listed, err := r.flowJobs(flows)
	if err != nil {
		return nil, err
	}
	jobs := r.uniformJobs(0)
	for i := range jobs {
		jobs[i].part, jobs[i].flows = part, []Flow{}
	}
	for _, j := range listed {
		jobs[j.set].flows = j.flows
	}
	return r.loads(ctx, jobs, opt)
}

// flowJobs sorts flows by destination.
func (r *Router) flowJobs(flows []Flow) ([]job, error) {
	at := make(map[int]int)
	var jobs []job
	for _, f := range flows {
		if f.Src < 0 || f.Src >= len(r.Sets) || f.Dst < 0 || f.Dst >= len(r.Sets) {
			return nil, fmt.Errorf("routing: flow from set %d to set %d of %d", f.Src, f.Dst, len(r.Sets))
		}
		i, ok := at[f.Dst]
		if !ok {
			i = len(jobs)
			at[f.Dst] = i
			jobs = append(jobs, job{set: f.Dst, weight: 1})
		}
		jobs[i].flows = append(jobs[i].flows, f)
	}
	return jobs, nil
}
