package main

import (
	"fmt"
	"io"
	"math"
	"strings"

	"toposearch/topology"
)

// smallTries bounds how many tuples of small values are looked at for a drawing.
const smallTries = 20_000

// smallInstance gives the values of a small design of the family that shows as much of it as
// possible: all link classes in use, about twenty switches and as many endpoints.
func smallInstance(f *topology.Family) []int {
	values := make([][]int, len(f.Params))
	v := make([]int, len(f.Params))
	for i, p := range f.Params {
		for x := p.Min; x <= min(p.Max, p.Min+5); x++ {
			values[i] = append(values[i], x)
		}
	}
	var best []int
	least := math.Inf(1)
	var s topology.Size
	at := make([]int, len(v)) // index into values; one past the end stands for the default
	for range smallTries {
		for i := range v {
			if at[i] < len(values[i]) {
				v[i] = values[i][at[i]]
			}
			if p := &f.Params[i]; p.Default != nil {
				// The default comes first, then small values.
				if at[i] == 0 {
					v[i] = p.Default(v)
				} else {
					v[i] = values[i][at[i]-1]
				}
			}
		}
		if f.Size(v, &s) == nil {
			if score := plainness(f, v, &s); score < least {
				least, best = score, append(best[:0], v...)
			}
		}
		if !next(f, values, at) {
			break
		}
	}
	return best
}

// next moves the odometer, the first parameter fastest.
func next(f *topology.Family, values [][]int, at []int) bool {
	for i := range at {
		n := len(values[i])
		if f.Params[i].Default != nil {
			n++
		}
		if at[i]++; at[i] < n {
			return true
		}
		at[i] = 0
	}
	return false
}

// missingClass is what a link class that is not in use costs: less than making a tree of six levels of
// a size that can be drawn, more than most sizes.
const missingClass = 0.6

// plainness is how far a size is from a good drawing.
func plainness(f *topology.Family, v []int, s *topology.Size) float64 {
	off := func(n int64, want float64) float64 { return math.Abs(math.Log(float64(n) / want)) }
	ends := off(s.Endpoints, 24)
	if s.Endpoints < 24 { // fewer are drawn more easily than more
		ends *= 0.8
	}
	score := 3*off(s.AllSwitches(), 20) + ends + off(max(1, s.SwitchLinks()), 40)
	for i := range f.LinkClasses {
		if s.Link[i] == 0 {
			score += missingClass
		}
	}
	// The smallest value of a parameter hides what it does; that of a default is the usual network.
	for i, p := range f.Params {
		switch {
		case p.Default == nil && v[i] == p.Min:
			score += 0.65
		case p.Default != nil && v[i] != p.Default(v):
			score += 0.4
		}
	}
	return score
}

// letters mark link classes in a matrix, by the first free letter of the name.
func letters(classes []topology.LinkClass) []byte {
	out := make([]byte, len(classes))
	taken := map[byte]bool{}
	for i, c := range classes {
		for _, b := range []byte(c.Name + "abcdefghijklmnopqrstuvwxyz") {
			if !taken[b] {
				taken[b], out[i] = true, b
				break
			}
		}
	}
	return out
}

// matrixMost is the widest matrix that a terminal shows.
const matrixMost = 36

// pageDrawing draws the small instance: switches by class, and the matrix of their links.
func pageDrawing(w io.Writer, f *topology.Family) error {
	d := topology.Design{Family: f, V: smallInstance(f)}
	n, err := d.Build()
	if err != nil {
		return err
	}
	fmt.Fprintf(w, "\nDrawing of %s: %d endpoints (--svg FILE for a picture)\n", d, n.Endpoints())
	count := make([]int, len(n.SwitchClasses))
	for s := range n.Switches() {
		count[n.Class(topology.SwitchID(s))]++
	}
	first := 0
	for c, k := range count {
		if k == 0 {
			continue
		}
		fmt.Fprintf(w, "  %-12s%s\n", n.SwitchClasses[c].Name, boxes(first, k))
		first += k
	}
	if n.Switches() < 2 || n.Switches() > matrixMost {
		return nil
	}
	mark := letters(n.LinkClasses)
	used := map[int]bool{}
	fmt.Fprintf(w, "\n  links%s\n", columnHeads(n.Switches()))
	for s := range n.Switches() {
		row := []byte(strings.Repeat(" .", n.Switches()))
		for ch, end := n.Out(topology.SwitchID(s)); ch < end; ch++ {
			row[2*int(n.To(ch))+1] = mark[n.LinkClass(ch)]
			used[n.LinkClass(ch)] = true
		}
		fmt.Fprintf(w, "  %5d%s\n", s, row)
	}
	var legend []string
	for c, class := range n.LinkClasses {
		if used[c] {
			legend = append(legend, fmt.Sprintf("%c %s", mark[c], class.Name))
		}
	}
	fmt.Fprintf(w, "  %s\n", strings.Join(legend, ", "))
	return nil
}

// boxes draws k switches from number first on, as many as fit.
func boxes(first, k int) string {
	var b strings.Builder
	for i := range k {
		box := fmt.Sprintf("[%d]", first+i)
		if b.Len()+len(box) > pageWidth-26 && i < k-1 {
			fmt.Fprintf(&b, "...[%d]", first+k-1)
			break
		}
		b.WriteString(box)
	}
	return b.String()
}

// columnHeads numbers the columns of a matrix by their last digit.
func columnHeads(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, " %d", i%10)
	}
	return b.String()
}
