package diag

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
)

func sample() List {
	var l List
	l.Warnf(Pos{"b.toml", 2, 0}, "late\ncome sooner")
	l.Add(Diagnostic{Severity: Error, Summary: `unknown key "virtual_chanels" in [routing]`, Detail: `did you mean "vcs"?`,
		Pos: Pos{"a.toml", 14, 3}, Source: "  virtual_chanels = 4", Width: 15})
	l.Errorf(Pos{"a.toml", 2, 1}, "first")
	l.Errorf(Pos{"a.toml", 2, 1}, "first")
	return l
}

func TestPrintLooksLikeACompiler(t *testing.T) {
	l := sample()
	l.Sort()
	var b bytes.Buffer
	if err := l.Print(&b); err != nil {
		t.Fatal(err)
	}
	want := `a.toml:2:1: error: first
a.toml:14:3: error: unknown key "virtual_chanels" in [routing]
   14 |   virtual_chanels = 4
      |   ^^^^^^^^^^^^^^^ did you mean "vcs"?
b.toml:2: warning: late
      | come sooner
2 errors, 1 warning
`
	if b.String() != want {
		t.Errorf("printed\n%swant\n%s", b.String(), want)
	}
}

func TestPrintStopsAtFifty(t *testing.T) {
	var l List
	for i := range 60 {
		l.Errorf(Pos{"a", i + 1, 1}, "e")
	}
	var b bytes.Buffer
	l.Print(&b)
	if got := strings.Count(b.String(), ": error: e\n"); got != MaxPrinted || !strings.Contains(b.String(), "... and 10 more\n60 errors, 0 warnings\n") {
		t.Errorf("printed %d of 60:\n%s", got, b.String())
	}
}

// A line with tabs, escapes and no end keeps the caret under its character and the terminal safe.
func TestPrintLongAndOddLines(t *testing.T) {
	long := strings.Repeat("x", 500) + "\x1b[31m!" + strings.Repeat("y", 500)
	var b bytes.Buffer
	List{{Severity: Error, Summary: "here", Pos: Pos{"a", 1, 506}, Source: long, Width: 1}, {Severity: Error, Summary: "tab", Pos: Pos{"a", 2, 2}, Source: "\tz"}}.Print(&b)
	lines := strings.Split(b.String(), "\n")
	if strings.Contains(b.String(), "\x1b") || len(lines[1]) > 130 {
		t.Errorf("unsafe or long: %q", lines[1])
	}
	for i := 1; i < 6; i += 3 {
		at := strings.Index(lines[i+1], "^")
		if c := lines[i][at]; c != '!' && c != 'z' {
			t.Errorf("the caret stands under %q in %q", c, lines[i])
		}
	}
}

func TestJSON(t *testing.T) {
	data, err := sample().JSON()
	if err != nil {
		t.Fatal(err)
	}
	var got []map[string]any
	if err := json.Unmarshal(data, &got); err != nil || len(got) != 4 {
		t.Fatal(err, len(got))
	}
	r := got[1]["range"].(map[string]any)
	if got[1]["severity"] != "error" || r["file"] != "a.toml" || r["line"] != 14.0 || r["column"] != 3.0 || got[1]["detail"] != `did you mean "vcs"?` {
		t.Errorf("JSON: %s", data)
	}
	if data, _ := List(nil).JSON(); string(data) != "[]" {
		t.Errorf("an empty list is %s, want []", data)
	}
}

func TestErr(t *testing.T) {
	if err := sample().Err(); err == nil || !strings.Contains(err.Error(), "and 2 more") {
		t.Errorf("Err = %v", err)
	}
	var l List
	l.Warnf(Pos{}, "w")
	if l.Err() != nil || l.HasErrors() {
		t.Error("a warning is an error")
	}
}

func TestSuggest(t *testing.T) {
	names := []string{"vcs", "ports", "per_server", "virtual_channels"}
	for got, want := range map[string]string{"vcss": "vcs", "prots": "ports", "per_sever": "per_server", "virtual": "virtual_channels",
		"virtual_chanels": "virtual_channels", "PORTS": "ports", "q": "", "vc": "", "bandwidth": "", "": "", "cvq": "", "vc5": "vcs",
		"channels": "virtual_channels", "hannels": ""} {
		if n := Nearest(got, names); n != want {
			t.Errorf("nearest to %q is %q, want %q", got, n, want)
		}
	}
	if got := Suggest("zzz", names[:2]); got != "one of vcs, ports" {
		t.Errorf("few names: %q", got)
	}
	if got := Suggest("zzz", make([]string, 13)); got != "" {
		t.Errorf("many names: %q", got)
	}
}

// An error behind many warnings is printed, in its place, and so many warnings less.
func TestPrintErrorsBehindWarnings(t *testing.T) {
	var l List
	for i := range 80 {
		l.Warnf(Pos{File: "a", Line: i + 1}, "w%d", i)
		if i%40 == 39 {
			l.Errorf(Pos{File: "a", Line: i + 1}, "e%d", i)
		}
	}
	var b strings.Builder
	if err := l.Print(&b); err != nil {
		t.Fatal(err)
	}
	s := b.String()
	if strings.Count(s, ": warning: ") != MaxPrinted-2 || strings.Index(s, "e39") < strings.Index(s, "w39") || strings.Index(s, "e39") > strings.Index(s, "w40") ||
		!strings.HasSuffix(s, "a:80: error: e79\n... and 32 more\n2 errors, 80 warnings\n") {
		t.Error(s)
	}
}
