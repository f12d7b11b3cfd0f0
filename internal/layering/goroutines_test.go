package layering

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"strings"
	"testing"
)

// TestGoroutines: only internal/crew starts goroutines, so that no panic in one ends the program: no
// other file has a go statement, a sync.WaitGroup, whose method Go has one, or an errgroup. Tests may.
func TestGoroutines(t *testing.T) {
	eachFile(t, func(folder, file string) {
		if folder == "internal/crew" || strings.HasSuffix(file, "_test.go") {
			return
		}
		fset := token.NewFileSet()
		a, err := parser.ParseFile(fset, filepath.Join(root, file), nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, at := range starts(a) {
			t.Errorf("%s:%d starts a goroutine; use Run, Each, Detach or a Group of internal/crew, which hand its panics on", file, fset.Position(at).Line)
		}
	})
}

// TestStarts: each way to start a goroutine is found.
func TestStarts(t *testing.T) {
	a, err := parser.ParseFile(token.NewFileSet(), "x.go", `package x
import ("sync"; eg "golang.org/x/sync/errgroup")
func f() { go g(); var w sync.WaitGroup; w.Go(g); var once sync.Once }
`, 0)
	if err != nil {
		t.Fatal(err)
	}
	if got := len(starts(a)); got != 3 {
		t.Errorf("%d starts found, want the import, the statement and the group", got)
	}
}

// starts are the places in a file at which goroutines may be started.
func starts(a *ast.File) (at []token.Pos) {
	ast.Inspect(a, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.GoStmt:
			at = append(at, n.Pos())
		case *ast.ImportSpec:
			if n.Path.Value == `"golang.org/x/sync/errgroup"` {
				at = append(at, n.Pos())
			}
		case *ast.SelectorExpr:
			if x, ok := n.X.(*ast.Ident); ok && x.Name == "sync" && n.Sel.Name == "WaitGroup" {
				at = append(at, n.Pos())
			}
		}
		return true
	})
	return at
}
