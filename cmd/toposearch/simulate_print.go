package main

import (
	"fmt"
	"io"
	"strings"

	"toposearch/internal/unit"
	"toposearch/simcore"
	"toposearch/simulate"
)

// printPoints prints loads of the flit model.
func printPoints(w io.Writer, doc *simulate.Document, f *simFlags) {
	c := doc.Config
	fmt.Fprintf(w, "%s\n%s%s\n", doc.Design, wrap(fmt.Sprintf("routing %v, traffic %v, %v VCs of %v flits, crossbar speedup %v, %v, %v cycles measured; load 1 is %v an endpoint, links have the rates on sale",
		c["routing"], c["traffic"], c["vcs"], c["buffer_flits"], c["internal_speedup"], packetWords(c), c["cycles"], unit.KindBandwidth.Format(c["bandwidth_gbps"].(float64))), 80, "  "), failedWords(doc.Failed))
	// 80 columns with the mark of a note.
	const head = "%6s %8s %8s %6s %6s %6s %6s %6s %6s %6s %5s\n"
	fmt.Fprintf(w, head, "load", "accepted", "latency", "+-", "p50", "p95", "p99", "p99.9", "max", "hops", "worst")
	fmt.Fprintf(w, head, "", "", "cycles", "95 %", "", "", "", "", "", "", "link")
	var notes footnotes
	for _, p := range doc.Points {
		if p.Cycles == 0 {
			continue // not reached
		}
		accepted := fmt.Sprintf("%.4f", p.Accepted)
		if p.Measured == 0 {
			accepted = "-"
		}
		fmt.Fprintf(w, "%6.4f %8s %s %5s%s\n", p.Offered, accepted, latencyCells(&p.Point), worstCell(p.Detail), notes.mark(stateOf(&p.Point, flitUnits)))
		if p.Unreachable > 0 {
			fmt.Fprintf(w, "%6s %d packets had no route\n", "", p.Unreachable)
		}
		if p.Deadlock != nil {
			fmt.Fprintln(w, p.Deadlock)
		}
	}
	notes.print(w)
	for i := range doc.Points {
		if p := &doc.Points[i]; f.detail && p.Detail != nil {
			printDetail(w, &p.Point, flitUnits)
		}
		printWatched(w, &doc.Points[i].Point, "cycles")
		printFailures(w, c, doc.Points[i].Failures, doc.Points[i].Offered, flitUnits)
		if f.series > 0 {
			printSeries(w, &doc.Points[i].Point, flitUnits)
		}
	}
	printSaturation(w, doc.Saturation)
	accepted := 0.0
	if doc.Saturation != nil {
		accepted = doc.Saturation.Load
	}
	printCarriedLoad(w, doc.Carried, accepted)
}

// printWatched prints what came of a watched pair, in cycles or ns.
func printWatched(w io.Writer, p *simcore.Point, unit string) {
	x := p.Watched
	if x == nil {
		return
	}
	text := "no packet has arrived"
	if l := &x.Latency; x.Packets > 0 {
		text = fmt.Sprintf("%.2f %s, +- %.2f (95 %%), p50 %d, p95 %d, p99 %d, max %d, of %d packets", l.Mean, unit, l.CI95, l.P50, l.P95, l.P99, l.Max, x.Packets)
	}
	fmt.Fprint(w, "\n"+wrap(fmt.Sprintf("load %.4g, endpoint %d to %d: %s; they add %.3g %% to all that is offered, %.3g %% of the bandwidth of their source", p.Offered, x.Source, x.Destination, text, 100*x.Share, 100*x.Load), 80, ""))
}

// packetWords are the lengths of packets.
func packetWords(c map[string]any) string {
	if sizes, ok := c["sizes"].([]int); ok && len(sizes) > 0 {
		return fmt.Sprintf("packets of %v flits", strings.Trim(strings.ReplaceAll(fmt.Sprint(sizes), " ", ", "), "[]"))
	}
	return fmt.Sprintf("packets of %v flits", c["packet_flits"])
}

// latencyCells are the columns about the packets made in the window; dashes if none has arrived.
func latencyCells(p *simcore.Point) string {
	if p.Packets == 0 {
		return fmt.Sprintf("%8s %6s %6s %6s %6s %6s %6s %6s", "-", "-", "-", "-", "-", "-", "-", "-")
	}
	l := &p.Latency
	half := fmt.Sprintf("%6.2f", l.CI95)
	if l.StdErr == 0 && p.Interrupted { // too few batches
		half = fmt.Sprintf("%6s", "-")
	} else if len(half) > len("999.99") {
		half = fmt.Sprintf("%6.0f", l.CI95)
	}
	return fmt.Sprintf("%8.2f %s %6d %6d %6d %6d %6d %6.3f", l.Mean, half, l.P50, l.P95, l.P99, l.P999, l.Max, p.Hops.Mean)
}
