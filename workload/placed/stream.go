package placed

import (
	"toposearch/internal/heap"
	"toposearch/workload/collective"
)

// streaming plays flows message by message, without a network: a message leaves when what it waits for is there and the port
// of its sender is free, and its bytes follow its latency.
type streaming struct {
	flows []collective.Flow
	cost  [][3]float64 // latency, time of the bytes on the way, and at a port
	next  [][]int      // flows that wait for a flow
	// Messages of each flow that have been allowed, and received; ports of ranks.
	may, got []int
	out, in  []float64
	wait     heap.Heap[float64, int] // flows with a message to send, by the time
	under    heap.Heap[float64, int] // flows with a message under way, by its arrival
	last     []float64               // arrival of the last message of each flow
}

func newStream(flows []collective.Flow, cost func(i int) (latency, took, port float64), ranks int) *streaming {
	p := &streaming{flows: flows, cost: make([][3]float64, len(flows)), next: make([][]int, len(flows)), may: make([]int, len(flows)), got: make([]int, len(flows)),
		out: make([]float64, ranks), in: make([]float64, ranks), last: make([]float64, len(flows))}
	for i, f := range flows {
		p.cost[i][0], p.cost[i][1], p.cost[i][2] = cost(i)
		for _, need := range f.After {
			p.next[need.Flow] = append(p.next[need.Flow], i)
		}
	}
	return p
}

// allow lets the messages of a flow go that wait for nothing any more.
func (p *streaming) allow(i int, at float64) {
	f := &p.flows[i]
	for p.may[i] < f.Count {
		for _, need := range f.After {
			if p.got[need.Flow] < min(p.may[i]+need.Lead, p.flows[need.Flow].Count) {
				return
			}
		}
		p.may[i]++
		p.wait.Push(at, uint64(i), i)
	}
}

// run gives the arrival of the last message.
func (p *streaming) run() (end float64) {
	for i := range p.flows {
		p.allow(i, 0)
	}
	for p.wait.Len() > 0 || p.under.Len() > 0 {
		if p.under.Len() > 0 {
			at, _ := p.under.Least()
			if p.wait.Len() == 0 {
				p.arrive()
				continue
			}
			if ready, i := p.wait.Least(); max(ready, p.out[p.flows[i].From]) > at {
				p.arrive()
				continue
			}
		}
		ready, i := p.wait.Pop()
		f, c := &p.flows[i], &p.cost[i]
		start := max(ready, p.out[f.From])
		p.out[f.From] = start + c[2]
		at := max(start+c[0]+c[1], p.in[f.To]+c[2], p.last[i]+c[1])
		p.in[f.To], p.last[i] = at, at
		p.under.Push(at, uint64(i), i)
		end = max(end, at)
	}
	return end
}

func (p *streaming) arrive() {
	at, i := p.under.Pop()
	p.got[i]++
	for _, o := range p.next[i] {
		p.allow(o, at)
	}
}
