package flit

import (
	"errors"
	"strings"
	"testing"

	"toposearch/internal/memory"
)

// TestOutOfPages: packets for which there is no memory end a run with what is needed and what there is, on
// one part and on several; with memory for them the same simulation runs.
func TestOutOfPages(t *testing.T) {
	for parts := 1; parts <= 3; parts++ {
		s := mustNew(t, newGrid(t, 8, false), uniform{64}, shortConfig())
		s.split(parts)
		most := s.mostPages
		if most < 1000 {
			t.Fatalf("memory for %d pages", most)
		}
		for _, p := range s.all() {
			p.mostPages = int32(parts)
		}
		var need *memory.Error
		if _, err := s.Run(t.Context(), 1); !errors.As(err, &need) || !strings.HasPrefix(err.Error(), "a simulation of ") || need.Bytes < s.Bytes() {
			t.Errorf("%d parts: %v", parts, err)
		}
	}
}
