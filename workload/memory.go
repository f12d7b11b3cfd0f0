package workload

// Bytes of a parameter's states in mixed precision with Adam (Rajbhandari et al., section 3.1): a weight and a
// gradient of 2 bytes (GradientBytes if they are summed in single precision), and in the optimiser a
// weight, a momentum and a variance of 4 each.
const (
	weightBytes    = 2
	optimiserBytes = 12
	elementBytes   = 2 // of activations, and so of what is sent of them
)

// Memory is what an accelerator holds, in bytes: of the first, the second or the last stage, whichever holds most.
type Memory struct{ Weights, Gradients, Optimiser, Activations float64 }

// Total of the parts. Buffers of libraries and fragmentation are not in it.
func (m Memory) Total() float64 { return m.Weights + m.Gradients + m.Optimiser + m.Activations }

// local counts the parameters on an accelerator of a stage: those that all CP x DP ranks hold, and
// those of experts, which EP of them share.
func (t *Training) local(stage int) (dense, expert float64) {
	all, moe := t.layersOn(stage)
	add := func(p layerParams, n int) {
		dense += float64(n) * (float64(p.split)/float64(t.TP) + float64(p.whole))
		expert += float64(n) * float64(p.expert) / float64(t.TP*t.EP)
	}
	if moe > 0 {
		add(t.Model.layer(true), moe)
	}
	if all > moe {
		add(t.Model.layer(false), all-moe)
	}
	in, out := t.Model.embedding()
	if stage == 0 {
		dense += float64(in) / float64(t.TP)
	}
	if stage == t.PP-1 {
		dense += float64(t.Model.norms()) / 2 // the last norm
	}
	// A tied matrix is held at both ends of a pipeline.
	if stage == t.PP-1 && (!t.Model.Tied || t.PP > 1) {
		dense += float64(out) / float64(t.TP)
	}
	return dense, expert
}

// fullest is a stage with the most parameters of a rank, of the first ones.
func (t *Training) fullest() (dense, expert float64) {
	for stage := range t.heads() {
		if d, e := t.local(stage); d+e > dense+expert {
			dense, expert = d, e
		}
	}
	return dense, expert
}

// shards are the ranks over which ZeRO shares what replicas of all layers, and of experts, hold alike.
func (t *Training) shards() (dense, expert float64) {
	return float64(t.CP * t.DP), float64(t.CP*t.DP) / float64(t.EP)
}

func (t *Training) gradientBytes() float64 {
	if t.GradientBytes == 0 {
		return weightBytes
	}
	return t.GradientBytes
}

// Memory is the largest of the first stages' and the last one's. Stages between them hold less.
func (t *Training) Memory() Memory {
	most := t.stageMemory(t.PP - 1)
	for stage := range t.heads() {
		if m := t.stageMemory(stage); stage == 0 && m.Total() >= most.Total() || m.Total() > most.Total() {
			most = m
		}
	}
	return most
}

func (t *Training) stageMemory(stage int) Memory {
	dense, expert := t.local(stage)
	ds, es := t.shards()
	states := func(bytes float64, from int) float64 {
		if t.ZeRO >= from {
			return bytes * (dense/ds + expert/es)
		}
		return bytes * (dense + expert)
	}
	m := Memory{Weights: states(weightBytes, 3), Gradients: states(t.gradientBytes(), 2), Optimiser: states(optimiserBytes, 1)}
	all, _ := t.layersOn(stage)
	if t.ZeRO == 3 {
		// The layer at work and the one that is fetched beside it are there whole.
		m.Weights += min(2, float64(all)) * weightBytes * (dense + expert) / float64(all)
	}
	m.Activations = t.activations(stage)
	return m
}

