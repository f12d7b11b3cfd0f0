package main

import (
	"fmt"
	"io"
	"strings"

	"toposearch/topology"
	"toposearch/topology/survey"
)

// pageWidth is that of a terminal.
const pageWidth = 78

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
	d := topology.Design{Family: f, V: survey.SmallInstance(f)}
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
