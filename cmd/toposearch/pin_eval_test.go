package main_test

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"toposearch/internal/racing"
)

// evalLine is a line of designs.txt: a design, and flags of eval if not the usual ones.
type evalLine struct {
	design string
	flags  []string
}

func (l evalLine) String() string { return strings.Join(append([]string{l.design}, l.flags...), " ") }

// evalFlags are the flags of a line that has none: metrics above level 1 only where the cost model
// gives them 20 ms.
var evalFlags = []string{"--budget", "20ms"}

// evalLines reads designs.txt: lines of a design, perhaps with flags; none holds a space.
func evalLines(t *testing.T) []evalLine {
	t.Helper()
	text, err := os.ReadFile(pinned(t, "designs.txt"))
	if err != nil {
		t.Fatal(err)
	}
	var all []evalLine
	for line := range strings.Lines(string(text)) {
		if words := strings.Fields(line); len(words) > 0 {
			all = append(all, evalLine{words[0], words[1:]})
		}
	}
	return all
}

// TestPinEval: the metrics of designs of all families, values and bounds.
func TestPinEval(t *testing.T) {
	lines := evalLines(t)
	some := testing.Short() || racing.On
	if some {
		lines = slices.DeleteFunc(lines, func(l evalLine) bool { return len(l.design)%map[bool]int{false: 8, true: 32}[racing.On] != 0 })
	}
	var got []fact
	for _, l := range lines {
		flags := l.flags
		if len(flags) == 0 {
			flags = evalFlags
		}
		var doc struct{ Designs []map[string]any }
		document(t, 0, &doc, append([]string{"eval", l.design}, flags...)...)
		d := doc.Designs[0]
		var words []string
		for _, f := range facts("", d) {
			switch f.key {
			case "/metrics":
				words = append(words, f.value)
			case "/absent":
				words = append(words, "absent="+strings.ReplaceAll(f.value, " ", ","))
			case "/rejected":
				words = append(words, "rejected="+f.value)
			}
		}
		if list, ok := d["unpriced"].([]any); ok {
			words = append(words, fmt.Sprintf("unpriced=%d", len(list)))
		}
		if d["bottleneck"] != nil {
			words = append(words, "bottleneck=some")
		}
		got = append(got, fact{l.String(), strings.Join(words, " ")})
	}
	compare(t, pinned(t, "eval.golden"), got, some)
}
