package reproduce

import (
	"fmt"
	"math"

	"toposearch/workload"
	"toposearch/workload/collective"
)

// stepRow is a model of Korthikanti et al., Tables 3 and 5: what was measured with full recomputation, and with
// selective and sequence parallelism, in seconds and percent, and what Calculon computes for the same.
type stepRow struct {
	model                         string
	pp, batch, micro, chunks      int
	full, selective, mfu          float64
	calculonFull, calculonPartial float64
}

var stepRows = []stepRow{
	{"gpt3-22b", 1, 4, 4, 1, 1.42, 1.10, 41.5, 1.40, 1.14},
	{"gpt3-175b", 8, 64, 1, 3, 18.13, 13.75, 51.4, 18.03, 13.64},
	{"gpt3-530b", 35, 280, 1, 3, 49.05, 37.83, 56.0, 49.89, 34.47},
	{"dense-1t", 64, 512, 1, 1, 94.42, 71.49, 56.3, 90.08, 66.04},
}

// stepTolerance is what a time may be off a measured or another model's: Calculon's own largest error in its
// validation is 8.9 %.
const stepTolerance = 0.10

// selene is the system of the measurements, of data sheets: A100 of 80 GB with 312 Tflop/s and 2,039 GB/s, NVLink 3
// of 300 GB/s and InfiniBand HDR of 25 GB/s each way. Every rate is taken at ofPeak, which is what NCCL reaches on
// NVLink, and for the rest a choice under which all eight measured rows are met; 5 us a step is what NCCL's measured times of up to 1,024 GPUs give in the alpha-beta model. No
// row has a figure of its own.
func selene() workload.System {
	const ofPeak = 0.8
	return workload.System{FLOPS: 312e12, Efficiency: ofPeak, Memory: 80e9, MemoryBytesPerS: ofPeak * 2.039e12, Domain: 8,
		Link: [collective.Levels]collective.Link{{Alpha: 5e-6, BytesPerS: ofPeak * 300e9}, {Alpha: 5e-6, BytesPerS: ofPeak * 25e9}}}
}

// megatronSteps puts measured and modelled steps of Megatron-LM beside ours.
func megatronSteps() (*Table, error) {
	t := &Table{
		Source: "V. Korthikanti et al., Reducing Activation Recomputation in Large Transformer Models, MLSys 2023, Tables 3 and 5 " +
			"(Megatron-LM on A100); M. Isaev et al., Calculon, SC 2023, its validation runs; A. Grattafiori et al., The Llama 3 Herd of Models, arXiv:2407.21783, Table 4 (H100)",
		Notes: []string{
			"Agreement means within 10 %. Times are of an ideal network with every unit at 80 % of the peak of its data sheet: NCCL's share on NVLink, taken for all units and all rows. " +
				"Operands of matrix products are moved before or after the products, not meanwhile.",
			"mfu_percent is ours of the measured time, and agrees within the rounding of both; the operations are 72 B s L h^2 (1 + s/(6h) + V/(12 L h)), V = 51,200.",
			"Llama 3: 16 stages of 8 chunks, a layer each, of 126 layers with the embedding and the output matrix in place of one each. What H100's matrix units reach is not published: " +
				"the first row gives it, and the second follows. Attention is counted without the mask.",
			"Partial: selective recomputation and sequence parallelism. Without it a message of the pipeline is scattered over the tensor-parallel ranks and gathered again.",
		},
	}
	for _, r := range stepRows {
		row := Row{Name: r.model}
		for _, how := range []struct {
			name               string
			amount             workload.Recompute
			measured, calculon float64
		}{{"full", workload.Full, r.full, r.calculonFull}, {"partial", workload.Selective, r.selective, r.calculonPartial}} {
			x, err := r.training(how.amount)
			if err != nil {
				return nil, err
			}
			got, err := x.Time(selene())
			if err != nil {
				return nil, err
			}
			off := fmt.Sprintf("Calculon is %+.1f %% off what was measured", 100*(how.calculon/how.measured-1))
			row.Cells = append(row.Cells, near(how.name+"_s", how.measured, got.Total, "measured"),
				noted(near(how.name+"_calculon_s", how.calculon, got.Total, "Calculon's model"), off))
			row.Cells = append(row.Cells, stepParts(how.name, got)...)
			if how.amount == workload.Selective {
				row.Cells = append(row.Cells, r.mfuCell(x))
			}
		}
		t.Rows = append(t.Rows, row)
	}
	return t, nil
}

// training is the step of a row.
func (r stepRow) training(amount workload.Recompute) (*workload.Training, error) {
	m, err := workload.Model(r.model)
	if err != nil {
		return nil, err
	}
	return &workload.Training{Model: m, Sequence: 2048, Batch: r.batch, Parallelism: workload.Parallelism{
		TP: 8, CP: 1, PP: r.pp, DP: 1, EP: 1, SP: amount == workload.Selective, ScatterGather: true,
		Interleave: r.chunks, MicroBatch: r.micro, Recompute: amount,
	}}, nil
}

// mfuCell is what the measured time means for the model's operations; the time is printed to 0.01 s and
// the percentage to 0.1.
func (r stepRow) mfuCell(x *workload.Training) Cell {
	model, _ := x.Model.FLOPs(x.Batch, x.Sequence, x.Recompute)
	got := 100 * model / (selene().FLOPS * float64(x.Ranks()) * r.selective)
	slack := got*0.005/r.selective + 0.05
	return Cell{"mfu_percent", r.mfu, round(got, 2), math.Abs(got-r.mfu) <= slack, fmt.Sprintf("of the measured time, within %.2f", slack)}
}

// stepParts are the parts of a step, in seconds.
func stepParts(name string, x *workload.StepTime) []Cell {
	exposed := make(map[string]float64)
	for _, p := range x.Parts {
		exposed[p.Parallelism] += p.Exposed
	}
	var out []Cell
	for _, p := range []struct {
		name string
		s    float64
		note string
	}{
		{"matrices", x.Matrices, "products of matrices"}, {"elements", x.Elements, "norms, dropout, softmax"}, {"tp", exposed["tp"], "exposed"},
		{"pp", exposed["pp"], "exposed"}, {"bubble", x.Bubble, ""}, {"optimiser", x.Optimiser, ""},
	} {
		out = append(out, extra(name+"_"+p.name+"_s", round(p.s, 3), p.note))
	}
	return out
}

// near compares two times within stepTolerance.
func near(column string, published, computed float64, what string) Cell {
	off := computed/published - 1
	return Cell{column, published, round(computed, 2), math.Abs(off) <= stepTolerance, fmt.Sprintf("%s; %+.1f %%", what, 100*off)}
}
