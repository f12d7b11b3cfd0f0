package study

import (
	"toposearch/catalog"
	"toposearch/constraints"
	"toposearch/diag"
	"toposearch/internal/infile"
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
		if c, ok := e.Text(); ok && c != "latin1" && c != "windows-1252" && c != "utf-8" {
			e.Errorf("encoding %q is not known\nwrite \"utf-8\" or \"windows-1252\" (the same as \"latin1\")", c)
		} else if ok {
			ld.cat.Encoding = c
		}
	}
	if c := t.Take("currency"); c != nil {
		ld.cat.Currency = currency(c)
	}
	if d := t.Take("as_of"); d != nil && d.Is(tomlfile.Date) {
		ld.cat.AsOf = d.Str[:min(len(d.Str), 10)]
	}
	if c := t.Take("columns"); c != nil && c.Is(tomlfile.TableKind) {
		ld.columns(c.Table)
	}
	t.Done(map[string]string{"file": "files", "date": "as_of", "column": "columns"})
	return out
}

// columns reads [catalog.columns]: which head of the lists is which column, unit_price = "Preis netto" or
// power_w = { head = "P max", unit = "kW" }.
func (ld *loader) columns(t *tomlfile.Table) {
	for _, field := range catalog.Columns() {
		v := t.Take(field)
		if v == nil {
			continue
		}
		rule := catalog.ColumnRule{Field: field, Pos: v.Pos}
		if v.Kind == tomlfile.TableKind {
			if h := v.Table.Take("head"); h != nil {
				rule.Head, _ = h.Text()
			}
			if u := v.Table.Take("unit"); u != nil {
				rule.Unit, _ = u.Text()
			}
			v.Table.Done(map[string]string{"name": "head", "column": "head"})
		} else {
			rule.Head, _ = v.Text()
		}
		if fault := rule.Check(); fault != "" {
			v.Errorf("%s", fault)
			continue
		}
		ld.cat.Columns = append(ld.cat.Columns, rule)
	}
	t.Done(map[string]string{"price": "unit_price", "power": "power_w", "length": "length_m", "reach": "reach_m", "rate": "rate_gbps", "latency": "latency_ns",
		"sku": "part_no", "type": "kind", "weight": "weight_kg"})
}

// Lists gives the price lists that a study names and how it has them read; nothing of what else stands in it is
// looked at. Reading them shows what a run will take from them.
func Lists(path string) (files []string, opt catalog.LoadOptions, l diag.List) {
	data, err := readInput(path)
	if err != nil {
		l.Errorf(diag.Pos{File: path}, "cannot read the study: %v", infile.Reason(err))
		return nil, opt, l
	}
	ld := &loader{read: readInput, s: &Study{Path: path}}
	if t := tomlfile.Parse(path, data, &ld.diags); t != nil {
		for _, f := range ld.catalogs(t.Take("catalog")) {
			files = append(files, f.path)
		}
	}
	ld.diags.FillSource(path, data)
	ld.diags.Sort()
	return files, ld.cat, ld.diags
}

// constraints reads the constraint files, and over them what stands in their place.
func (ld *loader) constraints(files []named, over []*tomlfile.Table) {
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
		if c := ld.cat.Columns; len(c) > 0 {
			ld.diags.Add(diag.Diagnostic{Severity: diag.Error, Pos: c[0].Pos, Summary: "[catalog.columns] says which columns price lists have, and none is named",
				Detail: "name them: [catalog] files = [\"list.xlsx\"]"})
		}
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
