package family

import "toposearch/topology"

// hpnParams are the parameters of hpn by name.
type hpnParams []int

func (v hpnParams) k() int        { return v[0] }
func (v hpnParams) g() int        { return v[1] }
func (v hpnParams) segments() int { return v[2] }
func (v hpnParams) up() int       { return v[3] }
func (v hpnParams) groups() int   { return v[4] }
func (v hpnParams) core() int     { return v[5] }

// hpn: two planes that share no switch. Each endpoint has one port in each; a segment has one
// ToR per rail and plane; every ToR of a group has one double-rate link to each of the `up`
// aggregation switches of its plane.
var hpn = &topology.Family{
	Name:  "hpn",
	Title: "HPN: dual-plane, rail-optimised 2-level network of segments, groups joined by a tapered core",
	Source: topology.Source{
		Authors: "K. Qian, Y. Xi, J. Cao, et al.", Title: "Alibaba HPN: A Data Center Network for Large Language Model Training",
		Venue: "SIGCOMM", Year: 2024,
		Departures: "core: each core switch takes t links from every group, one each from t neighbouring aggregation switches, t the " +
			"largest divisor of up with t*groups <= k/2; the spare ports for standby hosts and the front-end network are left out; " +
			"the real HPN 7.0 is k=256, segments=15, up=60, core=8",
	},
	Params: []topology.Param{
		{Name: "k", Doc: "ports of a switch at the rate of an endpoint port; half of a ToR's face endpoints", Min: 4, Max: 1024},
		{Name: "g", Doc: "endpoints of a server: rails", Min: 1, Max: 64, Default: topology.Const(8)},
		{Name: "segments", Doc: "segments of a group, each of k/2 servers", Min: 1, Max: 1024},
		{Name: "up", Doc: "uplinks of a ToR at twice the rate of an endpoint port; aggregation switches of a plane and group", Min: 1, Max: 256,
			Default: func(v []int) int { return max(1, hpnParams(v).k()/4) }, DefaultDoc: "max(1, floor(k/4))"},
		{Name: "groups", Doc: "groups (the pods of HPN) joined by the core", Min: 1, Max: 512, Default: topology.Const(1)},
		{Name: "core", Doc: "core links of an aggregation switch", Min: 0, Max: 512, Default: topology.Const(0)},
	},
	LinkClasses: []topology.LinkClass{
		{Name: topology.ClassNic, Doc: "endpoint port to the ToR of its rail and plane"},
		{Name: "agg", Doc: "ToR to aggregation switch, at twice the rate"},
		{Name: "core", Doc: "aggregation to core switch, at twice the rate"},
	},
	SwitchClasses: hpnClasses,
	Check:         checkHPN,
	Count:         countHPN,
	Wire:          wireHPN,
	Attach:        attachHPN,
	Natural:       func([]int) topology.Rule { return hpnRule },
	Place:         placeHPN,
	VCReason:      "up, then down inside one plane: no channel downwards is ever followed by one upwards, so one VC is acyclic",
	Documentation: topology.Documentation{
		Formulas: []string{
			"tors = groups*segments*g; of a plane",
			"e = divisor(up, (k/2)/groups); links of a core switch to a group",
			"endpoints = tors*k/2",
			"endpoint_ports = 2",
			"switches = 2*(tors + groups*up + core*up/e)",
			"links = 2*(tors*up + groups*up*core)",
			"radix = max(k/2 + up, segments*g + core, if(core=0, 0, e*groups)); links, those between switches at twice the rate",
		},
		Deployments: "Alibaba Cloud: hpn(k=256,segments=15,up=60,core=8), 15,360 GPUs a group.",
		Traps: "Groups have 15 segments in the paper, 8 on some vendors' pages, 16 in ATOP. The planes share no " +
			"switch.",
	},
	SearchSpace: topology.SearchSpace{
		Bounds:  boundHPN,
		Derived: 2,
	},
	Routes: topology.Routes{
		Spread: spreadHPN,
		Paths:  hpnPaths,
		Worst:  hpnWorst,
		Orbits: func(v []int) topology.Symmetry {
			var s topology.Size
			countHPN(v, &s)
			return classOrbits(hpnClasses, &s)
		},
	},
	Layout: topology.Layout{Subtrees: hpnSubtrees},
	Figures: topology.Figures{
		NonBlocking: nonBlockingHPN,
		Middle: func(v []int) float64 {
			d := hpnParams(v)
			m := min(1, 4*float64(d.up())/float64(d.k()))
			if d.groups() > 1 {
				m = min(m, coreShare(v))
			}
			return m
		},
	},
}

