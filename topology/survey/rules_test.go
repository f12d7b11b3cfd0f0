package survey

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"toposearch/topology/family"
)

// TestRulesAreListed: every rule that the code of a family states is on a page: the sample of tuples
// breaks them all.
func TestRulesAreListed(t *testing.T) {
	listed := map[string]bool{}
	for _, f := range family.All() {
		for _, r := range Rules(f) {
			if f.Param(r.Param) < 0 {
				t.Errorf("%s: a rule for %q, which is no parameter", f.Name, r.Param)
			}
			listed[r.Rule] = true
		}
	}
	files, err := filepath.Glob("../family/*.go")
	if err != nil || len(files) < 40 {
		t.Fatalf("%d files of families: %v", len(files), err)
	}
	stated := regexp.MustCompile(`(?:s\.Fail\("[a-z0-9]+", [^"]+?|checkPower\([^"]+"[a-z]+", [^"]+?), "([^"]+)"`)
	found := 0
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range stated.FindAllStringSubmatch(string(text), -1) {
			found++
			if !listed[m[1]] {
				t.Errorf("%s: no page says %q", filepath.Base(name), m[1])
			}
		}
	}
	if found < 60 {
		t.Errorf("%d rules found in the code of families", found)
	}
	if got := Rules(familyOf(t, "dragonfly")); !slices.Equal(got, []Rule{{"g", "g <= a*h+1"}}) {
		t.Errorf("rules of dragonfly: %v", got)
	}
	if got := Rules(familyOf(t, "ring")); len(got) > 0 {
		t.Errorf("rules of ring: %v", got)
	}
}
