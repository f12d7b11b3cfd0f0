package main

import (
	"fmt"
	"strings"

	"toposearch/simcore/traffic"
)

// trafficText lists every traffic, and says when packets are made and how long they are.
func trafficText() string {
	var b strings.Builder
	b.WriteString(wrap("Traffics, as simulate --traffic, eval --traffic and [verify] traffic name them: where an endpoint sends to. "+
		"What channels and endpoints carry of each is computed from the same statement by which it is drawn. Endpoints count from 0.", 80, ""))
	for _, t := range traffic.All() {
		name := t.Name
		if t.Args != "" {
			name += "(" + t.Args + ")"
		}
		fmt.Fprintf(&b, "\n%s\n%s", name, wrap(t.Doc+". Needs: "+t.Need, 80, "    "))
	}
	fmt.Fprintf(&b, "\nfile:PATH\n%s", wrap("simulate and eval, no study: lines \"source destination\" (a permutation) or \"source destination weight\" (a matrix, the endpoint that sends most at the offered load), "+
		"separated by blanks, tabs, commas or semicolons; # begins a comment, a first line of words is a head.", 80, "    "))
	b.WriteString("\n" + wrap("When packets are made (simulate --injection): bernoulli, in every cycle at most one, with the same probability; poisson, exponential gaps, several in a cycle if it so happens; "+
		"on_off(alpha,beta) or on_off(alpha,beta,rate), probabilities per cycle to turn on and off, and of a packet while on (default: so that the load comes out); "+
		"mixed(w1*process1,w2*process2,...), shares of the endpoints. The cut-through model has --arrivals poisson, constant, on_off(alpha,beta), chances per ns, or mixed. Every process offers the load that is asked for.", 80, ""))
	b.WriteString("\n" + wrap("How long they are: --packet, or --sizes with --weights (shares of packets, not of flits); cut_through: --mtu, or --packet-bytes.", 80, ""))
	b.WriteString("\n" + wrap("To completion (simulate --workload): fft=P,Q,mapping plays both exchanges of an FFT, --message to every other process of the row, then of the column; "+
		"a process goes on to the second when all of the first has come to it. replay=FILE plays a trace, lines \"time source destination size\" in order of time, or a communication graph, "+
		"lines \"source destination size\", all of which may begin at once: times are cycles (cut_through: ns), sizes flits (bytes), whole numbers, separated and commented as above. "+
		"What an endpoint sends goes in the order of times, one message after the other; latencies count from there.", 80, ""))
	return strings.TrimRight(b.String(), "\n")
}
