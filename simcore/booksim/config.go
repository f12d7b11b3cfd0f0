package booksim

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"

	"toposearch/diag"
)

// setting is a key with its value as written and where.
type setting struct {
	value  string
	pos    diag.Pos
	src    string
	warned bool
}

// Settings are the keys of a configuration, defaults included.
type Settings struct {
	values map[string]*setting
	open   func(name string) ([]byte, error) // a file that the configuration names
	diags  diag.List
}

// scanner walks over a configuration text.
type scanner struct {
	s         *Settings
	file      string
	text      []rune
	lines     []string // of text, for findings
	at        int
	line, col int
}

func (s *Settings) read(file, text string) {
	text = strings.TrimPrefix(text, "\ufeff")
	c := &scanner{s: s, file: file, text: []rune(text), lines: strings.Split(text, "\n"), line: 1, col: 1}
	for c.assignment() {
	}
}

func (c *scanner) pos() diag.Pos { return diag.Pos{File: c.file, Line: c.line, Column: c.col} }

func (c *scanner) sourceLine(line int) string {
	if line < 1 || line > len(c.lines) {
		return ""
	}
	return strings.TrimSuffix(c.lines[line-1], "\r")
}

func (c *scanner) fault(p diag.Pos, width int, detail, format string, args ...any) {
	c.s.diags = append(c.s.diags, diag.Diagnostic{Severity: diag.Error, Summary: fmt.Sprintf(format, args...),
		Detail: detail, Pos: p, Source: c.sourceLine(p.Line), Width: width})
}

func (c *scanner) peek() rune {
	if c.at >= len(c.text) {
		return 0
	}
	return c.text[c.at]
}

func (c *scanner) next() rune {
	r := c.peek()
	if c.at < len(c.text) {
		c.at++
		c.col++
		if r == '\n' {
			c.line++
			c.col = 1
		}
	}
	return r
}

// space skips blanks and comments.
func (c *scanner) space() {
	for c.at < len(c.text) {
		switch r := c.peek(); {
		case unicode.IsSpace(r):
			c.next()
		case r == '/' && c.at+1 < len(c.text) && c.text[c.at+1] == '/', r == '#':
			for c.at < len(c.text) && c.peek() != '\n' {
				c.next()
			}
		case r == '/' && c.at+1 < len(c.text) && c.text[c.at+1] == '*':
			c.blockComment()
		default:
			return
		}
	}
}

func (c *scanner) blockComment() {
	p := c.pos()
	c.next()
	c.next()
	for c.at < len(c.text) {
		if c.next() == '*' && c.peek() == '/' {
			c.next()
			return
		}
	}
	c.fault(p, 2, "", "the comment does not end")
}

func isKey(r rune) bool { return r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) }

// assignment reads one "key = value;". It returns false at the end of the text.
func (c *scanner) assignment() bool {
	c.space()
	if c.at >= len(c.text) {
		return false
	}
	p := c.pos()
	var key strings.Builder
	for isKey(c.peek()) {
		key.WriteRune(c.next())
	}
	if key.Len() == 0 {
		c.fault(p, 1, "", "expected a key, found %q", c.peek())
		c.skip()
		return true
	}
	c.space()
	if c.peek() != '=' {
		c.fault(c.pos(), 1, "write "+key.String()+" = VALUE;", "expected = after %s", key.String())
		c.skip()
		return true
	}
	c.next()
	c.space()
	vp := c.pos()
	value, ok := c.value()
	if !ok {
		c.fault(vp, 1, "every setting ends in a semicolon", "the value of %s does not end", key.String())
		return c.at < len(c.text)
	}
	c.assign(key.String(), value, p, vp)
	return true
}

// value reads up to the semicolon; semicolons inside braces or parentheses belong to it.
func (c *scanner) value() (string, bool) {
	var b strings.Builder
	depth := 0
	for c.at < len(c.text) {
		r := c.peek()
		switch {
		case r == '/' && c.at+1 < len(c.text) && (c.text[c.at+1] == '/' || c.text[c.at+1] == '*'):
			c.space()
			continue
		case r == '{' || r == '(':
			depth++
		case r == '}' || r == ')':
			depth--
		case r == ';' && depth <= 0:
			c.next()
			return strings.TrimSpace(b.String()), true
		case r == '=' && depth <= 0: // the semicolon of the line before is missing
			return "", false
		}
		b.WriteRune(c.next())
	}
	return "", false
}

// skip goes behind the next semicolon.
func (c *scanner) skip() {
	for c.at < len(c.text) && c.next() != ';' {
	}
}

