package workload

// passTimes are the seconds that a microbatch takes on the busiest stage, without communication.
type passTimes struct {
	matrices, elements float64 // of both passes, with what is recomputed
	forward, backward  float64 // of both kinds of operations
	core, weights      float64 // in matrices: the core of attention; gradients of weights
	others             float64 // all other stages together, in times of the busiest
}

// passes computes them. The busiest stage is one with the most layers, of those with experts as many as can
// be, or the last if its layers and the logits are more.
func (t *Training) passes(s System) passTimes {
	all, moe := t.stageLayers()
	tokens := t.tokens() / float64(t.TP)
	flop := 2 * tokens / (s.FLOPS * s.Efficiency) // seconds per multiply-add of a token
	sum := func(f func(experts bool) float64, all, moe int) float64 {
		x := 0.0
		if moe > 0 {
			x += float64(moe) * f(true)
		}
		if all > moe {
			x += float64(all-moe) * f(false)
		}
		return x
	}
	perByte := 0.0
	if s.MemoryBytesPerS > 0 {
		perByte = 1 / s.MemoryBytesPerS
	}
	linear := flop*sum(t.Model.matmuls, all, moe) + perByte*sum(t.operandBytes, all, moe)
	core := flop * t.Model.scores(t.Sequence) * float64(all)
	if t.FusedAttention {
		core /= 2 // its kernels skip the blocks that the causal mask hides
	} else {
		// The scores are written and read, 2 bytes each, as often for each of the backward products.
		core += perByte * 4 * t.tokens() * float64(t.Model.Heads*t.Sequence) / float64(t.TP) * float64(all)
	}
	fore := perByte * sum(func(e bool) float64 { f, _ := t.elementBytes(e); return f }, all, moe)
	back := perByte * sum(func(e bool) float64 { _, b := t.elementBytes(e); return b }, all, moe)
	p := passTimes{core: 3 * core, weights: linear}
	again, againElements := 0.0, 0.0
	switch {
	case t.Recompute == Full:
		again, againElements = linear+core, fore
		p.core += core
	case t.Recompute == Selective && !t.FusedAttention:
		again = core
		againElements = perByte * t.tokens() * t.scoreTraffic() / float64(t.TP) * float64(all)
	}
	if t.FusedAttention { // the backward kernel multiplies queries and keys again
		again += flop / 2 * float64(t.Sequence*t.Model.queryWidth()) * float64(all)
	}
	p.matrices, p.elements = 3*(linear+core)+again, fore+back+againElements
	p.forward = linear + core + fore
	p.backward = p.matrices + p.elements - p.forward
	// All layers, and the logits, in times of this stage; the logits are the last stage's.
	_, out := t.Model.embedding()
	logits := 3 * flop * float64(out)
	layers := (p.matrices + p.elements) * float64(t.Model.Layers) / float64(all)
	last := layers/float64(t.PP) + logits
	if t.endsAsLayers() {
		last = (p.matrices+p.elements)*float64(all-1)/float64(all) + logits
	}
	if busiest := max(p.matrices+p.elements, last); busiest > p.matrices+p.elements {
		p.matrices += busiest - p.matrices - p.elements
	}
	p.others = (layers+logits)/(p.matrices+p.elements) - 1
	return p
}

// room is the seconds of a step of m microbatches beside which a communication can run, shared by all of the same
// time: gradients are sent beside the last backward pass, weights fetched beside the first forward pass.
func (p passTimes) room(m float64) [len(whens)]float64 {
	return [len(whens)]float64{BesideCore: m * p.core, BesideWeights: m * p.weights, BesideBackward: p.backward, BesideForward: p.forward,
		BesideBackwards: m * p.backward, BesideForwards: m * p.forward}
}

// elementBytes are the bytes that a layer's operations on single elements read and write, of a
// microbatch on a rank, each operation by itself as in Megatron: two norms, two residual sums with
// dropout, the nonlinearity, and softmax with dropout unless attention is fused.
func (t *Training) elementBytes(experts bool) (forward, backward float64) {
	m := t.Model
	h, inner := float64(m.Hidden), float64(m.FFN)
	if experts {
		inner = float64(m.Experts.FFN * (m.Experts.Active + m.Experts.Shared))
	}
	// Norms: read and write, 2 bytes each; backward read two, write one. Sums: read two, write one; their
	// gradients are the same for both terms and take nothing.
	along, alongBack := 2*4*h+2*6*h, 2*6*h
	if m.Dropout {
		along, alongBack = along+2*h, alongBack+2*5*h // a mask is written; backward it and a gradient read, one written
	}
	over, overBack := 4*inner, 6*inner // read, write; backward read input and gradient, write
	if m.Gated {
		over, overBack = 6*inner, 10*inner // two inputs
	}
	if !t.FusedAttention {
		over += t.scoreTraffic()
		as := float64(m.Heads) * float64(t.Sequence)
		overBack += 6 * as // softmax: read output and gradient, write
		if m.Dropout {
			overBack += 5 * as
		}
	}
	tokens := t.tokens()
	return tokens * (along/t.along() + over/float64(t.TP)), tokens * (alongBack/t.along() + overBack/float64(t.TP))
}

// operandBytes are what one pass of a layer's matrix products reads and writes on a rank: inputs, outputs and
// weights. The passes for the gradients of inputs and of weights move as much.
func (t *Training) operandBytes(experts bool) float64 {
	m := t.Model
	h, q, v := float64(m.Hidden), float64(m.queryWidth()), float64(m.valueWidth())
	kv := 2 * float64(m.KVHeads*m.HeadDim)
	if m.Latent != nil {
		kv = q + v
	}
	up, inner, copies := float64(m.matrices()-1), float64(m.FFN), 1.0
	weights := float64(m.layer(false).split)
	if experts {
		e := m.Experts
		copies = float64(e.Active + e.Shared)
		inner = float64(e.FFN) * copies
		weights = float64(m.layer(true).split) + float64(m.layer(true).expert)/float64(t.EP)
	}
	// Inputs and outputs of a TP-th of a matrix are whole on one side.
	width := h + h + 2*copies*h + (q+kv+v+(up+1)*inner)/float64(t.TP)
	return elementBytes * (t.tokens()*width + weights/float64(t.TP))
}

// scoreTraffic of a token, all heads together: softmax reads and writes 2 bytes, dropout as well and writes
// its mask.
func (t *Training) scoreTraffic() float64 {
	as := float64(t.Model.Heads) * float64(t.Sequence)
	if t.Model.Dropout {
		return 9 * as
	}
	return 4 * as
}

// optimiser is the time of Adam on the parameters that a rank updates: it reads the gradient and three
// numbers of single precision, writes those and the weight.
func (t *Training) optimiser(s System) float64 {
	if s.MemoryBytesPerS == 0 {
		return 0
	}
	dense, expert := t.fullest()
	if t.ZeRO > 0 {
		ds, es := t.shards()
		dense, expert = dense/ds, expert/es
	}
	return (dense + expert) * (t.gradientBytes() + 2*optimiserBytes + weightBytes) / s.MemoryBytesPerS
}
