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
	at := func(n int) *Choice {
		t.Helper()
		list, _, err := c.Shortest(n, 1)
		if err != nil {
			t.Fatal(err)
		}
		x := list[0]
		if x.Ranks() > n {
			t.Errorf("%d ranks on %d accelerators", x.Ranks(), n)
		}
		if _, exact, err := Best(m, 2048, 128, x.Ranks(), s, Parallelism{FusedAttention: true}); err != nil || exact.Total != x.Seconds {
			t.Errorf("of %d accelerators %d take %g s, those alone %v (%v)", n, x.Ranks(), x.Seconds, exact, err)
		}
		return x
	}
	few, prime, many := at(96), at(97), at(128)
	if prime.Seconds != few.Seconds || many.Seconds >= prime.Seconds {
		t.Errorf("%g s on 96, %g on 97, %g on 128", few.Seconds, prime.Seconds, many.Seconds)
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
		list, _, err := c.Shortest(n, 1)
		if err != nil {
			t.Fatal(err)
		}
		got := list[0].Seconds
		if last > 0 && got > last {
			t.Errorf("%g s on %d accelerators, %g on fewer", got, n, last)
		}
		last = got
	}
}

// TestShortest: many choices are those of all divisions timed one by one, whichever number was asked for before.
func TestShortest(t *testing.T) {
	m, err := Model("gpt3-22b")
	if err != nil {
		t.Fatal(err)
	}
	far, near := collective.Link{Alpha: 5e-6, BytesPerS: 50e9}, collective.Link{Alpha: 5e-6, BytesPerS: 450e9}
	for _, domain := range []int{1, 8} {
		s := System{FLOPS: 312e12, Efficiency: 0.5, Memory: 80e9, Domain: domain, Link: [collective.Levels]collective.Link{near, far}}
		c := Chooser{Model: m, Sequence: 2048, Batch: 96, System: s, Wish: Parallelism{FusedAttention: true}}
		var all []*Choice
		for _, n := range sizes(m, 2048, 96, 50) {
			for _, x := range c.fitting(n).fit {
				step, err := x.TimeOn(s, s)
				if err != nil {
					t.Fatal(err)
				}
				all = append(all, &Choice{Training: *x.Training, Seconds: step.Total})
			}
		}
		all = merged(all, nil, len(all))
		for _, most := range []int{1, 7, 300, len(all), len(all) + 1} {
			got, whole, err := c.Shortest(50, most)
			if err != nil || !whole || len(got) != min(most, len(all)) {
				t.Fatalf("%d of %d, %d wanted, %v", len(got), len(all), most, err)
			}
			for i, x := range got {
				if x.Training != all[i].Training || x.Seconds != all[i].Seconds {
					t.Fatalf("of %d the %d-th is %+v, want %+v", most, i, x, all[i])
				}
			}
		}
	}
}
