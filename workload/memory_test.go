package workload

import (
	"errors"
	"math"
	"strings"
	"testing"
)

// TestLayerActivations: Korthikanti et al., Table 2, bytes of a layer.
func TestLayerActivations(t *testing.T) {
	for _, name := range []string{"gpt3-22b", "gpt3-175b", "gpt3-530b", "dense-1t"} {
		for _, c := range []struct {
			sp   bool
			r    Recompute
			want func(t, core float64) float64 // in sbh; core is 5as/h
		}{
			{false, NoRecompute, func(t, core float64) float64 { return 10 + 24/t + core/t }},
			{true, NoRecompute, func(t, core float64) float64 { return 34/t + core/t }},
			{false, Selective, func(t, _ float64) float64 { return 10 + 24/t }},
			{true, Selective, func(t, _ float64) float64 { return 34 / t }},
		} {
			x := gptTraining(t, name, 1, 4, 4, 1, c.sp)
			x.Recompute = c.r
			m := x.Model
			want := c.want(8, 5*float64(m.Heads)*2048/float64(m.Hidden)) * 2048 * 4 * float64(m.Hidden)
			if got := x.layerActivations(false); math.Abs(got/want-1) > 1e-12 {
				t.Errorf("%s, sp %v, %s: %g bytes, want %g", name, c.sp, c.r, got, want)
			}
		}
	}
}

// TestPipelineActivations: the first stage holds 1 + (p-1)/(pv) times the activations of all L layers, however
// many stages there are (Korthikanti et al., section 4.2.3), and the last stage least.
func TestPipelineActivations(t *testing.T) {
	for _, c := range []struct{ pp, v int }{{8, 1}, {8, 3}, {4, 2}, {2, 1}, {16, 6}} {
		x := gptTraining(t, "gpt3-175b", c.pp, 64, 1, c.v, true)
		p, v := float64(c.pp), float64(c.v)
		want := 96 * x.layerActivations(false) * (1 + (p-1)/(p*v))
		if c.v == 1 {
			want = 96 * x.layerActivations(false) // p microbatches of L/p layers
		}
		if got := x.activations(0); math.Abs(got/want-1) > 1e-12 {
			t.Errorf("pp=%d interleave=%d: %g bytes, want %g", c.pp, c.v, got, want)
		}
	}
	// Of two microbatches no more than two are ever begun.
	x := gptTraining(t, "gpt3-175b", 8, 2, 1, 1, true)
	if got, want := x.activations(0), 2*12*x.layerActivations(false); math.Abs(got/want-1) > 1e-12 {
		t.Errorf("two microbatches: %g bytes, want %g", got, want)
	}
	// With full recomputation a layer keeps 2sbh, and one is there whole.
	x.Recompute = Full
	if got, want := x.activations(0), 2*12*2.0*2048*12288/8+x.layerActivations(false); math.Abs(got/want-1) > 1e-12 {
		t.Errorf("full: %g bytes, want %g", got, want)
	}
}

// TestZeROMemory: with 64 replicas of 7.5 billion parameters 120 GB become 31.4, 16.6 and 1.9 (Rajbhandari et al.,
// Figure 1): 16 bytes of a parameter become 4 + 12/64, 2 + 14/64 and 16/64; stage 3 has a layer or two besides.
func TestZeROMemory(t *testing.T) {
	m, err := Model("llama2-70b")
	if err != nil {
		t.Fatal(err)
	}
	total, _ := m.Params()
	for stage, want := range []float64{16, 4 + 12.0/64, 2 + 14.0/64, 16.0/64 + 2*2/80.0} {
		x := &Training{Model: m, Sequence: 4096, Batch: 64, Parallelism: Parallelism{TP: 1, CP: 1, PP: 1, DP: 64, EP: 1, Interleave: 1, MicroBatch: 1, ZeRO: stage}}
		y := x.Memory()
		got := (y.Weights + y.Gradients + y.Optimiser) / float64(total)
		if math.Abs(got-want) > 1e-4 { // the working layers of stage 3 are a layer on average, embeddings included
			t.Errorf("stage %d: %g bytes of a parameter, want %g", stage, got, want)
		}
	}
}

