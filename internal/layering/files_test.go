package layering

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// changing are the functions of os that open files or change folders.
var changing = []string{"Create", "CreateTemp", "Open", "OpenFile", "ReadFile", "WriteFile", "Rename", "Remove", "RemoveAll", "Mkdir", "MkdirAll", "Truncate", "Link", "Symlink", "Chmod"}

// TestFiles: only internal/disk opens files and changes folders, so that tests can put a file system that fails in its
// place (internal/disk/disktest). Tests may, and what runs other programs: tools and Chromium in a temporary folder, and runs of the page.
func TestFiles(t *testing.T) {
	eachFile(t, func(folder, file string) {
		if strings.HasPrefix(folder, "internal/disk") || folder == "routing/opensm/trial" || folder == "serve" || folder == "internal/tool/tooltest" || strings.HasSuffix(file, "_test.go") {
			return
		}
		fset := token.NewFileSet()
		a, err := parser.ParseFile(fset, filepath.Join(root, file), nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, at := range changes(a) {
			t.Errorf("%s:%d goes past internal/disk", file, fset.Position(at).Line)
		}
	})
}

// TestChanges: what changes a folder is found, what looks at it is not.
func TestChanges(t *testing.T) {
	a, err := parser.ParseFile(token.NewFileSet(), "x.go", `package x
import "os"
func f() { os.Stat("a"); os.Remove("a"); defer os.WriteFile("a", nil, 0); disk.Remove("a") }
`, 0)
	if err != nil {
		t.Fatal(err)
	}
	if got := len(changes(a)); got != 2 {
		t.Errorf("%d changes found, want 2", got)
	}
}

// changes are the places in a file at which files are opened or folders changed.
func changes(a *ast.File) (at []token.Pos) {
	ast.Inspect(a, func(n ast.Node) bool {
		if s, ok := n.(*ast.SelectorExpr); ok {
			if x, ok := s.X.(*ast.Ident); ok && x.Name == "os" && slices.Contains(changing, s.Sel.Name) {
				at = append(at, n.Pos())
			}
		}
		return true
	})
	return at
}
