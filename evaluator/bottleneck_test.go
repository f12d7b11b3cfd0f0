package evaluator

import (
	"strings"
	"testing"
)

// Links that carry more than endpoints send limit nothing, and what is said of them does not say so. By hand, of a torus of four switches in a ring with one
// endpoint each: 12 pairs, of which 8 are a hop apart and 4 two, cross 16 of 8 channels, 2 each, of 3 that each endpoint sends to: 3/2 of its bandwidth.
func TestBottleneckAboveBandwidth(t *testing.T) {
	e := newEvaluator(t, Options{BandwidthGbps: 400})
	for design, want := range map[string]string{
		"torus(k1=4)":     "dim1 links of 400 Gb/s, the busiest, carry 1.5 times the uniform traffic that endpoints send: no link limits it",
		"torus(k1=4,t=4)": "dim1 links of 400 Gb/s limit uniform traffic to 0.4688 of the bandwidth",
		"crossbar(n=16)":  "ports of the endpoints limit uniform traffic to 1 of the bandwidth",
	} {
		if r := evaluate(t, e, parse(t, design), Request{Level: 2}); r.Bottleneck != want {
			t.Errorf("%s: %s; want %s", design, r.Bottleneck, want)
		}
	}
	for x, limits := range map[float64]bool{0.5: true, 1: true, 1.0001: true, 1.001: false, 2: false} {
		for _, hashed := range []bool{false, true} {
			text := bottleneckText("x links", x, hashed)
			if strings.Contains(text, "limit uniform traffic") != limits || strings.Contains(text, "expected of hashes") != hashed {
				t.Errorf("%g, by hashes %t: %s", x, hashed, text)
			}
		}
	}
}
