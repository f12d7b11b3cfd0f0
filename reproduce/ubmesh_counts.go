package reproduce

import (
	"context"
	"fmt"

	"toposearch/routing"
	"toposearch/topology"
)

// superPod is UB-Mesh's: 8 pods of 4 x 4 racks of 64 NPUs.
const superPod = "ubmesh(z=4,w=4,pods=8)"

// ubRouter builds a design and compiles its natural rule.
func ubRouter(design string) (topology.Design, *topology.Network, *routing.Router, error) {
	d, _, err := sized(design)
	if err != nil {
		return d, nil, nil, err
	}
	n, err := d.Build()
	if err != nil {
		return d, nil, nil, err
	}
	r, err := routing.New(n, d.Family.Natural(d.V))
	return d, n, r, err
}

// lanesOf is the number of lanes of the links of a class, each link once.
func lanesOf(s *topology.Size, class string) float64 {
	for i, c := range s.Family.LinkClasses {
		if c.Name == class {
			return float64(s.Link[i]) * float64(s.Lanes[i])
		}
	}
	return 0
}

// ratioed is a figure with its ratio to the published one.
func ratioed(column string, published, computed float64, digits int, note string) Cell {
	if note != "" {
		note = "; " + note
	}
	return number(column, published, computed, digits, fmt.Sprintf("ratio %.4f%s", computed/published, note))
}

// dcnLanes are the lanes of an NPU to the data-centre network, which the family leaves out: the 64 of a rack that
// the paper's totals leave.
const dcnLanes = 1

// ubCables is Table 2: cables by kind, in lanes.
func ubCables(s *topology.Size) Row {
	n := float64(s.Endpoints)
	inside, between, up := float64(s.EndpointLanes), (lanesOf(s, "z")+lanesOf(s, "w"))/n, lanesOf(s, "hrs")/n
	all := inside + between + up + dcnLanes
	note := fmt.Sprintf("of an NPU %g lanes in the rack, %g between racks, %g to HRSs, %d to the data-centre network, which the family leaves out", inside, between, up, dcnLanes)
	return Row{"Table 2: cables", []Cell{
		ratioed("passive_percent", 86.7, 100*inside/all, 1, note),
		ratioed("active_percent", 7.2, 100*between/all, 1, ""),
		ratioed("optical_pod_percent", 4.8, 100*up/all, 1, ""),
		ratioed("optical_dcn_percent", 1.2, 100*dcnLanes/all, 1, ""),
	}}
}

// hubLanes are those of a low-radix switch.
const hubLanes = 72

// Of the Clos network with which the paper compares: each NPU has 64 lanes to high-radix switches of 512.
const (
	closLanes = 64
	hrsLanes  = 512
)

// ubSavings is what a SuperPod saves of high-radix switches and optical modules against that Clos network.
func ubSavings(s *topology.Size) Row {
	var hrs int64
	for i, c := range s.Family.SwitchClasses {
		if c.Name == "hrs" {
			hrs = s.Switch[i].Count
		}
	}
	lanes := s.Endpoints * closLanes
	leaves, spines := lanes/(hrsLanes/2), lanes/hrsLanes // half of a leaf's lanes lead down
	up := lanesOf(s, "hrs")
	return Row{"Saved against a Clos network of HRSs", []Cell{
		ratioed("hrs_percent", 98, percentBelow(float64(hrs), float64(leaves+spines)), 0,
			fmt.Sprintf("%d instead of %d in two tiers (%d and %d), %.2f %%", hrs, leaves+spines, leaves, spines, percentBelow(float64(hrs), float64(leaves+spines)))),
		atLeast("modules_percent", 93, percentBelow(up, float64(lanes)), fmt.Sprintf("ratio %.4f; %.0f lanes over optics instead of %d out of the racks, %.2f %%; links between "+
			"the tiers not counted", percentBelow(up, float64(lanes))/93, up, lanes, percentBelow(up, float64(lanes)))),
	}}
}

// ubInside is what each rack accepts of uniform traffic inside it.
func ubInside(ctx context.Context, workers int) ([]Row, error) {
	row := Row{"Uniform traffic inside the rack", nil}
	clos := 0.0
	for _, kind := range []string{"clos", "2dfm", "1dfma", "1dfmb"} {
		design := "ubmesh(z=1,w=1,rack=" + kind + ")"
		_, n, r, err := ubRouter(design)
		if err != nil {
			return nil, err
		}
		l, err := r.UniformLoads(ctx, routing.LoadOptions{Workers: workers})
		if err != nil {
			return nil, err
		}
		// A load is of what one NPU sends, over links of so many lanes, and it has no more lanes than its links.
		lanes := float64(n.EndpointLanes)
		for _, k := range l.Kinds {
			if k.Max > 0 {
				lanes = min(lanes, float64(n.Lanes[k.Kind.Link])/k.Max)
			}
		}
		if kind == "clos" {
			clos = lanes
		}
		row.Cells = append(row.Cells, extra("uniform_lanes_"+kind, round(lanes, 2), fmt.Sprintf("lanes of an NPU with which it can send uniform traffic in its rack, natural routing; %.3f of Clos", lanes/clos)))
	}
	return []Row{row}, nil
}
