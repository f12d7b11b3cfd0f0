package main

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"toposearch/selftest"
	"toposearch/topology/family"
)

// TestSelftestText: numbers that gave no design are told, so that what was checked adds up to what was asked for.
func TestSelftestText(t *testing.T) {
	r := &selftest.Report{Designs: 8, Networks: 1, None: 1}
	opt := &selftest.Options{Families: family.All(), Seed: 1, Designs: 9, Networks: 1}
	var b bytes.Buffer
	if err := printSelftest(&b, r, opt); err != nil || !strings.Contains(b.String(), "\n1 number gave no design") {
		t.Errorf("%v: %s", err, &b)
	}
	b.Reset()
	r.Designs, r.None = 9, 0
	if err := printSelftest(&b, r, opt); err != nil || strings.Contains(b.String(), "gave no design") {
		t.Errorf("%v: %s", err, &b)
	}
}

// TestProgressIsRaw: a line that is overwritten is written past the guard that shows what is hidden in names.
func TestProgressIsRaw(t *testing.T) {
	var b bytes.Buffer
	p := newProgress(&shownWriter{w: &b}, func() time.Time { return time.Time{} })
	p.tty = true
	p.clear()
	if b.String() != "\r\x1b[K" {
		t.Errorf("written %q", b.String())
	}
}
