package diag

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestVisible(t *testing.T) {
	for s, want := range map[string]string{
		"größe 64 µs 中文 \U0001f600\ufffd":  "größe 64 µs 中文 \U0001f600\ufffd",
		"a\tb\nc":                          "a\tb\nc",
		"\x1b[31mred\x1b[0m\r\a\b\x00\x7f": `\u001b[31mred\u001b[0m\u000d\u0007\u0008\u0000\u007f`,
		"\u009b31m \x9b31m":                `\u009b31m \x9b31m`,
		"\u202egnp.\u2066x\u2069\u200f":    `\u202egnp.\u2066x\u2069\u200f`,
		"SW\u200b-1\ufeff\u00ad\u2028":     `SW\u200b-1\ufeff\u00ad\u2028`,
		"\U000e0041":                       `\udb40\udc41`,
	} {
		if got := Visible(s); got != want {
			t.Errorf("%q is shown as %q, want %q", s, got, want)
		}
		if r, i := FirstHidden(strings.NewReplacer("\t", "", "\n", "").Replace(strings.ToValidUTF8(s, ""))); (i >= 0) != strings.Contains(want, `\u`) {
			t.Errorf("%q: hidden character %q at %d", s, r, i)
		}
	}
}

// FuzzVisible: what is shown holds nothing hidden, shows as itself, and in JSON means what it did.
func FuzzVisible(f *testing.F) {
	f.Add("\x1b]0;title\a \u202e \x9b \U000e0041 \ufffd \t\n")
	f.Fuzz(func(t *testing.T, s string) {
		got := Visible(s)
		if _, i := FirstHidden(strings.NewReplacer("\t", "", "\n", "").Replace(got)); i >= 0 || !utf8.ValidString(got) || Visible(got) != got {
			t.Errorf("%q is shown as %q", s, got)
		}
		doc, err := json.Marshal(s)
		if err != nil {
			t.Fatal(err)
		}
		var back string
		if err := json.Unmarshal([]byte(Visible(string(doc))), &back); err != nil || back != strings.ToValidUTF8(s, "\ufffd") && utf8.ValidString(s) {
			t.Errorf("%q in JSON, %s, is read as %q: %v", s, Visible(string(doc)), back, err)
		}
	})
}
