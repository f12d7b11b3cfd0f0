package main

import (
	"bytes"
	"strings"
	"testing"
	"time"
)

// Progress tells how much is done, weighed by load, and how long the rest takes; quiet says nothing.
func TestSimProgress(t *testing.T) {
	var out bytes.Buffer
	now := time.Unix(0, 0)
	a := &app{err: &out, now: func() time.Time { return now }}
	x := a.newSimProgress(10_000, []float64{0.15, 0.35})
	x.LoadDone(0) // 0.2 of 0.6 units of work
	now = now.Add(100 * time.Second)
	x.Load(1, 5000) // half of the rest: 2/3 done in 100 s, 50 s left
	got := out.String()
	for _, want := range []string{"done=66.7%", "loads=1/2", "left=50s"} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in %q", want, got)
		}
	}
	// A run that goes on beyond what was expected never counts as done.
	x.Load(1, 500_000)
	if x.share[1] >= 1 || x.share[1] < 0.99 {
		t.Errorf("after 50 times the cycles expected: share %g", x.share[1])
	}
	out.Reset()
	a.quiet = true
	now = now.Add(time.Hour)
	if x = a.newSimProgress(2, []float64{1}); out.Len() > 0 {
		t.Errorf("quiet says %q", out.String())
	}
	x.Load(0, 1)
	x.end()
	if out.Len() > 0 {
		t.Errorf("quiet says %q", out.String())
	}
}