var hpnClasses = []topology.SwitchClass{
	{Name: "tor", Doc: "top of rack: one rail of a segment in one plane"},
	{Name: "agg", Doc: "aggregation switch of a plane and group: all rails"},
	{Name: "core", Doc: "joins the groups of a plane"},
}

// Classes of hpn; links of class c lead up to switches of class c.
const (
	hpnTor = iota
	hpnAgg
	hpnCore
)

const hpnPlanes = 2

var hpnRule = topology.Rule{Name: "updown", States: 2, Steps: []topology.Step{
	{From: 0, Kind: topology.Kind{Link: hpnAgg, From: hpnTor, To: hpnAgg}, To: 0},
	{From: 0, Kind: topology.Kind{Link: hpnCore, From: hpnAgg, To: hpnCore}, To: 0},
	{From: 0, Kind: topology.Kind{Link: hpnCore, From: hpnCore, To: hpnAgg}, To: 1},
	{From: 0, Kind: topology.Kind{Link: hpnAgg, From: hpnAgg, To: hpnTor}, To: 1},
	{From: 1, Kind: topology.Kind{Link: hpnAgg, From: hpnAgg, To: hpnTor}, To: 1},
}}

func checkHPN(v []int, s *topology.Size) error {
	k, g, segments, up, groups, core := v[0], v[1], v[2], v[3], v[4], v[5]
	switch {
	case k%2 != 0:
		return s.Fail("k", k, "k even", k+1)
	case up > k/4:
		return s.Fail("up", up, "up <= k/4: the other half of a ToR, at twice the rate", max(1, k/4))
	case segments*g+core > k/2 && core > 0 && segments*g < k/2:
		return s.Fail("core", core, "segments*g + core <= k/2, the ports of an aggregation switch", k/2-segments*g)
	case segments*g+core > k/2:
		return s.Fail("segments", segments, "segments*g + core <= k/2, the ports of an aggregation switch", max(1, (k/2-core)/g))
	case groups > 1 && core == 0:
		return s.Fail("core", core, "core >= 1 to join groups", 1)
	case groups > k/2:
		return s.Fail("groups", groups, "groups <= k/2, the ports of a core switch", k/2)
	}
	return nil
}

// cores is the number of core switches of a plane and how many links each has to a group.
func cores(v []int) (n, t int) {
	d := hpnParams(v)
	up, groups, core := d.up(), d.groups(), d.core()
	t = parallel(int64(up), groups, d.k()/2)
	return core * up / t, t
}

func countHPN(v []int, s *topology.Size) {
	k, g, segments, up, groups, core := int64(v[0]), int64(v[1]), int64(v[2]), int64(v[3]), int64(v[4]), int64(v[5])
	tors := groups * segments * g
	s.Endpoints = tors * (k / 2)
	s.EndpointPorts, s.EndpointLanes = hpnPlanes, hpnPlanes
	s.Lanes[hpnAgg], s.Lanes[hpnCore] = 2, 2
	s.Switch[hpnTor].Count = tors * hpnPlanes
	s.Switch[hpnTor].Ports[topologyNic] = int32(k / 2)
	s.Switch[hpnTor].Ports[hpnAgg] = int32(up)
	s.Switch[hpnAgg].Count = groups * up * hpnPlanes
	s.Switch[hpnAgg].Ports[hpnAgg] = int32(segments * g)
	s.Switch[hpnAgg].Ports[hpnCore] = int32(core)
	n, t := cores(v)
	s.Switch[hpnCore].Count = int64(n) * hpnPlanes
	if n > 0 {
		s.Switch[hpnCore].Ports[hpnCore] = int32(int64(t) * groups)
	}
	s.Link[topologyNic] = s.Endpoints * hpnPlanes
	s.Link[hpnAgg] = tors * hpnPlanes * up
	s.Link[hpnCore] = groups * up * hpnPlanes * core
}

