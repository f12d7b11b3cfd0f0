package main

import (
	"fmt"
	"strings"

	"toposearch/internal/unit"
	"toposearch/simcore"
	"toposearch/simcore/cutthrough"
	"toposearch/topology"
)

// cutPoint is a point with the time it took and, with --bench, the speed.
type cutPoint struct {
	cutthrough.Point
	WallS            float64 `json:"wall_s"`
	NsPerPacketHop   float64 `json:"ns_per_packet_hop,omitempty"`
	BytesPerEndpoint float64 `json:"bytes_per_endpoint,omitempty"`
}

type cutDoc struct {
	Schema     string                 `json:"schema"`
	Design     string                 `json:"design"`
	Config     map[string]any         `json:"config"`
	Failed     *failReport            `json:"failed,omitempty"`
	Points     []cutPoint             `json:"points"`
	Saturation *cutthrough.Saturation `json:"saturation,omitempty"`
}

func (a *app) printCut(doc *cutDoc, n *topology.Network, f *simFlags) {
	c := doc.Config
	fmt.Fprintf(a.out, "%s\n  cut-through, routing %v, traffic %v, %v VCs, %v, %v queues, buffers of %s, packets of %v B\n", doc.Design,
		c["routing"], c["traffic"], c["vcs"], c["flow_control"], c["queueing"], unit.KindBytes.Format(float64(c["buffer_bytes"].(int64))), c["mtu_bytes"])
	fmt.Fprintf(a.out, "  endpoints of %g Gb/s;", c["bandwidth_gbps"])
	rates, ns := c["link_gbps"].(map[string]float64), c["cable_ns"].(map[string]float64)
	for _, l := range n.LinkClasses {
		if r, ok := rates[l.Name]; ok {
			fmt.Fprintf(a.out, " %s %g Gb/s, %.3g ns;", l.Name, r, ns[l.Name])
		}
	}
	fmt.Fprintf(a.out, " cables: %v\n  lone packets take %.3f us; %s, %v ns measured\n%s\n", c["cables"], c["zero_load_us"], warmWords(c), c["cycles"], doc.Failed.words())
	fmt.Fprintf(a.out, "%8s %8s %9s %8s %8s %8s %8s %8s %8s %8s %7s %6s %6s %8s\n", "offered", "accepted", "accepted", "latency", "+-", "p50", "p95", "p99", "p99.9", "max", "hops", "worst", "ECN", "buffer")
	fmt.Fprintf(a.out, "%8s %8s %9s %8s %8s %8s %8s %8s %8s %8s %7s %6s %6s %8s\n", "", "", "Gb/s", "us", "95 %", "us", "us", "us", "us", "us", "", "link", "share", "peak")
	for i := range doc.Points {
		p := &doc.Points[i]
		if p.Cycles == 0 {
			continue // not reached
		}
		fmt.Fprintf(a.out, "%8.4f %8.4f %9.2f %s %6s %6.3f %8s  %s\n", p.Offered, p.Accepted, p.AcceptedGbps, microCells(&p.Point), worstCell(p.Detail),
			p.ECNShare, unit.KindBytes.Format(float64(p.BufferPeak)), cutState(&p.Point))
		if p.Unreachable > 0 {
			fmt.Fprintf(a.out, "%8s %d packets had no route\n", "", p.Unreachable)
		}
		if p.Deadlock != nil {
			fmt.Fprintln(a.out, p.Deadlock)
		}
		if f.bench {
			fmt.Fprintf(a.out, "%8s %d packet-hops in %.2f s: %.1f ns each; %.0f bytes per endpoint\n", "", p.PacketHops, p.WallS, p.NsPerPacketHop, p.BytesPerEndpoint)
		}
	}
	for i := range doc.Points {
		p := &doc.Points[i].Point.Point
		if f.detail && p.Detail != nil {
			printDetail(a.out, p, cutUnits)
		}
		printSeries(a.out, p, cutUnits)
	}
	if s := doc.Saturation; s != nil {
		printSaturation(a.out, &simcore.Saturation{Load: s.Load, Above: s.Above, Deadlocked: s.Deadlocked, Tolerance: s.Tolerance,
			Interrupted: s.Interrupted, Points: make([]simcore.Point, len(s.Points))})
	}
}

// warmWords says how warm-ups end.
func warmWords(c map[string]any) string {
	if c["warmup_rule"] == simcore.WarmupMSER5 {
		return fmt.Sprintf("warm-up of %v ns or more, by MSER-5", c["warmup"])
	}
	return fmt.Sprintf("%v ns warm-up", c["warmup"])
}

// microCells are the columns that packets made in the window tell of; dashes if none has arrived.
func microCells(p *cutthrough.Point) string {
	if p.Packets == 0 {
		return strings.Repeat(fmt.Sprintf("%8s ", "-"), 7) + fmt.Sprintf("%7s", "-")
	}
	l := &p.LatencyUs
	return fmt.Sprintf("%8.3f %8.3f %8.3f %8.3f %8.3f %8.3f %8.3f %7.4f", l.Mean, l.CI95, l.P50, l.P95, l.P99, l.P999, l.Max, p.Hops.Mean)
}

// worstCell is the utilisation of the worst link.
func worstCell(d *simcore.Detail) string {
	if d == nil || d.Worst == nil {
		return "-"
	}
	return fmt.Sprintf("%.3f", d.Worst.Utilisation)
}

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
