package layering

import (
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

const module = "toposearch/"

// TestLayers reads the imports of every Go file, tests included, and compares them with Layers.
func TestLayers(t *testing.T) {
	rank := map[string]int{"internal": -1}
	for i, layer := range Layers {
		for _, d := range layer {
			rank[d] = i
		}
	}
	files := 0
	root := "../.."
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && strings.HasPrefix(d.Name(), ".") && path != root {
			return filepath.SkipDir
		}
		if d.IsDir() || !strings.HasSuffix(path, ".go") {
			return nil
		}
		rel, _ := filepath.Rel(root, path)
		top, _, nested := strings.Cut(filepath.ToSlash(rel), "/")
		if !nested {
			t.Errorf("%s: a Go file in the module's root belongs to no layer", rel)
			return nil
		}
		from, ok := rank[top]
		if !ok {
			t.Errorf("%s: folder %s is in no layer", rel, top)
			return nil
		}
		f, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		files++
		for _, imp := range f.Imports {
			p, _ := strconv.Unquote(imp.Path.Value)
			if !strings.HasPrefix(p, module) {
				continue
			}
			to, _, _ := strings.Cut(strings.TrimPrefix(p, module), "/")
			r, ok := rank[to]
			if !ok || to != top && r >= from {
				t.Errorf("%s imports %s: %s may import only layers below it", rel, p, top)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if files < 10 {
		t.Fatalf("read only %d files: the walk is broken", files)
	}
}
