package tomlfile

import (
	"bytes"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/BurntSushi/toml"

	"toposearch/diag"
	"toposearch/internal/unit"
)

const sample = "name = \"größe\"\r\n" +
	"list = [ 1, \"two\",\n  3.5 ]\n" +
	"a.b.c = true\n" +
	"[t] # comment\n" +
	"in = { min = 2, max = { deep = 1_000 } }\n" +
	"\"odd key\" = 2026-11-01\n" +
	"[t.sub]\n" +
	"x = 0x10\n" +
	"[[o]]\nm = \"1\"\n[[o]]\nm = \"2\"\n[o.p]\nq = -7\n"

// place gives line:column of a value, columns in characters.
func place(v *Value) string { return fmt.Sprintf("%d:%d", v.Pos.Line, v.Pos.Column) }

func TestTreeKnowsPlaces(t *testing.T) {
	for _, bom := range []string{"", "\xef\xbb\xbf"} {
		var l diag.List
		root := Parse("f.toml", []byte(bom+sample), &l)
		if root == nil || len(l) > 0 {
			t.Fatal(l)
		}
		o := root.Take("o")
		tt := root.Sub("t")
		in := tt.Take("in").Table
		for _, c := range []struct {
			v     *Value
			place string
			kind  Kind
			raw   string
		}{
			{root.Take("name"), "1:8", String, `"größe"`},
			{root.Take("list"), "2:8", List, ""},
			{root.Take("list").Items[1], "2:13", String, `"two"`},
			{root.Take("list").Items[2], "3:3", Float, "3.5"},
			{root.Sub("a").Sub("b").Take("c"), "4:9", Bool, "true"},
			{in.Take("min"), "6:14", Int, "2"},
			{in.Sub("max").Take("deep"), "6:32", Int, "1_000"},
			{tt.Take("odd key"), "7:13", Date, "2026-11-01"},
			{tt.Sub("sub").Take("x"), "9:5", Int, "0x10"},
			{o.Items[0].Table.Take("m"), "11:5", String, `"1"`},
			{o.Items[1].Table.Sub("p").Take("q"), "15:5", Int, "-7"},
		} {
			if place(c.v) != c.place || c.v.Kind != c.kind || c.v.Raw != c.raw {
				t.Errorf("%q at %s, kind %v; want %q at %s, kind %v", c.v.Raw, place(c.v), c.v.Kind, c.raw, c.place, c.kind)
			}
		}
		if got := in.Sub("max").Take("deep").Int; got != 1000 {
			t.Errorf("1_000 = %d", got)
		}
		if got := tt.Sub("sub").Take("x").Int; got != 16 {
			t.Errorf("0x10 = %d", got)
		}
		if tt.Sub("sub").Name != "t.sub" || in.Sub("max").Name != "t.in.max" {
			t.Errorf("names %q, %q", tt.Sub("sub").Name, in.Sub("max").Name)
		}
	}
}

func TestSyntaxErrorsHaveAPlace(t *testing.T) {
	for _, c := range []struct{ text, at string }{
		{"a = 1\nb = = 2\n", "2:5"},
		{"a = 1\na = 2\n", "2:1"},
		{"a = \"x\n", "1:7"},
		{"[t]\n[t]\n", "2:2"},
		{"a = 1\r\nb = 2\r\nc = = 2\r\n", "3:5"},
		{"a = 1\n[t\nb = 1\n", "2:3"},
	} {
		var l diag.List
		if Parse("f", []byte(c.text), &l) != nil || len(l) != 1 {
			t.Fatalf("%q: %v", c.text, l)
		}
		if got := fmt.Sprintf("%d:%d", l[0].Pos.Line, l[0].Pos.Column); got != c.at || l[0].Source == "" {
			t.Errorf("%q: %s at %s, want %s", c.text, l[0].Summary, got, c.at)
		}
	}
	for _, text := range []string{"a = \"\xff\"", strings.Repeat("a = 1\n", MaxBytes), "x = " + strings.Repeat("[", 200_000)} {
		var l diag.List
		if Parse("f", []byte(text), &l) != nil || !l.HasErrors() {
			t.Errorf("%.20q was accepted", text)
		}
	}
}

func TestUnknownKeysAndTypes(t *testing.T) {
	var l diag.List
	root := Parse("f", []byte("vcss = 1\nzzz = 2\ncapex = 3\nn = \"many\"\np = 30\nq = 2.5\n"), &l)
	root.Take("vcs")
	root.Take("n").Integer(0, 9)
	root.Take("p").Quantity(unit.KindPower)
	root.Take("q").Integer(0, 9)
	root.Done(map[string]string{"capex": "cost"})
	want := []string{
		`f:4:5: error: expected a whole number, found "many"`, `write digits without quotes, such as 8`,
		`f:5:5: error: 30 has no unit`, `write a power with its unit, such as "2.5 MW" (GW, MW, kW, W)`,
		`f:6:5: error: expected a whole number, found 2.5`, `write 2 or 3`,
		`f:1:1: error: unknown key "vcss" at the top of the file`, `did you mean "vcs"?`,
		`f:2:1: error: unknown key "zzz" at the top of the file`, `one of vcs, n, p, q`,
		`f:3:1: error: unknown key "capex" at the top of the file`, `did you mean "cost"?`,
	}
	for i, d := range l {
		if 2*i+1 >= len(want) || d.String() != want[2*i] || d.Detail != want[2*i+1] {
			t.Errorf("finding %d: %s / %s", i, d, d.Detail)
		}
	}
	if len(l) != len(want)/2 {
		t.Errorf("findings = %d, want %d", len(l), len(want)/2)
	}
}

