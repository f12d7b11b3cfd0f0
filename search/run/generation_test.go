package run

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"toposearch/internal/racing"
	"toposearch/study"
)

// A budget that ends before the first generation does is wrong, unless it is enough for all designs that there are; where these are not counted, it is
// odd. A run that was begun with it is read as ever: study.Load says nothing of it.
func TestGenerationBudget(t *testing.T) {
	racing.Figures(t)
	const wide, eight = `families = ["torus"]`, "families = [\"hypercube\"]\n[space.hypercube]\nn = 4\nt = [4, 5, 6, 7, 8, 9, 10, 11]"
	for _, c := range []struct {
		space, search, want string
	}{
		{wide, "strategy = \"nsga2\"\nbudget = { evaluations = 99 }", "study.toml:LINE:26: error: 99 evaluations are fewer than the 100 designs of one generation"},
		{wide, "strategy = \"nsga2\"\nbudget = { time = \"8h\", evaluations = 99 }", "study.toml:LINE:39: error: 99 evaluations are fewer"},
		{wide, "strategy = \"nsga2\"\nbudget = { evaluations = 100 }", ""},
		{wide, "strategy = \"nsga2\"\nbudget = { evaluations = 100 }\nbatch = 200", "LINE:26: error: 100 evaluations are fewer than the 200 designs"},
		{wide, "strategy = \"nsga2\"\nbudget = \"1s\"", ""},
		{wide, "strategy = \"nsga2\"", ""},
		{wide, "strategy = \"local\"\nbudget = { evaluations = 9 }", ""},
		{wide, "strategy = \"random\"\nbudget = { evaluations = 9 }", ""},
		{wide, "strategy = \"auto\"\nbudget = { evaluations = 9 }", ""},
		{eight, "strategy = \"nsga2\"\nbudget = { evaluations = 8 }", ""},
		{eight, "strategy = \"nsga2\"\nbudget = { evaluations = 7 }", "error: 7 evaluations are fewer than the 8 designs that there are"},
	} {
		path := filepath.Join(t.TempDir(), "study.toml")
		text := "name = \"t\"\n[endpoints]\ncount = { min = 64, max = 176 }\nbandwidth = \"400 Gb/s\"\n[[objective]]\nmetric = \"latency\"\n[search]\n" + c.search + "\n[space]\n" + c.space + "\n"
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		st, found := study.Load(path)
		if len(found) > 0 {
			t.Fatalf("%s\n%v", text, found)
		}
		list, err := CheckGeneration(context.Background(), st, 2)
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		for _, d := range list {
			got += strings.TrimPrefix(d.String(), filepath.Dir(path)+"/") + " " + d.Detail + "\n"
		}
		if want := strings.ReplaceAll(c.want, "LINE", fmt.Sprint(9)); want == "" && got != "" || !strings.Contains(got, want) {
			t.Errorf("%s, %s\n%s\nwant %q", c.space, c.search, got, want)
		}
	}
}
