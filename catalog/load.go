package catalog

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"toposearch/diag"
	"toposearch/internal/infile"
)

// Load reads price lists, CSV or XLSX ("book.xlsx#Sheet" for one sheet), and joins them into one
// catalogue. All faults of all files are reported; the catalogue is nil if one is an error.
func Load(paths ...string) (*Catalogue, diag.List) { return LoadWith(LoadOptions{}, paths...) }

// LoadWith is Load with what the files do not say of themselves.
func LoadWith(opt LoadOptions, paths ...string) (*Catalogue, diag.List) {
	var unread diag.List
	var files []File
	for _, p := range paths {
		file, _, _ := SplitSheet(p)
		data, err := infile.Read(file, MaxBytes)
		if err != nil {
			unread.Errorf(diag.Pos{File: p}, "cannot read the catalogue: %v", err)
			continue
		}
		files = append(files, File{p, data})
	}
	if len(files) == 0 && len(unread) > 0 {
		return nil, unread
	}
	c, l := ReadFiles(opt, files...)
	l.Add(unread...)
	l.Sort()
	if l.HasErrors() {
		return nil, l
	}
	return c, l
}

// File is a price list in memory. Path decides between CSV and XLSX and is the file of diagnostics.
type File struct {
	Path string
	Data []byte
}

// same tells whether two files are one list.
func (f File) same(g File) bool {
	_, a, _ := SplitSheet(f.Path)
	_, b, _ := SplitSheet(g.Path)
	return a == b && bytes.Equal(f.Data, g.Data)
}

// ReadFiles is Load for files already in memory.
func ReadFiles(opt LoadOptions, files ...File) (*Catalogue, diag.List) {
	var l diag.List
	c := &Catalogue{}
	var names, paths []string
	opt, unmet := opt.watched()
	for i, f := range files {
		if j := slices.IndexFunc(files[:i], f.same); j >= 0 {
			d := diag.Diagnostic{Severity: diag.Error, Pos: diag.Pos{File: f.Path}, Summary: "this price list is named twice", Detail: "leave one of the two out"}
			if first := files[j].Path; filepath.Clean(first) != filepath.Clean(f.Path) {
				d.Summary = "this price list is the same, byte by byte, as " + first
			}
			l.Add(d)
			continue
		}
		c.Parts = append(c.Parts, readParts(f.Path, f.Data, opt, &l)...)
		names, paths = append(names, filepath.Base(f.Path)), append(paths, f.Path)
	}
	c.Name = strings.Join(names, ", ")
	unmet(&l)
	c.finish(paths, &l)
	if opt.AsOf == "" {
		c.undated(&l)
	}
	l.Sort()
	if l.HasErrors() {
		return nil, l
	}
	return c, l
}

// Read is ReadFiles for a single file.
func Read(name string, data []byte, opt LoadOptions) (*Catalogue, diag.List) {
	return ReadFiles(opt, File{name, data})
}

// LooksLikeCatalogue reports whether a text has a head row of a price list.
func LooksLikeCatalogue(data []byte) bool {
	var l diag.List
	t := readCSV("", data, LoadOptions{}, &l)
	if t == nil {
		return false
	}
	return t.findHead(nil) != nil
}

// SplitSheet takes "book.xlsx#Sheet" apart; ok reports whether the path is a workbook.
func SplitSheet(path string) (file, sheet string, ok bool) {
	if i := strings.LastIndexByte(path, '#'); i >= 0 && isWorkbook(path[:i]) {
		return path[:i], path[i+1:], true
	}
	return path, "", isWorkbook(path)
}

func isWorkbook(path string) bool {
	switch strings.ToLower(filepath.Ext(path)) {
	case ".xlsx", ".xlsm":
		return true
	}
	return false
}

