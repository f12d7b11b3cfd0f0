package traffic

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"sort"
	"strconv"
	"strings"

	"toposearch/diag"
	"toposearch/internal/infile"
	"toposearch/simcore"
)

// maxFileBytes bounds a traffic file: a matrix of 4,000 endpoints with all pairs has 16 bytes a line.
const maxFileBytes = 256 << 20

// Limits on what a traffic file holds.
const (
	maxEntries  = 16 << 20 // all pairs of 4,000 endpoints
	maxLine     = 4096     // bytes, comments included
	maxFindings = 1000     // nobody reads more
)

// FromFile reads a traffic from a file, see Parse.
func FromFile(path string, o Options) (*Pattern, error) {
	data, err := infile.Read(path, maxFileBytes)
	if err != nil {
		return nil, fmt.Errorf("cannot read the traffic file %s: %w", path, err)
	}
	p, found := Parse(path, data, o.Network.Endpoints())
	if found.HasErrors() {
		return nil, allOf(found)
	}
	p.name = "file:" + path
	return p, nil
}

// mostFaults is the number of findings that an error shows, a page: as many as diagnostics do.
const mostFaults = 50

// allOf makes one error of all findings, a line for each.
func allOf(found diag.List) error {
	var lines []string
	for _, d := range found {
		if d.Severity == diag.Error {
			lines = append(lines, d.String())
		}
	}
	if n := len(lines) - mostFaults; n > 0 {
		lines = append(lines[:mostFaults], fmt.Sprintf("and %d more", n))
	}
	return errors.New(strings.Join(lines, "\n"))
}

// entry is a line of a traffic file.
type entry struct {
	src, dst int32
	weight   float64
	line     int
}

// Parse reads a permutation, lines "source destination", or a matrix, lines "source destination
// weight", for n endpoints numbered from 0. Fields are separated by blanks, tabs, commas or
// semicolons; "#" starts a comment; a first line of words is a head. Sources without a line send
// nothing. In a permutation no source and no destination stands twice. In a matrix no pair stands
// twice; the source with the largest sum of weights sends at the full offered load, the others in
// proportion. Every fault is reported.
func Parse(file string, data []byte, n int) (*Pattern, diag.List) {
	var found diag.List
	var all []entry
	fields := 0
	scan(file, data, &found, func() int { return len(all) }, func(pos diag.Pos, f []string) {
		if fields == 0 {
			fields = len(f)
		}
		if len(f) != fields || fields < 2 || fields > 3 {
			found.Errorf(pos, "%d fields; a permutation has 2 on every line (source, destination), a matrix 3 (and a weight)", len(f))
			return
		}
		if e, ok := parseEntry(f, pos, n, &found); ok {
			all = append(all, e)
		}
	})
	if len(all) == 0 && !found.HasErrors() {
		found.Errorf(diag.Pos{File: file}, "no line with a source and a destination")
	}
	if fields == 2 {
		checkPermutation(file, all, &found)
	} else {
		checkMatrix(file, all, &found)
	}
	if found.Sort(); found.HasErrors() {
		return nil, found
	}
	if fields == 3 {
		return matrix(n, all), found
	}
	p := table(n, func(int) int { return -1 })
	for _, e := range all {
		p.to[e.src] = e.dst
	}
	return p, found
}

// isHead reports whether no field is a number.
func isHead(f []string) bool {
	for _, x := range f {
		if _, err := strconv.ParseFloat(x, 64); err == nil {
			return false
		}
	}
	return true
}

// scan gives the fields of each line that has any, but for a first line of words.
func scan(file string, data []byte, found *diag.List, entries func() int, each func(pos diag.Pos, f []string)) {
	data = bytes.TrimPrefix(data, []byte("\xef\xbb\xbf"))
	i, begun := 0, false
	for line := range bytes.SplitSeq(data, []byte("\n")) {
		i++
		pos := diag.Pos{File: file, Line: i}
		if len(*found) >= maxFindings || entries() == maxEntries {
			found.Errorf(pos, "the rest is not read: there are more than %d findings or %d entries above it", maxFindings, maxEntries)
			return
		}
		if len(line) > maxLine {
			found.Errorf(pos, "the line has %d bytes; source, destination and weight fit %d", len(line), maxLine)
			continue
		}
		text, _, _ := strings.Cut(string(line), "#")
		f := strings.FieldsFunc(text, func(r rune) bool { return r <= ' ' || r == ',' || r == ';' })
		if len(f) == 0 || !begun && isHead(f) {
			continue
		}
		begun = true
		each(pos, f)
	}
}

