package study

import (
	"io/fs"
	"strings"
	"testing"
)

// An incumbent that is no network, or of another size, is named with file, line, value and remedy.
func TestIncumbent(t *testing.T) {
	const head = "[endpoints]\ncount = { min = 64, max = 72 }\nbandwidth = \"400 Gb/s\"\n[space]\nfamilies = [\"torus\"]\n[[objective]]\nmetric = \"cost\"\n[[incumbent]]\ndesign = "
	for _, c := range []struct{ design, want string }{
		{`"fattree(k=16,l=2,pods=8)"`, ""}, // 8 leaves of 8: 64
		{`"fattree"`, ""},
		{`"fattree(k=64,l=2)"`, "study.toml:9:10: error: the incumbent fattree(k=64,l=2) has 2048 endpoints, and 64 to 72 are asked for (endpoints.count, study.toml:2:9)"},
		{`"fatree"`, `did you mean "fattree"`},
		{`"torus(k1=0)"`, "there is no network torus(k1=0)"},
		{`"file:gone.json"`, `cannot read the network of the incumbent "gone.json"`},
		{`"file:"`, "lacks the path"},
		{`"file:bad.csv"`, "bad.csv:1:"},
		{"3", "study.toml:9:10: error"},
	} {
		text := head + c.design + "\n"
		st, faults := LoadFrom("study.toml", func(path string) ([]byte, error) {
			switch path {
			case "study.toml":
				return []byte(text), nil
			case "bad.csv":
				return []byte("what,is,this\n"), nil
			}
			return nil, &fs.PathError{Op: "open", Path: path, Err: fs.ErrNotExist}
		})
		var b strings.Builder
		faults.Print(&b)
		if c.want == "" {
			if err := faults.Err(); err != nil || len(st.Incumbents) != 1 || st.Incumbents[0].Best != (c.design == `"fattree"`) {
				t.Errorf("%s: %v", c.design, err)
			}
		} else if err := faults.Err(); err == nil || !strings.Contains(b.String(), c.want) {
			t.Errorf("%s: %s, want %s", c.design, b.String(), c.want)
		}
	}
}
