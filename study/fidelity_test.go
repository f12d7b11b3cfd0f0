package study

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// fidelity = "search" needs an objective to correct, and simulations belong to it. The warning that finalists alone are measured is not for it.
func TestFidelity(t *testing.T) {
	const measured = "[[objective]]\nmetric = \"sim_saturation\"\n"
	for _, c := range []struct{ text, want string }{
		{measured + "[verify]\nfidelity = \"search\"\n", ""},
		{measured + "[verify]\nfidelity = \"finalists\"\n", "warning: sim_saturation is measured on the finalists alone"},
		{measured + "[verify]\nfidelity = \"serch\"\n", `error: there is no fidelity "serch"`},
		{measured + "[verify]\nsimulations = 30\n", "error: simulations are those of a search at two fidelities"},
		{"[verify]\nfidelity = \"search\"\n", "study.toml:9:12: error: fidelity = \"search\" corrects objectives that are measured, and there is none"},
	} {
		path := filepath.Join(t.TempDir(), "study.toml")
		text := "name = \"t\"\nspace = { families = [\"torus\"] }\n[endpoints]\ncount = 64\nbandwidth = \"400 Gb/s\"\n[[objective]]\nmetric = \"cost\"\n" + c.text
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		s, found := Load(path)
		var got strings.Builder
		for _, d := range found {
			got.WriteString(strings.TrimPrefix(d.String(), filepath.Dir(path)+"/") + "\n")
		}
		if c.want == "" && got.Len() > 0 || !strings.Contains(got.String(), c.want) {
			t.Errorf("%s\n%s\nwant %q", c.text, got.String(), c.want)
		}
		if c.want == "" && (s == nil || s.Verify.Simulations != DefaultSimulations) {
			t.Errorf("simulations of %+v", s)
		}
	}
}
