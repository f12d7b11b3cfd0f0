package report

import "io"

// Formats are the forms of a report by name.
var Formats = map[string]func(io.Writer, *Data) error{
	"html": WriteHTML,
	"text": func(w io.Writer, d *Data) error { return WriteText(w, d, TextOptions{}) },
	"json": WriteJSON,
	"csv":  WriteCSV,
	"xlsx": WriteXLSX,
}
