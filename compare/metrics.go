package compare

import (
	"toposearch/evaluator/metric"
	"toposearch/search"
)

// MetricChange is a metric of two designs.
type MetricChange struct {
	Key    string           `json:"metric"`
	Values [2]metric.Figure `json:"values"` // of the design compared with, and of this one
	Change float64          `json:"change"`
	Better int              `json:"better"` // 1: this one is better, -1: worse, 0: the metric has no direction, or the bounds leave both open
	// Open means that the bounds of the two figures overlap, so that the exact ones may lie the other way round.
	Open bool `json:"open,omitempty"`
}

// metricChanges compares the metrics that both designs have, in the order of the program. Equal ones are left out.
func metricChanges(a, b *search.Record) []MetricChange {
	var out []MetricChange
	for k := range metric.Count {
		if c, ok := changeOf(k, a, b); ok && (c.Change != 0 || c.Open) {
			out = append(out, c)
		}
	}
	return out
}

func changeOf(k metric.Key, a, b *search.Record) (c MetricChange, ok bool) {
	name := metric.Keys[k].Name
	x, okA := a.Metrics[name]
	y, okB := b.Metrics[name]
	if !okA || !okB {
		return c, false
	}
	c = MetricChange{Key: name, Values: [2]metric.Figure{x, y}, Change: y.Value - x.Value, Open: x.Lo <= y.Hi && y.Lo <= x.Hi && (x.Lo < x.Hi || y.Lo < y.Hi)}
	if !c.Open && c.Change != 0 {
		switch metric.Keys[k].Better {
		case metric.Lower:
			c.Better = -sign(c.Change)
		case metric.Higher:
			c.Better = sign(c.Change)
		}
	}
	return c, true
}

func sign(x float64) int {
	switch {
	case x > 0:
		return 1
	case x < 0:
		return -1
	}
	return 0
}
