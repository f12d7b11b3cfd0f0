// Package tomlfile reads TOML into a tree that knows where everything stands, so that every fault
// of a file, also one that joins several keys, is reported with line, column and remedy.
//
// BurntSushi/toml checks syntax and the rules on keys; pelletier/go-toml's parser, which gives
// positions but does not check, builds the tree.
package tomlfile

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/BurntSushi/toml"
	"github.com/pelletier/go-toml/v2/unstable"

	"toposearch/diag"
)

// Kind of a value.
type Kind uint8

// The kinds of values.
const (
	String Kind = iota
	Int
	Float
	Bool
	Date
	List
	TableKind
)

// words names the kinds as a message does.
var words = [...]string{"a text in quotes", "a whole number", "a number", "true or false", "a date", "a list", "a table"}

func (k Kind) String() string { return words[k] }

// Value is a value with its place.
type Value struct {
	Kind  Kind
	Raw   string // as written; "" for lists and tables
	Str   string
	Int   int64
	Float float64
	Bool  bool
	Items []*Value
	Table *Table
	Pos   diag.Pos
	Width int
	doc   *document
}

// Entry is a key with its value.
type Entry struct {
	Key   string
	Pos   diag.Pos
	Width int
	Value *Value
	used  bool
}

// Table is a set of keys in the order in which they were written.
type Table struct {
	Name    string // dotted path; "" for the file itself
	Pos     diag.Pos
	Entries []*Entry
	asked   []string
	doc     *document
}

// foreign reports whether a file is of another kind: a workbook, text in another encoding, far too long.
func foreign(data []byte) (d diag.Diagnostic, ok bool) {
	switch {
	case bytes.HasPrefix(data, []byte("PK\x03\x04")), bytes.HasPrefix(data, []byte("\xd0\xcf\x11\xe0")): // of .xlsx and .xls
		return diag.Diagnostic{Summary: "the file is a workbook or archive, not TOML",
			Detail: "studies and limits are text, which `toposearch init` shows; price lists may be .xlsx, under catalog in the study"}, true
	case bytes.HasPrefix(data, []byte("\xff\xfe")), bytes.HasPrefix(data, []byte("\xfe\xff")):
		return diag.Diagnostic{Summary: "the file is UTF-16", Detail: "save it as UTF-8"}, true
	case len(data) > MaxBytes:
		return diag.Diagnostic{Summary: fmt.Sprintf("the file has %d bytes; a study or constraint file has at most %d", len(data), MaxBytes),
			Detail: "price lists are CSV or XLSX, under catalog in the study"}, true
	}
	for line, text := range bytes.Split(data, []byte("\n")) {
		if !utf8.Valid(text) {
			d := diag.Diagnostic{Summary: "the file is not UTF-8", Detail: "save it as UTF-8"}
			d.Pos.Line = line + 1
			return d, true
		}
	}
	return d, false
}

// Parse reads a file into its tree. Faults go to l; the table is nil if the text is not TOML.
func Parse(file string, data []byte, l *diag.List) *Table {
	data = bytes.TrimPrefix(data, []byte("\xef\xbb\xbf"))
	if d, ok := foreign(data); ok {
		d.Severity, d.Pos = diag.Error, diag.Pos{File: file, Line: d.Pos.Line}
		l.Add(d)
		return nil
	}
	d := newDocument(file, data, l)
	strict, ok := d.limits(data)
	if !ok {
		return nil
	}
	var all map[string]any
	if _, err := toml.Decode(string(strict), &all); err != nil {
		d.syntax(err)
		return nil
	}
	root := &Table{doc: d, Pos: d.pos(0)}
	at := root
	var p unstable.Parser
	p.Reset(data)
	for p.NextExpression() {
		switch e := p.Expression(); e.Kind {
		case unstable.KeyValue:
			d.keyValue(&p, at, e)
		case unstable.Table:
			at = d.header(&p, root, e, false)
		case unstable.ArrayTable:
			at = d.header(&p, root, e, true)
		}
	}
	if err := p.Error(); err != nil {
		l.Errorf(diag.Pos{File: file}, "the file cannot be read: %v", err)
		return nil
	}
	return root
}

// syntax reports an error of the strict parser at its place.
func (d *document) syntax(err error) {
	var pe toml.ParseError
	if !errors.As(err, &pe) {
		d.diags.Errorf(diag.Pos{File: d.file}, "the file is not TOML: %s", firstLine(err.Error()))
		return
	}
	// The line of the parser is that after a line break it did not expect; its offset is exact.
	g := diag.Diagnostic{Severity: diag.Error, Summary: "the file is not TOML: " + plainWords(pe.Message), Pos: d.pos(pe.Position.Start), Width: 1}
	g.Source = d.lines[g.Pos.Line-1]
	d.diags.Add(g)
}

// plainWords is the first line of a message of the parser, without the names of its types.
func plainWords(s string) string {
	s = firstLine(s)
	s = strings.Replace(s, "is out of range for int64", "is too large a number", 1)
	return strings.Replace(s, "is out of range for float64", "is too large a number", 1)
}