// activations are those of the microbatches that a stage has begun and not finished: PP - stage with 1F1B,
// and with v chunks 2(PP - stage - 1) + (v-1) PP + 1 chunks (Narayanan et al., section 2.2), which on
// the first stage is Korthikanti's factor 1 + (PP-1)/(PP v).
func (t *Training) activations(stage int) float64 {
	all, moe := t.layersOn(stage)
	v, m := t.Interleave, t.Microbatches()
	chunks := float64(min(t.PP-stage, m))
	if v > 1 {
		chunks = float64(min(2*(t.PP-stage-1)+(v-1)*t.PP+1, v*m))
	}
	most, _ := t.stageLayers()
	layers, dense := chunks*float64(most)/float64(v)-t.missing(stage, int(chunks)), 0.0 // of microbatches under way
	if t.Model.Experts == nil {
		dense = layers
	} else {
		for i := range t.Model.Experts.DenseLayers {
			if c := t.chunkOf(i); c%t.PP == stage {
				dense += t.begun(c/t.PP, int(chunks))
			}
		}
	}
	kept := func(experts bool) float64 {
		if t.Recompute == Full {
			return t.inputBytes()
		}
		return t.layerActivations(experts)
	}
	sum := 0.0
	if moe > 0 {
		sum += max(0, layers-dense) * kept(true)
	}
	if all > moe {
		sum += dense * kept(false)
	}
	if t.Recompute == Full {
		work := 0.0 // the layer at work
		if moe > 0 {
			work = t.layerActivations(true)
		}
		if all > moe {
			work = max(work, t.layerActivations(false))
		}
		sum += work
	}
	if stage == t.PP-1 {
		// The input of the output matrix, and the logits in single precision (Korthikanti et al., section 4.3).
		sum += t.inputBytes() + 4*t.tokens()*float64(t.Model.Vocab)/float64(t.TP)
	}
	return sum
}

// missing is how many layers fewer a stage has in so many chunks under way, because its first or last chunk has the embedding or the output matrix in
// place of one.
func (t *Training) missing(stage, chunks int) float64 {
	switch {
	case !t.endsAsLayers():
	case stage == 0:
		return t.begun(0, chunks)
	case stage == t.PP-1:
		return t.begun(t.Interleave-1, chunks)
	}
	return 0
}

// begun is how often chunk k of a stage is among so many under way. They begin in turns of PP microbatches through all of a stage (Narayanan et al.,
// section 2.2).
func (t *Training) begun(k, chunks int) float64 {
	turns, rest := chunks/t.chunks(), chunks%t.chunks()
	return float64(turns*t.PP + min(max(0, rest-k*t.PP), t.PP))
}

// tokens of a microbatch on a rank of the ring of CP.
func (t *Training) tokens() float64 {
	return float64(t.MicroBatch) * float64(t.Sequence) / float64(t.CP)
}

// inputBytes is the input of a layer: 2sbh, of which SP keeps a TP-th.
func (t *Training) inputBytes() float64 {
	return elementBytes * t.tokens() * float64(t.Model.Hidden) / t.along()
}

// along is the number of ranks that share norms and residuals.
func (t *Training) along() float64 {
	if t.SP {
		return float64(t.TP)
	}
	return 1
}

// layerActivations are what the backward pass of a layer reads, on a rank, in bytes (Korthikanti et al.,
// section 4.1). For GPT-3: sbh (10 + 24/t + 5as/(ht)), with SP sbh/t (34 + 5as/h), without the last
// term if the core of attention is computed again or fused.
func (t *Training) layerActivations(experts bool) float64 {
	m := t.Model
	h, q, v := float64(m.Hidden), float64(m.queryWidth()), float64(m.valueWidth())
	// Per token: divided over TP only with SP; over TP; over TP, of the experts that a token goes to.
	along, over := 2*2*h+2*h+2*h, 0.0 // inputs of both norms, of attention, of the feed-forward network
	if m.Dropout {
		along += 2 * h // two masks of a byte
	}
	kv := 2 * float64(m.KVHeads*m.HeadDim)
	if m.Latent != nil {
		kv = q + v
		along += 2 * float64(m.Latent.Query+m.Latent.KV+m.Latent.Rope)
	}
	over += 2*q + 2*kv + 2*v // queries; keys and values; the input of the last matrix of attention
	if t.Recompute != Selective && !t.FusedAttention {
		over += t.scoreBytes()
	}
	inner := float64(m.FFN)
	if experts {
		e := m.Experts
		inner = float64(e.FFN * (e.Active + e.Shared))
		along += 2 * h * float64(e.Active) // what was sent to the experts, once for each
	}
	between := 4.0 // of the inner width: before and after the nonlinearity, or gate, up and their product
	if m.Gated {
		between = 6
	}
	over += between * inner
	return t.tokens() * (along/t.along() + over/float64(t.TP))
}

// scoreBytes of a token, all heads together: softmax 2as, and with dropout its mask as and its output 2as.
func (t *Training) scoreBytes() float64 {
	as := float64(t.Model.Heads) * float64(t.Sequence)
	if t.Model.Dropout {
		return 5 * as
	}
	return 2 * as
}
