package main

import (
	"regexp"
	"strings"
	"testing"

	"toposearch/catalog"
)

// Every column that is read stands on the page of price lists, which fits a terminal.
func TestCatalogPage(t *testing.T) {
	status, out, _ := command(t, "catalog")
	if status != 0 {
		t.Fatalf("exit %d", status)
	}
	for _, c := range catalog.Columns() {
		if !regexp.MustCompile(`\b` + c + `\b`).MatchString(out) {
			t.Errorf("column %s is not explained", c)
		}
	}
	for line := range strings.Lines(out) {
		if n := len([]rune(strings.TrimRight(line, "\n"))); n > 80 {
			t.Errorf("%d columns: %s", n, line)
		}
	}
}
