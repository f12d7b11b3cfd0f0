package run

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"toposearch/internal/racing"
	"toposearch/search"
	"toposearch/search/searchtest"
	"toposearch/study"
)

// smallJournal is of a head, entries with every form of a value, a stop and a simulation.
func smallJournal(t testing.TB) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), journalName)
	j, err := openJournal(path, journalHead{Schema: JournalSchema, Key: "0123456789abcdef", Evaluator: "0"})
	searchtest.Must(t, err)
	es := entries(4)
	for _, e := range es { // a dozen metrics make a short line
		for k := 12; k < len(e.Values); k++ {
			e.Values[k] = es[0].Values[len(e.Values)-1]
		}
	}
	searchtest.Must(t, j.Write(es[:2]))
	searchtest.Must(t, j.Note(map[string]any{"sim": map[string]any{"design": es[0].Design, "traffic": "uniform"}}))
	searchtest.Must(t, j.Write(es[2:]))
	searchtest.Must(t, j.Note(map[string]any{"stop": "time", "border": 3}))
	searchtest.Must(t, j.close())
	return read(t, path)
}

// looked gives what a reader takes from a file: the lines that it trusts, and what it says is wrong.
type looker struct {
	f    *os.File
	path string
}

func newLooker(t testing.TB) *looker {
	path := filepath.Join(t.TempDir(), journalName)
	f, err := os.Create(path)
	searchtest.Must(t, err)
	t.Cleanup(func() { f.Close() })
	return &looker{f, path}
}

func (l *looker) at(t testing.TB, text string) (trusted []string, faults []string) {
	searchtest.Must(t, l.f.Truncate(0))
	_, err := l.f.WriteAt([]byte(text), 0)
	searchtest.Must(t, err)
	d, err := examine(l.f, l.path, func(body []byte) { trusted = append(trusted, string(body)) })
	if errors.Is(err, ErrVersion) {
		return trusted, []string{err.Error()}
	}
	searchtest.Must(t, err)
	return trusted, d.Lines
}

// harmless reports whether what is trusted begins as the journal does: as if its end were still to be computed.
func harmless(trusted, whole []string) bool {
	return len(trusted) <= len(whole) && slices.Equal(trusted, whole[:len(trusted)])
}

// Exhaustive: a bit or a byte of a journal that has changed anywhere is found, or cuts off the last line, which
// is then computed again; and no line is ever trusted that was not written.
func TestAnyByteOfAJournal(t *testing.T) {
	text := smallJournal(t)
	l := newLooker(t)
	whole, faults := l.at(t, text)
	if len(whole) != 7 || len(faults) > 0 {
		t.Fatalf("%d lines, faults %v", len(whole), faults)
	}
	found := 0
	for i := 0; i < len(text); i += racing.Of(1, 16) {
		for _, c := range []byte{text[i] ^ 1, text[i] ^ 2, text[i] ^ 4, text[i] ^ 8, text[i] ^ 16, text[i] ^ 32, text[i] ^ 64, text[i] ^ 128, 0, '\n', '"', '0'} {
			if c == text[i] {
				continue
			}
			trusted, faults := l.at(t, text[:i]+string([]byte{c})+text[i+1:])
			for _, line := range trusted {
				if !slices.Contains(whole, line) {
					t.Fatalf("byte %d as %q: a line is trusted that was not written: %s", i, c, line)
				}
			}
			if len(faults) > 0 {
				found++
			} else if i != len(text)-1 || !harmless(trusted, whole) {
				t.Fatalf("byte %d as %q instead of %q is not found", i, c, text[i])
			}
		}
	}
	t.Logf("%d changes of %d bytes found", found, len(text))
}

// Exhaustive: a line that is missing, there twice, elsewhere or another's is found, by number; a journal cut
// anywhere is harmless.
func TestAnyLineOfAJournal(t *testing.T) {
	text := smallJournal(t)
	l := newLooker(t)
	whole, _ := l.at(t, text)
	lines := strings.SplitAfter(text, "\n")
	lines = lines[:len(lines)-1]
	try := func(what, want string, changed []string) {
		t.Helper()
		trusted, faults := l.at(t, strings.Join(changed, ""))
		if len(faults) == 0 && !harmless(trusted, whole) || want != "" && !strings.Contains(strings.Join(faults, "; "), want) {
			t.Errorf("%s: faults %q, want %q", what, faults, want)
		}
	}
	for i := range lines {
		want := fmt.Sprintf("line %d does not follow line %d", i+1, i)
		switch i {
		case 0:
			want = "line 1 is not the first"
		case len(lines) - 1:
			want = ""
		}
		try(fmt.Sprintf("line %d removed", i+1), want, slices.Delete(slices.Clone(lines), i, i+1))
		for k := range len(lines) + 1 {
			want := fmt.Sprintf("line %d does not follow line %d", k+1, k)
			switch k {
			case i, i + 1:
				want = fmt.Sprintf("line %d is line %d a second time", i+2, i+1)
			case 0:
				want = "line 1 is not the first"
			}
			try(fmt.Sprintf("line %d once more before line %d", i+1, k+1), want, slices.Insert(slices.Clone(lines), k, lines[i]))
		}
		for k := range i {
			swapped := slices.Clone(lines)
			swapped[i], swapped[k] = swapped[k], swapped[i]
			want := fmt.Sprintf("line %d does not follow line %d", k+1, k)
			if k == 0 {
				want = "line 1 is not the first"
			}
			try(fmt.Sprintf("lines %d and %d swapped", i+1, k+1), want, swapped)
		}
	}
	for i := range text {
		if trusted, faults := l.at(t, text[:i]); len(faults) > 0 || !harmless(trusted, whole) {
			t.Fatalf("cut after %d bytes: faults %q", i, faults)
		}
	}
}

