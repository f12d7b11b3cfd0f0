package reproduce

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"toposearch/routing"
	"toposearch/simcore/route"
	"toposearch/topology"
	"toposearch/workload"
	"toposearch/workload/collective"
	"toposearch/workload/placed"
)

// npu is what the figures of training throughput depend on and the paper does not print: matrix unit, memory, memory rate.
type npu struct {
	name                string
	flops, memory, rate float64
}

// npus: half a Pflop/s is what Huawei has announced of the NPU of its UB SuperPods (Ascend 950: 144 GB, 4 TB/s, 1 Pflop/s in eight bits, 2
// TB/s of interconnect both ways, which is 72 lanes of some 100 Gb/s); twice as much shows what it means for the figures.
var npus = []npu{{"0.5 Pflop/s", 500e12, 144e9, 4e12}, {"1 Pflop/s", 1000e12, 144e9, 4e12}}

const (
	ofPeak    = 0.5       // what large matrix products reach of the peak in published steps on accelerators of today
	laneBytes = 100e9 / 8 // a second, one way
	stepAlpha = 1e-6      // s a step of a collective
	rackNPUs  = 64
	// Of the paper's NPU: all lanes, and those that leave its rack; for the search of what is best on an ideal network.
	npuAllLanes, npuOutLanes = 72, 16
	// Percentage points within which figures of the same models on other NPUs and other divisions are called alike: the spread
	// of the paper's own over models inside a rack, and between racks what a step of either takes more or less.
	insideOff, betweenOff = 3.0, 1.0
)

// rackFM are four racks of two full meshes of NPUs each.
const rackFM = "ubmesh(z=2,w=2,lz=288,lw=288)"

type ubJob struct {
	model           string
	sequence, batch int
}

// ubJobs are what is trained on four racks: the paper's models of known dimensions, and GPT4-2T, whose dimensions are ours.
var ubJobs = []ubJob{{"llama2-70b", 8192, 256}, {"gpt3-175b", 8192, 256}, {"gpt4-2t", 8192, 256}, {"dense-1t", 8192, 256}}

const gptJob = 2 // of Figure 19

// fabricOf is a design with a rank on each NPU, in the order of their numbers, on its natural routes.
func fabricOf(design string, workers int) (*placed.Network, error) {
	_, n, r, err := ubRouter(design)
	if err != nil {
		return nil, err
	}
	on := &placed.Network{Router: r, Link: lanesLink(n.EndpointLanes), Domain: 1, Workers: workers}
	for e := range topology.EndpointID(n.Endpoints()) {
		on.Endpoint = append(on.Endpoint, e)
	}
	return on, nil
}

func lanesLink(lanes int32) collective.Link {
	return collective.Link{Alpha: stepAlpha, BytesPerS: float64(lanes) * laneBytes}
}

// stepOf gives the time of a step of a job: of tensor parallelism over half a board, a board, two or eight of them, the one with
// the shortest time on the network, all else as is best if racks are ideal domains. Replicas share out the optimiser alone: the
// paper's Table 1 has no gathering of weights.
func stepOf(ctx context.Context, on *placed.Network, j *ubJob, with *npu) (float64, error) {
	m, err := workload.Model(j.model)
	if err != nil {
		return 0, err
	}
	s := workload.System{FLOPS: with.flops, Efficiency: ofPeak, Memory: with.memory, MemoryBytesPerS: with.rate, Domain: rackNPUs}
	s.Link[0], s.Link[1] = lanesLink(npuAllLanes), lanesLink(npuOutLanes)
	seconds := math.Inf(1)
	var faults []error
	for _, tp := range []int{4, 8, 16, 64} {
		x, _, err := workload.Best(m, j.sequence, j.batch, len(on.Endpoint), s, workload.Parallelism{TP: tp, ZeRO: 1, FusedAttention: true})
		if err != nil {
			faults = append(faults, err)
			continue
		}
		t, err := x.TimeOn(s, on.Fabric(ctx))
		if err != nil {
			return 0, err
		}
		seconds = min(seconds, t.Total)
	}
	if math.IsInf(seconds, 1) {
		return 0, errors.Join(faults...)
	}
	return seconds, nil
}

