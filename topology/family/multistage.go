package family

import "toposearch/topology"

// Unidirectional multistage networks (omega, butterfly, benes, clos, bus): an endpoint's terminal
// sends into the first stage and receives from the last. A terminal is a relay switch inside the
// endpoint, so that sending and receiving are different channels; nothing is ever forwarded by
// one, and it counts nowhere. Terminals are the last switch class.

// Link classes of multistage networks.
const (
	stageInternal = iota
	stageNic
	stageLink
)

var stageLinks = []topology.LinkClass{
	{Name: topology.ClassInternal, Doc: "endpoint to its terminal"},
	{Name: topology.ClassNic, Doc: "terminal to the first stage, last stage to terminal"},
	{Name: "stage", Doc: "from a stage to the next"},
}

// Switch classes of multistage networks whose stages are alike. A single stage is a first one.
const (
	stageFirst = iota
	stageMiddle
	stageLast
	stageTerminal
)

var stageSwitches = []topology.SwitchClass{
	{Name: "first", Doc: "first stage"},
	{Name: "middle", Doc: "stages between"},
	{Name: "last", Doc: "last stage"},
	terminalClass,
}

var terminalClass = topology.SwitchClass{Name: "terminal", Doc: "where an endpoint sends and receives", Embedded: true, Relay: true}

const stageReason = "channels lead from each stage to the next and none leads back but through an endpoint, which ends the route: one VC is acyclic"

// stageRule: into the network, through it, out of it, for terminals of switch class t.
func stageRule(t uint8) topology.Rule {
	return topology.Rule{Name: "forward", States: 3, Steps: []topology.Step{
		{From: 0, Kind: topology.Kind{Link: stageNic, From: t, To: topology.Any}, To: 1},
		{From: 1, Kind: topology.Kind{Link: stageLink, From: topology.Any, To: topology.Any}, To: 1},
		{From: 1, Kind: topology.Kind{Link: stageNic, From: topology.Any, To: t}, To: 2},
	}}
}

// countStages fills the counts of n endpoints below stages of per switches of k inputs and outputs.
func countStages(n, stages, per, k int64, s *topology.Size) {
	s.Endpoints = n
	s.EndpointPorts, s.EndpointLanes = 2, 1
	s.Link[stageInternal], s.Link[stageNic], s.Link[stageLink] = n, 2*n, (stages-1)*n
	first, middle, last := &s.Switch[stageFirst], &s.Switch[stageMiddle], &s.Switch[stageLast]
	first.Count = per
	first.Ports[stageNic], first.Ports[stageLink] = int32(k), int32(k)
	if stages == 1 {
		first.Ports[stageNic], first.Ports[stageLink] = int32(2*k), 0
	} else {
		middle.Count, last.Count = (stages-2)*per, per
		middle.Ports[stageLink] = int32(2 * k)
		last.Ports = first.Ports
	}
	countTerminals(stageTerminal, s)
}

func countTerminals(class int, s *topology.Size) {
	t := &s.Switch[class]
	t.Count = s.Endpoints
	t.Ports[stageInternal], t.Ports[stageNic] = 1, 2
}

// attachTerminals gives every endpoint its own terminal, the first of which is switch `first`.
func attachTerminals(first, n int64, emit func(int, []topology.SwitchID)) {
	var at [1]topology.SwitchID
	for e := range n {
		at[0] = topology.SwitchID(first + e)
		emit(1, at[:])
	}
}

// stagePaths: every route crosses all stages; the weight is that of one source of n.
func stagePaths(n int64, links int, p *topology.Paths) {
	p.Reset()
	var c [topology.MaxClasses]int16
	c[stageInternal], c[stageNic], c[stageLink] = 2, 2, int16(links)
	p.Add(n-1, c)
}

func placeStages([]int) topology.Placement {
	return topology.Placement{Blocks: 1, Homes: []topology.Home{topology.Central, topology.Central, topology.Central, topology.Inside}}
}

// stageFamily is what omega, butterfly and benes share: per switches of `ports` inputs in each of
// their stages; shape gives endpoints, stages, switches of a stage and ports.
func stageFamily(f topology.Family, shape func(v []int) (n, stages, per, k int64)) *topology.Family {
	f.LinkClasses, f.SwitchClasses, f.Unidirectional = stageLinks, stageSwitches, true
	f.Count = func(v []int, s *topology.Size) {
		n, stages, per, k := shape(v)
		countStages(n, stages, per, k, s)
	}
	f.Bounds = func(lo, hi []int, bl, bh *topology.Size) {
		f.Count(lo, bl)
		f.Count(hi, bh)
		// A single stage has all its ports towards endpoints.
		_, _, _, k := shape(lo)
		_, most, _, wide := shape(hi)
		low, high := &bl.Switch[stageFirst].Ports, &bh.Switch[stageFirst].Ports
		low[stageNic], low[stageLink] = int32(k), 0
		high[stageNic] = int32(2 * wide)
		if most > 1 {
			high[stageLink] = int32(wide)
		}
	}
	f.Attach = func(v []int, emit func(int, []topology.SwitchID)) {
		n, stages, per, _ := shape(v)
		attachTerminals(stages*per, n, emit)
	}
	f.Natural = func([]int) topology.Rule { return stageRule(stageTerminal) }
	f.Place = placeStages
	if f.NonBlocking == nil {
		f.NonBlocking = func(v []int) int64 {
			n, _, _, _ := shape(v)
			return n
		}
		f.Middle = func([]int) float64 { return 1 }
	}
	f.VCReason = stageReason
	return &f
}
