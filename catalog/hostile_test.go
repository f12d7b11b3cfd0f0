package catalog

import (
	"archive/zip"
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/xuri/excelize/v2"

	"toposearch/internal/racing"
)

// within runs f and fails if it takes longer than a price list may, or allocates more than bytes.
func within(t *testing.T, name string, limit time.Duration, bytes uint64, f func()) {
	t.Helper()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	start := time.Now()
	f()
	took := time.Since(start)
	runtime.ReadMemStats(&after)
	if n := after.TotalAlloc - before.TotalAlloc; took > limit || n > bytes {
		t.Errorf("%s takes %v and %d MB", name, took, n>>20)
	}
}

// TestHostileCSV: lists that are too long, too wide or never end are refused with the limit and the line, in
// time and memory that are linear in the file.
func TestHostileCSV(t *testing.T) {
	if testing.Short() || racing.On {
		t.Skip("lists of 30 MB; without the race detector they take seconds")
	}
	const part = "P-%d,switch,400,64,,,,1500,1234.50,USD\n"
	rows := func(n int) string {
		var b strings.Builder
		b.WriteString(plainHead)
		for i := range n {
			fmt.Fprintf(&b, part, i)
		}
		return b.String()
	}
	for name, c := range map[string]struct{ text, want string }{
		"rows":            {rows(maxRows), "p.csv:100001: error: the list has more than 100000 rows"},
		"cells":           {plainHead + strings.Repeat(strings.Repeat(",", maxColumns-1)+"\n", maxCells/maxColumns+2), "p.csv:3908: error: the list has more than 2000000 cells"},
		"columns":         {plainHead + strings.Repeat("a,", 15<<20), "p.csv:2: error: the row has more than 512 cells"},
		"a cell":          {plainHead + strings.Repeat("a", 31<<20), "p.csv:2:1: error: the cell has 32505856 bytes; at most 32767 are read"},
		"a quoted cell":   {plainHead + `"` + strings.Repeat("a", 31<<20) + `"`, "p.csv:2:1: error: the cell has more than 32767 bytes"},
		"an open quote":   {plainHead + `"` + strings.Repeat("a\n", 15<<20), `p.csv:2:1: error: this quote is never closed, or not within 50 lines and 32767 bytes`},
		"an open quote 2": {plainHead + `"` + strings.Repeat("a", 31<<20), `p.csv:2:1: error: this quote is never closed`},
		"open quotes":     {plainHead + strings.Repeat("x,\"aaaaaaaaaaaaaaaaaaaa\"\"\n", 1<<20), "p.csv:102: error: 100 rows cannot be taken apart; the rest is not read"},
		"doubled quotes":  {plainHead + `"` + strings.Repeat(`""`, 15<<20), "p.csv:2:1: error: the cell has more than 32767 bytes"},
		"findings":        {plainHead + strings.Repeat("A,switch,x,x,x,x,x,x,x,x\n", 50_000), "error: there are more than 1000 findings of this kind from here on"},
		"wide lines":      {plainHead + strings.Repeat(strings.Repeat("äöüäöüäöü,", 500)+"\n", 3000), "error: the row has more cells than there are heads, 10"},
		"a wide head":     {strings.Repeat("x"+strings.Repeat("y", 60)+",", 500) + "part_no,kind,unit_price\n", "there is no part in the catalogue"},
	} {
		within(t, name, time.Minute, 1<<30, func() {
			cat, l := Read("p.csv", []byte(c.text), LoadOptions{})
			if got := fmt.Sprint(l); cat != nil || !strings.Contains(got, c.want) {
				t.Errorf("%s: %.300s, want %s", name, got, c.want)
			}
		})
	}
	within(t, "a long list", time.Minute, 1<<30, func() {
		if c, l := Read("p.csv", []byte(rows(maxRows-1)), LoadOptions{}); c == nil || len(c.Parts) != maxRows-1 {
			t.Errorf("a list of %d rows: %.300v", maxRows, l)
		}
	})
	if c, l := Read("lists/p.csv", []byte("part_no,kind,unit_price\n"), LoadOptions{}); c != nil || !strings.Contains(fmt.Sprint(l), "lists/p.csv: error: there is no part") {
		t.Errorf("a head alone: %v, want an error with the path", l)
	}
	path := filepath.Join(t.TempDir(), "p.csv")
	if err := os.WriteFile(path, []byte(plainHead), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(path, 178<<20); err != nil {
		t.Fatal(err)
	}
	for _, p := range []string{path, "/dev/zero"} {
		if c, l := Load(p); c != nil || len(l) != 1 || !strings.Contains(l[0].Summary, "at most 33554432 are read") && !strings.Contains(l[0].Summary, "it is a device") {
			t.Errorf("%s: %v", p, l)
		}
	}
}

// rezip writes a workbook again with one part replaced.
func rezip(t *testing.T, data []byte, part, text string) []byte {
	t.Helper()
	z, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	for _, f := range z.File {
		if f.Name == part {
			continue
		}
		if err := w.Copy(f); err != nil {
			t.Fatal(err)
		}
	}
	e, err := w.Create(part)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := e.Write([]byte(text)); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// TestHostileXLSX: archives that unpack to too much, and sheets that are padded to too much, are refused before
// excelize sees them.
func TestHostileXLSX(t *testing.T) {
	if testing.Short() || racing.On {
		t.Skip("workbooks of millions of elements; without the race detector they take seconds")
	}
	f := excelize.NewFile()
	defer f.Close()
	b, err := f.WriteToBuffer()
	if err != nil {
		t.Fatal(err)
	}
	sheet := func(rows string) []byte {
		return rezip(t, b.Bytes(), "xl/worksheets/sheet1.xml", `<?xml version="1.0" encoding="UTF-8"?><worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>`+rows+`</sheetData></worksheet>`)
	}
	for name, c := range map[string]struct {
		data []byte
		want string
	}{
		"zip bomb":       {rezip(t, b.Bytes(), "xl/media/a.bin", strings.Repeat("\x00", 17<<20)), "the workbook unpacks to more than is read (16777216 bytes in a part, 67108864 in all)"},
		"far column":     {sheet(`<row r="1"><c r="XFD1"><v>1</v></c></row>`), `a sheet has a cell "XFD1" in column 16384; at most 512 are read`},
		"far column 2":   {sheet(`<row><c r="&#88;fd$1"/></row>`), "in column 16384"},
		"far row":        {sheet(`<row r="1048576"><c r="A1048576"><v>1</v></c></row>`), "a sheet has a row 1048576; at most 100000 are read"},
		"padded rows":    {sheet(strings.Repeat(`<row><c r="SR1"/></row>`, 500)), "the workbook has more than 250000 cells and rows"},
		"rows":           {sheet(strings.Repeat(`<row/>`, 250_001)), "the workbook has more than 250000 cells and rows"},
		"nameless cells": {sheet("<row>" + strings.Repeat(`<c/>`, 600) + "</row>"), "in column 513"},
		"repeated cells": {sheet("<row>" + strings.Repeat(`<c r="A1"/>`, 300_000) + "</row>"), "the workbook has more than 250000 cells and rows"},
		"elements":       {sheet(strings.Repeat(`<x/>`, maxElements)), "the workbook holds more than 2000000 elements"},
		"merged cells":   {sheet(strings.Repeat(`<mergeCell ref="A1:B2"/>`, maxMerges+1)), "the workbook has more than 1000 merged cells"},
		"UTF-16":         {rezip(t, b.Bytes(), "xl/worksheets/sheet1.xml", `<?xml version="1.0" encoding="UTF-16"?><worksheet/>`), `the part "xl/worksheets/sheet1.xml" of the workbook is not UTF-8`},
	} {
		within(t, name, time.Minute, 2<<30, func() {
			if cat, l := Read("b.xlsx", c.data, LoadOptions{}); cat != nil || len(l) != 1 || !strings.Contains(l[0].Summary, c.want) || l[0].Detail == "" {
				t.Errorf("%s: %v, want %s", name, l, c.want)
			}
		})
	}
}

// FuzzReadSheet: whatever the XML of a sheet says, the workbook is read or refused with its reason, and its
// parts are what a part may be.
func FuzzReadSheet(f *testing.F) {
	b := excelize.NewFile()
	defer b.Close()
	buf, err := b.WriteToBuffer()
	if err != nil {
		f.Fatal(err)
	}
	head := `<row r="1">`
	for i, h := range []string{"part_no", "kind", "rate_gbps", "ports", "unit_price", "currency"} {
		head += fmt.Sprintf(`<c r="%c1" t="inlineStr"><is><t>%s</t></is></c>`, 'A'+i, h)
	}
	head += `</row>`
	f.Add(`<row r="2"><c r="A2" t="inlineStr"><is><t>P</t></is></c><c r="B2" t="inlineStr"><is><t>switch</t></is></c><c r="C2"><v>400</v></c><c r="D2"><v>64</v></c><c r="E2"><f>1+1</f></c><c r="F2" t="inlineStr"><is><t>USD</t></is></c></row>`)
	f.Add(`<row r="300"><c r="SR2" t="e"><v>#N/A</v></c></row></sheetData><mergeCells><mergeCell ref="A1:XFD1048576"/></mergeCells><sheetData>`)
	f.Add(`<row hidden="1"><c t="s"><v>-1</v></c><c s="77" t="d"><v>1e309</v></c></row><row r="-5"/><row r="2"/><row r="1"/>`)
	f.Fuzz(func(t *testing.T, rows string) {
		if strings.Contains(rows, "0000") {
			return // far rows are padded, which takes time and is tested above
		}
		data := rezip(t, buf.Bytes(), "xl/worksheets/sheet1.xml", `<?xml version="1.0" encoding="UTF-8"?><worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>`+head+rows+`</sheetData></worksheet>`)
		c, l := Read("b.xlsx", data, LoadOptions{})
		if c == nil && !l.HasErrors() {
			t.Error("no catalogue and no reason")
		}
		for i := range l {
			if l[i].Summary == "" || l[i].Pos.Line > maxRows {
				t.Errorf("finding %+v", l[i])
			}
		}
		if c == nil {
			return
		}
		for i := range c.Parts {
			if p := &c.Parts[i]; p.PartNo == "" || p.Kind == "" || p.Priced && p.UnitPrice <= 0 {
				t.Errorf("part %+v", p)
			}
		}
	})
}
