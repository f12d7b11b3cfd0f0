package report

import (
	"path/filepath"
	"strings"
	"unicode/utf8"

	"toposearch/constraints"
)

// listed joins words: "a, b and c".
func listed(words []string) string {
	switch len(words) {
	case 0:
		return ""
	case 1:
		return words[0]
	}
	return strings.Join(words[:len(words)-1], ", ") + " and " + words[len(words)-1]
}

// sentence gives a remark a capital and a full stop.
func sentence(s string) string {
	if s == "" {
		return s
	}
	return strings.ToUpper(s[:1]) + strings.TrimSuffix(s[1:], ".") + "."
}

// shortOrigin drops the column: file and line are what a person opens.
func shortOrigin(o string) string {
	if parts := strings.Split(o, ":"); len(parts) >= 3 {
		return strings.Join(parts[:len(parts)-1], ":")
	}
	return o
}

// wrap breaks text at blanks into lines of at most width characters; a longer word has its line.
func wrap(s string, width int) []string {
	var lines []string
	line := ""
	for _, word := range strings.Fields(s) {
		switch {
		case line == "":
			line = word
		case utf8.RuneCountInString(line)+1+utf8.RuneCountInString(word) <= width:
			line += " " + word
		default:
			lines = append(lines, line)
			line = word
		}
	}
	return append(lines, line)
}

// place is the file name, line and column of an origin.
func place(o constraints.Origin) string {
	pos := o.Pos
	if pos.File != "" {
		pos.File = filepath.Base(pos.File)
	}
	return pos.String()
}
