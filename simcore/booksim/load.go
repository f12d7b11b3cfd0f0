package booksim

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"

	"toposearch/diag"
	"toposearch/internal/infile"
)

// Limits on what is read: a configuration has a line for each of a hundred keys; a network file, one for
// each of up to maxNodes routers, with its neighbours.
const (
	maxConfig  = 256 << 10 // bytes
	maxNetwork = 16 << 20
)

// Load reads a configuration file and overrides written as key=value. It reports every fault; the
// Run is nil if there is an error among them.
func Load(file string, overrides []string) (*Run, diag.List) {
	text, err := infile.Read(file, maxConfig)
	if err != nil {
		return nil, diag.List{{Severity: diag.Error, Summary: "cannot read the configuration: " + err.Error(),
			Pos: diag.Pos{File: file}}}
	}
	return Parse(file, string(text), overrides)
}

// Parse is Load for a text; name stands in diagnostics, and its folder is where network files are
// sought first, then the working directory.
func Parse(name, text string, overrides []string) (*Run, diag.List) {
	return parse(name, text, overrides, func(file string) ([]byte, error) {
		data, err := infile.Read(filepath.Join(filepath.Dir(name), file), maxNetwork)
		if filepath.IsAbs(file) || errors.Is(err, fs.ErrNotExist) {
			return infile.Read(file, maxNetwork)
		}
		return data, err
	})
}

// LoadFS is Load within a file system; network files are sought beside the configuration.
func LoadFS(fsys fs.FS, name string, overrides []string) (*Run, diag.List) {
	text, err := fs.ReadFile(fsys, name)
	if err != nil {
		return nil, diag.List{{Severity: diag.Error, Summary: "cannot read the configuration: " + err.Error(),
			Pos: diag.Pos{File: name}}}
	}
	return parse(name, string(text), overrides, func(file string) ([]byte, error) {
		return fs.ReadFile(fsys, path.Join(path.Dir(name), file))
	})
}

func parse(name, text string, overrides []string, open func(string) ([]byte, error)) (*Run, diag.List) {
	s := &Settings{values: map[string]*setting{}, open: open}
	for k, d := range defaults {
		s.values[k] = &setting{value: d}
	}
	s.read(name, text)
	for i, o := range overrides {
		s.read(fmt.Sprintf("override %d", i+1), o+";")
	}
	r := newRun(s)
	if s.diags.HasErrors() {
		return nil, s.diags
	}
	return r, s.diags
}
