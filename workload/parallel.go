package workload

import (
	"errors"
	"fmt"
)

// Recompute is what of the activations is computed again in the backward pass instead of kept.
type Recompute uint8

// The amounts: nothing; the core of attention (scores, softmax, dropout, scores times values), which is
// large and cheap; whole layers, of which only the input is kept.
const (
	NoRecompute Recompute = iota
	Selective
	Full
)

var recomputes = [...]string{"none", "selective", "full"}

func (r Recompute) String() string { return recomputes[r] }

// Parallelism is how a model and its batch are divided over TP x CP x PP x DP ranks.
type Parallelism struct {
	TP int // ranks that share each matrix
	CP int // ranks that share each sequence, passing keys and values round a ring
	PP int // stages of the pipeline
	DP int // replicas
	// EP ranks, of the CP x DP that would hold the same layers, share the experts. The matrices of an expert
	// are shared by TP ranks as well.
	EP int
	// SP: norms and residuals are divided along the sequence over the TP ranks (Megatron's sequence
	// parallelism), which turns each all-reduce into a reduce-scatter and an all-gather.
	SP bool
	// ScatterGather: without SP, where all TP ranks hold the same, each sends a TP-th of it to the next stage,
	// which gathers (Narayanan et al., SC 2021, section 4.1).
	ScatterGather bool
	Interleave    int // chunks of layers on a stage, not next to each other; 1: none
	MicroBatch    int // sequences of a microbatch
	ZeRO          int // stage 0 to 3: what replicas share out: nothing, optimiser, gradients too, weights too
	Recompute     Recompute
	// FusedAttention keeps no score in memory, and computes scores again in the backward pass
	// (Dao et al., FlashAttention, NeurIPS 2022).
	FusedAttention bool
}

// mostRanks keeps products of degrees whole numbers; there are no networks of as many endpoints.
const mostRanks = 1 << 53

// Ranks is the product.
func (p Parallelism) Ranks() int { return p.TP * p.CP * p.PP * p.DP }

func (p Parallelism) String() string {
	s := fmt.Sprintf("tp=%d cp=%d pp=%d dp=%d ep=%d sp=%v interleave=%d micro=%d zero=%d recompute=%s",
		p.TP, p.CP, p.PP, p.DP, p.EP, p.SP, p.Interleave, p.MicroBatch, p.ZeRO, p.Recompute)
	if p.FusedAttention {
		s += " fused"
	}
	return s
}

// Training is a step: a model, the tokens of each of batch sequences, and how all is divided.
type Training struct {
	Model    *Transformer
	Sequence int // tokens
	Batch    int // sequences of all replicas
	Parallelism
	// GradientBytes of a parameter, as kept and as summed over replicas: 2, or 4 to sum in single
	// precision; 0 means 2.
	GradientBytes float64
}

// Microbatches of a replica in a step.
func (t *Training) Microbatches() int { return t.Batch / (t.DP * t.MicroBatch) }

// chunks is the number of chunks into which layers are divided.
func (t *Training) chunks() int { return t.PP * t.Interleave }

// endsAsLayers tells whether the embedding and the output matrix take the place of a layer each, in the first chunk and in the last: where the
// layers alone do not divide and with these two do, as in the training of Llama 3 (Grattafiori et al., arXiv:2407.21783, section 3.3.2: 126
// layers in 16 x 8 chunks) and in Megatron-LM (--account-for-embedding-in-pipeline-split, --account-for-loss-in-pipeline-split).
func (t *Training) endsAsLayers() bool {
	return t.PP > 2 && t.Model.Layers%t.chunks() != 0 && (t.Model.Layers+2)%t.chunks() == 0
}

// stageLayers are the most layers of a stage: where they do not divide, not even with the two ends, chunks are filled up.
func (t *Training) stageLayers() (all, moe int) {
	layers := t.Model.Layers
	if t.endsAsLayers() {
		layers += 2
	}
	all = (layers + t.chunks() - 1) / t.chunks() * t.Interleave
	return all, min(all, t.Model.moeLayers())
}

// layersOn are those of one stage. Layers without experts come first.
func (t *Training) layersOn(stage int) (all, moe int) {
	all, _ = t.stageLayers()
	if t.endsAsLayers() && (stage == 0 || stage == t.PP-1) {
		all--
	}
	if t.Model.Experts == nil {
		return all, 0
	}
	moe = all
	for i := range t.Model.Experts.DenseLayers {
		if t.chunkOf(i)%t.PP == stage {
			moe--
		}
	}
	return all, max(moe, 0)
}

// chunkOf is the chunk of a layer; they are dealt to stages in turns.
func (t *Training) chunkOf(layer int) int {
	all, _ := t.stageLayers()
	if t.endsAsLayers() { // the embedding comes first
		layer++
	}
	return layer / (all / t.Interleave)
}

// heads is how many stages from the first on may hold more than all behind them but the last: with the embedding, beside it where that takes the place of a
// layer, with layers without experts, and the first without such.
func (t *Training) heads() int {
	n := 1
	if t.endsAsLayers() {
		n = 2
	}
	if e := t.Model.Experts; e != nil && e.DenseLayers > 0 {
		n = max(n, t.chunkOf(e.DenseLayers-1)+2)
	}
	return min(n, t.PP)
}