func firstLine(s string) string {
	s, _, _ = strings.Cut(s, "\n")
	return s
}

// header finds or makes the table that [a.b] or [[a.b]] opens.
func (d *document) header(p *unstable.Parser, root *Table, e *unstable.Node, array bool) *Table {
	t := root
	it := e.Key()
	for it.Next() {
		n := it.Node()
		t = d.child(p, t, n, array && it.IsLast())
	}
	return t
}

// child finds or makes the table under a key; of an array of tables the last, or a new one.
func (d *document) child(p *unstable.Parser, t *Table, key *unstable.Node, appended bool) *Table {
	name := string(key.Data)
	pos, width := d.pos(int(key.Raw.Offset)), utf8.RuneCount(p.Raw(key.Raw))
	for _, e := range t.Entries {
		if e.Key != name {
			continue
		}
		v := e.Value
		if v.Kind == TableKind {
			return v.Table
		}
		if v.Kind == List && appended {
			v.Items = append(v.Items, d.table(t, name, pos, width))
		}
		if n := len(v.Items); n > 0 && v.Items[n-1].Kind == TableKind {
			return v.Items[n-1].Table
		}
		return &Table{doc: d, Pos: pos} // excluded by the strict parser
	}
	v := d.table(t, name, pos, width)
	sub := v.Table
	if appended {
		v = &Value{Kind: List, Items: []*Value{v}, Pos: pos, Width: width, doc: d}
	}
	t.Entries = append(t.Entries, &Entry{Key: name, Pos: pos, Width: width, Value: v})
	return sub
}

func (d *document) table(parent *Table, name string, pos diag.Pos, width int) *Value {
	if parent.Name != "" {
		name = parent.Name + "." + name
	}
	return &Value{Kind: TableKind, Table: &Table{Name: name, Pos: pos, doc: d}, Pos: pos, Width: width, doc: d}
}

// keyValue adds key = value, with dots in the key opening tables.
func (d *document) keyValue(p *unstable.Parser, t *Table, e *unstable.Node) {
	it := e.Key()
	for it.Next() {
		n := it.Node()
		if !it.IsLast() {
			t = d.child(p, t, n, false)
			continue
		}
		end := int(n.Raw.Offset + n.Raw.Length)
		name := string(n.Data)
		v := d.value(p, e.Value(), t, name, d.afterEquals(p, end))
		t.Entries = append(t.Entries, &Entry{Key: name, Pos: d.pos(int(n.Raw.Offset)), Width: utf8.RuneCount(p.Raw(n.Raw)), Value: v})
	}
}

// afterEquals is the offset of what follows the equals sign behind a key.
func (d *document) afterEquals(p *unstable.Parser, at int) int {
	data := p.Data()
	for at < len(data) && (data[at] == ' ' || data[at] == '\t' || data[at] == '=') {
		at++
	}
	return at
}

// value converts a node. at is its offset, for lists, which the parser gives no place.
func (d *document) value(p *unstable.Parser, n *unstable.Node, t *Table, name string, at int) *Value {
	v := &Value{doc: d}
	if n.Raw.Length > 0 {
		at = int(n.Raw.Offset)
		v.Raw = string(p.Raw(n.Raw))
	}
	v.Pos, v.Width = d.pos(at), max(utf8.RuneCountInString(firstLine(v.Raw)), 1)
	switch n.Kind {
	case unstable.String:
		v.Kind, v.Str = String, string(n.Data)
	case unstable.Integer:
		v.Kind = Int
		v.Int, _ = strconv.ParseInt(strings.ReplaceAll(string(n.Data), "_", ""), 0, 64)
		if s := strings.ReplaceAll(string(n.Data), "_", ""); !strings.HasPrefix(s, "0x") && !strings.HasPrefix(s, "0o") && !strings.HasPrefix(s, "0b") {
			v.Int, _ = strconv.ParseInt(s, 10, 64)
		}
		v.Float = float64(v.Int)
	case unstable.Float:
		v.Kind = Float
		s := strings.ReplaceAll(string(n.Data), "_", "")
		if v.Float, _ = strconv.ParseFloat(s, 64); strings.HasSuffix(s, "nan") {
			v.Float = math.NaN() // which TOML may give a sign, and ParseFloat takes without one
		}
	case unstable.Bool:
		v.Kind, v.Bool = Bool, string(n.Data) == "true"
	case unstable.Array:
		v.Kind, v.Raw = List, ""
		it := n.Children()
		for it.Next() {
			v.Items = append(v.Items, d.value(p, it.Node(), t, name, at))
		}
	case unstable.InlineTable:
		v.Kind, v.Raw = TableKind, ""
		v.Table = d.table(t, name, v.Pos, 1).Table
		it := n.Children()
		for it.Next() {
			d.keyValue(p, v.Table, it.Node())
		}
	default:
		v.Kind, v.Str = Date, string(n.Data)
	}
	return v
}
