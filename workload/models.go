package workload

import (
	"fmt"

	"toposearch/diag"
)

// gptVocab is GPT-2's 50,257 padded to a multiple of 128 for eight tensor-parallel ranks, as Megatron trains it.
const gptVocab = 51200

// gpt is a model of GPT-3's architecture with a sequence of 2,048.
func gpt(name, source string, layers, hidden, heads int) *Transformer {
	return &Transformer{Name: name, Source: source, Layers: layers, Hidden: hidden, Heads: heads, KVHeads: heads, HeadDim: hidden / heads,
		FFN: 4 * hidden, Vocab: gptVocab, Positions: 2048, Tied: true, Bias: true, Dropout: true}
}

// llama is a model of Llama's architecture with eight heads of keys and values of 128.
func llama(name, source string, layers, hidden, ffn, vocab int) *Transformer {
	return &Transformer{Name: name, Source: source, Layers: layers, Hidden: hidden, Heads: hidden / 128, KVHeads: 8, HeadDim: 128,
		FFN: ffn, Gated: true, Vocab: vocab}
}

// korthikanti is where Megatron's models are from.
const korthikanti = "Korthikanti et al., Reducing Activation Recomputation in Large Transformer Models, MLSys 2023, Table 3"

// Models are those built in, by size. Each Source says which dimensions are published.
func Models() []*Transformer {
	gpt4 := gpt("gpt4-2t", "no dimensions are published; press reports of 2023 (SemiAnalysis): 120 layers, 16 experts of 111 billion parameters, "+
		"two a token, 55 billion of attention, 1.8 trillion in all. The width of 10,752 is ours, the one from which both follow", 120, 10752, 84)
	gpt4.Experts = &Experts{Routed: 16, Active: 2, FFN: 4 * 10752}
	gpt4.Positions, gpt4.Vocab, gpt4.Tied, gpt4.Bias, gpt4.Dropout = 0, 100352, false, false, false // the tokenizer cl100k, padded
	gpt4.FFN = 0
	moe := llama("moe-10t", "ours: no dimensions of a ten-trillion model are published; those of Llama-3-405B's kind with 128 experts, two a token",
		120, 16384, 0, 128256)
	moe.Experts = &Experts{Routed: 128, Active: 2, FFN: 13312}
	return []*Transformer{
		gpt("gpt3-22b", korthikanti, 48, 6144, 64),
		llama("llama2-70b", "Touvron et al., Llama 2, arXiv:2307.09288, and its published configuration", 80, 8192, 28672, 32000),
		gpt("gpt3-175b", korthikanti+"; Brown et al., arXiv:2005.14165", 96, 12288, 96),
		llama("llama3-405b", "Dubey et al., The Llama 3 Herd of Models, arXiv:2407.21783, Table 3", 126, 16384, 53248, 128256),
		gpt("gpt3-530b", korthikanti, 105, 20480, 128),
		{Name: "deepseek-v3", Source: "DeepSeek-V3 Technical Report, arXiv:2412.19437, section 4.2, without the layer that predicts a second token",
			Layers: 61, Hidden: 7168, Heads: 128, KVHeads: 128, HeadDim: 128,
			Latent: &Latent{Query: 1536, KV: 512, NoRope: 128, Rope: 64, Value: 128}, FFN: 18432, Gated: true,
			Experts: &Experts{Routed: 256, Active: 8, Shared: 1, FFN: 2048, DenseLayers: 3}, Vocab: 129280},
		gpt("dense-1t", korthikanti, 128, 25600, 160),
		gpt4,
		moe,
	}
}

// Model is one built in, by name.
func Model(name string) (*Transformer, error) {
	var names []string
	for _, m := range Models() {
		if m.Name == name {
			return m, nil
		}
		names = append(names, m.Name)
	}
	return nil, fmt.Errorf("there is no model %q%s", name, diag.Hint(name, names))
}
