package tomlfile

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"toposearch/diag"
	"toposearch/internal/unit"
)

// Take gives the value of a key, nil if it is not there. The key is then known: Done reports those
// that nobody asked for. A nil table has no keys.
func (t *Table) Take(key string) *Value {
	if t == nil {
		return nil
	}
	t.asked = append(t.asked, key)
	e := t.entry(key)
	if e == nil {
		return nil
	}
	e.used = true
	return e.Value
}

// entry finds a key; nil if it is not there.
func (t *Table) entry(key string) *Entry {
	if t != nil {
		for _, e := range t.Entries {
			if e.Key == key {
				return e
			}
		}
	}
	return nil
}

// Has reports whether a key is there, without asking for it.
func (t *Table) Has(key string) bool { return t.entry(key) != nil }

// Taken reports whether a key is there and has been asked for.
func (t *Table) Taken(key string) bool {
	e := t.entry(key)
	return e != nil && e.used
}

// Sub gives the table under a key, nil if it is not there or not a table, which is reported.
func (t *Table) Sub(key string) *Table {
	v := t.Take(key)
	if v == nil || !v.Is(TableKind) {
		return nil
	}
	return v.Table
}

// Done reports the keys that nobody took, each with the nearest known key. hints gives the key to
// write for words that people use instead.
func (t *Table) Done(hints map[string]string) {
	if t == nil {
		return
	}
	for _, e := range t.Entries {
		if e.used {
			continue
		}
		where := "at the top of the file"
		if t.Name != "" {
			where = "in [" + t.Name + "]"
		}
		t.doc.report(diag.Error, e.Pos, e.Width, t.nearest(e.Key, hints), "unknown key %q %s", e.Key, where)
	}
}

// nearest is the remedy for an unknown key. A hint of several words is the remedy as it stands.
func (t *Table) nearest(key string, hints map[string]string) string {
	if h, ok := hints[key]; ok {
		if strings.Contains(h, " ") {
			return h
		}
		return fmt.Sprintf("did you mean %q?", h)
	}
	words := make([]string, 0, len(hints))
	for w := range hints {
		words = append(words, w)
	}
	slices.Sort(words)
	if diag.Nearest(key, t.asked) == "" {
		// A misspelt word stands for what the word stands for.
		if h, ok := hints[diag.Nearest(key, words)]; ok {
			return fmt.Sprintf("did you mean %q?", h)
		}
	}
	return diag.Suggest(key, t.asked)
}

// Errorf reports an error at the value; the text behind the first line break is the remedy.
func (v *Value) Errorf(format string, args ...any) { v.say(diag.Error, format, args...) }

// Warnf reports a warning at the value.
func (v *Value) Warnf(format string, args ...any) { v.say(diag.Warning, format, args...) }

func (v *Value) say(sev diag.Severity, format string, args ...any) {
	s, detail, _ := strings.Cut(fmt.Sprintf(format, args...), "\n")
	v.doc.report(sev, v.Pos, v.Width, detail, "%s", s)
}

// Errorf reports an error at a key.
func (e *Entry) Errorf(format string, args ...any) {
	s, detail, _ := strings.Cut(fmt.Sprintf(format, args...), "\n")
	e.Value.doc.report(diag.Error, e.Pos, e.Width, detail, "%s", s)
}

// Errorf reports an error at the head of a table.
func (t *Table) Errorf(format string, args ...any) {
	s, detail, _ := strings.Cut(fmt.Sprintf(format, args...), "\n")
	t.doc.report(diag.Error, t.Pos, 1, detail, "%s", s)
}

// Is reports an error unless the value is of the kind. A whole number is also a number.
func (v *Value) Is(k Kind) bool {
	if v.Kind == k || k == Float && v.Kind == Int {
		return true
	}
	v.Errorf("expected %s, found %s\n%s", k, v.describe(), v.instead(k))
	return false
}

func (v *Value) describe() string {
	if v.Raw != "" && len(v.Raw) <= 40 && !strings.Contains(v.Raw, "\n") {
		return v.Raw
	}
	return v.Kind.String()
}

// Text gives a string that is not blank.
func (v *Value) Text() (string, bool) {
	if v == nil || !v.Is(String) {
		return "", false
	}
	if strings.TrimSpace(v.Str) == "" {
		v.Errorf("the text is empty\nwrite one, or leave the key out")
		return "", false
	}
	if r, i := diag.FirstHidden(v.Str); i >= 0 {
		v.Errorf("the text holds U+%04X, which is not seen and changes how a name is shown\ndelete it", r)
		return "", false
	}
	return v.Str, true
}

// Integer gives a whole number in lo..hi.
func (v *Value) Integer(lo, hi int64) (int64, bool) {
	if v == nil || !v.Is(Int) {
		return 0, false
	}
	switch {
	case v.Int < lo:
		v.Errorf("%d is below the least, %d", v.Int, lo)
		return 0, false
	case v.Int > hi:
		v.Errorf("%d is above the greatest, %d", v.Int, hi)
		return 0, false
	}
	return v.Int, true
}

// Number gives a finite number in lo..hi.
func (v *Value) Number(lo, hi float64) (float64, bool) {
	if v == nil || !v.Is(Float) {
		return 0, false
	}
	if math.IsNaN(v.Float) || v.Float < lo || v.Float > hi {
		v.Errorf("%s is outside %g to %g", v.describe(), lo, hi)
		return 0, false
	}
	return v.Float, true
}

// Truth gives a bool.
func (v *Value) Truth() (bool, bool) {
	if v == nil || !v.Is(Bool) {
		return false, false
	}
	return v.Bool, true
}

// Quantity gives a quantity with its unit, in base units of the kind.
func (v *Value) Quantity(k unit.Kind) (float64, bool) {
	if v == nil {
		return 0, false
	}
	if v.Kind == Int || v.Kind == Float {
		v.Errorf("%s has no unit\n%s", v.describe(), k.Remedy())
		return 0, false
	}
	if v.Kind != String {
		v.Errorf("expected a quantity, found %s\n%s", v.describe(), k.Remedy())
		return 0, false
	}
	x, err := k.Parse(v.Str)
	if err != nil {
		v.unitError(err)
		return 0, false
	}
	return x, true
}

// Money gives an amount with its currency.
func (v *Value) Money() (unit.Money, bool) {
	if v == nil {
		return unit.Money{}, false
	}
	if v.Kind != String {
		v.Errorf("expected an amount of money, found %s\nwrite it with its currency, such as \"12 MUSD\"", v.describe())
		return unit.Money{}, false
	}
	m, err := unit.ParseMoney(v.Str)
	if err != nil {
		v.unitError(err)
		return unit.Money{}, false
	}
	return m, true
}

// unitError splits an error of package unit into what is wrong and what to write.
func (v *Value) unitError(err error) {
	if e, ok := err.(*unit.Error); ok {
		v.Errorf("%q: %s\n%s", e.Text, e.Reason, e.Remedy)
		return
	}
	v.Errorf("%v", err)
}

// Texts gives a list of strings.
func (v *Value) Texts() ([]string, bool) {
	if v == nil || !v.Is(List) {
		return nil, false
	}
	out, ok := make([]string, 0, len(v.Items)), true
	for _, it := range v.Items {
		s, good := it.Text()
		out, ok = append(out, s), ok && good
	}
	return out, ok
}
