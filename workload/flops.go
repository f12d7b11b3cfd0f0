package workload

// matmuls counts the multiply-adds of a token in a layer's matrices on its forward pass.
func (m *Transformer) matmuls(experts bool) float64 {
	a, _ := m.attention()
	if !experts {
		n, _ := m.network(m.FFN)
		return float64(a + n)
	}
	e := m.Experts
	n, _ := m.network(e.FFN)
	return float64(a + int64(e.Active+e.Shared)*n + int64(m.Hidden)*int64(e.Routed))
}

// scores counts the multiply-adds of a token of a layer in attention over a sequence, without saving by
// the causal mask, as published counts do: Q times K, and the scores times V.
func (m *Transformer) scores(sequence int) float64 {
	return float64(sequence) * float64(m.queryWidth()+m.valueWidth())
}

// FLOPs counts the operations of a step over batch sequences: two for each multiply-add, forward once and
// backward twice (Korthikanti et al., appendix A). model leaves out what is recomputed; hardware has it.
// For GPT-3's kind model is 72 B s L h^2 (1 + s/(6h) + V/(12 L h)).
func (m *Transformer) FLOPs(batch, sequence int, r Recompute) (model, hardware float64) {
	tokens := float64(batch) * float64(sequence)
	layers := float64(m.Layers-m.moeLayers()) * m.matmuls(false)
	if m.Experts != nil {
		layers += float64(m.moeLayers()) * m.matmuls(true)
	}
	core := float64(m.Layers) * m.scores(sequence)
	_, out := m.embedding()
	model = 6 * tokens * (layers + core + float64(out))
	switch r {
	case Full:
		return model, model + 2*tokens*(layers+core)
	case Selective:
		return model, model + 2*tokens*core
	default:
		return model, model
	}
}

// LeastSeconds is the least time of a step on so many accelerators, whatever its parallelism: that of its products of matrices on all of them. Kernels of
// attention may skip half of the scores.
func (m *Transformer) LeastSeconds(batch, sequence, accelerators int, s System) float64 {
	model, hardware := m.FLOPs(batch, sequence, Selective)
	scores := 3 * (hardware - model) // which are counted once again there, and three times in model
	return (model - scores/2) / (float64(accelerators) * s.FLOPS * s.Efficiency)
}
