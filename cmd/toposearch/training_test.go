package main

import (
	"math"
	"os"
	"path/filepath"
	"testing"
)

// TestEvalStudy: eval takes the workload of a study, and other flags change what the study says. A ring of eight at
// 400 Gb/s reduces 1 GB in 14 steps of 5 us and 1.75 GB; at 200 Gb/s the bytes take twice as long.
func TestEvalStudy(t *testing.T) {
	path := filepath.Join(t.TempDir(), "w.toml")
	text := `name = "w"
[endpoints]
count = 8
bandwidth = "400 Gb/s"
[space]
families = ["ring"]
[[objective]]
metric = "cost"
[workload]
model = "gpt3-22b"
sequence = 2048
batch = 8
accelerator = { flops = "312 Tflop/s", memory = "80 GB" }
`
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		more  []string
		bytes float64
	}{{nil, 50e9}, {[]string{"--bandwidth", "200 Gb/s"}, 25e9}} {
		var doc evalDoc
		decode(t, "toposearch.eval/1", &doc, append([]string{"eval", "ring(n=8)", "--study", path, "--metrics", "allreduce_time,step_time"}, c.more...)...)
		m := doc.Designs[0].Metrics
		if got, want := m["allreduce_time"].Value, 14*5e-6+1.75e9/c.bytes; math.Abs(got/want-1) > 1e-9 {
			t.Errorf("%v: allreduce_time = %g, want %g", c.more, got, want)
		}
		if s := m["step_time"]; s.Lo <= 0 || s.Lo > s.Value {
			t.Errorf("%v: step_time = %+v, %s", c.more, s, doc.Designs[0].Absent["step_time"])
		}
	}
}
