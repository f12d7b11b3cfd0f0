package main

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"toposearch/internal/unit"
	"toposearch/simcore"
	"toposearch/simcore/traffic"
	"toposearch/simulate"
)

// footnotes are remarks on rows of a table, each printed once below it.
type footnotes []string

// mark is the letter of a note, a for the first that came; nothing for none.
func (n *footnotes) mark(text string) string {
	if text == "" {
		return ""
	}
	i := slices.Index(*n, text)
	if i < 0 {
		i = len(*n)
		*n = append(*n, text)
	}
	return string(rune('a' + i%26))
}

func (n footnotes) print(w io.Writer) {
	for i, text := range n {
		fmt.Fprintf(w, "%c %s\n", 'a'+i%26, text)
	}
}

// correlated is the correlation of neighbouring batches above which a confidence interval, although
// wider for it, holds the mean less often than it says: for 20 independent batches it is below 0.4 in 24 of 25 runs.
const correlated = 0.4

// stateOf says what is special about a point.
func stateOf(p *simcore.Point, u *pageUnits) string {
	switch {
	case p.Deadlocked:
		return "deadlocked"
	case p.Interrupted && p.Measured == 0:
		return "interrupted in the warm-up: nothing measured"
	case p.Interrupted:
		return fmt.Sprintf("interrupted after %d measured %s", p.Measured, u.cycle)
	case p.Saturated && p.Packets == 0:
		return "saturated: no packet made in the window has arrived"
	case p.Saturated:
		return "saturated: latencies are lower bounds"
	case p.Stop == simcore.StopTooShort:
		return fmt.Sprintf("window too short: after %d %s the network was still filling", p.Measured, u.cycle)
	case p.Stop == simcore.StopBudget:
		return fmt.Sprintf("precision not reached in %d %s", p.Measured, u.cycle)
	case p.Warmup.Rule == simcore.WarmupMSER5 && !p.Warmup.Settled:
		return fmt.Sprintf("not settled after %d %s of warm-up", p.Warmup.Cycles, u.cycle)
	case p.Latency.Lag1 > correlated:
		return "batches correlate: the interval is a rough one; measure longer"
	}
	return ""
}

// worstCell is the utilisation of the worst link.
func worstCell(d *simcore.Detail) string {
	if d == nil || d.Worst == nil {
		return "-"
	}
	return fmt.Sprintf("%.3f", d.Worst.Utilisation)
}

// printDetail prints what was measured inside the network at one load.
func printDetail(w io.Writer, p *simcore.Point, u *pageUnits) {
	d := p.Detail
	fmt.Fprintf(w, "\nload %.4g\n  %-10s %-15s %-15s %8s %8s %8s %8s\n", p.Offered, "links", "from", "to", "channels", "mean", "min", "max")
	for _, l := range d.Links {
		fmt.Fprintf(w, "  %-10s %-15s %-15s %8d %8.4f %8.4f %8.4f\n", l.Class, l.From, l.To, l.Channels, l.Mean, l.Min, l.Max)
	}
	if x := d.Worst; x != nil {
		fmt.Fprintf(w, "  worst link: %s, from %s to %s, %.1f %% in use\n", x.Class, x.From, x.To, 100*x.Utilisation)
	}
	printBuffers(w, d.Buffers, u)
	fmt.Fprint(w, labelled("  fairness:", 12, fmt.Sprintf("sent %.4f to %.4f (Jain %.4f), received %.4f to %.4f (Jain %.4f)", p.Fairness.Sent.Min, p.Fairness.Sent.Max,
		p.Fairness.Sent.Jain, p.Fairness.Received.Min, p.Fairness.Received.Max, p.Fairness.Received.Jain)))
	fmt.Fprintln(w, "  where a packet's time goes:")
	for _, x := range d.Waits {
		if x.Cycles > 0 {
			fmt.Fprintf(w, "    %-20s %10.*f %s %6.1f %%\n", strings.ReplaceAll(x.Where, "_", " "), u.decimal, x.Cycles*u.cycles, u.time, 100*x.Share)
		}
	}
}

