package study_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"toposearch/study"
)

// What is enough: the bandwidth of the endpoints unless a study says otherwise, and only where more is better.
func TestEnough(t *testing.T) {
	for _, c := range []struct {
		objective string
		enough    float64
		finding   string
	}{
		{`metric = "uniform_throughput"`, 1, ""},
		{`metric = "uniform_throughput_optimal"`, 1, ""},
		{"metric = \"uniform_throughput\"\nenough = \"none\"", 0, ""},
		{"metric = \"uniform_throughput\"\nenough = 2", 2, ""},
		{"metric = \"uniform_throughput\"\ndirection = \"min\"", 0, ""},
		{`metric = "worst_throughput"`, 1, ""},
		{`metric = "tub"`, 1, ""},
		{"metric = \"worst_throughput\"\nenough = \"none\"", 0, ""},
		{`metric = "cost"`, 0, ""},
		{"metric = \"uniform_throughput\"\nenough = \"lots\"", 0, `enough is "lots"`},
		{"metric = \"uniform_throughput\"\nenough = 0", 0, "enough is above 0"},
		{"metric = \"uniform_throughput\"\nenough = true", 0, "expected a number"},
		{"metric = \"cost\"\nenough = \"none\"", 0, "more is better"},
	} {
		file := filepath.Join(t.TempDir(), "study.toml")
		text := "name = \"enough\"\n[endpoints]\ncount = { min = 64, max = 64 }\nbandwidth = \"400 Gb/s\"\n" +
			"[space]\nfamilies = [\"torus\"]\n[[objective]]\n" + c.objective + "\n"
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		s, findings := study.Load(file)
		if c.finding != "" {
			if !strings.Contains(fmt.Sprint(findings), c.finding) {
				t.Errorf("%s: findings %v, want %q", c.objective, findings, c.finding)
			}
			continue
		}
		if findings.HasErrors() || len(s.Objectives) != 1 || s.Objectives[0].Enough != c.enough {
			t.Errorf("%s: objectives %+v, findings %v, want enough %g", c.objective, s.Objectives, findings, c.enough)
		}
	}
}
