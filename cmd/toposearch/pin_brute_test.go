package main_test

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// brute evaluates every design of a question's space by eval and gives the front. It judges limits on
// metrics; files that say how designs are evaluated ([switch] ports, [cable], [building]) have no flag of
// eval, and simulated metrics are known of finalists only, so that such questions are not for it.
func (q *question) brute(t *testing.T, values map[string]map[string][]string) map[string]string {
	t.Helper()
	wanted := "endpoints,radix,max_hops,table_entries,uniform_throughput,switches"
	for _, o := range q.objectives {
		if name, _, _ := strings.Cut(o, " "); !slices.Contains(strings.Split(wanted, ","), name) {
			wanted += "," + name
		}
	}
	vectors := map[string][]float64{} // smaller is better
	for _, f := range slices.Sorted(maps.Keys(values)) {
		for _, design := range tuples(f, values[f]) {
			if !q.inWindow(t, design) {
				continue
			}
			var doc struct{ Designs []example }
			document(t, 0, &doc, "eval", design, "--bandwidth", "400Gb/s", "--metrics", wanted)
			if v := q.vector(doc.Designs[0]); v != nil {
				vectors[doc.Designs[0].Design] = v
			}
		}
	}
	front := map[string]string{}
	for d, v := range vectors {
		if !slices.ContainsFunc(slices.Collect(maps.Values(vectors)), func(w []float64) bool { return dominates(w, v) }) {
			front[d] = q.words(v)
		}
	}
	return front
}

// inWindow tells whether a design is a network with as many endpoints as asked for.
func (q *question) inWindow(t *testing.T, design string) bool {
	t.Helper()
	status, out, errs := command("eval", design, "--metrics", "endpoints", "--json")
	if status != 0 {
		if !strings.Contains(errs, "no such network") {
			t.Fatalf("%s: %s", design, errs)
		}
		return false
	}
	var doc struct{ Designs []example }
	decode(t, []byte(out), &doc)
	n := doc.Designs[0].Metrics["endpoints"].Value
	return n >= float64(q.min) && n <= float64(q.max)
}

// vector gives a design's objectives as costs, nil if it lacks one or breaks a limit of askable.
func (q *question) vector(d example) []float64 {
	value := func(name string) float64 { return d.Metrics[name].Value }
	for _, name := range []string{"radix", "max_hops", "table_entries", "uniform_throughput", "switches"} {
		if _, ok := d.Metrics[name]; !ok {
			return nil
		}
	}
	if value("radix") > 64 || value("max_hops") > 9 || value("table_entries") > 1000 || value("uniform_throughput") < 0.05 || value("switches") > 200 {
		return nil
	}
	var v []float64
	for _, o := range q.objectives {
		name, enough, more := strings.Cut(o, " ")
		m, ok := d.Metrics[name]
		if !ok {
			return nil
		}
		x := m.Value
		if most, err := strconv.ParseFloat(enough, 64); more && err == nil {
			x = -min(x, most)
		}
		v = append(v, x)
	}
	return v
}

// words writes a vector as ask does: objectives in alphabetical order.
func (q *question) words(v []float64) string {
	var all []string
	for i, o := range q.objectives {
		name, _, more := strings.Cut(o, " ")
		x := v[i]
		if more {
			x = -x
		}
		all = append(all, fmt.Sprintf("%s=%.11g", name, x))
	}
	slices.Sort(all)
	return strings.Join(all, " ")
}

func dominates(v, w []float64) bool {
	better := false
	for i := range v {
		if v[i] > w[i] {
			return false
		}
		better = better || v[i] < w[i]
	}
	return better
}

// tuples writes every combination of values of a family's parameters as a design.
func tuples(family string, values map[string][]string) []string {
	all := []string{""}
	for _, p := range slices.Sorted(maps.Keys(values)) {
		var longer []string
		for _, head := range all {
			for _, v := range values[p] {
				longer = append(longer, head+","+p+"="+strings.Trim(v, `"`))
			}
		}
		all = longer
	}
	for i := range all {
		all[i] = family + "(" + all[i][1:] + ")"
	}
	return all
}