// topologyNic is the index of the endpoint links where endpoints do not relay.
const topologyNic = 0

// boundHPN: all but the core switches is monotone. Parameters of an invalid corner are clipped
// to the largest that any k of the box allows.
func boundHPN(lo, hi []int, bl, bh *topology.Size) {
	low, high := hpnParams(lo), hpnParams(hi)
	if low.k() == high.k() && low.k()%2 != 0 || low.g()*low.segments()+low.core() > high.k()/2 || low.up() > max(1, high.k()/4) || low.groups() > max(1, high.k()/2) || low.groups() > 1 && high.core() == 0 {
		return // no network in the box
	}
	countHPN(lo, bl)
	k := high.k()
	top := [6]int{k, min(high.g(), k/2), min(high.segments(), k/2), max(1, min(high.up(), k/4)), min(high.groups(), k/2), min(high.core(), k/2)}
	top[2] = max(1, min(top[2], k/2/max(1, low.g())))
	countHPN(top[:], bh)
	bh.Endpoints = min(bh.Endpoints, int64(top[4])*int64(k/2)*int64(k/2))
	links := [2]int64{bl.Link[hpnCore], bh.Link[hpnCore]}
	bl.Switch[hpnCore].Count = (links[0] + int64(max(k/2, 1)) - 1) / int64(max(k/2, 1))
	// A core switch has at least one link from every group.
	bh.Switch[hpnCore].Count = hpnPlanes * int64(top[3]) * int64(top[5])
	bl.Switch[hpnCore].Ports[hpnCore] = int32(min(low.groups(), low.core()))
	bh.Switch[hpnCore].Ports[hpnCore] = int32(k / 2)
	if low.k() == high.k() && low.up() == high.up() && low.groups() == high.groups() {
		n, t := cores(lo)
		bl.Switch[hpnCore].Count = hpnPlanes * int64(n)
		n, _ = cores(top[:])
		bh.Switch[hpnCore].Count = hpnPlanes * int64(n)
		bh.Switch[hpnCore].Ports[hpnCore] = int32(t * low.groups())
	}
}

// ToRs stand group by group, segment by segment, rail by rail, the two planes of a rail together;
// aggregation switches group by group, then by plane; core switches by plane.
func wireHPN(v []int, emit func(int, topology.SwitchID, topology.SwitchID)) {
	g, segments, up, groups, core := v[1], v[2], v[3], v[4], v[5]
	tors := groups * segments * g * hpnPlanes
	n, t := cores(v)
	first := tors + groups*up*hpnPlanes
	for group := range groups {
		for plane := range hpnPlanes {
			aggs := tors + (group*hpnPlanes+plane)*up
			for tor := range segments * g {
				for a := range up {
					emit(hpnAgg, topology.SwitchID((group*segments*g+tor)*hpnPlanes+plane), topology.SwitchID(aggs+a))
				}
			}
			for a := range up {
				for j := range core {
					emit(hpnCore, topology.SwitchID(aggs+a), topology.SwitchID(first+plane*n+j*(up/t)+a/t))
				}
			}
		}
	}
}

func attachHPN(v []int, emit func(int, []topology.SwitchID)) {
	k, g, segments, groups := v[0], v[1], v[2], v[4]
	var ports [hpnPlanes]topology.SwitchID
	for segment := range groups * segments {
		for range k / 2 {
			for rail := range g {
				for plane := range hpnPlanes {
					ports[plane] = topology.SwitchID((segment*g+rail)*hpnPlanes + plane)
				}
				emit(1, ports[:])
			}
		}
	}
}

