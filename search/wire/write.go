package wire

import (
	"bufio"
	"fmt"
	"io"
	"slices"
)

// WriteCSV writes the graph as an edge list with its hosts, gpu-N on sw-N, that the program reads as a network. Switches
// are numbered as they stand in the hall, hosts with them.
func (r *Result) WriteCSV(w io.Writer) error {
	b := bufio.NewWriter(w)
	fmt.Fprintln(b, "a,b")
	standing := make([]int, len(r.at)) // by position
	for s, p := range r.at {
		standing[p] = s
	}
	host := 0
	for p, s := range standing {
		for range r.Graph.Hosts(s) {
			fmt.Fprintf(b, "gpu-%d,sw-%d\n", host, p)
			host++
		}
	}
	for _, l := range r.links() {
		fmt.Fprintf(b, "sw-%d,sw-%d\n", l[0], l[1])
	}
	return b.Flush()
}

// WriteEdges writes the graph as the Graph Golf competition has it: two numbers a line, one for each link.
func (r *Result) WriteEdges(w io.Writer) error {
	b := bufio.NewWriter(w)
	for _, l := range r.links() {
		fmt.Fprintln(b, l[0], l[1])
	}
	return b.Flush()
}

// links are the positions of the two ends of each, in order.
func (r *Result) links() (out [][2]int32) {
	r.Graph.Each(func(a, b int) {
		p, q := r.at[a], r.at[b]
		out = append(out, [2]int32{min(p, q), max(p, q)})
	})
	slices.SortFunc(out, func(a, b [2]int32) int { return slices.Compare(a[:], b[:]) })
	return out
}
