package netfile

import (
	"io"
	"strings"
)

// parseCSV reads rows of cables: NetBox's if the header has its columns, else those of csvColumns.
func parseCSV(src *source) *graph {
	if src.longLines() {
		return nil
	}
	r := newRecords(src)
	head, err := r.Read()
	if err != nil {
		why := "no header: " + err.Error()
		if err == io.EOF {
			why = "the file is empty"
		}
		src.at(0, "the first line is "+strings.Join(csvColumns, ","), "%s", why)
		return nil
	}
	r.fields = len(head)
	for i, name := range head {
		head[i] = strings.ToLower(strings.TrimSpace(name))
	}
	if isNetBox(head) {
		return parseNetBox(r, head)
	}
	p := &edgeList{cabling: newCabling(src), records: r}
	if !p.header(head) {
		return nil
	}
	r.each(p.row)
	if src.list.HasErrors() {
		return nil
	}
	return p.finish()
}
