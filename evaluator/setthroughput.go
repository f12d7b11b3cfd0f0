package evaluator

import (
	"errors"
	"fmt"
	"math"

	"toposearch/evaluator/metric"
	"toposearch/evaluator/route"
)

// insideSwitches is why a throughput is 1 where routes cross no link between switches.
const insideSwitches = "traffic stays inside switches: no link of the network limits it, but the endpoints' own ports"

// setThroughput records the throughput of the routing that is chosen, by what limits the direct routes.
func (w *work) setThroughput(l route.Limit, text string) {
	if !l.Limited { // a single switch: absent, it would fail every limit, and no front would hold one
		w.exact(metric.UniformThroughput, 1, insideSwitches)
		w.res.Bottleneck = "ports of the endpoints limit uniform traffic to 1 of the bandwidth"
		return
	}
	w.throughput, w.limit, w.limitText = l.Throughput, l, text
	if w.maySingle() {
		if err := w.hash(l); err != nil {
			w.absent(metric.UniformThroughput, err.Error())
			return
		}
	}
	if a := w.routing(); a.Tables {
		t := w.named[a.Name]
		if t.why != "" {
			w.absent(metric.UniformThroughput, w.unfitText())
			return
		}
		l, text = t.limit, "loads of every path, exact"
	}
	times, ok := w.phases(w.routing())
	if !ok {
		var err error
		if text = "loads of all legs, exact"; w.net == nil {
			err = errors.New(w.legsText())
		} else {
			l, err = w.aroundLimit(w.net, w.rule(), l)
		}
		if times = 1; err != nil {
			w.absent(metric.UniformThroughput, err.Error())
			return
		}
	}
	x := l.Throughput / times
	lo, hi := x, x*w.slack()
	if w.routing().Single {
		if w.hashes.why != "" {
			w.absent(metric.UniformThroughput, w.hashes.why)
			return
		}
		times /= w.hashes.part
		x *= w.hashes.part
		if !w.hashes.sure {
			lo, hi = 0, max(hi, w.hashes.most)
		}
	}
	w.ofRouting = x
	w.res.LaneThroughput = l.Lanes / times
	w.between(metric.UniformThroughput, x, lo, hi, w.routingText()+", "+text)
	name := "ports of the endpoints"
	if l.Class == len(w.d.Family.LinkClasses) {
		name = "scale-up links"
	}
	if l.Class < len(w.d.Family.LinkClasses) && l.Class != 0 {
		c := w.d.Family.LinkClasses[l.Class]
		name = fmt.Sprintf("%s links of %g Gb/s", c.Name, w.rates.Link[l.Class])
	} else if l.Class == 0 {
		name = fmt.Sprintf("%s of %g Gb/s", name, w.rates.Link[0])
	}
	w.res.Bottleneck = bottleneckText(name, x, w.routing().Single && w.hashes.part < 1)
}

// bottleneckText says what links of a name, those that uniform traffic loads most, make of it: x is the throughput that they leave, as a fraction of what endpoints
// send. From 1 on they limit nothing that is sent.
func bottleneckText(name string, x float64, hashed bool) string {
	of := ""
	if hashed {
		of = ", as is expected of hashes"
	}
	part := fmt.Sprintf("%.4g", x)
	if x > 1 && part != "1" {
		return fmt.Sprintf("%s, the busiest, carry %s times the uniform traffic that endpoints send%s: no link limits it", name, part, of)
	}
	return fmt.Sprintf("%s limit uniform traffic to %s of the bandwidth%s", name, part, of)
}

// slack is how many times uniform traffic direct routes may carry what is recorded of them.
func (w *work) slack() float64 { return math.Max(w.looseness, 1) }
