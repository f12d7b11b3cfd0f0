package workload

import (
	"testing"

	"toposearch/workload/collective"
)

// TestChooser: of 1,049 accelerators, a prime number, as many are used as the model divides over, as well as if only they were
// there; and more of them are never slower.
func TestChooser(t *testing.T) {
	m, err := Model("gpt3-22b")
	if err != nil {
		t.Fatal(err)
	}
	l := collective.Link{Alpha: 5e-6, BytesPerS: 50e9}
	s := System{FLOPS: 312e12, Efficiency: 0.5, Memory: 80e9, Domain: 1, Link: [collective.Levels]collective.Link{l, l}}
	c := Chooser{Model: m, Sequence: 2048, Batch: 128, System: s, Wish: Parallelism{FusedAttention: true}}
	at := func(n int) *StepTime {
		t.Helper()
		x, got, err := c.UpTo(n)
		if err != nil {
			t.Fatal(err)
		}
		if x.Ranks() > n {
			t.Errorf("%d ranks on %d accelerators", x.Ranks(), n)
		}
		if _, exact, err := Best(m, 2048, 128, x.Ranks(), s, Parallelism{FusedAttention: true}); err != nil || exact.Total != got.Total {
			t.Errorf("of %d accelerators %d take %g s, those alone %v (%v)", n, x.Ranks(), got.Total, exact, err)
		}
		return got
	}
	few, prime, many := at(96), at(97), at(128)
	if prime.Total != few.Total || many.Total >= prime.Total {
		t.Errorf("%g s on 96, %g on 97, %g on 128", few.Total, prime.Total, many.Total)
	}
}
