package main

import (
	"math"
	"os"
	"path/filepath"
	"testing"

	"toposearch/simulate"
)

// One endpoint of 16 sends, over one of its six links: it is accepted 1/6 of its bandwidth however much it is offered. Sources that send nothing
// draw on while one with a full queue does not, which once passed for fewer senders, and for up to seven times what arrived.
func TestOneSender(t *testing.T) {
	path := filepath.Join(t.TempDir(), "one.csv")
	if err := os.WriteFile(path, []byte("0 1\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, model := range []string{"flit", "cut_through"} {
		var doc simulate.Document
		decode(t, "toposearch.simulate/1", &doc, "simulate", "fullmesh(d1=4,d2=4)", "--model", model, "--traffic", "file:"+path, "--load", "0.1,0.4,0.9", "--cycles", "30000", "-q")
		for _, p := range doc.Points {
			want := min(p.Offered, 1./6)
			if math.Abs(p.Accepted-want) > 0.05*want || p.Saturated != (p.Offered > 0.2) || p.Saturated && math.Abs(p.Share*p.Offered-want) > 0.05*want {
				t.Errorf("%s at %g: accepted %g, share %g, saturated %v, want %g", model, p.Offered, p.Accepted, p.Share, p.Saturated, want)
			}
		}
	}
}
