package placed

import (
	"context"

	"toposearch/workload/collective"
)

// Job is a collective that ranks of a network do so many times in a row, a rank again as soon as it has received all that it is to receive.
type Job struct {
	Kind         collective.Kind
	Algorithm    collective.Algorithm
	Bytes        float64 // S of Kind
	Ranks, Times int
}

// mostOfJobs is by how many times more messages are followed of jobs than of a collective: half a minute, where their simulation takes minutes.
const mostOfJobs = 4

// Together is when each of several jobs is done that begin at the same time, in seconds: the first ranks of the network are those of the first job, and so on. Their messages
// are played as ByAlgorithm plays those of a collective, so that bursts of one wait for those of another. false: there are too many, or ways that
// cannot be followed; Channels and Slowdowns tell what links need at least.
func (n *Network) Together(ctx context.Context, jobs []Job, lone Lone) (done []float64, ok bool, err error) {
	if n.Detours != nil && !n.Detours.Named {
		return nil, false, nil
	}
	var flows []collective.Flow
	var of []int // the job of each flow
	first, ports, all := 0, 1, 0
	for i, j := range jobs {
		list, err := collective.FlowsOf(j.Algorithm, j.Kind)
		if err != nil {
			return nil, false, err
		}
		if all += messages(list) * j.Times; all > mostPlayed*mostOfJobs {
			return nil, false, nil
		}
		begin := len(flows)
		for _, f := range collective.Again(list, j.Times) {
			f.From, f.To = first+f.From, first+f.To
			for k := range f.After {
				f.After[k].Flow += begin
			}
			flows, of = append(flows, f), append(of, i)
		}
		first, ports = first+j.Ranks, max(ports, j.Algorithm.Ports())
	}
	if !n.playable(flows, mostOfJobs) {
		return nil, false, nil
	}
	x, err := n.score(ctx, flows, func(i int) float64 { return jobs[of[i]].Bytes }, lone)
	if err != nil || x.turns()*mostOfJobs < 1 {
		return nil, false, err
	}
	p, _, err := x.run(ctx, ports)
	if err != nil {
		return nil, false, err
	}
	done = make([]float64, len(jobs))
	for i, at := range p.last {
		done[of[i]] = max(done[of[i]], at)
	}
	return done, true, nil
}
