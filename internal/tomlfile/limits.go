package tomlfile

import (
	"bytes"
	"errors"
	"fmt"
	"strings"

	"github.com/pelletier/go-toml/v2/unstable"

	"toposearch/diag"
)

// MaxBytes bounds a file: a study or a constraint file is a page or two.
const MaxBytes = 256 << 10

// Limits on a text, far beyond what people write: lists and tables of a study are three levels deep at most, as
// space = { dragonfly = { a = { min = 2, max = 8 } } }. The strict parser takes time and memory with the square of
// each, so they are checked before it sees a text.
const (
	maxLine   = 8 << 10 // bytes of a line; the place of a value is found by counting from its line's begin
	maxDepth  = 16      // parts of a dotted key, lists and inline tables in each other
	maxValues = 10_000  // keys and values, those in lists included
)

// limits refuses a text that is beyond a limit, with the place where it is. strict is what the strict parser
// has to see: all of the text, or what leads to the first fault, since nothing is known of what follows it.
func (d *document) limits(data []byte) (strict []byte, ok bool) {
	for i, line := range d.lines {
		if len(line) > maxLine {
			d.beyond(d.start[i]+maxLine, "the line has %d bytes; at most %d are read", "break the list into several lines", len(line), maxLine)
			return nil, false
		}
	}
	// The lenient parser is linear in all of them, and bounds its own depth.
	var p unstable.Parser
	p.Reset(data)
	c := census{d: d, p: &p}
	for p.NextExpression() {
		if !c.node(p.Expression(), 0) {
			return nil, false
		}
	}
	err := p.Error()
	if err != nil && strings.Contains(err.Error(), "nest") {
		d.diags.Errorf(diag.Pos{File: d.file}, "the file is nested too deeply; at most %d levels are read", maxDepth)
		return nil, false
	}
	var pe *unstable.ParserError
	if errors.As(err, &pe) {
		end := len(data)
		if len(pe.Highlight) > 0 {
			end = int(p.Range(pe.Highlight).Offset) + len(pe.Highlight)
		}
		if i := bytes.IndexByte(data[end:], '\n'); i >= 0 {
			return data[:end+i+1], true
		}
	}
	return data, true
}

// beyond reports what lies at a byte and is beyond a limit.
func (d *document) beyond(at int, format, remedy string, args ...any) {
	pos := d.pos(at)
	d.diags.Add(diag.Diagnostic{Severity: diag.Error, Pos: pos, Summary: fmt.Sprintf(format, args...), Detail: remedy})
}

// census counts what an expression holds.
type census struct {
	d      *document
	p      *unstable.Parser
	values int
	at     int // offset of what was counted last
}

// node counts a node and those below it; false, with a finding, beyond a limit.
func (c *census) node(n *unstable.Node, depth int) bool {
	if n.Raw.Length > 0 {
		c.at = int(n.Raw.Offset)
	}
	if c.values++; c.values > maxValues {
		c.d.beyond(c.at, "the file has more than %d keys and values", "leave out what the study does not need", maxValues)
		return false
	}
	if depth > maxDepth {
		c.d.beyond(c.at, "lists and tables are nested more than %d deep here", "those of a study are at most three deep", maxDepth)
		return false
	}
	switch n.Kind {
	case unstable.KeyValue, unstable.Table, unstable.ArrayTable:
		parts := 0
		for it := n.Key(); it.Next(); parts++ {
			c.at = int(it.Node().Raw.Offset)
			if parts == maxDepth {
				c.d.beyond(c.at, "the key has more than %d parts between dots", "put a key with dots in it into quotes", maxDepth)
				return false
			}
		}
		if n.Kind == unstable.KeyValue {
			return c.node(n.Value(), depth)
		}
	case unstable.Array, unstable.InlineTable:
		for it := n.Children(); it.Next(); {
			if !c.node(it.Node(), depth+1) {
				return false
			}
		}
	}
	return true
}
