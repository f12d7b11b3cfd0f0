package simcore

import (
	"slices"
	"strings"
	"testing"
)

// TestFlows by hand: endpoint 0 sends three messages to 1, which passes each on to 2 one behind (Lead 1), and sends a
// last one back to 0 when all three are there. What comes out of order waits for what is before it.
func TestFlows(t *testing.T) {
	f, err := NewFlows(3, []Flow{
		{From: 0, To: 1, Count: 3, Size: 10},
		{From: 1, To: 2, Count: 3, Size: 5, After: []Need{{Flow: 0, Lead: 1}}},
		{From: 1, To: 0, Count: 1, Size: 1, After: []Need{{Flow: 0, Lead: 3}}},
	}, 1, 7)
	if err != nil {
		t.Fatal(err)
	}
	for range 2 { // a second run is like the first
		f.Begin()
		if f.Total() != 46 || !slices.Equal(f.Sizes(), []int32{1, 5, 10}) || f.AtOnce() != 1 {
			t.Fatalf("%d in all, of %v", f.Total(), f.Sizes())
		}
		var tags []int64
		for range 3 {
			if f.Due(0) != 7 {
				t.Fatalf("endpoint 0 is due at %d", f.Due(0))
			}
			m := f.Next(0)
			if m.Dst != 1 || m.Size != 10 {
				t.Fatalf("%+v", m)
			}
			tags = append(tags, m.Tag)
		}
		if f.Due(0) != Never || f.Due(1) != Never || f.Due(2) != Never {
			t.Fatal("an endpoint may send more")
		}
		f.Arrived(1, tags[1], 10, 100) // the second before the first
		f.Arrived(1, tags[0], 4, 110)
		if f.Due(1) != Never {
			t.Fatal("half a message counts for one")
		}
		f.Arrived(1, tags[0], 6, 120)
		for _, want := range []Message{{Dst: 2, Size: 5, Tag: 1 << 32}, {Dst: 2, Size: 5, Tag: 1<<32 | 1}} {
			if due, m := f.Due(1), f.Next(1); due != 127 || m != want {
				t.Fatalf("%+v at %d, want %+v at 127", m, due, want)
			}
		}
		f.Arrived(1, tags[2], 10, 130)
		if a, b := f.Next(1), f.Next(1); a.Dst != 2 || b.Dst != 0 || f.Due(1) != Never || f.Last(0) != 130 || f.Last(2) != 0 {
			t.Fatalf("%+v, %+v", a, b)
		}
	}
}

// TestFlowFaults: what cannot be is named.
func TestFlowFaults(t *testing.T) {
	for want, flow := range map[string]Flow{
		"from endpoint 0 to 3; they are two of 0 to 2": {To: 3, Count: 1, Size: 1}, "from endpoint 1 to 1": {From: 1, To: 1, Count: 1, Size: 1},
		"has 0 messages of 1": {To: 1, Size: 1}, "waits for flow 0, which does not end there": {To: 1, Count: 1, Size: 1, After: []Need{{}}},
	} {
		if _, err := NewFlows(3, []Flow{flow}, 1, 0); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: %v, want %q", flow, err, want)
		}
	}
}

// TestSending: packets are cut from two messages in turn, then from what is left.
func TestSending(t *testing.T) {
	var s Sending
	s.Begin(Message{Dst: 1, Size: 5, Tag: 8}, 3)
	s.Begin(Message{Dst: 2, Size: 9, Tag: 9}, 4)
	var got []Message
	for s.Open() > 0 {
		m, _ := s.Take(4)
		got = append(got, m)
	}
	if want := []Message{{Dst: 1, Size: 4, Tag: 8}, {Dst: 2, Size: 4, Tag: 9}, {Dst: 1, Size: 1, Tag: 8}, {Dst: 2, Size: 4, Tag: 9}, {Dst: 2, Size: 1, Tag: 9}}; !slices.Equal(got, want) {
		t.Errorf("%+v, want %+v", got, want)
	}
}
