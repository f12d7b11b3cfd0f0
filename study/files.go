package study

import (
	"toposearch/catalog"
	"toposearch/constraints"
	"toposearch/internal/tomlfile"
)

// catalogs reads catalog = ["a.csv"], or a table that also says what the files do not.
func (ld *loader) catalogs(v *tomlfile.Value) []named {
	if v == nil || v.Kind != tomlfile.TableKind {
		return ld.names(v)
	}
	t := v.Table
	out := ld.names(t.Take("files"))
	if m := t.Take("decimal"); m != nil {
		if d, ok := m.Text(); ok && d != "." && d != "," {
			m.Errorf("decimal is %q\nwrite \".\" or \",\"", d)
		} else if ok {
			ld.cat.Decimal = d[0]
		}
	}
	if e := t.Take("encoding"); e != nil {
		if c, ok := e.Text(); ok && c != "latin1" && c != "utf-8" {
			e.Errorf("encoding %q is not known\nwrite \"utf-8\" or \"latin1\"", c)
		} else if ok && c == "latin1" {
			ld.cat.Encoding = c
		}
	}
	if c := t.Take("currency"); c != nil {
		ld.cat.Currency = currency(c)
	}
	if d := t.Take("as_of"); d != nil && d.Is(tomlfile.Date) {
		ld.cat.AsOf = d.Str[:min(len(d.Str), 10)]
	}
	t.Done(map[string]string{"file": "files", "date": "as_of"})
	return out
}

// constraints reads the constraint files, and over them what stands in their place; nil: nothing.
func (ld *loader) constraints(files []named, over *tomlfile.Table) {
	var in []constraints.File
	for _, f := range files {
		if data, ok := ld.input(f.path, f.pos, "constraint file"); ok {
			in = append(in, constraints.File{Path: f.path, Data: data})
		}
	}
	set, l := constraints.ReadOver(ld.s.Currency, over, in...)
	ld.diags.Add(l...)
	ld.s.Constraints = set
}

// catalogue reads the price lists, or takes the built-in one where none is named.
func (ld *loader) catalogue(files []named) {
	if len(files) == 0 {
		ld.s.Catalogue = catalog.Builtin()
		return
	}
	var in []catalog.File
	for _, f := range files {
		book, sheet, ok := catalog.SplitSheet(f.path)
		data, found := ld.input(book, f.pos, "catalogue")
		if !found {
			continue
		}
		name := book
		if ok && sheet != "" {
			name = book + "#" + sheet
		}
		in = append(in, catalog.File{Path: name, Data: data})
	}
	if len(in) == 0 {
		return
	}
	c, l := catalog.ReadFiles(ld.cat, in...)
	ld.diags.Add(l...)
	if len(in) < len(files) {
		return // a missing file is reported; its parts would be missed by everything else
	}
	ld.s.Catalogue = c
	ld.unpriced(in)
}
