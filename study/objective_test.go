package study

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Objectives that are one and the same, or each other's opposite, are refused with the line and what to do; what is odd is said.
func TestObjectivesThatSayNothing(t *testing.T) {
	for _, c := range []struct{ count, text, want string }{
		{"64", "[[objective]]\nmetric = \"cost\"\n[[objective]]\nmetric = \"cost\"", "study.toml:9:10: error: cost is an objective twice, first in line 7"},
		{"64", "[[objective]]\nmetric = \"cost\"\n[[objective]]\nmetric = \"cost\"\ndirection = \"max\"",
			"study.toml:9:10: error: cost is to be as large and as small as can be (line 7): every design would be on the front"},
		{"64", "[[objective]]\nmetric = \"cost\"\n[[objective]]\nmetric = \"cost_per_endpoint\"", "study.toml:9:10: error: with 64 endpoints cost_per_endpoint is cost divided by 64: both order designs alike"},
		{"64", "[[objective]]\nmetric = \"cost\"\n[[objective]]\nmetric = \"cost_per_endpoint\"\ndirection = \"max\"", "cost divided by 64: one as large and the other as small as can be"},
		{"{ min = 64, max = 65 }", "[[objective]]\nmetric = \"cost\"\n[[objective]]\nmetric = \"cost_per_endpoint\"", ""},
		{"64", "[[objective]]\nmetric = \"latency\"\ndirection = \"max\"", "study.toml:8:13: warning: of latency less is better, and direction = \"max\" asks for the opposite"},
		{"64", "[[objective]]\nmetric = \"latency\"\nweight = -1", "study.toml:8:10: error: objectives have no weights"},
	} {
		path := filepath.Join(t.TempDir(), "study.toml")
		text := "name = \"t\"\nspace = { families = [\"torus\"] }\n[endpoints]\ncount = " + c.count + "\nbandwidth = \"400 Gb/s\"\n" + c.text + "\n"
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		_, found := Load(path)
		var got strings.Builder
		for _, d := range found {
			got.WriteString(strings.TrimPrefix(d.String(), filepath.Dir(path)+"/") + "\n")
		}
		if c.want == "" && got.Len() > 0 || !strings.Contains(got.String(), c.want) {
			t.Errorf("%s\n%s\nwant %q", c.text, got.String(), c.want)
		}
	}
}
