package main

import (
	"fmt"
	"io"
	"strings"

	"toposearch/internal/unit"
	"toposearch/simcore"
	"toposearch/simcore/cutthrough"
	"toposearch/simulate"
	"toposearch/topology"
)

// printCut prints loads of the cut-through model.
func printCut(w io.Writer, doc *simulate.CutDocument, n *topology.Network, f *simFlags) {
	fmt.Fprintf(w, "%s\n%s%s\n", doc.Design, cutWords(doc.Config, n), failedWords(doc.Failed))
	// 80 columns with the mark of a note.
	const head = "%6s %6s %6s %6s %6s %6s %6s %6s %6s %5s %5s %4s\n"
	fmt.Fprintf(w, head, "load", "accep-", "Gb/s", "la-", "+-", "p50", "p99", "p99.9", "max", "hops", "worst", "ECN")
	fmt.Fprintf(w, head, "", "ted", "", "tency", "95 %", "us", "us", "us", "us", "", "link", "")
	var notes footnotes
	for i := range doc.Points {
		p := &doc.Points[i]
		if p.Cycles == 0 {
			continue // not reached
		}
		accepted, gbps, marked := "-", "-", "-"
		if p.Measured > 0 {
			accepted, gbps = fmt.Sprintf("%.4f", p.Accepted), fmt.Sprintf("%.1f", p.AcceptedGbps)
		}
		if p.ECNShare != nil {
			marked = fmt.Sprintf("%.2f", *p.ECNShare)
		}
		fmt.Fprintf(w, "%6.4f %6s %6s %s %5s %4s%s\n", p.Offered, accepted, gbps, microCells(&p.Point), worstCell(p.Detail), marked, notes.mark(cutState(&p.Point)))
		if p.Unreachable > 0 {
			fmt.Fprintf(w, "%6s %d packets had no route\n", "", p.Unreachable)
		}
		if p.Deadlock != nil {
			fmt.Fprintln(w, p.Deadlock)
		}
		if f.bench {
			fmt.Fprintf(w, "%6s %d packet-hops in %.2f s: %.1f ns each; %.0f bytes per endpoint\n", "", p.PacketHops, p.WallS, p.NsPerPacketHop, p.BytesPerEndpoint)
		}
	}
	notes.print(w)
	for i := range doc.Points {
		p := &doc.Points[i].Point.Point
		if f.detail && p.Detail != nil {
			printDetail(w, p, cutUnits)
		}
		printWatched(w, p, "ns")
		printFailures(w, doc.Config, p.Failures, p.Offered, cutUnits)
		printSeries(w, p, cutUnits)
	}
	accepted := 0.0
	if s := doc.Saturation; s != nil {
		all := s.Saturation
		accepted = all.Load
		all.Points = make([]simcore.Point, len(s.Points))
		printSaturation(w, &all)
	}
	printCarriedLoad(w, doc.Carried, accepted)
}

// cutWords says what is simulated.
func cutWords(c map[string]any, n *topology.Network) string {
	text := wrap(fmt.Sprintf("cut-through, routing %v, traffic %v, %v VCs, %v, %v queues, buffers of %s, packets of %v B",
		c["routing"], c["traffic"], c["vcs"], c["flow_control"], c["queueing"], unit.KindBytes.Format(float64(c["buffer_bytes"].(int64))), c["mtu_bytes"]), 80, "  ")
	links := fmt.Sprintf("endpoints of %g Gb/s;", c["bandwidth_gbps"])
	rates, ns := c["link_gbps"].(map[string]float64), c["cable_ns"].(map[string]float64)
	for _, l := range n.LinkClasses {
		if r, ok := rates[l.Name]; ok {
			links += fmt.Sprintf(" %s %g Gb/s, %.3g ns;", l.Name, r, ns[l.Name])
		}
	}
	text += wrap(fmt.Sprintf("%s cables: %v", links, c["cables"]), 80, "  ")
	warm := fmt.Sprintf("%v ns warm-up", c["warmup"])
	if c["warmup_rule"] == simcore.WarmupMSER5 {
		warm = fmt.Sprintf("warm-up of %v ns or more, by MSER-5", c["warmup"])
	}
	return text + wrap(fmt.Sprintf("lone packets take about %.2f us; %s, %v ns measured", c["zero_load_us"], warm, c["cycles"]), 80, "  ")
}

// microCells are the columns about the packets made in the window; dashes if none has arrived.
func microCells(p *cutthrough.Point) string {
	l := &p.LatencyUs
	cells := []float64{l.Mean, l.CI95, l.P50, l.P99, l.P999, l.Max}
	out := ""
	for i, x := range cells {
		text := "-"
		if p.Packets > 0 && (i != 1 || x > 0) { // too few batches say nothing of the mean
			text = sixDigits(x)
		}
		out += fmt.Sprintf("%6s ", text)
	}
	if p.Packets == 0 {
		return out + fmt.Sprintf("%5s", "-")
	}
	return out + fmt.Sprintf("%5.3f", p.Hops.Mean)
}

// sixDigits is a number with three decimals, or as many as fit into six columns.
func sixDigits(x float64) string {
	text := ""
	for decimals := 3; decimals >= 0; decimals-- {
		if text = fmt.Sprintf("%.*f", decimals, x); len(text) <= 6 {
			break
		}
	}
	return text
}

// cutState says what is special about a point.
func cutState(p *cutthrough.Point) string {
	state := stateOf(&p.Point, cutUnits)
	if p.Pauses > 0 {
		state = strings.TrimSpace(fmt.Sprintf("%d pauses  %s", p.Pauses, state))
	}
	if p.Dropped > 0 {
		state += "  PACKETS LOST: a fault of the model, please report"
	}
	return state
}
