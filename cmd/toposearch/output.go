package main

import (
	"encoding/json"
	"fmt"
	"io"
	"math/big"
	"os"
	"strings"

	"golang.org/x/term"

	"toposearch/diag"
)

// printJSON writes v as one indented JSON document. encoding/json sorts map keys, so that the
// bytes repeat.
func printJSON(w io.Writer, v any) error {
	enc := json.NewEncoder(w)
	enc.SetIndent("", "  ")
	enc.SetEscapeHTML(false)
	return enc.Encode(v)
}

// refuse prints findings, and returns the error that ends the command with status 2 if any of
// them is an error.
func (a *app) refuse(list diag.List) error {
	list.Sort()
	if a.json {
		if list.HasErrors() {
			if err := printJSON(a.out, checkJSON(list)); err != nil {
				return err
			}
		}
	} else if len(list) > 0 {
		list.Print(a.err)
	}
	if list.HasErrors() {
		return &exitError{exitUsage, nil}
	}
	return nil
}

// count is "1 file" or "3 files".
func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// whole prints a count in groups of three digits.
func whole[T int | int64](n T) string { return bigText(big.NewInt(int64(n))) }

// isTerminal tells whether a person looks at what is written to w.
func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && os.Getenv("TERM") != "dumb" && term.IsTerminal(int(f.Fd()))
}

// wrap breaks text into lines of at most width characters, each after indent.
func wrap(text string, width int, indent string) string {
	var b strings.Builder
	line := indent
	empty := true
	for _, w := range strings.Fields(text) {
		if !empty && len(line)+1+len(w) > width {
			b.WriteString(line + "\n")
			line, empty = indent, true
		}
		if !empty {
			line += " "
		}
		line += w
		empty = false
	}
	b.WriteString(line + "\n")
	return b.String()
}

// labelled is text in 80 columns beside a label in a column of its own.
func labelled(label string, column int, text string) string {
	return fmt.Sprintf("%-*s%s", column, label, strings.TrimLeft(wrap(text, 80, strings.Repeat(" ", column)), " "))
}

// hanging wraps a sentence to 80 columns, the later lines indented.
func hanging(text string) string {
	return strings.TrimPrefix(wrap(text, 80, "  "), "  ")
}