// Whatever stands where another kind is wanted, the remedy is what to write instead.
func TestInstead(t *testing.T) {
	read := map[string]func(*Value){
		"i": func(v *Value) { v.Integer(0, 1<<40) }, "x": func(v *Value) { v.Number(0, 1) }, "b": func(v *Value) { v.Truth() },
		"s": func(v *Value) { v.Text() }, "l": func(v *Value) { v.Is(List) }, "t": func(v *Value) { v.Is(TableKind) },
	}
	for _, c := range []struct{ text, want string }{
		{`i = "32K"`, "write all its digits, without quotes: 32000, or 32768 if K is of 1,024"},
		{`i = "1.5 M"`, "write all its digits, without quotes: 1500000, or 1572864 if M is of 1,024"},
		{`i = "4096"`, "write it without quotes: 4096"}, {`i = "131,072"`, "write it without quotes: 131072"},
		{`i = 32768.0`, "write it without a fraction: 32768"}, {`i = 0.5`, "write 0 or 1"}, {`i = "0.5"`, "write digits without quotes, such as 8"},
		{`i = "9999999999999999999999"`, "write digits without quotes, such as 8"}, {`i = nan`, "write digits without quotes, such as 8"},
		{`i = "50 %"`, "write digits without quotes, such as 8"}, {`i = true`, "write digits without quotes, such as 8"},
		{`x = "0.5"`, "write it without quotes: 0.5"}, {`x = "50 %"`, "write it as a fraction, without quotes: 0.5"}, {`x = "half"`, "write a number without quotes, such as 0.5"},
		{`b = "yes"`, "write true or false, without quotes"}, {`s = 12`, `write it in quotes: "12"`}, {`s = ["a"]`, "write a text in quotes"},
		{`l = "a"`, `write a list: ["a"]`}, {`l = {a = 1}`, "write a list in brackets: [..., ...]"},
		{`t = 3`, "write a table: { key = value }, or [name] on a line of its own and its keys below"},
	} {
		var l diag.List
		root := Parse("f", []byte(c.text), &l)
		read[c.text[:1]](root.Take(c.text[:1]))
		if len(l) != 1 || l[0].Detail != c.want {
			t.Errorf("%s: %v, want %q", c.text, l, c.want)
		}
	}
}

// What is beyond a limit is refused at its place before the strict parser, which is quadratic, sees it; what
// is just within takes no second.
func TestLimits(t *testing.T) {
	dots := func(n int) string { return strings.Repeat("a.", n-1) + "a" }
	for _, c := range []struct{ text, want string }{
		{dots(maxDepth) + " = 1\n", ""},
		{"b = 1\n" + dots(maxDepth+1) + " = 1\n", "f:2:33: error: the key has more than 16 parts between dots"},
		{dots(30_000) + " = 1\n", "f:1:8193: error: the line has 60003 bytes; at most 8192 are read"},
		{"[" + dots(4000) + "]\nb = 1\n", "f:1:34: error: the key has more than 16 parts between dots"},
		{"x = {" + dots(17) + " = 1}\n", "f:1:38: error: the key has more than 16 parts between dots"},
		{"x = " + strings.Repeat("[", 16) + "1" + strings.Repeat("]", 16), ""},
		{"x = " + strings.Repeat("[", 17) + "1" + strings.Repeat("]", 17), "f:1:22: error: lists and tables are nested more than 16 deep here"},
		{"x = " + strings.Repeat("{a=", 900) + "1" + strings.Repeat("}", 900), "f:1:54: error: lists and tables are nested more than 16 deep here"},
		{"x = [\n" + strings.Repeat("1,1,\n", maxValues/2) + "]\n", "f:5001:1: error: the file has more than 10000 keys and values"},
		{strings.Repeat("[[a]]\n", maxValues), ""},
		{strings.Repeat("[[a]]\n", maxValues+1), "f:10000:3: error: the file has more than 10000 keys and values"},
		{"a = 1\n\nb = \u007f\n" + dots(4000) + " = 1\n", "f:3:4: error: the file is not TOML"},
		{strings.Repeat("#\n", MaxBytes/2) + "#", "f: error: the file has 262145 bytes; a study or constraint file has at most 262144"},
	} {
		var l diag.List
		start := time.Now()
		root := Parse("f", []byte(c.text), &l)
		if took := time.Since(start); took > 30*time.Second {
			t.Errorf("%.30q takes %v", c.text, took)
		}
		if got := fmt.Sprint(l); (root != nil) != (c.want == "") || !strings.Contains(got, c.want) {
			t.Errorf("%.30q: %s, want %s", c.text, got, c.want)
		}
	}
	var b strings.Builder
	for i := range maxValues / 3 {
		fmt.Fprintf(&b, "[a.b%d]\nc = 1\n", i)
	}
	var l diag.List
	start := time.Now()
	if root := Parse("f", []byte(b.String()), &l); root == nil || time.Since(start) > 30*time.Second {
		t.Errorf("many tables take %v: %v", time.Since(start), l)
	}
}

