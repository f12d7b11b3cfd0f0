package workload

import (
	"math"
	"strings"
	"testing"
)

// TestParams: published totals in billions. Exact where the publication gives digits: Llama-2-70B
// 68,976,648,192 and Llama-3-405B 405,853,388,800 by their model cards' files; DeepSeek-V3 671 B with 37 B active
// (arXiv:2412.19437, abstract); the others as their names say. gpt4-2t and moe-10t are estimates (see Source).
func TestParams(t *testing.T) {
	for _, c := range []struct {
		name                 string
		total, active, digit float64
	}{
		{"gpt3-22b", 22, 22, 0.5}, {"gpt3-175b", 175, 175, 0.5}, {"gpt3-530b", 530, 530, 0.5}, {"dense-1t", 1008, 1008, 0.5},
		{"llama2-70b", 68.976648192, 68.976648192, 1e-9}, {"llama3-405b", 405.853388800, 405.853388800, 1e-9},
		{"deepseek-v3", 671, 37, 0.6}, {"gpt4-2t", 1800, 280, 50}, {"moe-10t", 10000, 230, 150},
	} {
		m, err := Model(c.name)
		if err != nil {
			t.Fatal(err)
		}
		total, active := m.Params()
		if math.Abs(float64(total)/1e9-c.total) > c.digit || math.Abs(float64(active)/1e9-c.active) > c.digit {
			t.Errorf("%s: %d parameters, %d active, want %g and %g billion", c.name, total, active, c.total, c.active)
		}
		if m.Source == "" {
			t.Errorf("%s has no source", c.name)
		}
	}
	if len(Models()) != 9 {
		t.Errorf("%d models, of which 9 are checked", len(Models()))
	}
}

// TestFLOPs: Korthikanti et al., section 5.3: 72BLsh^2 (1 + s/(6h) + V/(12hL)); with full recomputation 4/3
// of it but for the logits; with selective the 4 B s^2 h of a layer's attention core once more.
func TestFLOPs(t *testing.T) {
	for _, name := range []string{"gpt3-22b", "gpt3-175b", "gpt3-530b", "dense-1t"} {
		m, err := Model(name)
		if err != nil {
			t.Fatal(err)
		}
		b, s, h, l, v := 64.0, 2048.0, float64(m.Hidden), float64(m.Layers), float64(m.Vocab)
		layers := 72 * b * l * s * h * h
		model, full := m.FLOPs(64, 2048, Full)
		_, selective := m.FLOPs(64, 2048, Selective)
		for _, c := range []struct {
			what      string
			got, want float64
		}{
			{"model", model, layers * (1 + s/(6*h) + v/(12*h*l))},
			{"full", full, layers * (4.0/3*(1+s/(6*h)) + v/(12*h*l))},
			{"selective", selective, layers * (1 + s/(6*h) + s/(18*h) + v/(12*h*l))},
		} {
			if math.Abs(c.got/c.want-1) > 1e-12 {
				t.Errorf("%s, %s: %g operations, want %g", name, c.what, c.got, c.want)
			}
		}
	}
}

// TestReadModel: a file with the dimensions of a built-in model is that model.
func TestReadModel(t *testing.T) {
	text := `name = "deepseek-v3"
layers = 61
hidden = 7168
heads = 128
head_dim = 128
ffn = 18432
gated = true
vocab = 129280
[experts]
routed = 256
active = 8
shared = 1
ffn = 2048
dense_layers = 3
[latent]
query = 1536
kv = 512
no_rope = 128
rope = 64
value = 128
`
	got, l := ReadModel("m.toml", []byte(text))
	if got == nil {
		t.Fatal(l.Err())
	}
	want, err := Model("deepseek-v3")
	if err != nil {
		t.Fatal(err)
	}
	a, b := got.Params()
	if c, d := want.Params(); a != c || b != d || got.Name != want.Name {
		t.Errorf("%s has %d and %d parameters, want %d and %d", got.Name, a, b, c, d)
	}
}

// TestReadModelFaults: each with its line, value and remedy, several at once.
func TestReadModelFaults(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"layers = 2\nhidden = 10\nheads = 3\nffn = 8\nvocab = 100\n", "m.toml:3:9: error: 3 heads do not divide a width of 10: 1 are left over"},
		{"layers = 0\nhidden = 12\nheads = 3\nffn = 8\nvocab = 100\n", "m.toml:1:10: error: 0 is below the least, 1"},
		{"layers = 2\nheads = 3\nffn = 8\nvocab = 100\n", "hidden is missing"},
		{"layers = 2\nhidden_size = 12\nheads = 3\nffn = 8\nvocab = 100\n", `m.toml:2:1: error: unknown key "hidden_size"`},
		{"layers = 2\nhidden = 12\nheads = 3\nkv_heads = 2\nffn = 8\nvocab = 100\n", "m.toml:4:12: error: 2 heads of keys and values do not divide 3"},
		{"layers = 2\nhidden = 12\nheads = 3\nvocab = 9\n[experts]\nrouted = 4\nactive = 6\nffn = 5\n", "m.toml:7:10: error: a token goes to 6 experts of 4, 2 too many"},
		{"layers = 2\nhidden = 12\nheads = 3\nvocab = 9\nffn = 3\n[experts]\nrouted = 4\nactive = 2\nffn = 5\ndense_layers = 2\n", "m.toml:6:2: error: 2 of 2 layers have no experts"},
		{"layers = 200000\nhidden = 12\nheads = 3\nvocab = \"9\"\nffn = 3\n", `m.toml:4:9: error: expected a whole number, found "9"`},
	} {
		m, l := ReadModel("m.toml", []byte(c.text))
		var all strings.Builder
		for _, d := range l {
			all.WriteString(d.String() + "\n")
		}
		if m != nil || !strings.Contains(all.String(), c.want) {
			t.Errorf("%q:\n%swant %s", c.text, all.String(), c.want)
		}
	}
}

// FuzzReadModel: whatever is read can be computed with.
func FuzzReadModel(f *testing.F) {
	f.Add([]byte("layers = 2\nhidden = 12\nheads = 3\nffn = 8\nvocab = 100\n[experts]\nrouted = 4\nactive = 2\nffn = 5\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		m, _ := ReadModel("m.toml", data)
		if m == nil {
			return
		}
		x := &Training{Model: m, Sequence: 16, Batch: 4, Parallelism: Parallelism{TP: 1, CP: 1, PP: 1, DP: 2, EP: 1, Interleave: 1, MicroBatch: 1, ZeRO: 1}}
		if err := x.Check(2); err != nil {
			t.Fatal(err)
		}
		if total := x.Memory().Total(); !(total > 0) {
			t.Errorf("memory %g", total)
		}
		for _, c := range x.Communications() {
			if !(c.Wire() > 0) {
				t.Errorf("%s sends %g", c, c.Wire())
			}
		}
	})
}
