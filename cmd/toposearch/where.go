package main

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"toposearch/diag"
	"toposearch/evaluator/metric"
	"toposearch/search"
)

// condition is one comparison of --where: metric op number.
type condition struct {
	metric string
	op     string
	bound  float64
}

var compareOps = []string{"<=", ">=", "==", "!=", "<", ">", "="} // longer ones first

// parseWhere reads "cost<18e6 and mean_hops<=2.5"; "&&" and "," join too.
func parseWhere(s string) ([]condition, error) {
	if strings.TrimSpace(s) == "" {
		return nil, nil
	}
	s = strings.NewReplacer(" and ", "\x00", "&&", "\x00", ",", "\x00").Replace(s)
	var cs []condition
	for _, part := range strings.Split(s, "\x00") {
		c, err := parseCondition(strings.TrimSpace(part))
		if err != nil {
			return nil, err
		}
		cs = append(cs, c)
	}
	return cs, nil
}

// parseCondition reads one comparison.
func parseCondition(s string) (condition, error) {
	i := strings.IndexAny(s, "<>=!")
	if i < 0 {
		return condition{}, fmt.Errorf("%q is not a comparison; write metric<number, such as cost<18e6", s)
	}
	for _, op := range compareOps {
		num, ok := strings.CutPrefix(s[i:], op)
		if !ok {
			continue
		}
		c := condition{metric: strings.TrimSpace(s[:i]), op: op}
		if err := knownMetric(c.metric); err != nil {
			return c, err
		}
		x, err := strconv.ParseFloat(strings.TrimSpace(num), 64)
		if err != nil || math.IsNaN(x) {
			return c, fmt.Errorf("%q in %q is not a number", strings.TrimSpace(num), s)
		}
		c.bound = x
		return c, nil
	}
	return condition{}, fmt.Errorf("%q has no comparison; there is < <= > >= == !=", s)
}

// knownMetric is an error with a suggestion for a name that is no metric.
func knownMetric(name string) error {
	if _, ok := metric.KeyOf(name); ok {
		return nil
	}
	var names []string
	for k := range metric.Keys {
		names = append(names, metric.Keys[k].Name)
	}
	hint := diag.Hint(name, names)
	if hint == "" {
		hint = "; toposearch help metrics lists them"
	}
	return fmt.Errorf("there is no metric %q%s", name, hint)
}

// holds reports whether a record meets the condition; one without the metric does not.
func (c condition) holds(r *search.Record) bool {
	m, ok := r.Metrics[c.metric]
	if !ok {
		return false
	}
	switch c.op {
	case "<":
		return m.Value < c.bound
	case "<=":
		return m.Value <= c.bound
	case ">":
		return m.Value > c.bound
	case ">=":
		return m.Value >= c.bound
	case "!=":
		return m.Value != c.bound
	default:
		return m.Value == c.bound
	}
}