// TestLocal: accelerators together hold every parameter once for each replica, and what all tensor-parallel
// ranks hold.
func TestLocal(t *testing.T) {
	m, err := Model("deepseek-v3")
	if err != nil {
		t.Fatal(err)
	}
	x := &Training{Model: m, Sequence: 4096, Batch: 64, Parallelism: Parallelism{TP: 1, CP: 1, PP: 1, DP: 64, EP: 64, Interleave: 1, MicroBatch: 1}}
	dense, expert := x.local(0)
	total, _ := m.Params()
	if got := dense + 64*expert; math.Abs(got/float64(total)-1) > 1e-12 {
		t.Errorf("%g parameters on 64 ranks, want %d", got, total)
	}
}

// TestFits: the message says what is needed, of what, and how much too much.
func TestFits(t *testing.T) {
	x := gptTraining(t, "gpt3-175b", 8, 64, 1, 3, true)
	err := x.Fits(a100())
	if err == nil {
		t.Fatal("without recomputation 175B fits 80 GB; Korthikanti's Figure 1 says it does not")
	}
	for _, want := range []string{"gpt3-175b", "activations", "more than the 80 GB"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%v: %q is missing", err, want)
		}
	}
	x.Recompute = Selective
	if err := x.Fits(a100()); err != nil {
		t.Error(err) // they ran it
	}
}

// TestEndsAsLayers: Llama 3's 126 layers with the embedding and the output matrix for one each make 16 x 8 chunks of one layer (Grattafiori et al.,
// arXiv:2407.21783, section 3.3.2), which fits 80 GB without recomputation where nothing but weights is held whole. What stages have under way is
// counted chunk by chunk, in the order in which they begin.
func TestEndsAsLayers(t *testing.T) {
	m, err := Model("llama3-405b")
	if err != nil {
		t.Fatal(err)
	}
	x := &Training{Model: m, Sequence: 8192, Batch: 2048, Parallelism: Parallelism{TP: 8, CP: 1, PP: 16, DP: 128, EP: 1, SP: true, Interleave: 8, MicroBatch: 1,
		ZeRO: 2, FusedAttention: true}}
	if err := errors.Join(x.Check(16384), x.Fits(System{Memory: 80e9})); err != nil {
		t.Fatal(err)
	}
	layers := 0
	for stage := range x.PP {
		all, _ := x.layersOn(stage)
		layers += all
	}
	if first, _ := x.layersOn(0); layers != 126 || first != 7 {
		t.Errorf("%d layers, %d of them on the first stage, want 126 and 7", layers, first)
	}
	for _, batch := range []int{2048, 4096, 8192} { // 16, 32, 64 microbatches
		x.Batch = batch
		for stage := range x.PP {
			begun := min(2*(x.PP-stage-1)+(x.Interleave-1)*x.PP+1, x.Interleave*x.Microbatches())
			want := 0.0
			for k := range begun {
				chunk := k / x.PP % x.Interleave
				if stage == 0 && chunk == 0 || stage == x.PP-1 && chunk == x.Interleave-1 {
					continue // the embedding, the output matrix
				}
				want += x.layerActivations(false)
			}
			if stage == x.PP-1 {
				want += x.inputBytes() + 4*x.tokens()*float64(m.Vocab)/8
			}
			if got := x.activations(stage); math.Abs(got/want-1) > 1e-12 {
				t.Errorf("batch %d, stage %d: %g bytes, want %g", batch, stage, got, want)
			}
		}
	}
	// 112 chunks divide neither 126 layers nor 128: they are filled up to two, which is said where it does not fit.
	x.Batch, x.Interleave = 2048, 7
	if err := x.Fits(System{Memory: 80e9}); err == nil || !strings.Contains(err.Error(), "112 chunks of 2 layers are filled up") {
		t.Error(err)
	}
}

