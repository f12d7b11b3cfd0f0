package script

import (
	"errors"
	"fmt"
	"math"

	"toposearch/simcore"
	"toposearch/topology"
	"toposearch/workload/collective"
)

// Task is a collective that a group does, once or several times.
type Task struct {
	Kind      collective.Kind
	Algorithm collective.Algorithm
	Bytes     float64               // S of collective.Kind
	Ranks     []topology.EndpointID // where the ranks are
	Times     int                   // 0 is 1; a rank begins again when it has received all that it is to receive
	Ways      *Ways                 // of a collective.MultiPath, whose share without detours is known
}

// Tasks is a script of tasks that run at the same time.
type Tasks struct {
	*simcore.Flows
	flows []simcore.Flow
	first []int // flow of each task, and behind the last
	once  []int // flows of each task that are done once; the others repeat them
}

// mostFlows bounds the memory of a script: some 120 bytes each, 1 GB.
const mostFlows = 1 << 23

// New makes the script of tasks on a network of endpoints, which send at most as many messages at a time as they have ports. A flit or byte of the model holds unit bytes; what waits for data
// may be sent delay (cycles or ps) after it has arrived.
func New(endpoints, ports int, tasks []Task, unit float64, delay int64) (*Tasks, error) {
	var flows []simcore.Flow
	atOnce := 1
	t := &Tasks{}
	for i := range tasks {
		t.first = append(t.first, len(flows))
		x := &tasks[i]
		if err := x.check(endpoints); err != nil {
			return nil, err
		}
		atOnce = max(atOnce, x.Algorithm.Ports())
		var err error
		if flows, err = x.append(flows, unit); err != nil {
			return nil, err
		}
		t.once = append(t.once, (len(flows)-t.first[i])/max(x.Times, 1))
	}
	t.first = append(t.first, len(flows))
	var err error
	t.flows = flows
	t.Flows, err = simcore.NewFlows(endpoints, flows, min(atOnce, ports), delay)
	return t, err
}

// check names members that are not there or twice, and a size that is none.
func (x *Task) check(endpoints int) error {
	var bad []error
	seen := make(map[topology.EndpointID]bool)
	for _, e := range x.Ranks {
		if e < 0 || int(e) >= endpoints {
			bad = append(bad, fmt.Errorf("group member %d is outside the network, whose endpoints are 0 to %d", e, endpoints-1))
		} else if seen[e] {
			bad = append(bad, fmt.Errorf("endpoint %d is twice in a group", e))
		}
		if seen[e] = true; len(bad) == 10 { // what follows is of the same kind
			break
		}
	}
	if _, ok := x.Algorithm.(collective.MultiPath); ok && (x.Ways == nil || x.Times > 1) {
		bad = append(bad, errors.New("a multi-path all-to-all is played once, on a network whose ways it can name; use direct"))
	}
	if !(x.Bytes >= 1) || math.IsInf(x.Bytes, 0) {
		bad = append(bad, fmt.Errorf("a collective of %g bytes; it needs at least 1", x.Bytes))
	}
	return errors.Join(bad...)
}

// append adds the flows of a task.
func (x *Task) append(flows []simcore.Flow, unit float64) ([]simcore.Flow, error) {
	list, err := collective.FlowsOf(x.Algorithm, x.Kind)
	if err != nil {
		return nil, err
	}
	if n := float64(len(list)) * float64(max(x.Times, 1)); float64(len(flows))+n > mostFlows {
		return nil, fmt.Errorf("%s by %s among %d ranks has %.3g flows of messages, and a simulation at most %d; use fewer ranks, or another algorithm", x.Kind, x.Algorithm.Name(), len(x.Ranks), n, mostFlows)
	}
	if a, ok := x.Algorithm.(collective.MultiPath); ok {
		size := math.Ceil(x.Bytes/float64(a.N)/unit - 1e-9)
		return x.Ways.append(flows, x.Ranks, int32(max(1, min(size, math.MaxInt32))), a.Directly), nil
	}
	base := int32(len(flows))
	for _, f := range collective.Again(list, max(x.Times, 1)) {
		size := math.Ceil(f.Share*x.Bytes/unit - 1e-9) // a share is rounded in binary
		if size > math.MaxInt32 {
			return nil, fmt.Errorf("%s of %g bytes has messages of %g; at most %d", x.Kind, x.Bytes, f.Share*x.Bytes, math.MaxInt32)
		}
		o := simcore.Flow{From: int32(x.Ranks[f.From]), To: int32(x.Ranks[f.To]), Count: int32(f.Count), Size: int32(max(size, 1))}
		for _, n := range f.After {
			o.After = append(o.After, simcore.Need{Flow: base + int32(n.Flow), Lead: int32(n.Lead)})
		}
		flows = append(flows, o)
	}
	return flows, nil
}

// Done is when the last message of a task arrived, in cycles or ps.
func (t *Tasks) Done(task int) (at int64) {
	for i := t.first[task]; i < t.first[task+1]; i++ {
		at = max(at, t.Last(i))
	}
	return at
}

// Pairs are who sends to whom, each pair once, in the order of the flows; if there are more than most, about as many of
// them, evenly chosen.
func (t *Tasks) Pairs(most int) [][2]int32 {
	all := 0
	for _, n := range t.once {
		all += n
	}
	seen := make(map[[2]int32]bool)
	var out [][2]int32
	step, next := max(1, all/most), 0
	for i, n := range t.once {
		for ; next < n; next += step {
			f := &t.flows[t.first[i]+next]
			if p := [2]int32{f.From, f.To}; !seen[p] {
				seen[p] = true
				out = append(out, p)
			}
		}
		next -= n
	}
	return out
}
