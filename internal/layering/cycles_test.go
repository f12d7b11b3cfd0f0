package layering

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestFileCycles: in no folder do files refer to each other in circles.
func TestFileCycles(t *testing.T) {
	files := make(map[string][]string)
	eachFile(t, func(folder, file string) {
		if !strings.HasSuffix(file, "_test.go") {
			files[folder] = append(files[folder], file)
		}
	})
	for _, folder := range slices.Sorted(maps.Keys(files)) {
		for _, c := range cycles(references(t, files[folder])) {
			t.Errorf("%s: these files refer to each other in circles: %s; put what several of them use into a file below them",
				folder, strings.Join(c, " "))
		}
	}
}

// TestCycles: a circle of two, one of three, and what only leads to them.
func TestCycles(t *testing.T) {
	got := cycles(map[string][]string{"a": {"b", "c"}, "b": {"c"}, "c": {"b"}, "d": {"e"}, "e": {"f"}, "f": {"d", "a"}, "g": {"g"}})
	if len(got) != 2 || !slices.Equal(got[0], []string{"b", "c"}) || !slices.Equal(got[1], []string{"d", "e", "f"}) {
		t.Errorf("cycles %v, want b c and d e f", got)
	}
}

// empty imports every package as one without names: errors that follow are of no interest.
type empty struct{}

func (empty) Import(p string) (*types.Package, error) {
	q := types.NewPackage(p, path.Base(p))
	q.MarkComplete()
	return q, nil
}

// references are the other files of a package in which each file's names (functions, types, fields,
// methods) are declared.
func references(t *testing.T, files []string) map[string][]string {
	t.Helper()
	fset := token.NewFileSet()
	var parsed []*ast.File
	for _, f := range files {
		a, err := parser.ParseFile(fset, filepath.Join(root, f), nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		parsed = append(parsed, a)
	}
	info := &types.Info{Uses: make(map[*ast.Ident]types.Object)}
	cfg := types.Config{Importer: empty{}, Error: func(error) {}}
	pkg, _ := cfg.Check(path.Dir(files[0]), fset, parsed, info) // what its imports declare is not known
	refs := make(map[string][]string)
	for id, o := range info.Uses {
		if o.Pkg() != pkg || !o.Pos().IsValid() {
			continue
		}
		from, to := fset.Position(id.Pos()).Filename, fset.Position(o.Pos()).Filename
		if from, to = filepath.Base(from), filepath.Base(to); from != to && !slices.Contains(refs[from], to) {
			refs[from] = append(refs[from], to)
		}
	}
	return refs
}

// cycles are the strongly connected components of more than one file, in order (Tarjan, SIAM J.
// Comput. 1(2), 1972).
func cycles(refs map[string][]string) (out [][]string) {
	number, low := make(map[string]int), make(map[string]int)
	onStack := make(map[string]bool)
	var stack []string
	var visit func(v string)
	visit = func(v string) {
		number[v] = len(number) + 1
		low[v] = number[v]
		stack, onStack[v] = append(stack, v), true
		for _, w := range refs[v] {
			if number[w] == 0 {
				visit(w)
				low[v] = min(low[v], low[w])
			} else if onStack[w] {
				low[v] = min(low[v], number[w])
			}
		}
		if low[v] < number[v] {
			return
		}
		at := slices.Index(stack, v)
		if c := slices.Clone(stack[at:]); len(c) > 1 {
			slices.Sort(c)
			out = append(out, c)
		}
		for _, w := range stack[at:] {
			onStack[w] = false
		}
		stack = stack[:at]
	}
	for _, v := range slices.Sorted(maps.Keys(refs)) {
		if number[v] == 0 {
			visit(v)
		}
	}
	slices.SortFunc(out, slices.Compare)
	return out
}
