package study

import (
	"bytes"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"toposearch/catalog"
	"toposearch/diag"
	"toposearch/internal/disk"
)

//go:embed example
var exampleFiles embed.FS

// Example is the study inside the program with its constraint files: study.toml, site.toml and
// procurement.toml at the root.
func Example() fs.FS {
	sub, err := fs.Sub(exampleFiles, "example")
	if err != nil {
		panic("study: the example is not embedded: " + err.Error())
	}
	return sub
}

// LoadExample reads the example: 1,024 accelerators at 400 Gb/s on the built-in price list.
func LoadExample() (*Study, diag.List) {
	files := Example()
	return LoadFrom("study.toml", func(name string) ([]byte, error) { return fs.ReadFile(files, filepath.ToSlash(name)) })
}

// initFiles are what Init writes, the study first.
var initFiles = []string{"study.toml", "site.toml", "procurement.toml", "parts.csv"}

// Init writes a commented study, two constraint files and a price list into dir, which it makes if
// need be, and gives their paths, the study first. They run as written. If one of them exists
// nothing is written.
func Init(dir string) ([]string, error) { return write(dir, initFiles, initText) }

// Examples names the other studies inside the program: those of ATOP's use cases.
func Examples() []string {
	var names []string
	for _, path := range exampleStudies() {
		names = append(names, strings.TrimSuffix(filepath.Base(path), ".toml"))
	}
	return names
}

func exampleStudies() []string {
	paths, err := fs.Glob(Example(), "*/atop-*.toml")
	if err != nil {
		panic("study: " + err.Error()) // the pattern is malformed
	}
	return paths
}

// InitExample writes one of Examples with its constraint files into dir, as Init does.
func InitExample(dir, name string) ([]string, error) {
	for _, path := range exampleStudies() {
		folder, file := filepath.Split(path)
		if file != name+".toml" {
			continue
		}
		text := func(name string) ([]byte, error) { return fs.ReadFile(Example(), folder+name) }
		st, diags := LoadFrom(file, text)
		if st == nil {
			return nil, fmt.Errorf("the example %s: %v", name, diags)
		}
		files := []string{file}
		for _, in := range st.Inputs {
			if in.Path != file {
				files = append(files, in.Path)
			}
		}
		return write(dir, files, text)
	}
	return nil, fmt.Errorf("there is no example %q%s", name, diag.Hint(name, Examples()))
}

// write writes files into dir, the study first, or nothing if one of them exists.
func write(dir string, files []string, text func(name string) ([]byte, error)) ([]string, error) {
	var there []error
	for _, name := range files {
		if _, err := os.Lstat(filepath.Join(dir, name)); err == nil {
			there = append(there, fmt.Errorf("%s %w", filepath.Join(dir, name), ErrExists))
		}
	}
	if len(there) > 0 {
		return nil, errors.Join(there...)
	}
	if err := disk.MkdirAll(dir, 0o777); err != nil {
		return nil, fmt.Errorf("cannot make the folder: %w", err)
	}
	var paths []string
	for _, name := range files {
		data, err := text(name)
		if err != nil {
			return paths, err
		}
		path := filepath.Join(dir, name)
		if err := writeNew(path, data); err != nil {
			if !errors.Is(err, fs.ErrExist) {
				paths = append(paths, path)
			}
			for _, p := range paths { // all or nothing, so that it can be called again
				err = errors.Join(err, ignoreMissing(disk.Remove(p)))
			}
			return nil, err
		}
		paths = append(paths, path)
	}
	return paths, nil
}

// ErrExists is wrapped where Init would write over a file.
var ErrExists = errors.New("exists already; nothing was written")

func ignoreMissing(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// initText is the example, with the price list named in the study and beside it.
func initText(name string) ([]byte, error) {
	if name == "parts.csv" {
		return catalog.BuiltinCSV(), nil
	}
	data, err := fs.ReadFile(Example(), name)
	if err != nil {
		return nil, err
	}
	return bytes.Replace(data, []byte(`# catalog = ["parts.csv"]`), []byte(`catalog = ["parts.csv"]`), 1), nil
}

// writeNew never overwrites: a file that came between is an error.
func writeNew(path string, data []byte) error {
	f, err := disk.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return fmt.Errorf("cannot write: %w", err)
	}
	if _, err := f.Write(data); err != nil {
		f.Close()
		return fmt.Errorf("cannot write %s: %w", path, err)
	}
	if err := f.Close(); err != nil {
		return fmt.Errorf("cannot write %s: %w", path, err)
	}
	return nil
}