// parsePair reads a source and a destination.
func parsePair(f []string, pos diag.Pos, n int, found *diag.List) (src, dst int32, ok bool) {
	ok = true
	for i, at := range []*int32{&src, &dst} {
		x, err := strconv.Atoi(f[i])
		if err != nil || x < 0 || x >= n {
			found.Errorf(pos, "%s %q is not an endpoint; they are 0 to %d", []string{"source", "destination"}[i], f[i], n-1)
			ok = false
		}
		*at = int32(x)
	}
	if ok && src == dst {
		found.Errorf(pos, "endpoint %d sends to itself", src)
		ok = false
	}
	return src, dst, ok
}

func parseEntry(f []string, pos diag.Pos, n int, found *diag.List) (e entry, ok bool) {
	e.src, e.dst, ok = parsePair(f, pos, n, found)
	if e.weight = 1; len(f) == 3 {
		w, err := strconv.ParseFloat(f[2], 64)
		if err != nil || !(w >= 0) || math.IsInf(w, 0) {
			found.Errorf(pos, "weight %q is not a number of 0 or more", f[2])
			ok = false
		}
		e.weight = w
	}
	e.line = pos.Line
	return e, ok
}

func checkPermutation(file string, all []entry, found *diag.List) {
	from, to := make(map[int32]int), make(map[int32]int)
	for _, e := range all {
		pos := diag.Pos{File: file, Line: e.line}
		if first, ok := from[e.src]; ok {
			found.Errorf(pos, "source %d has a destination already, on line %d", e.src, first)
		} else {
			from[e.src] = e.line
		}
		if first, ok := to[e.dst]; ok {
			found.Errorf(pos, "destination %d has a source already, on line %d", e.dst, first)
		} else {
			to[e.dst] = e.line
		}
	}
}

func checkMatrix(file string, all []entry, found *diag.List) {
	seen := make(map[[2]int32]int)
	var sum float64
	for _, e := range all {
		sum += e.weight
		k := [2]int32{e.src, e.dst}
		if first, ok := seen[k]; ok {
			found.Errorf(diag.Pos{File: file, Line: e.line}, "the weight from %d to %d stands already on line %d", e.src, e.dst, first)
		} else {
			seen[k] = e.line
		}
	}
	if len(all) > 0 && (sum == 0 || math.IsInf(sum, 0)) {
		found.Errorf(diag.Pos{File: file}, "the weights add up to %v", sum)
	}
}

// Entry is what a source sends to a destination, relative to the other entries of a matrix.
type Entry struct {
	Src, Dst int32
	Weight   float64
}

// FromMatrix makes a traffic of that name from a matrix for n endpoints, as Parse reads one: the source with the largest sum of
// weights sends at the full offered load, the others in proportion.
func FromMatrix(name string, n int, list []Entry) *Pattern {
	all := make([]entry, len(list))
	for i, e := range list {
		all[i] = entry{src: e.Src, dst: e.Dst, weight: e.Weight}
	}
	p := matrix(n, all)
	p.name = name
	return p
}

// matrix draws a destination by weight: the rows stand one after another as running sums.
func matrix(n int, all []entry) *Pattern {
	sort.SliceStable(all, func(i, j int) bool { return all[i].src < all[j].src })
	start := make([]int32, n+1)
	upTo, dst := make([]float64, len(all)), make([]int32, len(all))
	most, sum := 0.0, 0.0
	for i, e := range all {
		if i == 0 || all[i-1].src != e.src {
			sum = 0
		}
		sum += e.weight
		upTo[i], dst[i] = sum, e.dst
		most = max(most, sum)
		start[e.src+1] = int32(i + 1)
	}
	for s := range n {
		start[s+1] = max(start[s+1], start[s])
	}
	return &Pattern{n: n, draw: func(src int, r *simcore.Rand) int {
		row := upTo[start[src]:start[src+1]]
		x := r.Float64() * most
		if i := sort.Search(len(row), func(i int) bool { return x < row[i] }); i < len(row) {
			return int(dst[int(start[src])+i])
		}
		return -1
	}, rest: func(src int, add func(int, float64)) {
		before := 0.0
		for i := start[src]; i < start[src+1]; i++ {
			add(int(dst[i]), (upTo[i]-before)/most)
			before = upTo[i]
		}
	}}
}
