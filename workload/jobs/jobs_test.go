package jobs

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"toposearch/topology"
)

// TestBuiltin: the share that is published, and what is no more than the largest.
func TestBuiltin(t *testing.T) {
	m := Builtin()
	if got := m.Within(999); math.Abs(got-0.963) > 1e-12 {
		t.Errorf("%g below 1,000, want 0.963", got)
	}
	if m.Within(7) != 0 || math.Abs(m.Within(4096)-1) > 1e-12 {
		t.Errorf("%g within 7, %g within 4,096", m.Within(7), m.Within(4096))
	}
}

// TestDraw: sizes come as often as their shares say where all fit, and never more than fit.
func TestDraw(t *testing.T) {
	m, err := New("two", []Kind{{64, 1}, {8, 2}, {8, 1}})
	if err != nil {
		t.Fatal(err)
	}
	got, err := m.Draw(20_000, 1<<40, rand.New(rand.NewPCG(1, 2)))
	if err != nil {
		t.Fatal(err)
	}
	small := 0
	for _, n := range got {
		if n == 8 {
			small++
		}
	}
	if share := float64(small) / 20_000; math.Abs(share-0.75) > 0.01 { // three standard errors
		t.Errorf("%g of jobs have 8 endpoints, want 0.75", share)
	}
	if got, err = m.Draw(9, 72, rand.New(rand.NewPCG(1, 2))); err == nil && !slices.Equal(got, slices.Repeat([]int{8}, 9)) {
		t.Errorf("nine jobs on 72 endpoints: %v", got)
	}
	if _, err = m.Draw(10, 72, rand.New(rand.NewPCG(1, 2))); err == nil || !strings.Contains(err.Error(), "ask for fewer jobs") {
		t.Errorf("ten jobs on 72 endpoints: %v", err)
	}
}

// TestPlace: no endpoint is given twice, by any placement; jobs of 10, 8 and 6 on three blocks of 8: the one of 8 takes a
// block of its own, that of 10 cannot.
func TestPlace(t *testing.T) {
	blocks := Blocks(24, 8)
	for _, p := range placements {
		got, err := Place([]int{6, 8, 10}, 24, p, blocks, rand.New(rand.NewPCG(3, 4)))
		if err != nil {
			t.Fatal(err)
		}
		seen := make(map[topology.EndpointID]bool)
		for i, want := range []int{6, 8, 10} {
			if len(got[i]) != want {
				t.Errorf("%s: job %d has %d endpoints", p, i, len(got[i]))
			}
			for _, e := range got[i] {
				if seen[e] || e < 0 || e >= 24 {
					t.Errorf("%s: endpoint %d twice", p, e)
				}
				seen[e] = true
			}
		}
		if p == Region && (!Isolated(got[0], blocks) || !Isolated(got[1], blocks) || Isolated(got[2], blocks)) {
			t.Errorf("%s: %v", p, got)
		}
	}
	for want, sizes := range map[string][]int{"job 2 has 25 endpoints, and the network 24": {1, 25}, "30 endpoints together, 6 more": {20, 10}} {
		if _, err := Place(sizes, 24, Compact, blocks, nil); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v: %v", sizes, err)
		}
	}
	if _, err := Place([]int{1}, 24, "compct", blocks, nil); err == nil || !strings.Contains(err.Error(), `did you mean "compact"`) {
		t.Errorf("%v", err)
	}
}

// TestRead: headings, comments and the mark of byte order are passed over, every fault has its line; a first line with a size that cannot be read is no heading.
func TestRead(t *testing.T) {
	m, found := Read("x.csv", []byte("size,share\n64,0.5\n# half\n8\n64,0.5\n"))
	if len(found) > 0 || len(m.Kinds) != 2 || m.Kinds[1] != (Kind{64, 0.5}) {
		t.Errorf("%+v, %v", m, found)
	}
	m, found = Read("x.csv", []byte("\ufeff64,0.5\r\n8,0.5\r\n"))
	if len(found) > 0 || len(m.Kinds) != 2 || m.Kinds[1] != (Kind{64, 0.5}) {
		t.Errorf("%+v, %v", m, found)
	}
	if m, found = Read("x.csv", []byte("# mine\nsize,share\n64,0.5\n")); len(found) > 0 || len(m.Kinds) != 1 {
		t.Errorf("%+v, %v", m, found)
	}
	for _, text := range []string{"8k,0.5\n64,0.5\n", "256;0.5\n64,0.5\n"} {
		if _, found = Read("x.csv", []byte(text)); len(found) != 1 || found[0].Pos.Line != 1 {
			t.Errorf("%q: %v", text, found)
		}
	}
	_, found = Read("x.csv", []byte("8,1\nx,1\n0,1\n8,-1\n8,inf\n"))
	if len(found) != 4 || found[0].Pos.Line != 2 || found[3].Pos.Line != 5 {
		t.Errorf("%v", found)
	}
}