// Check says all that does not fit: which product of which numbers, and by how much. accelerators is how
// many there are; 0: as many as ranks.
func (t *Training) Check(accelerators int) error {
	var bad []error
	fail := func(wrong bool, format string, args ...int) { // numbers alone, which cost nothing where nothing is wrong
		if wrong {
			var of []any
			for _, x := range args {
				of = append(of, x)
			}
			bad = append(bad, fmt.Errorf(format, of...))
		}
	}
	p, m := t.Parallelism, t.Model
	for _, v := range []struct {
		name string
		n    int
	}{{"tp", p.TP}, {"cp", p.CP}, {"pp", p.PP}, {"dp", p.DP}, {"ep", p.EP}, {"interleave", p.Interleave}, {"micro", p.MicroBatch},
		{"batch", t.Batch}, {"sequence", t.Sequence}} {
		if v.n < 1 {
			bad = append(bad, fmt.Errorf("%s = %d; at least 1", v.name, v.n))
		}
	}
	fail(p.ZeRO < 0 || p.ZeRO > 3, "zero = %d; a stage from 0 to 3", p.ZeRO)
	if g := t.GradientBytes; g != 0 && g != 2 && g != 4 {
		bad = append(bad, fmt.Errorf("%g bytes of a gradient; 2 or 4", g))
	}
	if bad == nil && float64(p.TP)*float64(p.CP)*float64(p.PP)*float64(p.DP) > mostRanks {
		fail(true, "tp x cp x pp x dp = %d x %d x %d x %d are more than %d ranks; lower one of them", p.TP, p.CP, p.PP, p.DP, mostRanks)
	}
	if bad != nil {
		return errors.Join(bad...) // what follows divides by these
	}
	if n := p.Ranks(); accelerators > 0 {
		fail(n > accelerators, "tp x cp x pp x dp = %d x %d x %d x %d = %d ranks, %d more than the %d accelerators; lower one of them", p.TP, p.CP, p.PP, p.DP, n, n-accelerators, accelerators)
		fail(n < accelerators, "tp x cp x pp x dp = %d x %d x %d x %d = %d ranks leave %d of the %d accelerators idle; raise one of them, or give fewer accelerators", p.TP, p.CP, p.PP, p.DP, n, accelerators-n, accelerators)
	}
	if left := m.Heads % p.TP; left != 0 {
		bad = append(bad, fmt.Errorf("tp = %d does not divide the %d heads of %s: %d are left over", p.TP, m.Heads, m.Name, left))
	}
	fail(t.Sequence%p.CP != 0, "cp = %d does not divide the sequence of %d: %d tokens are left over", p.CP, t.Sequence, t.Sequence%p.CP)
	if p.SP {
		fail(p.TP == 1, "sp needs tp of at least 2: it shares the sequence over the ranks of tp; for long sequences without tp use cp")
		fail(t.Sequence%(p.CP*p.TP) != 0, "cp x tp = %d x %d = %d does not divide the sequence of %d, as sp needs: %d tokens are left over",
			p.CP, p.TP, p.CP*p.TP, t.Sequence, t.Sequence%(p.CP*p.TP))
	}
	if over := t.chunks() - m.Layers; over > 0 && !t.endsAsLayers() {
		bad = append(bad, fmt.Errorf("pp x interleave = %d x %d = %d chunks, %d more than the %d layers of %s", p.PP, p.Interleave, t.chunks(), over, m.Layers, m.Name))
	}
	each := p.DP * p.MicroBatch
	fail(t.Batch%each != 0, "dp x micro = %d x %d = %d does not divide the batch of %d: %d sequences are left over; write dp and micro whose product divides it, or a batch of %d",
		p.DP, p.MicroBatch, each, t.Batch, t.Batch%each, (t.Batch+each-1)/each*each)
	if p.Interleave > 1 {
		fail(p.PP == 1, "interleave = %d needs pp of at least 2", p.Interleave)
		fail(t.Microbatches()%p.PP != 0, "interleave needs microbatches in multiples of pp: batch/(dp x micro) = %d is %d more than a multiple of %d",
			t.Microbatches(), t.Microbatches()%p.PP, p.PP)
	}
	bad = append(bad, t.checkExperts()...)
	return errors.Join(bad...)
}

func (t *Training) checkExperts() (bad []error) {
	p, m := t.Parallelism, t.Model
	if m.Experts == nil {
		if p.EP > 1 {
			bad = append(bad, fmt.Errorf("ep = %d, but %s has no experts; ep = 1", p.EP, m.Name))
		}
		return bad
	}
	if n := m.Experts.Routed; n%p.EP != 0 {
		bad = append(bad, fmt.Errorf("ep = %d does not divide the %d experts of %s: %d are left over", p.EP, n, m.Name, n%p.EP))
	}
	if n := p.CP * p.DP; n%p.EP != 0 {
		bad = append(bad, fmt.Errorf("ep = %d does not divide cp x dp = %d x %d = %d, whose ranks share the experts: %d are left over", p.EP, p.CP, p.DP, n, n%p.EP))
	}
	if p.TP > 1 && !p.SP {
		bad = append(bad, fmt.Errorf("tp = %d without sp sends every token of a layer with experts %d times; set sp", p.TP, p.TP))
	}
	return bad
}
