package remote

import (
	"bytes"
	"context"
	"fmt"
	"unicode/utf8"

	"toposearch/search"
	"toposearch/topology"
)

// sample are the designs that a worker computes before it is admitted: of families with different routes, some milliseconds each.
var sample = []string{"fattree(k=8,l=3)", "dragonfly(p=2,a=4,h=2)", "slimfly(q=5)", "zcube(n=8,k=2)"}

// prove gives the sample of a problem and computes it.
func prove(ctx context.Context, p *search.Problem) (*task, [][]byte, error) {
	req := p.Request
	t := &task{Request: &req}
	for _, name := range sample {
		if _, err := topology.ParseDesign(name, p.Study.Known); err == nil { // a program of one's own may know other families
			t.Designs = append(t.Designs, name)
		}
	}
	lines, err := compute(ctx, p, t, nil)
	return t, lines, err
}

// differs is the first place at which lines differ, -1 if they do not.
func differs(got, want [][]byte) int {
	for i := range max(len(got), len(want)) {
		if i >= len(got) || i >= len(want) || !bytes.Equal(got[i], want[i]) {
			return i
		}
	}
	return -1
}

func excerpt(lines [][]byte, at int) string {
	if at >= len(lines) {
		return "nothing"
	}
	const most = 400
	if b := lines[at]; !utf8.Valid(b) { // boxes
		return fmt.Sprintf("%d bytes, %x", len(b), b[:min(most/20, len(b))])
	}
	return string(lines[at][:min(most, len(lines[at]))])
}
