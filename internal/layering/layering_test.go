package layering

import (
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

const (
	module = "toposearch/"
	root   = "../.."
)

// eachFile calls f for every Go file of the module: its folder and its path from the module's root.
func eachFile(t *testing.T, f func(folder, file string)) {
	t.Helper()
	err := filepath.WalkDir(root, func(p string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && p != root && (strings.HasPrefix(d.Name(), ".") || d.Name() == "testdata"):
			return filepath.SkipDir
		case d.IsDir() || !strings.HasSuffix(p, ".go"):
			return nil
		}
		file, err := filepath.Rel(root, p)
		if err != nil {
			return err
		}
		file = filepath.ToSlash(file)
		f(path.Dir(file), file)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// ranks are the layers of the folders.
func ranks() map[string]int {
	rank := make(map[string]int)
	for i, layer := range Layers {
		for _, d := range layer {
			rank[d] = i
		}
	}
	return rank
}

// layered is the name by which Layers lists a folder.
func layered(folder string) string {
	if top(folder) == "internal" {
		return "internal"
	}
	return folder
}

func top(folder string) string {
	folder, _, _ = strings.Cut(folder, "/")
	return folder
}

// TestLayers compares the imports of every Go file, tests included, with Layers.
func TestLayers(t *testing.T) {
	rank := ranks()
	seen := make(map[string]bool)
	eachFile(t, func(folder, file string) {
		layer := layered(folder)
		from, ok := rank[layer]
		if !ok {
			t.Errorf("%s: folder %s is in no layer", file, folder)
			return
		}
		seen[layer] = true
		f, err := parser.ParseFile(token.NewFileSet(), filepath.Join(root, file), nil, parser.ImportsOnly)
		if err != nil {
			t.Fatal(err)
		}
		for _, imp := range f.Imports {
			p, _ := strconv.Unquote(imp.Path.Value)
			to, ours := strings.CutPrefix(p, module)
			to = layered(to)
			if !ours || layer == to || strings.HasSuffix(file, "_test.go") && top(to) == top(folder) {
				continue
			}
			if r, ok := rank[to]; !ok || r >= from {
				t.Errorf("%s imports %s: %s may import only layers below it", file, p, folder)
			}
		}
	})
	for folder := range rank {
		if !seen[folder] {
			t.Errorf("folder %s of a layer has no Go file", folder)
		}
	}
}
