// Package jobs has mixes of jobs that share a network: how large they are, and on which endpoints each runs.
package jobs

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"toposearch/diag"
)

// Kind is the jobs of one size, and what share of all jobs they are.
type Kind struct {
	Size  int // endpoints
	Share float64
}

// Mix is a distribution of sizes, in their order; shares add up to 1.
type Mix struct {
	Name  string
	Kinds []Kind
}

// Builtin is the mix "mix": 96.3 % of jobs have fewer than 1,000 accelerators, as of the jobs of Alibaba's cluster (Qian et
// al., Alibaba HPN, SIGCOMM 2024, Figure 6: of its segments of 1,024, one is enough for them). Only that share is published. Below and above it each
// power of two, from a server of 8 to 512 and from 1,024 to 4,096, is taken to be as frequent.
func Builtin() *Mix {
	const below = 0.963
	m := &Mix{Name: "mix"}
	for size := 8; size <= 4096; size *= 2 {
		share := below / 7 // 8 to 512
		if size >= 1000 {
			share = (1 - below) / 3
		}
		m.Kinds = append(m.Kinds, Kind{size, share})
	}
	return m
}

// New checks sizes and shares, adds up those of equal size, and divides shares by their sum.
func New(name string, kinds []Kind) (*Mix, error) {
	if len(kinds) == 0 {
		return nil, fmt.Errorf("a mix of no jobs")
	}
	m := &Mix{Name: name}
	kinds = slices.Clone(kinds)
	slices.SortStableFunc(kinds, func(a, b Kind) int { return a.Size - b.Size })
	total := 0.0
	for _, k := range kinds {
		if k.Size < 1 || !(k.Share > 0) || math.IsInf(k.Share, 0) {
			return nil, fmt.Errorf("jobs of %d endpoints with share %g: a size is at least 1, a share above 0", k.Size, k.Share)
		}
		if n := len(m.Kinds); n > 0 && m.Kinds[n-1].Size == k.Size {
			m.Kinds[n-1].Share += k.Share
		} else {
			m.Kinds = append(m.Kinds, k)
		}
		total += k.Share
	}
	for i := range m.Kinds {
		m.Kinds[i].Share /= total
	}
	return m, nil
}

// Read reads a mix from a file of lines "size,share" or "size" alone, which counts once; # begins a comment, and a first line
// without a digit is a heading.
func Read(file string, data []byte) (*Mix, diag.List) {
	var found diag.List
	var kinds []Kind
	fault := func(line int, format string, args ...any) {
		found.Errorf(diag.Pos{File: file, Line: line}, format, args...)
	}
	first := true
	for i, line := range strings.Split(strings.TrimPrefix(string(data), "\ufeff"), "\n") { // without the mark of byte order that Windows writes
		text, _, _ := strings.Cut(line, "#")
		if text = strings.TrimSpace(text); text == "" {
			continue
		}
		if first && !strings.ContainsAny(text, "0123456789") { // a heading
			first = false
			continue
		}
		first = false
		size, share, has := strings.Cut(text, ",")
		k := Kind{Share: 1}
		var err error
		if k.Size, err = strconv.Atoi(strings.TrimSpace(size)); has && err == nil {
			k.Share, err = strconv.ParseFloat(strings.TrimSpace(share), 64)
		}
		if err != nil || k.Size < 1 || !(k.Share > 0) || math.IsInf(k.Share, 0) {
			fault(i+1, "%q is no job: write its endpoints, and behind a comma its share, such as 64,0.25", diag.Visible(text))
			continue
		}
		kinds = append(kinds, k)
	}
	if len(kinds) == 0 {
		if len(found) == 0 {
			fault(1, "a mix of no jobs: write lines such as 64,0.25")
		}
		return nil, found
	}
	m, err := New(file, kinds)
	if err != nil {
		fault(1, "%v", err)
	}
	return m, found
}

// Within is the share of jobs that have at most so many endpoints.
func (m *Mix) Within(endpoints int64) (share float64) {
	for _, k := range m.Kinds {
		if int64(k.Size) <= endpoints {
			share += k.Share
		}
	}
	return min(share, 1)
}

// Draw draws the sizes of n jobs that are on a network at the same time: one that does not fit into what those before it have
// left, or leaves too little for those behind it, waits for another day, and another is drawn. The error says if even the smallest does not fit.
func (m *Mix) Draw(n int, endpoints int64, rng *rand.Rand) ([]int, error) {
	var out []int
	left := endpoints
	for len(out) < n {
		most := left - int64(n-len(out)-1)*int64(m.Kinds[0].Size) // the others have to fit, too
		fits := m.Within(most)
		if fits == 0 {
			return nil, fmt.Errorf("%d jobs do not fit %d endpoints: the smallest of %s has %d; ask for fewer jobs, or give a mix of smaller ones", n, endpoints, m.Name, m.Kinds[0].Size)
		}
		x := rng.Float64() * fits
		for _, k := range m.Kinds {
			if x -= k.Share; x < 0 || k.Size == m.largest(most) {
				out = append(out, k.Size)
				left -= int64(k.Size)
				break
			}
		}
	}
	return out, nil
}

// largest is the largest size that is at most so many endpoints; there is one.
func (m *Mix) largest(endpoints int64) (size int) {
	for _, k := range m.Kinds {
		if int64(k.Size) <= endpoints {
			size = k.Size
		}
	}
	return size
}
