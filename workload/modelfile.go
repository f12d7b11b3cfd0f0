package workload

import (
	"toposearch/diag"
	"toposearch/internal/tomlfile"
)

// Bounds of what a file may say: a hundred times the largest models known, so that products of three still
// fit an integer of 64 bits.
const (
	mostLayers  = 100_000
	mostWidth   = 10_000_000
	mostExperts = 1_000_000
)

// ReadModel reads a transformer from the text of a file. Keys are name, source, layers, hidden, heads, ffn
// and vocab; kv_heads (= heads), head_dim (= hidden / heads), positions (= 0); gated, tied, bias and
// dropout (= false); tables [latent] (query, kv, no_rope, rope, value) and [experts] (routed, active, shared,
// ffn, dense_layers). All faults are reported with their place; the model is nil if there is one.
func ReadModel(file string, data []byte) (*Transformer, diag.List) {
	var l diag.List
	t := tomlfile.Parse(file, data, &l)
	if t == nil {
		return nil, l
	}
	m := &Transformer{Name: file, Source: file}
	if v, ok := t.Take("name").Text(); ok {
		m.Name = v
	}
	if v, ok := t.Take("source").Text(); ok {
		m.Source = v
	}
	m.Layers = needed(t, "layers", mostLayers)
	m.Hidden = needed(t, "hidden", mostWidth)
	m.Heads = needed(t, "heads", mostWidth)
	m.KVHeads = optional(t, "kv_heads", m.Heads, 1, mostWidth)
	m.HeadDim = optional(t, "head_dim", 0, 1, mostWidth)
	m.Vocab = needed(t, "vocab", mostWidth)
	m.Positions = optional(t, "positions", 0, 0, mostWidth)
	for key, to := range map[string]*bool{"gated": &m.Gated, "tied": &m.Tied, "bias": &m.Bias, "dropout": &m.Dropout} {
		*to, _ = t.Take(key).Truth()
	}
	readExperts(t, m)
	if s := t.Sub("latent"); s != nil {
		m.Latent = &Latent{Query: needed(s, "query", mostWidth), KV: needed(s, "kv", mostWidth), NoRope: needed(s, "no_rope", mostWidth),
			Rope: optional(s, "rope", 0, 0, mostWidth), Value: needed(s, "value", mostWidth)}
		s.Done(nil)
	}
	readHeads(t, m, l.HasErrors())
	t.Done(map[string]string{"h": "hidden", "d_model": "hidden", "n_layers": "layers", "n_heads": "heads", "intermediate_size": "ffn",
		"hidden_size": "hidden", "num_layers": "layers", "num_hidden_layers": "layers", "num_attention_heads": "heads",
		"num_key_value_heads": "kv_heads", "num_query_groups": "kv_heads", "vocab_size": "vocab", "vocabulary": "vocab", "ffn_hidden_size": "ffn", "d_ff": "ffn",
		"max_position_embeddings": "positions", "moe": "experts"})
	l.Sort()
	if l.HasErrors() {
		return nil, l
	}
	return m, l
}

// readExperts reads [experts], and the width of layers without.
func readExperts(t *tomlfile.Table, m *Transformer) {
	s := t.Sub("experts")
	if s == nil {
		m.FFN = needed(t, "ffn", mostWidth)
		return
	}
	e := &Experts{Routed: needed(s, "routed", mostExperts), Active: needed(s, "active", mostExperts), FFN: needed(s, "ffn", mostWidth)}
	e.Shared = optional(s, "shared", 0, 0, mostExperts)
	e.DenseLayers = optional(s, "dense_layers", 0, 0, mostLayers)
	if e.Active > e.Routed && e.Routed > 0 {
		s.Take("active").Errorf("a token goes to %d experts of %d, %d too many\nwrite at most %d", e.Active, e.Routed, e.Active-e.Routed, e.Routed)
	}
	if e.DenseLayers >= m.Layers && m.Layers > 0 {
		s.Errorf("%d of %d layers have no experts; at least one has to\nlower dense_layers, or leave [experts] out", e.DenseLayers, m.Layers)
	}
	if e.DenseLayers > 0 {
		m.FFN = needed(t, "ffn", mostWidth)
	} else {
		m.FFN = optional(t, "ffn", 0, 1, mostWidth)
	}
	s.Done(nil)
	m.Experts = e
}

// readHeads checks what must divide, unless a number is missing.
func readHeads(t *tomlfile.Table, m *Transformer, wrong bool) {
	if wrong {
		return
	}
	if m.HeadDim == 0 {
		if rest := m.Hidden % m.Heads; rest != 0 {
			t.Take("heads").Errorf("%d heads do not divide a width of %d: %d are left over\nwrite head_dim, or heads that divide hidden", m.Heads, m.Hidden, rest)
		}
		m.HeadDim = m.Hidden / m.Heads
	}
	if rest := m.Heads % m.KVHeads; rest != 0 {
		t.Take("kv_heads").Errorf("%d heads of keys and values do not divide %d heads: %d are left over\nwrite a divisor", m.KVHeads, m.Heads, rest)
	}
}

// needed is a whole number from 1 to most that has to be there.
func needed(t *tomlfile.Table, key string, most int64) int {
	v := t.Take(key)
	if v == nil {
		t.Errorf("%s is missing\nwrite %s = and a whole number", key, key)
		return 0
	}
	n, _ := v.Integer(1, most)
	return int(n)
}

// optional is a whole number that may be left out.
func optional(t *tomlfile.Table, key string, otherwise int, least, most int64) int {
	v := t.Take(key)
	if v == nil {
		return otherwise
	}
	n, _ := v.Integer(least, most)
	return int(n)
}
