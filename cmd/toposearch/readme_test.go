package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The worked example of README.md prints what README.md says it prints: the quotation, the limits
// and every figure of the picks and of the explanation.
func TestReadmeExample(t *testing.T) {
	if testing.Short() {
		t.Skip("searches and simulates for some seconds")
	}
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	readme, err := os.ReadFile(filepath.Join(root, "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	if status, _, errw := command(t, "run", filepath.Join(root, "docs/example/study.toml"), "--out", "example", "--quiet"); status != 0 {
		t.Fatalf("exit %d, %s", status, errw)
	}
	_, text, _ := command(t, "report", "example", "--format", "text")
	_, picks, _ := strings.Cut(text, "Picks\n")
	picks, _, _ = strings.Cut(picks, "\nFront\n")
	_, why, _ := command(t, "explain", "example", "fattree(k=64,l=2,pods=16)")
	_, sides, _ := command(t, "compare", "example", "hyperx(s1=16,k1=2,t=32)", "fattree(k=64,l=2,pods=16)")
	_, sides, _ = strings.Cut(sides, "B against A\n")
	sides, _, _ = strings.Cut(sides, "  - latency")
	if !strings.Contains(string(readme), "\nB against A\n"+strings.TrimRight(sides, "\n")+"\n") {
		t.Errorf("README.md does not hold the comparison that is printed now:\n%s", sides)
	}
	for _, block := range []string{picks, why} {
		if !strings.Contains(string(readme), "\n"+strings.TrimSpace(block)+"\n```") {
			t.Errorf("README.md does not hold what is printed now:\n%s", block)
		}
	}
	if !strings.Contains(text, "Complete.") {
		t.Errorf("the front is not complete:\n%s", text)
	}
}