// TestMemoryLayerByLayer deals the layers of models with experts out to stages one by one, and adds up what each stage holds: of DeepSeek-V3 the first three layers, without
// experts, have 583 million parameters, more than the others do on a rank of 64 that share the experts.
func TestMemoryLayerByLayer(t *testing.T) {
	deepseek, err := Model("deepseek-v3")
	if err != nil {
		t.Fatal(err)
	}
	even := *deepseek
	even.Layers = 64
	for _, m := range []*Transformer{deepseek, &even} {
		for _, p := range []Parallelism{{PP: 1}, {PP: 16}, {PP: 64}, {PP: 8, Interleave: 4}, {PP: 16, Interleave: 4}, {PP: 7, Interleave: 9}, {PP: 9}, {PP: 21, Interleave: 3}, {PP: 63}} {
			p.TP, p.CP, p.DP, p.EP, p.Interleave, p.MicroBatch, p.FusedAttention = 1, 1, 64, 64, max(p.Interleave, 1), 1, true
			for zero := range 3 {
				p.ZeRO = zero
				x := &Training{Model: m, Sequence: 4096, Batch: 64 * 63 * 64, Parallelism: p}
				ends := 0
				if m.Layers%x.chunks() != 0 {
					if ends = 2; (m.Layers+2)%x.chunks() != 0 || p.PP == 1 {
						continue
					}
				}
				each, want := (m.Layers+ends)/x.chunks(), 0.0
				for stage := range p.PP {
					dense, expert, active := 0.0, 0.0, 0.0
					if stage == 0 {
						dense += float64(m.Vocab) * 7168
					}
					if stage == p.PP-1 {
						dense += float64(m.Vocab)*7168 + 7168
						active += 2*4096*7168 + 4*4096*float64(m.Vocab)
					}
					under := p.PP - stage // chunks begun and not finished
					if p.Interleave > 1 {
						under = 2*(p.PP-stage-1) + (p.Interleave-1)*p.PP + 1
					}
					for layer := range m.Layers {
						chunk := (layer + ends/2) / each
						if chunk%p.PP != stage {
							continue
						}
						begun := 0.0
						for k := range under {
							if k/p.PP%p.Interleave == chunk/p.PP {
								begun++
							}
						}
						// 187.1 million of attention, and norms: of the layer and of the two latent vectors.
						dense += 7168*1536 + 1536*128*192 + 7168*576 + 512*128*256 + 128*128*7168 + 2*7168 + 1536 + 512
						inner, sent := 18432.0, 0.0
						if layer < 3 {
							dense += 3 * 7168 * 18432
						} else {
							dense += 3*7168*2048 + 7168*256
							expert += 256 / 64 * 3 * 7168 * 2048
							inner, sent = 9*2048, 8*7168
						}
						// What is read again: the inputs of norms, attention and network, the latent vectors, queries, keys, values and what attention gives;
						// of the network gate, up and their product; two bytes each.
						active += begun * 4096 * 2 * (4*7168 + 1536 + 512 + 64 + 128*192 + 128*192 + 128*128 + 128*128 + 3*inner + sent)
					}
					bytes := 4 * (dense + expert) // weights and gradients
					if zero == 2 {
						bytes = 2*(dense+expert) + 2*(dense/64+expert)
					}
					if states := dense + expert; zero > 0 {
						bytes += 12 * (dense/64 + expert)
					} else {
						bytes += 12 * states
					}
					want = max(want, bytes+active)
				}
				if got := x.Memory().Total(); math.Abs(got/want-1) > 1e-12 {
					t.Errorf("%d layers, %v: %.9g bytes, layer by layer %.9g", m.Layers, p, got, want)
				}
			}
		}
	}
}
