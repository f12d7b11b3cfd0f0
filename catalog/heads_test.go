package catalog

import (
	"strings"
	"testing"
)

// Heads without gaps between their words name one column each, so that the index of them does not
// depend on an order.
func TestSquashedHeadsAreUnique(t *testing.T) {
	seen := map[string]column{}
	for key, c := range headIndex {
		k := strings.ReplaceAll(key, "_", "")
		if old, ok := seen[k]; ok && old != c {
			t.Errorf("%q is both %s and %s", k, old.name(), c.name())
		}
		seen[k] = c
	}
	for text, want := range map[string]column{"UnitPrice": colPrice, "PartNo": colPartNo, "leadTime": colLead, "UnitPrice (EUR)": colPrice} {
		if c, _, ok := matchHead(text); !ok || c != want {
			t.Errorf("%q: %v %v, want %s", text, c, ok, want.name())
		}
	}
	if _, _, ok := matchHead("foo"); ok {
		t.Error("foo is a column")
	}
}
