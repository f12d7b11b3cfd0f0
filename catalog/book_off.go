//go:build !xlsx

package catalog

import "toposearch/internal/diag"

// readBook refuses workbooks in builds without a spreadsheet library.
func readBook(file, _ string, _ []byte, _ LoadOptions, l *diag.List) []Part {
	l.Add(diag.Diagnostic{Severity: diag.Error, Pos: diag.Pos{File: file}, Summary: "this build does not read workbooks", Detail: "build with -tags xlsx, or save the sheet as CSV"})
	return nil
}