// stepTimesOf are the times of all jobs with all NPUs: [job][npu].
func stepTimesOf(ctx context.Context, design string, workers int) ([][]float64, error) {
	on, err := fabricOf(design, workers)
	if err != nil {
		return nil, err
	}
	out := make([][]float64, len(ubJobs))
	for i := range ubJobs {
		for k := range npus {
			s, err := stepOf(ctx, on, &ubJobs[i], &npus[k])
			if err != nil {
				return nil, fmt.Errorf("%s, %s: %w", design, ubJobs[i].model, err)
			}
			out[i] = append(out[i], s)
		}
	}
	return out, nil
}

// detouredStep is a step of a job of which as much makes detours as is best, over all paths that apr_detour has, which bounds what any such routing makes of it. How much is
// best is only known between bounds (routing.WalkBounds): the step takes slow at most, by a split that was found, and fast at least.
func detouredStep(ctx context.Context, design string, j *ubJob, workers int) (slow, fast float64, err error) {
	type bounded struct {
		flows []routing.Flow
		of    routing.WalkBounds
	}
	var known []bounded // of patterns: both steps ask for the same, and each takes seconds
	step := func(throughput func(*routing.WalkBounds) float64) (float64, error) {
		on, err := fabricOf(design, workers)
		if err != nil {
			return 0, err
		}
		all, err := route.AllPathFor(ctx, "apr_detour", on.Router.Net, on.Router.Rule)
		if err != nil {
			return 0, err
		}
		on.Detours = &placed.Detours{Split: func(ctx context.Context, flows []routing.Flow, _ *routing.Loads, _ float64) (routing.Split, error) {
			i := slices.IndexFunc(known, func(b bounded) bool { return slices.Equal(b.flows, flows) })
			if i < 0 {
				x, err := all.BestSplit(ctx, flows, 0)
				if err != nil {
					return routing.Split{}, err
				}
				i, known = len(known), append(known, bounded{slices.Clone(flows), x})
			}
			return routing.Split{Throughput: throughput(&known[i].of)}, nil
		}}
		return stepOf(ctx, on, j, &npus[0])
	}
	if slow, err = step(func(b *routing.WalkBounds) float64 { return b.Low }); err != nil {
		return 0, 0, err
	}
	fast, err = step(func(b *routing.WalkBounds) float64 { return b.High })
	return slow, fast, err
}

// ubTraining are Figures 17, 19 and 20: the throughput of training steps on four racks.
func ubTraining(ctx context.Context, workers int) ([]Row, error) {
	steps := map[string][][]float64{}
	for _, x := range [][2]string{
		{"2dfm", rackFM}, {"1dfma", "ubmesh(z=2,w=2,lz=288,lw=288,rack=1dfma)"},
		{"1dfmb", "ubmesh(z=2,w=2,lz=288,lw=288,rack=1dfmb)"}, {"clos", "ubmesh(z=2,w=2,lz=288,lw=288,rack=clos)"},
		{"mesh", "ubmesh(z=4,w=1,lz=256)"}, {"over_hrs", "ubmesh(z=1,w=1,pods=4)"}, {"x8", "ubmesh(z=4,w=1,lz=128)"},
		{"x16", "ubmesh(z=4,w=1,lz=256,rack=1dfmb)"}, {"x32", "ubmesh(z=4,w=1,lz=512,rack=1dfmb)"},
	} {
		var err error
		if steps[x[0]], err = stepTimesOf(ctx, x[1], workers); err != nil {
			return nil, err
		}
	}
	slow, fast, err := detouredStep(ctx, rackFM, &ubJobs[gptJob], workers)
	if err != nil {
		return nil, err
	}
	rows := []Row{insideRack(steps, slow, fast)}
	// gain is by how many per cent `to` trains faster than `from`: of GPT4-2T, as the paper, then of all jobs and NPUs, least and most.
	gain := func(column string, published float64, from, to, note string) Cell {
		low, high := math.Inf(1), math.Inf(-1)
		for i := range ubJobs {
			for k := range npus {
				x := 100 * (steps[from][i][k]/steps[to][i][k] - 1)
				low, high = min(low, x), max(high, x)
			}
		}
		x := 100 * (steps[from][gptJob][0]/steps[to][gptJob][0] - 1)
		return explained(Cell{column, published, round(x, 2), math.Abs(x-published) <= betweenOff,
			fmt.Sprintf("within %.0f point; of all models and NPUs %.2f to %.2f; %s", betweenOff, low, high, note)}, "in ours hardly anything that waits crosses racks: ")
	}
	return append(rows,
		Row{"Figure 19: between racks, against Clos", []Cell{
			gain("shortest_percent", -0.73, "over_hrs", "mesh", "natural routes; 768 of a rack's 1,024 lanes to three others, against all of them to HRSs"),
			{"detour_borrow_percent", -0.46, nil, true, "collectives are timed over shortest routes; the rows of policies have what detours and borrowed uplinks carry"}}},
		Row{"Figure 20: lanes between racks", []Cell{
			gain("x8_to_x16_percent", 0.44, "x8", "mesh", "half the lanes to other racks, those inside unchanged"),
			gain("x16_to_x32_percent", 1.85, "x16", "x32", "racks of kind 1dfmb, which have 32 lanes of an NPU outwards")}}), nil
}

