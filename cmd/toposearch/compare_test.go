package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"toposearch/compare"
	"toposearch/internal/racing"
	"toposearch/report"
	"toposearch/search/run"
)

// quickRun runs the example of README.md without simulations in a folder of the test, which is then the working directory.
func quickRun(t *testing.T) {
	t.Helper()
	from, err := filepath.Abs("../../docs/example")
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	if err := os.CopyFS("in", os.DirFS(from)); err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile("in/study.toml")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile("in/study.toml", []byte(strings.Replace(string(b), "finalists = 3", "finalists = 0", 1)), 0o644); err != nil {
		t.Fatal(err)
	}
	if status, _, errw := command(t, "run", "in/study.toml", "--out", "r", "--quiet"); status != 0 {
		t.Fatalf("exit %d: %s", status, errw)
	}
}

// sensitivity asks what parts and limits are worth to the run r.
func sensitivity(t *testing.T) {
	t.Helper()
	var worth report.Sensitivity
	decode(t, report.SensitivitySchema, &worth, "what-if", "r", "--evaluations", "16")
	verified := 0
	for _, e := range worth.BreakEvens {
		if e.Verified {
			verified++
		}
	}
	if verified < 3 || len(worth.Curves) < 6 || len(worth.Picks) != 4 {
		t.Errorf("%d break-evens verified, %d curves, %d picks", verified, len(worth.Curves), len(worth.Picks))
	}
}

// compare and what-if print within 80 columns and the same as JSON, and a study without a run gives the designs of the run.
func TestCompareAndWhatIf(t *testing.T) {
	quickRun(t)
	const a, b = "hyperx(s1=16,k1=2,t=32)", "fattree(k=64,l=2,pods=16)"
	var d, s compare.Designs
	decode(t, compare.Schema, &d, "compare", "r", a, b)
	decode(t, compare.Schema, &s, "compare", "--study", "in/study.toml", a, b)
	// 268 more optical links, 8 more switches, 4 more copper links: 656,476 EUR, as README.md has it.
	if d.Against[0].Change != "656476.00" || s.Against[0].Change != d.Against[0].Change || d.Designs[1].Verdict != run.Dominated || s.Designs[1].Verdict != "" {
		t.Errorf("%+v, under the study alone %s", d.Against[0], s.Against[0].Change)
	}
	var w run.WhatIf
	decode(t, run.WhatIfSchema, &w, "what-if", "r", "--limit", "building.power=710kW", "--price", "T400-DR4=+25%")
	if !w.Complete || len(w.Front) != 4 || len(w.Gone) != 3 {
		t.Errorf("%d on the front, %d gone, complete %v", len(w.Front), len(w.Gone), w.Complete)
	}
	if !testing.Short() {
		sensitivity(t)
	}
	if racing.On {
		return // the rest is searches like these, text and refusals
	}
	var f struct{ Study string }
	decode(t, "toposearch.whatif-study/1", &f, "what-if", "r", "--limit", "cost<=0.9MEUR", "--write", "changed")
	if status, out, _ := command(t, "check", f.Study); status != 0 {
		t.Errorf("the study that was written is not sound: %s", out)
	}
	for _, args := range [][]string{{"compare", "r", a, b}, {"compare", "r", "r"}, {"what-if", "r", "--limit", "building.racks=16"},
		{"what-if", "r", "--limit", "uniform_throughput=none", "--evaluations", "0"}} {
		status, out, errw := command(t, args...)
		if status != 0 {
			t.Errorf("%v: exit %d: %s", args, status, errw)
		}
		for _, line := range strings.Split(out, "\n") {
			if utf8.RuneCountInString(line) > 80 {
				t.Errorf("%v: more than 80 columns: %q", args, line)
			}
		}
	}
	if b, err := json.Marshal(d); err != nil || !json.Valid(b) {
		t.Error(err)
	}
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"compare", "r", a}, "at least two designs"},
		{[]string{"compare", "r", "in/nowhere"}, "is no run directory"},
		{[]string{"compare", "nowhere", a, b}, "manifest.json"},
		{[]string{"compare", "r", a, "fatree(k=64,l=2)"}, "fattree"},
		{[]string{"compare", "r", a, "hyperx(s1=16,kk=2)"}, "kk"},
		{[]string{"compare", "r", "hyprx", "fatree"}, "hyperx"},
		{append([]string{"compare", "r"}, strings.Split(strings.Repeat(a+" ", 9), " ")[:9]...), "up to 8"},
		{[]string{"compare", "--study", "in/nothing.toml", a, b}, "nothing.toml"},
		{[]string{"what-if", "r", "--limit", "building.powr=1MW"}, "power"},
		{[]string{"what-if", "r", "--limit", "building.power=1"}, "unit"},
		{[]string{"what-if", "r", "--limit", "building.power"}, "NAME=VALUE"},
		{[]string{"what-if", "r", "--limit", "a b=3"}, "no name of a limit"},
		{[]string{"what-if", "r", "--price", "T400-DR5=3EUR"}, "T400-DR4"},
		{[]string{"what-if", "r", "--price", "T400-DR4"}, "PART=PRICE"},
		{[]string{"what-if", "r", "--price", "T400-DR4=-200%"}, "-100 %"},
		{[]string{"what-if", "r", "--evaluations", "-1"}, "0 or more"},
		{[]string{"what-if", "r", "--write", "x"}, "needs a change"},
		{[]string{"what-if", "r", "--limit", "building.racks=16", "--write", "changed"}, "exists"},
		{[]string{"what-if", "in"}, "manifest.json"},
	} {
		status, _, errw := command(t, c.args...)
		if status != exitUsage || !strings.Contains(errw, c.want) {
			t.Errorf("%v: exit %d, %q; want %q", c.args, status, errw, c.want)
		}
	}
}
