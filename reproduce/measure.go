package reproduce

import (
	"context"
	"fmt"

	"toposearch/evaluator"
	"toposearch/evaluator/metric"
	"toposearch/topology"
	"toposearch/topology/family"
)

// measure evaluates a few metrics of a design.
func measure(ctx context.Context, design string, keys ...metric.Key) ([]float64, *topology.Size, error) {
	d, s, err := sized(design)
	if err != nil {
		return nil, nil, err
	}
	ev, err := evaluator.New(evaluator.Options{})
	if err != nil {
		return nil, nil, err
	}
	if len(keys) == 0 {
		return nil, s, nil
	}
	res, err := ev.Evaluate(ctx, d, evaluator.Request{Keys: keys})
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", design, err)
	}
	out := make([]float64, len(keys))
	for i, k := range keys {
		if !res.Have[k] {
			return nil, nil, fmt.Errorf("%s: not computed: %s", design, res.Absent[k])
		}
		out[i] = res.Metrics[k].Value
	}
	return out, s, nil
}

// percentBelow is how much a is below b, in percent.
func percentBelow(a, b float64) float64 { return 100 * (1 - a/b) }

// sized parses a design and counts it.
func sized(name string) (topology.Design, *topology.Size, error) {
	d, err := topology.ParseDesign(name, family.All())
	if err != nil {
		return d, nil, err
	}
	s := new(topology.Size)
	if err := d.Family.Size(d.V, s); err != nil {
		return d, nil, fmt.Errorf("%s: %w", name, err)
	}
	return d, s, nil
}

// between stands for every class of links between switches.
const between = "between switches"

// links is the number of links of a class.
func links(s *topology.Size, class string) (int64, error) {
	if class == between {
		return s.SwitchLinks(), nil
	}
	for i, c := range s.Family.LinkClasses {
		if c.Name == class {
			return s.Link[i], nil
		}
	}
	return 0, fmt.Errorf("family %s has no link class %q", s.Family.Name, class)
}

// lanesUsed is the radix in ports at the rate of one lane: a port of twice the rate counts twice.
func lanesUsed(s *topology.Size) int32 {
	var most int32
	for i, c := range s.Family.SwitchClasses {
		if c.Embedded || s.Switch[i].Count == 0 {
			continue
		}
		var p int32
		for l := range s.Family.LinkClasses {
			p += s.Switch[i].Ports[l] * s.Lanes[l]
		}
		most = max(most, p)
	}
	return most
}

// cableUse says how the survey packages a link class: share Num/Den of its links, by rate and
// medium. A class with two entries is split between media.
type cableUse struct {
	class    string
	num, den int64
	gbps     int
	optical  bool
}
