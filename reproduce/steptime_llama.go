package reproduce

import (
	"context"
	"fmt"
	"math"

	"toposearch/workload"
	"toposearch/workload/collective"
)

// stepTimes puts measured and modelled steps beside ours.
func stepTimes(context.Context) (*Table, error) {
	t, err := megatronSteps()
	if err != nil {
		return nil, err
	}
	llama, err := llamaSteps()
	t.Rows = append(t.Rows, llama...)
	return t, err
}

// llamaRow is a row of Table 4 of Grattafiori et al., The Llama 3 Herd of Models, arXiv:2407.21783: GPUs, replicas, and operations a second
// of a GPU, all with tp = 8, pp = 16, sequences of 8,192 and 16M tokens a step.
type llamaRow struct {
	gpus, dp int
	tflops   float64
}

var llamaRows = []llamaRow{{8192, 64, 430}, {16384, 128, 400}}

// rsc is the system: H100 of 80 GB with 989 Tflop/s and 3,350 GB/s, eight to an NVLink 4 of 450 GB/s, 400 Gb/s Ethernet, each way; rates at 0.8
// of the peak as in selene, but for matrix units.
func rsc(efficiency float64) workload.System {
	const ofPeak = 0.8
	return workload.System{FLOPS: 989e12, Efficiency: efficiency, Memory: 80e9, MemoryBytesPerS: ofPeak * 3.35e12, Domain: 8,
		Link: [collective.Levels]collective.Link{{Alpha: 5e-6, BytesPerS: ofPeak * 450e9}, {Alpha: 5e-6, BytesPerS: ofPeak * 50e9}}}
}

// training is the step of a row: 16 stages of 8 chunks, a layer each, the embedding and the output matrix for one each (section 3.3.2); optimiser
// and gradients sharded, nothing computed again.
func (r llamaRow) training() (*workload.Training, error) {
	m, err := workload.Model("llama3-405b")
	if err != nil {
		return nil, err
	}
	return &workload.Training{Model: m, Sequence: 8192, Batch: 2048, Parallelism: workload.Parallelism{TP: 8, CP: 1, PP: 16, DP: r.dp, EP: 1,
		SP: true, ScatterGather: true, Interleave: 8, MicroBatch: 1, ZeRO: 2, FusedAttention: true}}, nil
}

// reached is the operations a second of a GPU in Tflop/s, attention counted without the mask, and the step x.
func reached(x *workload.Training, efficiency float64) (float64, *workload.StepTime, error) {
	s := rsc(efficiency)
	y, err := x.Time(s)
	if err != nil {
		return 0, nil, err
	}
	return y.MFU * s.FLOPS / 1e12, y, nil
}

// llamaSteps puts Meta's published rates beside ours. What matrix units reach is not published: it is the share by which the first row is met,
// and the second follows.
func llamaSteps() (rows []Row, err error) {
	first, err := llamaRows[0].training()
	if err != nil {
		return nil, err
	}
	lo, hi := 0.1, 1.0
	for range 50 {
		mid := (lo + hi) / 2
		got, _, err := reached(first, mid)
		if err != nil {
			return nil, err
		}
		if got < llamaRows[0].tflops {
			lo = mid
		} else {
			hi = mid
		}
	}
	for i, r := range llamaRows {
		x, err := r.training()
		if err != nil {
			return nil, err
		}
		got, y, err := reached(x, hi)
		if err != nil {
			return nil, err
		}
		row := Row{Name: fmt.Sprintf("llama3-405b on %d GPUs", r.gpus)}
		if i == 0 {
			row.Cells = append(row.Cells, extra("tflops", r.tflops, "Meta's, to which the share that matrix units reach is set"), extra("efficiency", round(hi, 3), "so much of their peak"))
		} else {
			off := got/r.tflops - 1
			row.Cells = append(row.Cells, Cell{"tflops", r.tflops, round(got, 1), math.Abs(off) <= stepTolerance, fmt.Sprintf("measured, with the efficiency of the row above; %+.1f %%", 100*off)})
		}
		row.Cells = append(row.Cells, extra("step_s", round(y.Total, 2), ""), extra("memory_GB", round(x.Memory().Total()/1e9, 1), "of a GPU, without buffers of libraries"))
		row.Cells = append(row.Cells, stepParts("step", y)...)
		rows = append(rows, row)
	}
	return rows, nil
}
