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

// TestMoreAreNotSlower: of more accelerators as many are taken as make the shortest step, however many are left over: 1,024 of up to 1,152, where a dozen numbers that
// are larger divide GPT-3, too.
func TestMoreAreNotSlower(t *testing.T) {
	m, err := Model("gpt3-175b")
	if err != nil {
		t.Fatal(err)
	}
	l := collective.Link{Alpha: 5e-6, BytesPerS: 50e9}
	s := System{FLOPS: 989e12, Efficiency: 0.6, Memory: 80e9, Domain: 1, Link: [collective.Levels]collective.Link{l, l}}
	c := Chooser{Model: m, Sequence: 2048, Batch: 1536, System: s, Wish: Parallelism{FusedAttention: true}}
	last := 0.0
	for _, n := range []int{1024, 1056, 1100, 1152} {
		_, got, err := c.UpTo(n)
		if err != nil {
			t.Fatal(err)
		}
		if last > 0 && got.Total > last {
			t.Errorf("%g s on %d accelerators, %g on fewer", got.Total, n, last)
		}
		last = got.Total
	}
}