func (c *scanner) assign(key, value string, p, vp diag.Pos) {
	d, ok := c.s.values[key]
	if !ok {
		c.fault(p, len(key), strings.TrimPrefix(diag.Hint(key, keys()), "; "), "unknown key %q", key)
		return
	}
	if want, fixed := onlyDefault[key]; fixed && !sameValue(value, defaults[key]) {
		c.fault(vp, len([]rune(value)), want, "%s = %s is not supported", key, value)
		return
	}
	if value == "" {
		c.fault(vp, 1, "", "%s has no value", key)
		return
	}
	*d = setting{value: strings.Trim(value, `"`), pos: vp, src: c.sourceLine(vp.Line)}
}

// sameValue compares values as text and as numbers; a list in braces is that of its only element.
func sameValue(a, b string) bool {
	a = elements(strings.Trim(a, `"`))[0]
	if a == b {
		return true
	}
	x, err1 := strconv.ParseFloat(a, 64)
	y, err2 := strconv.ParseFloat(b, 64)
	return err1 == nil && err2 == nil && x == y
}

// errorAt reports a fault of a key's value.
func (s *Settings) errorAt(key, detail, format string, args ...any) {
	s.report(diag.Error, key, detail, fmt.Sprintf(format, args...))
}

// warnAt reports that a value does not do what it seems to.
func (s *Settings) warnAt(key, detail, format string, args ...any) {
	s.report(diag.Warning, key, detail, fmt.Sprintf(format, args...))
}

func (s *Settings) report(severity diag.Severity, key, detail, summary string) {
	v := s.values[key]
	s.diags = append(s.diags, diag.Diagnostic{Severity: severity, Summary: key + ": " + summary,
		Detail: detail, Pos: v.pos, Source: v.src, Width: len([]rune(v.value))})
}

// Values are all keys as text with what they are set to, defaults included.
func (s *Settings) Values() map[string]string {
	out := make(map[string]string, len(s.values))
	for k, v := range s.values {
		out[k] = v.value
	}
	return out
}

// str is a value as text. Of a list in braces, one value for each traffic class, it is that of the
// only class there is.
func (s *Settings) str(key string) string {
	text := s.values[key].value
	if !byClass[key] {
		return text
	}
	list := elements(text)
	if len(list) > 1 && !s.values[key].warned {
		s.values[key].warned = true
		s.warnAt(key, severalDetail[key], "the outer braces list %d traffic classes and there is one: %s is taken, the rest has no effect",
			len(list), list[0])
	}
	return list[0]
}

// elements splits "{a,{b,c}}" at the outer brace into a and {b,c}; a text without is one element.
func elements(text string) []string {
	text = strings.TrimSpace(text)
	if !strings.HasPrefix(text, "{") || !strings.HasSuffix(text, "}") {
		return []string{text}
	}
	return splitAtCommas(text[1 : len(text)-1])
}

// splitAtCommas splits at the commas outside of braces and parentheses.
func splitAtCommas(text string) (list []string) {
	depth, from := 0, 0
	for i, c := range text {
		switch {
		case c == '{' || c == '(':
			depth++
		case c == '}' || c == ')':
			depth--
		case c == ',' && depth == 0:
			list = append(list, strings.TrimSpace(text[from:i]))
			from = i + 1
		}
	}
	return append(list, strings.TrimSpace(text[from:]))
}

func (s *Settings) num(key string) float64 {
	x, err := strconv.ParseFloat(s.str(key), 64)
	if err != nil || x != x {
		s.errorAt(key, "", "%q is not a number", s.str(key))
		return 0
	}
	return x
}

func (s *Settings) integer(key string) int {
	x, err := strconv.Atoi(s.str(key))
	if err != nil {
		if f, ferr := strconv.ParseFloat(s.str(key), 64); ferr == nil && f == float64(int(f)) {
			return int(f)
		}
		s.errorAt(key, "", "%q is not a whole number", s.str(key))
		return 0
	}
	return x
}

// between is an integer in lo..hi.
func (s *Settings) between(key string, lo, hi int) int {
	before := len(s.diags)
	x := s.integer(key)
	if len(s.diags) == before && (x < lo || x > hi) {
		s.errorAt(key, "", "%d is not in %d..%d", x, lo, hi)
		return lo
	}
	return x
}

func (s *Settings) flag(key string) bool { return s.between(key, 0, 1) == 1 }

// list is a whole number, or several in the inner of two pairs of braces: the outer pair is for
// traffic classes.
func (s *Settings) list(key string) []int {
	var out []int
	for _, f := range elements(s.str(key)) {
		x, err := strconv.Atoi(f)
		if err != nil {
			s.errorAt(key, "", "%q is not a whole number", f)
			return nil
		}
		out = append(out, x)
	}
	return out
}
