package family

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"toposearch/internal/diag"
	"toposearch/topology"
)

// File is a network read from a file, as a family without parameters and what the network model
// does not hold.
type File struct {
	// Family is named file:BASE@HASH, by the first 8 hex digits of the SHA-256 of the content.
	Family *topology.Family
	// LaneGbps is the rate of one lane in Gb/s; 0 if the file gives no rates.
	LaneGbps float64
	// SwitchNames and EndpointNames are by ID; nil where the format has no names.
	SwitchNames, EndpointNames []string
	// Links is by order of Wire, Nics by endpoint, port by port; nil if nothing is said of them.
	Links, Nics []LinkInfo
	// Warnings are findings that do not keep the network from being used.
	Warnings diag.List
}

// LinkInfo is what a file says of a cable.
type LinkInfo struct {
	LengthM            float64 // 0: not said
	Medium, PartNo, ID string
	CyclesAB, CyclesBA int // latency of either direction in cycles (BookSim2); 0: not said
	PortA, PortB       string
}

// Load reads a network file and gives it as a family without parameters. The format is told by
// the content: network.json, a CSV edge list, or BookSim2's anynet; a name that ends in .json or
// .csv must hold what it says. Faults come all at once, as a *FileError.
func Load(path string) (*topology.Family, error) {
	f, err := LoadFile(path)
	if err != nil {
		return nil, err
	}
	return f.Family, nil
}

// LoadFile is Load with the names, lengths and parts that the file gives.
func LoadFile(path string) (*File, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("reading network file: %w", err)
	}
	f, list := ParseFile(path, data)
	if list.HasErrors() {
		return nil, &FileError{list}
	}
	return f, nil
}

// FileError carries every finding about a network file.
type FileError struct{ List diag.List }

func (e *FileError) Error() string { return e.List.Err().Error() }

// ParseFile reads the content of a network file; path only names it. The list holds every
// finding; with an error among them there is no File.
func ParseFile(path string, data []byte) (*File, diag.List) {
	src := newSource(path, data)
	var g *fileGraph
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

// fileGraph is what the parsers make: switches class by class, links by class, endpoint groups.
type fileGraph struct {
	design         string // what the file says it is, "" if nothing
	unidirectional bool
	switchClasses  []topology.SwitchClass
	switchCount    []int64
	linkClasses    []topology.LinkClass
	lanes          []int32
	endpointLanes  int32 // 0: the most lanes of any endpoint
	laneGbps       float64
	place          topology.Placement
	class          []uint8 // of each link
	a, b           []topology.SwitchID
	groupCount     []int32
	portStart      []int32 // of group g: ports[portStart[g]:portStart[g+1]]; starts with 0
	ports          []topology.SwitchID
	switchNames    []string
	endpointNames  []string
	links, nics    []LinkInfo
}

// Limits of what is read: a file that asks for more is refused before memory is taken for it.
// Eight million switches and 128 million endpoints are several times the largest design.
const (
	maxFileSwitches  = 1 << 23
	maxFileEndpoints = 1 << 27
)

func (g *fileGraph) switches() int64 {
	var n int64
	for _, c := range g.switchCount {
		n += c
	}
	return n
}

// check looks at what only the whole file tells.
func (g *fileGraph) check(src *source) {
	if len(g.groupCount) == 0 {
		src.list.Add(diag.Diagnostic{Severity: diag.Error, Pos: diag.Pos{File: src.path}, Summary: "the network has no endpoints", Detail: noEndpoints(src.path)})
	}
	g.checkPorts(src)
	n := g.endpoints()
	if b := int64(g.place.Blocks); b > 1 {
		if n%b != 0 {
			src.list.Errorf(diag.Pos{File: src.path}, "%d blocks do not divide %d endpoints", b, n)
		}
		for i, h := range g.place.Homes {
			if h != topology.Central && g.switchCount[i]%b != 0 {
				src.list.Errorf(diag.Pos{File: src.path}, "%d blocks do not divide the %d switches of class %s",
					b, g.switchCount[i], g.switchClasses[i].Name)
			}
		}
	}
}

// checkPorts asks that endpoints hang on embedded switches by internal links, each on its own, and
// on others by nic links.
func (g *fileGraph) checkPorts(src *source) {
	internal := g.linkClasses[0].Name == topology.ClassInternal
	taken := map[topology.SwitchID]bool{}
	for i, n := range g.groupCount {
		at := g.ports[g.portStart[i]:g.portStart[i+1]]
		for _, s := range at {
			switch c := g.switchClasses[g.classOf(s)]; {
			case c.Embedded != internal:
				src.list.Errorf(diag.Pos{File: src.path}, "entry %d of endpoints hangs on switch %d of class %s by %s links; "+
					"embedded switches have internal links, others nic", i+1, s, c.Name, g.linkClasses[0].Name)
				return
			case internal && (n != 1 || len(at) != 1 || taken[s]):
				src.list.Errorf(diag.Pos{File: src.path}, "entry %d of endpoints shares embedded switch %d; every endpoint has its own", i+1, s)
				return
			}
			if internal {
				taken[s] = true
			}
		}
	}
}

// classOf is the class of a switch.
func (g *fileGraph) classOf(s topology.SwitchID) int {
	n := int64(s)
	for i, c := range g.switchCount {
		if n < c {
			return i
		}
		n -= c
	}
	return len(g.switchCount) - 1
}

func (g *fileGraph) endpoints() int64 {
	var n int64
	for _, c := range g.groupCount {
		n += int64(c)
	}
	return n
}

// noEndpoints says how a kind of file names endpoints.
func noEndpoints(path string) string {
	switch strings.ToLower(filepath.Ext(path)) {
	case ".csv":
		return "names of endpoints begin with a word such as gpu, host, node or endpoint: a line gpu-0,leaf-0 hangs one on a switch"
	case ".json":
		return `"endpoints": [[8, 0]] hangs 8 endpoints on switch 0`
	}
	return "a line router 0 node 0 hangs one on a router"
}
