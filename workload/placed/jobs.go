package placed

import (
	"context"
	"slices"

	"toposearch/routing"
	"toposearch/workload"
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
// cannot be followed; Slowdowns tells what channels need at least.
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
		flows = collective.Append(flows, collective.Again(list, j.Times), func(rank int) int { return first + rank })
		for len(of) < len(flows) {
			of = append(of, i)
		}
		first, ports = first+j.Ranks, max(ports, j.Algorithm.Ports())
	}
	if !n.playable(flows, mostOfJobs) {
		return nil, false, nil
	}
	x, err := n.score(ctx, flows, func(i int) float64 { return jobs[of[i]].Bytes }, lone)
	if err != nil || x.visits() > mostVisits*mostOfJobs {
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

// Slowest is by how much the one of several jobs, as Together has them, is slowed down at least that is slowed down most; each collective of theirs takes so many seconds alone. The last
// job on a channel is not done before the channel has carried what all have for it. How they share it, and so what each of them takes, is not known: one that
// sends little is seldom in the way of itself. Where packets may make detours, as many do as is best for all jobs together.
func (n *Network) Slowest(ctx context.Context, jobs []Job, alone []float64) (float64, error) {
	var load [][]float64
	var flows []routing.Flow
	first := 0
	own := make([]float64, len(jobs)) // s that each takes alone in all
	for i, j := range jobs {
		on := n.On(n.Endpoint[first : first+j.Ranks])
		first += j.Ranks
		own[i] = alone[i] * float64(j.Times)
		g := workload.Group{Stride: 1, Size: j.Ranks}
		if !n.mayDetour() {
			busy, err := on.Channels(ctx, workload.Communication{Kind: j.Kind, Group: g, Bytes: j.Bytes * float64(j.Times), Count: 1}, j.Algorithm)
			if err != nil {
				return 0, err
			}
			load = append(load, busy)
			continue
		}
		list, err := collective.FlowsOf(j.Algorithm, j.Kind)
		if err != nil {
			return 0, err
		}
		t := on.newPairs(g)
		for _, f := range list {
			t.send(f.From, f.To, float64(f.Count*j.Times)*f.Share*j.Bytes/n.Link.BytesPerS)
		}
		flows = append(flows, t.flows()...)
	}
	if n.mayDetour() {
		split, err := n.Detours.Split(ctx, flows, nil, -1)
		return max(1, 1/(split.Throughput*slices.Max(own))), err
	}
	return slowest(load, own), nil
}

// mayDetour tells whether packets may make detours, and need not.
func (n *Network) mayDetour() bool { return n.Detours != nil && n.Around == nil }

// slowest is that of jobs that keep each channel busy for so many seconds, and take so many alone.
func slowest(load [][]float64, alone []float64) float64 {
	most := 1.0
	for ch := range load[0] {
		all, longest := 0.0, 0.0
		for i, job := range load {
			if job[ch] > 0 {
				all, longest = all+job[ch], max(longest, alone[i])
			}
		}
		if all > 0 {
			most = max(most, all/longest)
		}
	}
	return most
}
