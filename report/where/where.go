// Package where reads the conditions by which designs are filtered: those of show --where and of the filter box in a
// report, whose script reads them the same way (report/assets/model.js; testdata/where.json holds both to it).
//
// A condition is a comparison of a metric with a value in the units in which it is shown, such as cost<4M, power<60kW or
// latency<=1.5us; a word that the name of a design contains; or a word with a minus before it, which it does not contain.
// All have to hold. Blanks, commas, "and" and "&&" stand between them.
package where

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"toposearch/diag"
	"toposearch/evaluator/metric"
	"toposearch/internal/unit"
)

// Filter is a list of conditions, all of which have to hold.
type Filter []condition

type condition struct {
	text  string // as it was written
	key   string // of a metric; "" for a word
	op    string
	bound float64
	word  string // in small letters
	not   bool
}

// comparison is a metric, an operator, a number and, perhaps after a blank, what may be its unit.
var comparison = regexp.MustCompile(`^([A-Za-z][A-Za-z_0-9]*)\s*(<=|>=|!=|==|=|<|>)\s*([-+]?(?:[0-9][0-9_]*\.?[0-9]*|\.[0-9]+)(?:[eE][-+]?[0-9]+)?)(?:(\s*)([A-Za-zµμ][A-Za-z0-9µμ²/]*))?`)

// gap is what stands between conditions.
var gap = regexp.MustCompile(`^(?:[\s,]|&&|and(?:\s|$))+`)

// Parse reads conditions on designs of these names and metrics, which have the units in which they are stated. A metric may be abbreviated to a beginning that no other
// one has. An error is a condition that cannot be read, or that no design of these could ever meet or miss.
func Parse(text string, designs []string, metrics map[string]string) (Filter, error) {
	var out Filter
	for text = strings.TrimSpace(text); ; {
		text = text[len(gap.FindString(text)):]
		if text == "" {
			return out, nil
		}
		c, n, err := next(text, metrics)
		if err != nil {
			return nil, err
		}
		if c.key == "" && !slices.ContainsFunc(designs, func(name string) bool { return strings.Contains(strings.ToLower(name), c.word) }) && len(designs) > 0 {
			return nil, fmt.Errorf("no name of a design contains %q; write a part of a name, or a comparison such as cost<4M", c.word)
		}
		out, text = append(out, c), text[n:]
	}
}

// next reads the first condition of a text and how long it is.
func next(text string, metrics map[string]string) (c condition, length int, err error) {
	m := comparison.FindStringSubmatch(text)
	if m == nil {
		word := text[:wordEnd(text)]
		bare, not := strings.CutPrefix(word, "-")
		if bare == "" || strings.ContainsAny(bare, "<>!") || strings.Contains(bare, "=") && !strings.Contains(bare, "(") {
			return c, 0, fmt.Errorf("%q is no condition; write a comparison such as cost<4M, or a part of a name", word)
		}
		return condition{word: strings.ToLower(bare), not: not}, len(word), nil
	}
	c.key, c.op = m[1], m[2]
	if c.key, err = keyOf(m[1], metrics); err != nil {
		return c, 0, err
	}
	if c.bound, err = strconv.ParseFloat(strings.ReplaceAll(m[3], "_", ""), 64); err != nil || math.IsInf(c.bound, 0) {
		return c, 0, fmt.Errorf("%q in %q is not a number", m[3], m[0])
	}
	c.text = strings.TrimSpace(m[0])
	if units := Units(metrics[c.key]); m[5] == "" {
	} else if size, ok := units[m[5]]; ok {
		c.bound *= size
	} else if m[4] == "" {
		return c, 0, fmt.Errorf("%q in %q is no unit of %s; there %s %s", m[5], m[0], c.key, map[bool]string{true: "is", false: "are"}[len(units) == 1], strings.Join(names(units), ", "))
	} else { // the next word
		c.text = strings.TrimSpace(m[0][:len(m[0])-len(m[5])])
		return c, len(m[0]) - len(m[5]), nil
	}
	return c, len(m[0]), nil
}

