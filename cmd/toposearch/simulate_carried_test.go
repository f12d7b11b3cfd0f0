package main

import (
	"strings"
	"testing"

	"toposearch/simcore/traffic"
	"toposearch/simulate"
)

// TestPrintCarriedLoad: a saturation load above what the channels carry, as of transposes on meshes, is explained.
func TestPrintCarriedLoad(t *testing.T) {
	for _, c := range []struct {
		accepted float64
		want     bool
	}{{0, false}, {0.14, false}, {0.1601, true}} {
		var b strings.Builder
		printCarriedLoad(&b, &simulate.Carried{Throughput: 1. / 7, LimitedBy: "links"}, c.accepted)
		text := strings.Join(strings.Fields(b.String()), " ")
		if !strings.Contains(text, "carry 0.1429 of this traffic") || strings.Contains(text, "still accepted at 0.1601") != c.want {
			t.Errorf("accepted %g: %s", c.accepted, text)
		}
	}
}

// TestFlowsText: the paths of a hash are told from those that every simulation has.
func TestFlowsText(t *testing.T) {
	for _, hash := range []bool{false, true} {
		if text := flowsText(&traffic.Shares{Flows: 12, Hash: hash}); !strings.Contains(text, "its 12 flows keep to one path each") || strings.Contains(text, "the one hash that is simulated") != hash {
			t.Error(text)
		}
	}
}