func readParts(name string, data []byte, opt LoadOptions, l *diag.List) []Part {
	file, sheet, book := SplitSheet(name)
	if strings.EqualFold(filepath.Ext(file), ".xls") || strings.EqualFold(filepath.Ext(file), ".ods") {
		l.Add(diag.Diagnostic{Severity: diag.Error, Pos: diag.Pos{File: name}, Summary: "this kind of workbook is not read", Detail: "save it as .xlsx or as CSV"})
		return nil
	}
	if book || strings.HasPrefix(string(data[:min(len(data), 4)]), "PK\x03\x04") {
		return readBook(file, sheet, data, opt, l)
	}
	t := readCSV(name, data, opt, l)
	if t == nil {
		return nil
	}
	hd := t.findHead(opt.Columns)
	if hd == nil {
		opt.tell(Sheet{File: name, Skipped: "it has no row of column heads"})
		l.Add(diag.Diagnostic{Severity: diag.Error, Pos: diag.Pos{File: name, Line: 1}, Summary: "there is no row of column heads",
			Detail: fmt.Sprintf("one of the first %d rows must hold part_no, kind and unit_price or more of the known heads", headRows)})
		return nil
	}
	return t.parts(hd, opt, l)
}

// finish checks what concerns all parts together: duplicate numbers, and that there are any.
func (c *Catalogue) finish(paths []string, l *diag.List) {
	first := map[string]diag.Pos{}
	for i := range c.Parts {
		p := &c.Parts[i]
		if at, ok := first[p.PartNo]; ok {
			l.Add(diag.Diagnostic{Severity: diag.Error, Pos: p.Pos, Summary: fmt.Sprintf("part %s stands twice, first at %s", strconv.Quote(p.PartNo), at),
				Detail: "keep one row; quantities with other prices go into price_breaks"})
			continue
		}
		first[p.PartNo] = p.Pos
		if p.ValidFrom > c.Date {
			c.Date = p.ValidFrom
		}
	}
	if len(c.Parts) == 0 && !l.HasErrors() {
		l.Errorf(diag.Pos{File: strings.Join(paths, ", ")}, "there is no part in the catalogue")
	}
}

// undated warns of parts with an end of life where no day of purchase is given: whether they can still be
// bought is then unknown, and they are chosen like all others. (Prices that expire are the rule in price
// lists and deserve no warning.)
func (c *Catalogue) undated(l *diag.List) {
	var names []string
	var at diag.Pos
	for i := range c.Parts {
		if p := &c.Parts[i]; p.EndOfLife != "" && p.Approved {
			if len(names) == 0 {
				at = p.Pos
			}
			names = append(names, fmt.Sprintf("%s on %s", p.PartNo, p.EndOfLife))
		}
	}
	if len(names) == 0 {
		return
	}
	text := strings.Join(names[:min(len(names), mostNamed)], ", ")
	if more := len(names) - mostNamed; more > 0 {
		text += fmt.Sprintf(", and %d more", more)
	}
	parts := fmt.Sprintf("%d parts reach", len(names))
	if len(names) == 1 {
		parts = "1 part reaches"
	}
	l.Add(diag.Diagnostic{Severity: diag.Warning, Pos: at,
		Summary: fmt.Sprintf("%s the end of life (%s), and no day is given on which parts are bought: chosen like all others", parts, text),
		Detail:  "as_of = 2026-11-01 (the day of the order) in the table of catalog in the study tests it; approved = no leaves a part out"})
}

// mostNamed is how many parts a warning about several names.
const mostNamed = 4

// Hash identifies the content of the catalogue: what any part says, in the order of part numbers,
// but not in which file or line it stands.
func (c *Catalogue) Hash() string {
	parts := slices.Clone(c.Parts)
	slices.SortStableFunc(parts, func(a, b Part) int { return cmp.Compare(a.PartNo, b.PartNo) })
	h := sha256.New()
	for _, p := range parts {
		p.Pos = diag.Pos{}
		fmt.Fprintf(h, "%+v\n", p)
	}
	return hex.EncodeToString(h.Sum(nil))
}
