package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"toposearch/evaluator/metric"
)

// TestDocs follows the pages of docs in an empty folder: a block "toml FILE" is written to the file, the commands of blocks "console" are run,
// and must print what stands below them. A line "..." stands for any lines.
func TestDocs(t *testing.T) {
	if testing.Short() {
		t.Skip("searches and simulates for some seconds")
	}
	pages, err := filepath.Glob("../../docs/*.md")
	if err != nil || len(pages) == 0 {
		t.Fatal(pages, err)
	}
	for _, page := range pages {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		t.Run(filepath.Base(page), func(t *testing.T) {
			t.Chdir(t.TempDir())
			run := 0
			for _, block := range regexp.MustCompile("(?ms)^```(.*?)$\n(.*?)^```$").FindAllStringSubmatch(string(text), -1) {
				kind, file, _ := strings.Cut(block[1], " ")
				switch {
				case kind == "console":
					run += follow(t, block[2])
				case file == "":
				default:
					if err := os.WriteFile(file, []byte(block[2]), 0o644); err != nil {
						t.Fatal(err)
					}
				}
			}
			if n := strings.Count(string(text), "\n$ toposearch "); run != n {
				t.Errorf("%d of %d commands were run", run, n)
			}
		})
	}
}

// follow runs the commands of a block and gives their number.
func follow(t *testing.T, block string) int {
	t.Helper()
	all := strings.Split(block, "$ toposearch ")
	for _, one := range all[1:] {
		line, want, _ := strings.Cut(one, "\n")
		var args []string
		for _, word := range regexp.MustCompile(`'[^']*'|\S+`).FindAllString(line, -1) {
			args = append(args, strings.Trim(word, "'"))
		}
		status, got, errs := command(t, args...)
		if status != 0 {
			t.Fatalf("%s: exit %d, %s", line, status, errs)
		}
		if !printed(got, want) {
			t.Errorf("%s prints\n%s\nwhere the page has\n%s", line, got, want)
		}
	}
	return len(all) - 1
}

// printed says whether a text is as a page has it. What stands before, between and after lines "..." must be there in that order.
func printed(got, page string) bool {
	parts := strings.Split("\n"+page, "\n...\n")
	rest := "\n" + got
	for i, part := range parts {
		part = strings.TrimSuffix(part, "\n")
		before, after, ok := strings.Cut(rest, part+"\n")
		if i > 0 && part != "" {
			before, after, ok = strings.Cut(rest, "\n"+part+"\n")
		}
		if !ok || i == 0 && before != "" || i == len(parts)-1 && part != "" && after != "" {
			return false
		}
		rest = "\n" + after
	}
	return true
}

// TestPrinted: a page may leave lines out where it says so, and nowhere else.
func TestPrinted(t *testing.T) {
	const got = "a\nb\nc\nd\n"
	for page, want := range map[string]bool{
		"a\nb\nc\nd\n": true, "a\n...\nc\nd\n": true, "a\n...\n": true, "...\nd\n": true, "...\nb\nc\n...\n": true,
		"a\n": false, "b\n...\n": false, "...\nc\n": false, "a\n...\nc\n": false, "...\nc\n...\nb\n...\n": false, "a\n...\nx\n...\n": false,
	} {
		if printed(got, page) != want {
			t.Errorf("%q: %v", page, !want)
		}
	}
}

// TestReference: the reference in docs is what the program says of itself.
func TestReference(t *testing.T) {
	dir := t.TempDir()
	if status, _, errs := command(t, "man", dir, "--markdown"); status != 0 {
		t.Fatal(errs)
	}
	for _, name := range []string{"reference.md", "metrics.md"} {
		want, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		if got, err := os.ReadFile(filepath.Join("../../docs", name)); err != nil || string(got) != string(want) {
			t.Errorf("docs/%s is not what the program writes (%v): go run ./cmd/toposearch man docs --markdown", name, err)
		}
	}
}

// TestMetricsDefined: every metric has a formula and a direction in words, and a name that is none is refused with a suggestion.
func TestMetricsDefined(t *testing.T) {
	for _, m := range metricsJSON(mustMetrics(t)).(map[string]any)["metrics"].([]metricDoc) {
		if m.Formula == "" || m.Doc == "" {
			t.Errorf("%s: formula %q, doc %q", m.Name, m.Formula, m.Doc)
		}
	}
	if status, _, errs := command(t, "metrics", "bisecton"); status != 2 || !strings.Contains(errs, "bisection") {
		t.Errorf("bisecton: exit %d, %s", status, errs)
	}
	if status, out, _ := command(t, "metrics", "tub", "cost"); status != 0 || !strings.Contains(out, "Namyar") || !strings.Contains(out, "MOQ") {
		t.Errorf("tub: exit %d, %s", status, out)
	}
}

func mustMetrics(t *testing.T) []metric.Key {
	t.Helper()
	keys, err := metricsNamed(nil)
	if err != nil {
		t.Fatal(err)
	}
	return keys
}
