package diag

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// Hidden reports whether a character is not seen and may change how what stands around it is shown: control
// characters, which move the cursor or begin an escape sequence of a terminal; formatting characters, among
// them those that turn the direction of writing around or have no width; separators of lines. A blank is seen.
func Hidden(r rune) bool {
	return r < 0x20 || r >= 0x7f && unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp)
}

// FirstHidden is the first hidden character of a text and its byte; -1 if there is none.
func FirstHidden(s string) (rune, int) {
	for i, r := range s {
		if Hidden(r) {
			return r, i
		}
	}
	return 0, -1
}

// Visible is a text as it may be shown: hidden characters other than tabs and line feeds are escaped as Go
// and JSON write them, \u202e, and bytes that are no text as \x9b. In a JSON document they stand for the same.
func Visible(s string) string {
	if plain(s) {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == utf8.RuneError && n == 1:
			fmt.Fprintf(&b, `\x%02x`, s[i])
		case r == '\n' || r == '\t' || !Hidden(r):
			b.WriteString(s[i : i+n])
		case r > 0xffff:
			hi, lo := utf16.EncodeRune(r)
			fmt.Fprintf(&b, `\u%04x\u%04x`, hi, lo)
		default:
			fmt.Fprintf(&b, `\u%04x`, r)
		}
		i += n
	}
	return b.String()
}

// plain reports whether a text is shown as it is.
func plain(s string) bool {
	for i, r := range s {
		if r == '\n' || r == '\t' {
			continue
		}
		if r == utf8.RuneError && !strings.HasPrefix(s[i:], "\uFFFD") || Hidden(r) {
			return false
		}
	}
	return true
}