// hpnPaths: the same ToRs, the same group, or over the core. Planes, ToRs, aggregation and core
// switches are alike each, so loads are even, and weights are those of one source.
func hpnPaths(v []int, p *topology.Paths) bool {
	x := hpnParams(v)
	p.Reset()
	d := int64(x.k() / 2)
	group := d * int64(x.g()*x.segments())
	n := group * int64(x.groups())
	var c [topology.MaxClasses]int16
	c[topologyNic] = 2
	p.Add(d-1, c)
	c[hpnAgg] = 2
	p.Add(group-d, c)
	c[hpnCore] = 2
	p.Add(n-group, c)
	return true
}

// hpnWorst: the endpoints of a ToR in each plane, or of a group, send all they have to others, half in each plane, over links that share it
// evenly, as those of the way down do. No routing does better.
func hpnWorst(v []int, w *topology.WorstLoads) bool {
	x := hpnParams(v)
	if x.groups()*x.segments()*x.g() == 1 {
		return false // nothing leaves the one ToR
	}
	tor := float64(x.k()/2) / hpnPlanes
	w.Cut, w.Each = true, true
	w.Exact(topologyNic, 1./hpnPlanes)
	w.Exact(hpnAgg, tor/float64(x.up()))
	if x.groups() > 1 {
		w.Exact(hpnCore, tor*float64(x.g()*x.segments())/float64(x.up()*x.core()))
	}
	return true
}

// hpnSubtrees: the endpoints of a rail of a segment, which share a ToR of each plane, and groups. Every ToR has a link to each aggregation switch of its plane and group,
// and a core switch as many to each group.
func hpnSubtrees(v []int) (out []topology.Subtree) {
	x := hpnParams(v)
	leaf, tors := int64(x.k()/2), int64(x.segments()*x.g())
	if tors*int64(x.groups()) > 1 {
		out = append(out, topology.Subtree{Across: x.g(), Endpoints: leaf, Links: int64(x.up() * hpnPlanes), Class: hpnAgg})
	}
	if x.groups() > 1 {
		out = append(out, topology.Subtree{Endpoints: leaf * tors, Links: int64(x.up() * x.core() * hpnPlanes), Class: hpnCore})
	}
	return out
}

func placeHPN(v []int) topology.Placement {
	d := hpnParams(v)
	if d.groups() == 1 {
		return topology.Placement{Blocks: d.segments(), Homes: []topology.Home{topology.WithEndpoints, topology.Central, topology.Central}}
	}
	return topology.Placement{Blocks: d.groups(), Homes: []topology.Home{topology.WithEndpoints, topology.InBlock, topology.Central}}
}

// coreShare is the rate of a group's core links over that of its endpoints.
func coreShare(v []int) float64 {
	k, g, segments, up, core := float64(v[0]), float64(v[1]), float64(v[2]), float64(v[3]), float64(v[5])
	return 4 * up * core / (segments * g * k)
}

// nonBlockingHPN: the whole, a group, or what shares its two ToRs.
func nonBlockingHPN(v []int) int64 {
	x := hpnParams(v)
	d := int64(x.k() / 2)
	group := d * int64(x.g()*x.segments())
	switch {
	case 2*int64(x.up()) < d:
		return d
	case x.groups() > 1 && coreShare(v) < 1:
		return group
	}
	return group * int64(x.groups())
}

// spreadHPN: a plane, an aggregation switch, and a link to the core; downwards the same channels are as many.
func spreadHPN(v []int, out *[topology.MaxClasses]float64) bool {
	d := hpnParams(v)
	up := float64(hpnPlanes * d.up())
	out[topologyNic], out[hpnAgg] = 1-1./hpnPlanes, 1-1/up
	if d.groups() > 1 {
		out[hpnCore] = 1 - 1/(up*float64(d.core()))
	}
	return true
}
