package foreign

import (
	"bufio"
	"fmt"
	"io"
)

// Times are what simulators want to know and a graph does not tell.
type Times struct {
	// HopNs is the latency of a link with the switch behind it, ns.
	HopNs float64
}

// rated refuses a network without rates.
func (f *Fabric) rated(format string) error {
	if f.milli == nil {
		return f.refusal(format, "its file gives no rates, and the format needs them: --bandwidth, such as '400 Gb/s'")
	}
	return nil
}

// SimAI writes the topology of SimAI's ns-3 backend (astra-sim-alibabacloud/inputs/topo): GPUs first, then switches; a link a line with
// rate, latency and error rate. GPUs do not forward, and servers have no scale-up switches in it: gpus_per_server is 1.
func (f *Fabric) SimAI(out io.Writer, o Times) error {
	const format = "simai"
	if err := first(f.bothWays(format), f.rated(format), f.single(format, "of which ns-3 keeps the last")); err != nil {
		return err
	}
	for s := range f.switches() {
		if f.class(s).Embedded {
			return f.refusal(format, "its endpoints forward (%s), and GPUs of the format do not", f.names[s])
		}
	}
	hosts, links := f.n.Endpoints(), 0
	number := func(d int) int { // GPUs come first
		if f.isEndpoint(d) {
			return d - f.switches()
		}
		return hosts + d
	}
	last := [2]int{-1, -1}
	err := f.cables(func(c cable) error {
		links++
		if ends := [2]int{c.a, c.b}; f.isEndpoint(c.a) && ends == last {
			return f.refusal(format, "%s has two ports on %s, of which ns-3 keeps the last", f.name(c.a), f.name(c.b))
		} else {
			last = ends
		}
		return nil
	})
	if err != nil {
		return err
	}
	w := bufio.NewWriter(out)
	fmt.Fprintf(w, "%d 1 0 %d %d H100\n", f.devices(), f.switches(), links)
	for s := range f.switches() {
		if s > 0 {
			fmt.Fprint(w, " ")
		}
		fmt.Fprint(w, number(s))
	}
	fmt.Fprintln(w)
	err = f.cables(func(c cable) error {
		_, err := fmt.Fprintf(w, "%d %d %sGbps %gms 0\n", number(c.a), number(c.b), f.gbps(c.class), o.HopNs/1e6)
		return err
	})
	return first(err, w.Flush())
}
