// Black-box tests that hold what the program says as a user sees it: they run command lines and
// compare what comes out with testdata/pin. Texts for people (methods, reasons) may be reworded and
// are held only as present; values, bounds, verdicts, counts and names are held.
//
//	go test ./cmd/toposearch -run Pin -update
//
// rewrites the goldens; read the diff before committing it.
package main_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	main "toposearch/cmd/toposearch"
	"toposearch/internal/racing"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// pinned is the folder of the goldens, absolute, since tests change into folders of their own.
func pinned(t *testing.T, name ...string) string {
	t.Helper()
	p, err := filepath.Abs(filepath.Join(append([]string{"testdata", "pin"}, name...)...))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// long skips all but the core of the tests under -short and under the race detector.
func long(t *testing.T) {
	t.Helper()
	if testing.Short() || racing.On {
		t.Skip("all but the core")
	}
}

// command runs a command line and returns its exit status and output.
func command(args ...string) (status int, out, errs string) {
	var stdout, stderr bytes.Buffer
	status = main.Run(args, strings.NewReader(""), &stdout, &stderr)
	return status, stdout.String(), stderr.String()
}

// document runs a command that must end with a status and print JSON.
func document(t *testing.T, status int, v any, args ...string) {
	t.Helper()
	got, out, errs := command(append(args, "--json")...)
	if got != status {
		t.Fatalf("%v: exit %d, want %d\n%s%s", args, got, status, out, errs)
	}
	decode(t, []byte(out), v)
}

// decode reads JSON; numbers stay as they are written, for counts beyond 2^53.
func decode(t *testing.T, text []byte, v any) {
	t.Helper()
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	if err := d.Decode(v); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
}

// fact is one line of a golden: a path into a document and what stands there.
type fact struct{ key, value string }

// prose are the keys of texts for people, held only as present.
var prose = map[string]bool{"method": true, "why": true, "reason": true, "note": true, "notes": true, "absent": true,
	"admit": true, "simulated": true} // the last as a text of plan; in a front it is a table

// leftOut are keys that repeat others or are estimates of time on some machine.
var leftOut = map[string]bool{"schema": true, "params": true, "unit": true, "seconds": true, "curves": true, "family": true}

// facts flattens a document into lines; elements of lists are named by their design, family or constraint.
func facts(key string, v any) []fact {
	last := key[strings.LastIndexByte(key, '/')+1:]
	switch x := v.(type) {
	case map[string]any:
		if last == "absent" {
			return []fact{{key, strings.Join(keys(x), " ")}}
		}
		if last == "metrics" {
			return []fact{{key, metrics(x)}}
		}
		var all []fact
		for _, k := range keys(x) {
			if !leftOut[k] {
				all = append(all, facts(key+"/"+k, x[k])...)
			}
		}
		return all
	case []any:
		if prose[last] {
			return []fact{{key, fmt.Sprintf("%d texts", len(x))}}
		}
		var all []fact
		for i, e := range x {
			all = append(all, facts(key+"/"+elementName(i, e), e)...)
		}
		return append(all, fact{key, strconv.Itoa(len(x))})
	case string:
		if prose[last] && x != "" {
			x = "(text)"
		}
		return []fact{{key, x}}
	}
	return []fact{{key, fmt.Sprint(v)}}
}

// elementName names an element of a list by what it is about, so that one that is missing moves no other.
func elementName(i int, v any) string {
	m, _ := v.(map[string]any)
	for _, k := range []string{"design", "family", "constraint"} {
		if s, ok := m[k].(string); ok && s != "" {
			return s
		}
	}
	return strconv.Itoa(i)
}

func keys(m map[string]any) []string {
	all := make([]string, 0, len(m))
	for k := range m {
		all = append(all, k)
	}
	slices.Sort(all)
	return all
}

// metrics writes the values of metrics: one number where it is exact, else value:lo:hi. "!" marks one without a method.
func metrics(m map[string]any) string {
	var words []string
	for _, k := range keys(m) {
		x := m[k].(map[string]any)
		text := fmt.Sprint(x["value"])
		if x["lo"] != x["value"] || x["hi"] != x["value"] {
			text += fmt.Sprintf(":%v:%v", x["lo"], x["hi"])
		}
		if s, _ := x["method"].(string); s == "" {
			text += "!"
		}
		words = append(words, k+"="+text)
	}
	return strings.Join(words, " ")
}

// compare holds facts against a golden and names each difference; some tells that they are a part of it.
// -update rewrites the golden of all.
func compare(t *testing.T, path string, got []fact, some bool) {
	t.Helper()
	if *update && !some {
		var b strings.Builder
		for _, f := range got {
			fmt.Fprintf(&b, "%s\t%s\n", f.key, f.value)
		}
		if err := os.WriteFile(path, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{}
	var order []string
	for line := range strings.Lines(string(text)) {
		k, v, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		want[k] = v
		order = append(order, k)
	}
	name, was := filepath.Base(path), t.Failed()
	for _, f := range got {
		w, ok := want[f.key]
		if !ok {
			t.Errorf("%s: %s: got %s, want nothing", name, f.key, f.value)
			continue
		}
		delete(want, f.key)
		differences(f.value, w, func(at, g, w string) { t.Errorf("%s: %s: %s got %s, want %s", name, f.key, at, g, w) })
	}
	if some {
		return
	}
	for _, k := range order {
		if w, ok := want[k]; ok {
			t.Errorf("%s: %s: got nothing, want %s", name, k, w)
		}
	}
	for i := 0; i < len(got) && !was && !t.Failed(); i++ {
		if got[i].key != order[i] {
			t.Errorf("%s: order: got %s, want %s", name, got[i].key, order[i])
		}
	}
}

// differences compares two texts word by word; metrics by their names.
func differences(got, want string, differ func(at, got, want string)) {
	g, w := strings.Fields(got), strings.Fields(want)
	if !strings.Contains(got+want, "=") {
		if len(g) != len(w) || !slices.EqualFunc(g, w, same) {
			differ("", got, want)
		}
		return
	}
	in := map[string]string{}
	for _, x := range w {
		k, v, _ := strings.Cut(x, "=")
		in[k] = v
	}
	for _, x := range g {
		k, v, _ := strings.Cut(x, "=")
		old, ok := in[k]
		if delete(in, k); !ok {
			differ(k, v, "nothing")
		} else if !same(v, old) {
			differ(k, v, old)
		}
	}
	for _, x := range w {
		k, _, _ := strings.Cut(x, "=")
		if v, ok := in[k]; ok {
			differ(k, "nothing", v)
		}
	}
}

// same compares words, or numbers parted by colons to a relative 1e-12.
func same(a, b string) bool {
	if a == b {
		return true
	}
	return slices.EqualFunc(strings.Split(a, ":"), strings.Split(b, ":"), func(a, b string) bool {
		x, err1 := strconv.ParseFloat(a, 64)
		y, err2 := strconv.ParseFloat(b, 64)
		return a == b || err1 == nil && err2 == nil && math.Abs(x-y) <= 1e-12*max(math.Abs(x), math.Abs(y))
	})
}
