package cutthrough_test

import (
	"errors"
	"testing"

	"toposearch/internal/memory"
)

// TestOutOfChunks: packets for which there is no memory end a run with what is needed.
func TestOutOfChunks(t *testing.T) {
	for _, chunks := range []int{1, 0} {
		s := sim(t, "hypercube(n=3)", "natural", "uniform", nil)
		s.AllowChunks(chunks)
		var need *memory.Error
		if _, err := s.Run(t.Context(), 0.5); errors.As(err, &need) != (chunks == 0) || need != nil && need.Bytes < s.Bytes() {
			t.Errorf("%d chunks: %v", chunks, err)
		}
	}
}