// FuzzParse holds the tree against what the strict parser alone makes of the text: the same keys, kinds and
// values. Every finding has a place within the text.
func FuzzParse(f *testing.F) {
	for _, s := range []string{sample, "a = [[[{b = 1}]]]\n", "[[a.b]]\n[a.b.c]\nd.e = 1\n", "a = 1e400\n", "x = -0x1\n", "a.b.c.d.e.f.g.h.i.j.k.l.m.n.o.p.q = 1", "a = inf\nb = nan\ne = -nan\nf = +nan\ng = -inf\nc = -0.0\nd = 0b11_0\n",
		"a = \"\\u202e\"\n'\u200b' = 1\n", "[a]\nb = {c = 1, d.e = [\n1,\n]}\n[a.x]\n"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		var l diag.List
		root := Parse("f", data, &l)
		if root == nil && !l.HasErrors() {
			t.Error("no tree and no reason")
		}
		lines := bytes.Count(data, []byte("\n")) + 1
		if root != nil {
			var want map[string]any
			if _, err := toml.Decode(string(bytes.TrimPrefix(data, []byte("\xef\xbb\xbf"))), &want); err != nil {
				t.Fatalf("%q was accepted, which is no TOML: %v", data, err)
			}
			if got := plainTable(root); !sameValue(got, want) {
				t.Errorf("%q is read as %v, want %v", data, got, want)
			}
		}
		root.Done(nil)
		for _, d := range l {
			if d.Pos.File != "f" || d.Pos.Line < 0 || d.Pos.Line > lines || d.Pos.Column < 0 {
				t.Errorf("%q: place %v", data, d.Pos)
			}
		}
	})
}

// plainTable is a table as the strict parser gives it.
func plainTable(t *Table) map[string]any {
	m := map[string]any{}
	for _, e := range t.Entries {
		m[e.Key] = plainValue(e.Value)
	}
	return m
}

func plainValue(v *Value) any {
	switch v.Kind {
	case String:
		return v.Str
	case Int:
		return v.Int
	case Float:
		return v.Float
	case Bool:
		return v.Bool
	case TableKind:
		return plainTable(v.Table)
	case List:
		out := []any{}
		for _, it := range v.Items {
			out = append(out, plainValue(it))
		}
		return out
	}
	return time.Time{} // dates are not compared
}

// sameValue compares decoded TOML.
func sameValue(a, b any) bool {
	switch x := b.(type) {
	case map[string]any:
		y, ok := a.(map[string]any)
		if !ok || len(x) != len(y) {
			return false
		}
		for k := range x {
			if v, ok := y[k]; !ok || !sameValue(v, x[k]) {
				return false
			}
		}
		return true
	case []map[string]any:
		y, ok := a.([]any)
		if !ok || len(x) != len(y) {
			return false
		}
		for i := range x {
			if !sameValue(y[i], x[i]) {
				return false
			}
		}
		return true
	case []any:
		y, ok := a.([]any)
		if !ok || len(x) != len(y) {
			return false
		}
		for i := range x {
			if !sameValue(y[i], x[i]) {
				return false
			}
		}
		return true
	case float64:
		y, ok := a.(float64)
		return ok && math.Float64bits(x) == math.Float64bits(y) || math.IsNaN(x) && math.IsNaN(y)
	case time.Time:
		_, ok := a.(time.Time)
		return ok
	}
	return a == b
}

// A file of another kind is named as what it is.
func TestForeignFiles(t *testing.T) {
	for text, want := range map[string]string{
		"PK\x03\x04rest":                       "f.toml: error: the file is a workbook or archive, not TOML",
		"\xd0\xcf\x11\xe0":                     "f.toml: error: the file is a workbook or archive, not TOML",
		"\xff\xfen\x00":                        "f.toml: error: the file is UTF-16",
		"a = 1\nname = \"Z\xfcrich\"\n":        "f.toml:2: error: the file is not UTF-8",
		"\xef\xbb\xbfname = \"Z\u00fcrich\"\n": "",
	} {
		var l diag.List
		table := Parse("f.toml", []byte(text), &l)
		if got := fmt.Sprint(l); (table != nil) != (want == "") || !strings.Contains(got, want) {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
}
