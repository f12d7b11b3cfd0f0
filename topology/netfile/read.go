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
// parts that the file gives. The format is recognised by the content: network.json, GraphML, what
// ibnetdiscover prints, cables as CSV (an edge list or NetBox's), BookSim2's anynet, or a list of edges; a name that ends in
// .json, .graphml, .csv or .edges must hold what it says. All faults are reported
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
	src.format = format(path, src.data)
	switch src.format {
	case "json":
		g = parseJSON(src)
	case "csv":
		g = parseCSV(src)
	case "anynet":
		g = parseAnynet(src)
	case "graphml":
		g = parseGraphML(src)
	case "ibnet":
		g = parseIBNet(src)
	case "edges":
		g = parseEdges(src)
	default:
		src.list.Errorf(diag.Pos{File: path}, "not a network file: neither JSON, GraphML, ibnetdiscover's output, cables as CSV with a header, anynet lines nor an edge list")
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

// format tells the formats apart: by the ending, else by the first characters.
func format(path string, data []byte) string {
	switch strings.ToLower(filepath.Ext(path)) {
	case ".json":
		return "json"
	case ".csv", ".tsv":
		return "csv"
	case ".graphml":
		return "graphml"
	case ".edges":
		return "edges"
	}
	text := bytes.TrimSpace(data)
	if len(text) > 0 && text[0] == '{' {
		return "json"
	}
	if len(text) > 0 && text[0] == '<' {
		return "graphml"
	}
	line := firstLine(text)
	word, _, _ := bytes.Cut(line, []byte(" "))
	switch {
	case string(word) == "router" || string(word) == "node":
		return "anynet"
	case isIBNet(line):
		return "ibnet"
	case isEdges(line):
		return "edges"
	case bytes.ContainsAny(line, ",;\t"):
		return "csv"
	}
	return ""
}

// firstLine is the first that is no comment, or one that a format knows.
func firstLine(text []byte) []byte {
	for len(text) > 0 {
		line, rest, _ := bytes.Cut(text, []byte("\n"))
		if line = bytes.TrimSpace(line); len(line) > 0 && (line[0] != '#' || bytes.HasPrefix(line, []byte(EndpointsEach))) {
			return line
		}
		text = rest
	}
	return nil
}