// wordEnd is where the first word ends: commas within brackets are part of a name.
func wordEnd(text string) int {
	depth := 0
	for i, r := range text {
		switch {
		case r == '(':
			depth++
		case r == ')':
			depth--
		case r == ' ' || r == '\t' || r == '\n' || r == ',' && depth <= 0:
			return i
		}
	}
	return len(text)
}

// keyOf is the metric of a name or of a beginning of one.
func keyOf(name string, metrics map[string]string) (string, error) {
	low := strings.ToLower(name)
	if _, ok := metrics[low]; ok {
		return low, nil
	}
	all := slices.Sorted(maps.Keys(metrics))
	var begin []string
	for _, k := range all {
		if strings.HasPrefix(k, low) {
			begin = append(begin, k)
		}
	}
	switch {
	case len(begin) == 1:
		return begin[0], nil
	case len(begin) > 1:
		return "", fmt.Errorf("%q may be %s", name, strings.Join(begin, ", "))
	}
	if _, ok := metric.KeyOf(low); ok {
		return "", fmt.Errorf("no design here has %s", low)
	}
	hint := diag.Hint(low, all)
	if hint == "" {
		hint = "; toposearch help metrics lists them"
	}
	return "", fmt.Errorf("there is no metric %q%s", name, hint)
}

// Units are what may stand behind a number that is compared with a metric of a unit, and how many of that unit each is:
// kW, MW and k of W.
func Units(of string) map[string]float64 {
	out := map[string]float64{"k": 1e3, "M": 1e6, "G": 1e9}
	if k, per, ok := unit.Of(of); ok {
		for name, size := range k.Units() {
			out[name] = size / per
		}
	} else if len(of) == 3 && of == strings.ToUpper(of) { // money, by the code of its currency
		for prefix, size := range map[string]float64{"": 1, "k": 1e3, "M": 1e6, "G": 1e9} {
			out[prefix+of] = size
		}
	}
	return out
}

// names of units, the smallest first.
func names(units map[string]float64) []string {
	return slices.SortedFunc(maps.Keys(units), func(a, b string) int { return cmp.Or(cmp.Compare(units[a], units[b]), cmp.Compare(a, b)) })
}

// equal is how near two values are that are printed alike in nine digits, as figures stand in a report.
const equal = 5e-9

// Unmet lists the comparisons that no design meets, n of them, with the range that they have.
func (f Filter) Unmet(n int, value func(i int, metric string) (float64, bool)) (out []string) {
	for k := range f {
		c := &f[k]
		if c.key == "" {
			continue
		}
		lo, hi, met := math.Inf(1), math.Inf(-1), false
		for i := range n {
			if x, ok := value(i, c.key); ok {
				lo, hi = min(lo, x), max(hi, x)
			}
			met = met || c.holds("", func(string) (float64, bool) { return value(i, c.key) })
		}
		if !met && lo <= hi {
			out = append(out, fmt.Sprintf("%s is met by none, %s is %.4g to %.4g", c.text, c.key, lo, hi))
		}
	}
	return out
}

// Holds tells whether a design meets all conditions; one that lacks a metric misses each comparison with it.
func (f Filter) Holds(name string, value func(metric string) (float64, bool)) bool {
	for i := range f {
		if !f[i].holds(name, value) {
			return false
		}
	}
	return true
}

func (c *condition) holds(name string, value func(string) (float64, bool)) bool {
	if c.key == "" {
		return strings.Contains(strings.ToLower(name), c.word) != c.not
	}
	x, ok := value(c.key)
	if !ok || math.IsNaN(x) {
		return false
	}
	same := math.Abs(x-c.bound) <= equal*math.Abs(c.bound)
	switch c.op {
	case "<":
		return x < c.bound && !same
	case "<=":
		return x < c.bound || same
	case ">":
		return x > c.bound && !same
	case ">=":
		return x > c.bound || same
	case "!=":
		return !same
	}
	return same
}