// explained says why a figure that is off is.
func explained(c Cell, why string) Cell {
	if !c.Agrees {
		c.Note = "known: " + why + c.Note
	}
	return c
}

// insideRack is Figure 17: what each rack trains of what one with a Clos network of all 72 lanes does; with the best detours a step of GPT4-2T in a rack of full meshes takes between fast and slow.
func insideRack(steps map[string][][]float64, slow, fast float64) Row {
	row := Row{Name: "Figure 17: inside the rack, of a Clos rack"}
	of := func(kind string, job, with int) float64 {
		return 100 * steps["clos"][job][with] / steps[kind][job][with]
	}
	ends := func(kind string) (low, high float64) {
		low = math.Inf(1)
		for i := range ubJobs {
			low, high = min(low, of(kind, i, 0)), max(high, of(kind, i, 0))
		}
		return low, high
	}
	cell := func(column string, published, got float64, note string) Cell {
		return explained(Cell{column, published, round(got, 1), math.Abs(got-published) <= insideOff, note}, "shortest routes leave lanes idle that the paper's detours use: ")
	}
	low, high := ends("2dfm")
	const published = 93.2
	clos := 100 * steps["clos"][gptJob][0]
	best, most := clos/slow, clos/fast
	between := fmt.Sprintf("%s with the best detours: %.1f to %.1f", ubJobs[gptJob].model, best, most)
	if low <= published && published <= best {
		between += ", so that what is published lies between"
	}
	row.Cells = append(row.Cells, cell("2dfm_low_percent", published, low, fmt.Sprintf("of all models; within %.0f points; %s", insideOff, between)),
		extra("2dfm_detours_"+ubJobs[gptJob].model, round(best, 1), fmt.Sprintf("by the best split of each pattern over the paths of apr_detour that was found; "+
			"none, so no routing by queues either, makes more than %.1f of them", most)), cell("2dfm_high_percent", 95.9, high, ""))
	_, a := ends("1dfma")
	_, b := ends("1dfmb")
	row.Cells = append(row.Cells, cell("1dfma_percent", 98.1, a, "the model that loses least"), cell("1dfmb_percent", 99.2, b, "the same"))
	for _, kind := range []string{"2dfm", "1dfma", "1dfmb"} {
		for i, j := range ubJobs {
			row.Cells = append(row.Cells, extra(kind+"_"+j.model, round(of(kind, i, 0), 1), fmt.Sprintf("%.1f with NPUs of %s", of(kind, i, 1), npus[1].name)))
		}
	}
	return row
}
