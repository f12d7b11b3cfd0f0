package netfile

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"path/filepath"
	"strings"

	"toposearch/diag"
	"toposearch/internal/infile"
)

// maxBytes bounds a network file: an edge list takes thirty times its size while it is read (1.7 GB for
// 1.3 million cables with ports, rates, lengths and names in 56 MB), and four gigabytes are to be enough.
const maxBytes = 128 << 20

// Load reads a network file and gives it as a family without parameters, with the names, lengths and
// parts that the file gives. The format is recognised by the content: network.json, a CSV edge list, or
// BookSim2's anynet; a name that ends in .json or .csv must hold what it says. All faults are reported
// at once, as an *Error.
func Load(path string) (*File, error) {
	data, err := infile.Read(path, maxBytes)
	if err != nil {
		return nil, fmt.Errorf("cannot read the network file %s: %w", path, err)
	}
	f, list := Parse(path, data)
	if list.HasErrors() {
		return nil, &Error{list}
	}
	return f, nil
}

// Error carries every finding about a network file.
type Error struct{ List diag.List }

func (e *Error) Error() string { return e.List.Err().Error() }

// Parse reads the content of a network file; path only names it. The list holds every
// finding; with an error among them there is no File.
func Parse(path string, data []byte) (*File, diag.List) {
	src := newSource(path, data)
	var g *graph
	switch format(path, src.data) {
	case "json":
		g = parseJSON(src)
	case "csv":
		g = parseCSV(src)
	case "anynet":
		g = parseAnynet(src)
	default:
		src.list.Errorf(diag.Pos{File: path}, "not a network file: neither JSON, nor a CSV edge list with a header, nor anynet lines")
	}
	if g != nil && !src.list.HasErrors() {
		g.check(src)
	}
	if src.list.HasErrors() {
		src.list.Sort()
		return nil, src.list
	}
	sum := sha256.Sum256(data)
	f := g.file(fmt.Sprintf("file:%s@%x", cleanBase(path), sum[:4]), filepath.Base(path))
	f.Warnings = src.list
	return f, src.list
}

// cleanBase keeps a file's name usable inside a design's name.
func cleanBase(path string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '.' || r == '_' || r == '-' {
			return r
		}
		return '_'
	}, filepath.Base(path))
}

// format tells JSON, CSV and anynet apart: by the ending, else by the first characters.
func format(path string, data []byte) string {
	switch strings.ToLower(filepath.Ext(path)) {
	case ".json":
		return "json"
	case ".csv", ".tsv":
		return "csv"
	}
	text := bytes.TrimSpace(data)
	line, _, _ := bytes.Cut(text, []byte("\n"))
	word, _, _ := bytes.Cut(bytes.TrimSpace(line), []byte(" "))
	switch {
	case len(text) > 0 && text[0] == '{':
		return "json"
	case string(word) == "router" || string(word) == "node":
		return "anynet"
	case bytes.ContainsAny(line, ",;\t"):
		return "csv"
	}
	return ""
}
