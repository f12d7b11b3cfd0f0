package diag_test

import (
	"log"
	"os"

	"toposearch/diag"
)

// A fault in a file, with the line that it is about and a remedy.
func ExampleList_Print() {
	const text = "[endpoints]\ncuont = 1024\n"
	var l diag.List
	l.Add(diag.Diagnostic{Severity: diag.Error, Summary: `unknown key "cuont"`, Detail: diag.Suggest("cuont", []string{"count", "bandwidth"}),
		Pos: diag.Pos{File: "study.toml", Line: 2, Column: 1}, Width: len("cuont")})
	l.Warnf(diag.Pos{File: "study.toml"}, "there is no objective")
	l.Sort()
	l.FillSource("study.toml", []byte(text))
	if err := l.Print(os.Stdout); err != nil {
		log.Fatal(err)
	}
	// Output:
	// study.toml: warning: there is no objective
	// study.toml:2:1: error: unknown key "cuont"
	//     2 | cuont = 1024
	//       | ^^^^^ did you mean "count"?
	// 1 error, 1 warning
}
