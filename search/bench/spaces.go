package bench

import (
	"embed"
	"fmt"
	"io/fs"
	"path"
	"strings"

	"toposearch/diag"
	"toposearch/study"
)

//go:embed spaces/*.toml
var spaceFiles embed.FS

// Spaces names the studies inside the program whose fronts enumeration finds whole in seconds, with a line on each.
func Spaces() (names, titles []string) {
	files, err := fs.Glob(spaceFiles, "spaces/*.toml")
	if err != nil {
		panic("bench: " + err.Error()) // the pattern is malformed
	}
	for _, f := range files {
		text, err := spaceFiles.ReadFile(f)
		if err != nil {
			panic("bench: " + err.Error()) // it was listed
		}
		first, _, _ := strings.Cut(string(text), "\n")
		names, titles = append(names, strings.TrimSuffix(path.Base(f), ".toml")), append(titles, strings.TrimPrefix(first, "# "))
	}
	return names, titles
}

// load reads one of Spaces.
func load(name string) (*study.Study, error) {
	st, list := study.LoadFrom(name+".toml", func(file string) ([]byte, error) { return spaceFiles.ReadFile("spaces/" + file) })
	if list.HasErrors() || st == nil {
		names, _ := Spaces()
		return nil, fmt.Errorf("there is no space %q%s", name, diag.Hint(name, names))
	}
	return st, nil
}
