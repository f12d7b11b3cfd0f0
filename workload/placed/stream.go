package placed

import (
	"math"

	"toposearch/internal/heap"
	"toposearch/workload/collective"
)

// streaming plays flows message by message, without a network: a message leaves when what it waits for is there and the port
// of its sender is free, its bytes follow its latency, and the port of its receiver takes in what comes first.
type streaming struct {
	flows []collective.Flow
	cost  [][3]float64 // latency, time of the bytes on the way, and at a port
	next  [][]int      // flows that wait for a flow
	// Messages of each flow that have been allowed, and received; ports of ranks.
	may, got []int
	out, in  []float64
	wait     heap.Heap[float64, int] // flows with a message to send, by the time
	under    heap.Heap[float64, int] // flows with a message under way, by when all of it would be there if the port were free,
	taken    heap.Heap[float64, int] // and by when the port has taken it in
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
	for {
		leaves, comes, is := math.Inf(1), math.Inf(1), math.Inf(1)
		if p.wait.Len() > 0 {
			ready, i := p.wait.Least()
			leaves = max(ready, p.out[p.flows[i].From])
		}
		if p.under.Len() > 0 {
			comes, _ = p.under.Least()
		}
		if p.taken.Len() > 0 {
			is, _ = p.taken.Least()
		}
		switch {
		case math.IsInf(min(leaves, comes, is), 1):
			return end
		case leaves <= min(comes, is):
			_, i := p.wait.Pop()
			c := &p.cost[i]
			p.out[p.flows[i].From] = leaves + c[2]
			p.under.Push(leaves+c[0]+c[1], uint64(i), i)
		case comes <= is:
			_, i := p.under.Pop()
			f, c := &p.flows[i], &p.cost[i]
			at := max(comes, p.in[f.To]+c[2], p.last[i]+c[1])
			p.in[f.To], p.last[i] = at, at
			p.taken.Push(at, uint64(i), i)
			end = max(end, at)
		default:
			p.arrive()
		}
	}
}

func (p *streaming) arrive() {
	at, i := p.taken.Pop()
	p.got[i]++
	for _, o := range p.next[i] {
		p.allow(o, at)
	}
}