// What was flipped, removed, doubled or swapped in the journal of a run, finished or not, is named by its line, kept
// as it is beside a new journal, and that gets the bytes of a run that nothing happened to, as does the front; only
// what is lost is evaluated.
func TestMended(t *testing.T) {
	st := studyOf(t, study.Enumerate)
	p := searchtest.ProblemOf(t, st, &searchtest.SizeModel{})
	whole := create(t, st)
	out, journal, front := runIn(t, p, whole, search.Options{Workers: 2})
	searchtest.Must(t, os.Remove(filepath.Join(whole.Path, frontName)))
	m := &searchtest.SizeModel{} // what the details of the front and the rejections take, when nothing is lost
	runIn(t, searchtest.ProblemOf(t, st, m), whole, search.Options{})
	beside := m.Evaluations.Load()
	lines := strings.SplitAfter(journal, "\n")
	lines = lines[:len(lines)-1]
	damage := map[string]func(ls []string) []string{ // by the text that names it
		"line 7 (of " + designIn(t, lines[6]) + ") does not have": func(ls []string) []string {
			ls[6] = strings.Replace(ls[6], `"latency":`, `"latency":9`, 1)
			return ls
		},
		"line 1 does not have":            func(ls []string) []string { ls[0] = strings.Replace(ls[0], "a", "b", 1); return ls },
		"line 9 does not follow line 8":   func(ls []string) []string { return slices.Delete(ls, 8, 9) },
		"line 10 is line 9 a second time": func(ls []string) []string { return slices.Insert(ls, 8, ls[8]) },
		"line 4 does not follow line 3":   func(ls []string) []string { ls[3], ls[20] = ls[20], ls[3]; return ls },
		"line 2 does not have": func(ls []string) []string {
			for i := 1; i <= 40; i++ {
				ls[i] = "\x00" + ls[i][1:]
			}
			return ls
		},
	}
	for _, finished := range []bool{true, false} {
		for text, change := range damage {
			d := create(t, st)
			searchtest.Must(t, os.CopyFS(d.Path, noLock(os.DirFS(whole.Path), finished)))
			bad := strings.Join(change(slices.Clone(lines)), "")
			file := filepath.Join(d.Path, journalName)
			searchtest.Must(t, os.WriteFile(file, []byte(bad), 0o644))
			var told []string
			m := &searchtest.SizeModel{}
			_, j, f := runIn(t, searchtest.ProblemOf(t, st, m), d, search.Options{Workers: 3, Tell: func(s string) { told = append(told, s) }})
			if j != journal || f != front {
				t.Errorf("%s: journal equal %v, front equal %v", text, j == journal, f == front)
			}
			if len(told) != 1 || !strings.Contains(told[0], text) {
				t.Errorf("told %q, want %q", told, text)
			}
			if got := read(t, filepath.Join(d.Path, "journal-1.jsonl")); got != bad {
				t.Errorf("%s: the damaged journal was not kept", text)
			}
			// A lost design on the front is evaluated once, not twice.
			want := beside
			for _, line := range lines {
				for name := range journalled(line) {
					if !strings.Contains(bad, line) && out.Front.Find(name) == nil {
						want++
					}
				}
			}
			if got := m.Evaluations.Load(); got != want {
				t.Errorf("%s: %d designs were evaluated, want %d", text, got, want)
			}
		}
	}
}

func designIn(t *testing.T, line string) string {
	_, name, ok := designOf([]byte(line))
	if !ok {
		t.Fatal(line)
	}
	return string(name)
}

// An interruption of the mending loses nothing either.
func TestMendingInterrupted(t *testing.T) {
	st := studyOf(t, study.NSGA2)
	p := searchtest.ProblemOf(t, st, &searchtest.SizeModel{})
	_, journal, front := runIn(t, p, create(t, st), search.Options{})
	d := create(t, st)
	file := filepath.Join(d.Path, journalName)
	searchtest.Must(t, os.WriteFile(file, []byte(strings.Replace(journal, `"cost":`, `"cost":1`, 1)), 0o644))
	ctx, cancel := context.WithCancel(context.Background())
	pc := searchtest.ProblemOf(t, st, &searchtest.SizeModel{Hook: func(int64) { cancel() }})
	if _, err := run(ctx, pc, d, search.Options{}); !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	m := &searchtest.SizeModel{}
	_, j, f := runIn(t, searchtest.ProblemOf(t, st, m), d, search.Options{})
	if j != journal || f != front {
		t.Errorf("journal equal %v, front equal %v", j == journal, f == front)
	}
	if n := m.Evaluations.Load() - int64(strings.Count(front, `"design"`)); n > 1 {
		t.Errorf("%d designs were evaluated again, at most 1 was lost", n)
	}
}
