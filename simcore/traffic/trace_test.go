package traffic

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"toposearch/simcore"
)

func TestTrace(t *testing.T) {
	got, found := ParseTrace("t", []byte("time;from;to;size\n0 0 1 16 # first\n\n7,3,2,5\n7\t3\t2\t5\n"), 4)
	want := []simcore.Send{{From: 0, To: 1, Size: 16}, {From: 3, To: 2, Size: 5, At: 7}, {From: 3, To: 2, Size: 5, At: 7}}
	if found.HasErrors() || !slices.Equal(got, want) {
		t.Errorf("%+v, %v", got, found)
	}
	for text, want := range map[string]string{
		"5 0 1 16\n3 1 2 4\n9 1 2 4\n4 1 2 3": "t:2: error: time 3 is before 5 on line 1: a trace is in order of time; sort its lines\nt:4: error: time 4 is before 9 on line 3",
		"0 0 4 1":                             `t:1: error: destination "4" is not an endpoint; they are 0 to 3`,
		"0 -1 2 1":                            `source "-1" is not an endpoint`,
		"0 1 1 1":                             "endpoint 1 sends to itself",
		"0 1 2 0":                             `size "0" is not a whole number from 1 to 1073741824`,
		"-3 1 2 1":                            `time "-3" is not a whole number from 0`,
		"1.5 1 2 1":                           `time "1.5"`,
		"0 1 2 1\n1 2 3":                      "t:2: error: 3 fields; a trace has 4 on every line (time, source, destination, size), a communication graph 3 (without a time)",
		"0 1":                                 "2 fields",
		"a b c\n":                             "no line with a source, a destination and a size",
	} {
		_, found := ParseTrace("t", []byte(text), 4)
		var all []string
		for _, d := range found {
			all = append(all, d.String())
		}
		if !strings.Contains(strings.Join(all, "\n"), want) {
			t.Errorf("%q: %q, want %q", text, all, want)
		}
	}
}

// FuzzTrace: a trace is read or refused with its reason and line; what is read can be played.
func FuzzTrace(f *testing.F) {
	f.Add([]byte("0 0 1 16\n7,3,2,5\n"))
	f.Add([]byte("src dst size\n0 1 4\n1 0 4\n"))
	f.Add([]byte("9 0 1 1\n1 0 1 1\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		sends, found := ParseTrace("f", data, 5)
		if (sends == nil) != found.HasErrors() {
			t.Fatalf("%d messages with %v", len(sends), found)
		}
		for _, d := range found {
			if d.Pos.File != "f" || d.Pos.Line > bytes.Count(data, []byte("\n"))+1 || d.Summary == "" {
				t.Errorf("finding %+v", d)
			}
		}
		if sends != nil {
			if _, err := simcore.NewPhased(5, sends); err != nil {
				t.Errorf("%q: %v", data, err)
			}
		}
	})
}

// Each endpoint sends to the others of its row first, then to those of its column; together 4 x 3 + 3 x 2 messages to each process.
func TestExchanges(t *testing.T) {
	g, err := GridOf("3,4,blocked(1,2)", 12, 1)
	if err != nil {
		t.Fatal(err)
	}
	count := make(map[[3]int32]int)
	for _, s := range g.Exchanges(7) {
		count[[3]int32{s.From, s.To, s.Phase}]++
		a, b := int(g.From[s.From]), int(g.From[s.To])
		if same := a/4 == b/4; same != (s.Phase == 0) || !same && a%4 != b%4 || s.Size != 7 {
			t.Errorf("%+v joins processes %d and %d", s, a, b)
		}
	}
	if len(count) != 12*3+12*2 {
		t.Errorf("%d different messages, want 60", len(count))
	}
}

// Faults of a file are told under the path by which it was named: two files may have one name.
func TestFaultsNamePath(t *testing.T) {
	path := filepath.Join(t.TempDir(), "r.csv")
	if err := os.WriteFile(path, []byte("0,0,-5\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	_, trace := TraceFile(path, 4)
	_, matrix := FromFile(path, Options{Network: ring(t, 4)})
	for _, err := range []error{trace, matrix} {
		if err == nil || !strings.Contains(err.Error(), path+":1") {
			t.Errorf("%v, want an error at %s:1", err, path)
		}
	}
}