// printBuffers prints how full the buffers of each class of switches were.
func printBuffers(w io.Writer, buffers []simcore.BufferUse, u *pageUnits) {
	if !u.bytes {
		fmt.Fprintf(w, "  %-18s %8s %12s %10s %12s %14s\n", "buffers", "switches", "mean flits", "mean fill", "most flits", "fullest VC")
		for _, b := range buffers {
			fmt.Fprintf(w, "  %-18s %8d %12.3f %9.3f%% %12d %7d of %4d\n", b.Class, b.Switches, b.Mean, 100*b.Fill, b.Max, b.MaxVC, b.VCSlots)
		}
		return
	}
	size := func(x float64) string { return unit.KindBytes.Format(x) }
	fmt.Fprintf(w, "  %-18s %8s %12s %10s %12s %22s\n", "buffers", "switches", "mean", "mean fill", "most", "fullest VC of an input")
	for _, b := range buffers {
		fmt.Fprintf(w, "  %-18s %8d %12s %9.3f%% %12s %22s\n", b.Class, b.Switches, size(math.Round(b.MeanBytes)), 100*b.Fill, size(float64(b.MaxBytes)),
			size(float64(b.MaxVCBytes))+" of "+size(float64(b.VCBytes)))
	}
}

// printSeries prints the samples over time, if there are any.
func printSeries(w io.Writer, p *simcore.Point, u *pageUnits) {
	if len(p.Series) == 0 {
		return
	}
	fmt.Fprintf(w, "\nload %.4g, time series\n  %10s %10s %10s %12s %12s\n", p.Offered, u.cycle, "injected", "accepted", "latency, "+u.time, u.flit+" inside")
	for _, s := range p.Series {
		mark := ""
		if s.Window {
			mark = " measured"
		}
		latency := "-"
		if s.Latency > 0 {
			latency = fmt.Sprintf("%.*f", u.decimal, s.Latency*u.cycles)
		}
		fmt.Fprintf(w, "  %10d %10.4f %10.4f %12s %12d%s\n", s.Cycle, s.Injected, s.Accepted, latency, s.InFlight, mark)
	}
}

// flowsText says how flows fare that keep to one path; nothing where they do not.
func flowsText(f *traffic.Shares) string {
	if f == nil {
		return ""
	}
	text := fmt.Sprintf("; its %d flows keep to one path each", f.Flows)
	if f.Hash {
		text += ", picked by the one hash that is simulated (uniform_throughput is of uniform traffic what hashes are expected to carry)"
	}
	return text + fmt.Sprintf(": at full load they get %.4f of what they offer on the mean, and the least %.4f, if they share what they meet on fairly", f.Mean, f.Least)
}

// printCarriedLoad prints what channels and endpoints carry, and why more may be accepted, the saturation load; 0: not searched for.
func printCarriedLoad(w io.Writer, c *simulate.Carried, accepted float64) {
	if c == nil {
		return
	}
	text := fmt.Sprintf("channels and endpoints carry %.4f of this traffic, limited by %s", c.Throughput, c.LimitedBy) + flowsText(c.Flows)
	if accepted > c.Throughput {
		text += fmt.Sprintf("; above that load what crosses the full ones falls behind, so little that 97 %% of all is still accepted at %.4f", accepted)
	}
	fmt.Fprint(w, wrap(text, 80, ""))
}

// printSaturation prints the saturation load, if it was searched for.
func printSaturation(w io.Writer, s *simcore.Saturation) {
	if s == nil {
		return
	}
	switch {
	case s.Load == 1:
		fmt.Fprintf(w, "\nsaturation load 1: all that endpoints can send is accepted (to 97 %%)\n")
	case s.Load == 0 && s.Above == 0:
		text := ""
		if !s.Interrupted {
			text = "; more --max-cycles would tell"
		}
		fmt.Fprint(w, "\n"+wrap(fmt.Sprintf("saturation load between 0 and 1: none of the %d loads tried is known to be accepted to 97 %%, or not%s", len(s.Points), text), 80, ""))
	case s.Load == 0:
		fmt.Fprintf(w, "\nsaturation load below %.4f: no load tried was accepted to 97 %% (%d tried)\n", s.Above, len(s.Points))
	default:
		text := fmt.Sprintf("; %.4f is not", s.High())
		if s.Above == 0 {
			text = ""
		}
		bracket := "bracket"
		if s.High()-s.Load > s.Tolerance*s.High() {
			bracket = "not found"
		}
		fmt.Fprint(w, "\n"+wrap(fmt.Sprintf("saturation load %.4f (accepted to 97 %%)%s (%s within %.3g %%, %d loads tried)", s.Load, text, bracket, 100*s.Tolerance, len(s.Points)), 80, ""))
		if s.Undecided > 0 {
			fmt.Fprint(w, wrap(fmt.Sprintf("%d of the loads tried between %.4f and %.4f are so near the answer that the longest run allowed would not decide; more --max-cycles would tell", s.Undecided, s.Load, s.High()), 80, ""))
		}
	}
	if s.Interrupted {
		fmt.Fprintf(w, "the search was interrupted: the answer lies between %.4g and %.4g\n", s.Load, s.High())
	}
	if s.Deadlocked {
		fmt.Fprintln(w, "a load above it deadlocked rather than saturated")
	}
}
