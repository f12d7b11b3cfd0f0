package placed

import (
	"context"

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

// Slowdowns are by how much several jobs, as Together has them, slow each other down at least that repeat their collectives all the time, each of which takes so many seconds
// alone. A channel that all of them together would keep busy for more than all of the time slows those that use it by as much; jobs whose bursts meet
// wait for each other although their channels are idle at other times. Where packets may make detours, as many do as is best for all jobs together.
func (n *Network) Slowdowns(ctx context.Context, jobs []Job, alone []float64) ([]float64, error) {
	var busy [][]float64
	var flows []routing.Flow
	first := 0
	for i, j := range jobs {
		own := n.On(n.Endpoint[first : first+j.Ranks])
		first += j.Ranks
		g := workload.Group{Stride: 1, Size: j.Ranks}
		if !n.mayDetour() {
			load, err := own.Channels(ctx, workload.Communication{Kind: j.Kind, Group: g, Bytes: j.Bytes, Count: 1}, j.Algorithm)
			if err != nil {
				return nil, err
			}
			for ch := range load {
				load[ch] /= alone[i]
			}
			busy = append(busy, load)
			continue
		}
		list, err := collective.FlowsOf(j.Algorithm, j.Kind)
		if err != nil {
			return nil, err
		}
		t := own.newPairs(g)
		for _, f := range list {
			t.send(f.From, f.To, float64(f.Count)*f.Share*j.Bytes/n.Link.BytesPerS/alone[i])
		}
		flows = append(flows, t.flows()...)
	}
	out := make([]float64, len(jobs))
	if n.mayDetour() {
		split, err := n.Detours.Split(ctx, flows, nil, -1)
		for i := range out {
			out[i] = max(1, 1/split.Throughput)
		}
		return out, err
	}
	return slowdowns(busy), nil
}

// mayDetour tells whether packets may make detours, and need not.
func (n *Network) mayDetour() bool { return n.Detours != nil && n.Around == nil }

// slowdowns are those of jobs that keep each channel busy for so much of the time.
func slowdowns(busy [][]float64) []float64 {
	all := make([]float64, len(busy[0]))
	for _, job := range busy {
		for ch, x := range job {
			all[ch] += x
		}
	}
	out := make([]float64, len(busy))
	for j, job := range busy {
		out[j] = 1
		for ch, x := range job {
			if x > 0 {
				out[j] = max(out[j], all[ch])
			}
		}
	}
	return out
}
