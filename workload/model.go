package workload

// Transformer is a decoder-only language model by its dimensions.
type Transformer struct {
	Name   string
	Source string // where the dimensions are from
	Layers int
	Hidden int // width of the residual stream
	Heads  int // of attention
	// KVHeads are the heads of keys and values; fewer than Heads with grouped queries.
	KVHeads int
	HeadDim int
	Latent  *Latent // multi-head latent attention instead of keys and values of their own
	FFN     int     // inner width of the feed-forward network of layers without experts
	// Gated feed-forward networks have three matrices (SwiGLU) instead of two.
	Gated     bool
	Experts   *Experts // nil: no layer has experts
	Vocab     int
	Positions int  // learnt position embeddings; 0: rotary or none
	Tied      bool // output and input embedding are one matrix
	// Bias: matrices and norms have biases, as in GPT-3; Dropout: masks are kept for the backward pass.
	Bias, Dropout bool
}

// Latent is multi-head latent attention (DeepSeek-V2, arXiv:2405.04434): the ranks of compressed queries and
// of compressed keys and values, and the widths of a head's parts.
type Latent struct{ Query, KV, NoRope, Rope, Value int }

// Experts are the feed-forward networks of mixture-of-experts layers.
type Experts struct {
	Routed int // experts of a layer among which tokens are dealt
	Active int // of them, those that a token goes to
	Shared int // that every token goes through besides
	FFN    int // inner width of one
	// DenseLayers at the beginning have no experts.
	DenseLayers int
}

// queryWidth, valueWidth are the widths of all heads' queries and values.
func (m *Transformer) queryWidth() int {
	if m.Latent != nil {
		return m.Heads * (m.Latent.NoRope + m.Latent.Rope)
	}
	return m.Heads * m.HeadDim
}

func (m *Transformer) valueWidth() int {
	if m.Latent != nil {
		return m.Heads * m.Latent.Value
	}
	return m.Heads * m.HeadDim
}

// matrices is how many a feed-forward network has.
func (m *Transformer) matrices() int {
	if m.Gated {
		return 3
	}
	return 2
}

// attention counts the parameters of a layer's attention matrices, and those of its biases and inner norms.
func (m *Transformer) attention() (matrices, small int64) {
	h, q, v := int64(m.Hidden), int64(m.queryWidth()), int64(m.valueWidth())
	if l := m.Latent; l != nil {
		in := h*int64(l.Query) + int64(l.Query)*q + h*int64(l.KV+l.Rope)
		return in + int64(l.KV)*int64(m.Heads)*int64(l.NoRope+l.Value) + v*h, int64(l.Query + l.KV)
	}
	kv := int64(m.KVHeads) * int64(m.HeadDim)
	if m.Bias {
		small = q + 2*kv + h
	}
	return h*q + 2*h*kv + v*h, small
}

// network counts the parameters of a feed-forward network of an inner width.
func (m *Transformer) network(inner int) (matrices, small int64) {
	if m.Bias {
		small = int64(inner + m.Hidden)
	}
	return int64(m.matrices()) * int64(m.Hidden) * int64(inner), small
}

// norms counts those of a layer.
func (m *Transformer) norms() int64 {
	if m.Bias {
		return 4 * int64(m.Hidden)
	}
	return 2 * int64(m.Hidden)
}

// moeLayers is how many layers have experts.
func (m *Transformer) moeLayers() int {
	if m.Experts == nil {
		return 0
	}
	return m.Layers - m.Experts.DenseLayers
}

// layerParams are the parameters of a layer, by how they are divided: split over tensor-parallel ranks,
// replicated on them, and split over those and over experts' ranks.
type layerParams struct{ split, whole, expert int64 }

func (m *Transformer) layer(experts bool) (p layerParams) {
	a, small := m.attention()
	p.split, p.whole = a, small+m.norms()
	if !experts {
		n, b := m.network(m.FFN)
		p.split, p.whole = p.split+n, p.whole+b
		return p
	}
	e := m.Experts
	n, b := m.network(e.FFN)
	p.split += int64(e.Shared) * n
	p.whole += int64(e.Shared)*b + int64(m.Hidden)*int64(e.Routed) // the gate
	p.expert = int64(e.Routed) * (n + b)
	return p
}

// embedding counts the input embedding, positions included, and the output matrix as if it were not tied.
func (m *Transformer) embedding() (in, out int64) {
	return int64(m.Vocab+m.Positions) * int64(m.Hidden), int64(m.Vocab) * int64(m.Hidden)
}

// Params counts all parameters, and those that a token passes: all but the experts it does not go to.
func (m *Transformer) Params() (total, active int64) {
	dense, in, out := m.layer(false), int64(0), int64(0)
	in, out = m.embedding()
	total = int64(m.Layers-m.moeLayers())*(dense.split+dense.whole) + in + m.norms()/2
	if !m.Tied {
		total += out
	}
	active = total
	if m.Experts != nil {
		p, n := m.layer(true), int64(m.moeLayers())
		total += n * (p.split + p.whole + p.expert)
		active += n * (p.split + p.whole + p.expert/int64(m.Experts.Routed)*int64(m.Experts.Active))
	}
	return total, active
}
