package compare

import (
	"fmt"
	"math"
	"math/big"
	"slices"
	"strings"

	"toposearch/evaluator"
	"toposearch/evaluator/metric"
	"toposearch/report/number"
)

// spread rounds numbers so that what is printed of them adds up to what is printed of their sum: the sums up to each are rounded, and
// neighbours subtracted. Each is within one unit of its own value.
func spread(terms []float64, unit float64) (out []float64) {
	sum, last := 0.0, 0.0
	for _, x := range terms {
		sum += x
		r := math.Round(sum / unit)
		out = append(out, (r-last)*unit)
		last = r
	}
	return out
}

// Spread prints amounts with their signs so that they add up as they are printed; one that is 0 as printed is "0".
func Spread(terms []float64, s number.Scale) (out []string) {
	for _, x := range spread(terms, stepOf(s)) {
		if x == 0 {
			out = append(out, "0")
		} else {
			out = append(out, signed(s, x))
		}
	}
	return out
}

// stepOf is one unit of the last digit that a scale prints.
func stepOf(s number.Scale) float64 { return s.Div * math.Pow10(-s.Decimals) }

// signed prints an amount with its sign.
func signed(s number.Scale, x float64) string {
	text := withUnit(s, math.Abs(x))
	if x < 0 {
		return "-" + text
	}
	return "+" + text
}

func withUnit(s number.Scale, x float64) string {
	return strings.TrimSpace(s.Format(x) + " " + number.Plain(s.Unit))
}

// costSentence says how much dearer a design is and which parts make the difference. The amounts in it add up.
func costSentence(name string, change float64, groups []GroupChange, per [2]int64, perEndpoint [2]float64, currency string) string {
	if change == 0 {
		if len(groups) > 0 {
			return name + " costs the same, of other parts"
		}
		return name + " costs the same, of the same parts"
	}
	scale := number.ScaleOf(currency, []float64{change})
	digits := math.Pow10(number.MinorDigits(currency))
	terms := make([]float64, len(groups))
	for i := range groups {
		terms[i] = float64(groups[i].minor) / digits
	}
	var why []string
	total := 0.0
	for i, x := range spread(terms, stepOf(scale)) {
		if total += x; x != 0 {
			why = append(why, fmt.Sprintf("%s (%s)", groups[i].words(), signed(scale, x)))
		}
	}
	text := fmt.Sprintf("%s is %s by %s: %s", name, pick(change < 0, "cheaper", "dearer"), withUnit(scale, math.Abs(total)), strings.Join(why, ", "))
	if per[0] != per[1] {
		each := number.ScaleOf(currency, perEndpoint[:])
		text += fmt.Sprintf("; an endpoint costs %s against %s, of %s against %s endpoints", withUnit(each, perEndpoint[1]), withUnit(each, perEndpoint[0]),
			number.Figure(float64(per[1])), number.Figure(float64(per[0])))
	}
	return text
}

// words says what changes of a group: "512 more optical links".
func (g *GroupChange) words() string {
	what := g.Group
	n := g.Count[1] - g.Count[0]
	if abs(n) == 1 {
		what = map[string]string{GroupSwitches: "switch", GroupOptical: "optical link", GroupCopper: "copper link", GroupCards: "network card", GroupCircuit: "circuit switch",
			GroupTraces: "trace", GroupScaleup: "scale-up part", GroupOther: "other part"}[g.Group]
		if what == "" {
			what = g.Group
		}
	}
	switch {
	case g.Group == GroupBoth:
		return what
	case n > 0:
		return number.Figure(float64(n)) + " more " + what
	case n < 0:
		return number.Figure(float64(-n)) + " fewer " + what
	case g.Group == GroupOptical || g.Group == GroupCopper:
		return "as many " + what + " of other lengths or parts"
	}
	return "as many " + what + " of other models or prices"
}

// metricSentence says how a metric differs, "" if it does not as it is printed. The difference printed is that of the values printed.
func metricSentence(name string, c *MetricChange) string {
	a, b := c.Values[0], c.Values[1]
	scale := number.ScaleOf(a.Unit, []float64{a.Value, b.Value, c.Change})
	step := stepOf(scale)
	change := (math.Round(b.Value/step) - math.Round(a.Value/step)) * step
	if change == 0 {
		return ""
	}
	if c.Key == metric.Keys[metric.Racks].Name {
		n := int(math.Abs(change))
		return fmt.Sprintf("%s takes %s %s (%s against %s)", name, number.Figure(float64(n)), pick(change < 0, "fewer ", "more ")+pick(n == 1, "rack", "racks"),
			number.Figure(b.Value), number.Figure(a.Value))
	}
	text := fmt.Sprintf("%s of %s is %s by %s (%s against %s)", strings.ReplaceAll(c.Key, "_", " "), name, pick(c.Change < 0, "lower", "higher"), withUnit(scale, math.Abs(change)),
		withUnit(scale, b.Value), withUnit(scale, a.Value))
	if c.Open {
		text += fmt.Sprintf("; the bounds %s and %s overlap, so that it may be the other way round", boundsOf(b), boundsOf(a))
	}
	return text
}

// powerTerms adds to the sentence on power what of the difference is the switches', which stand in the plans, and what is modules', cables' and
// cards'. Both add up to it.
func powerTerms(c *MetricChange, a, b *evaluator.Plan) string {
	x := switchW(b) - switchW(a)
	scale := number.ScaleOf("W", []float64{c.Values[0].Value, c.Values[1].Value, c.Change})
	parts := spread([]float64{x, c.Change - x}, stepOf(scale))
	return fmt.Sprintf(": switches %s, modules, cables and cards %s", signed(scale, parts[0]), signed(scale, parts[1]))
}

func switchW(p *evaluator.Plan) (watts float64) {
	for i := range p.Switches {
		watts += float64(p.Switches[i].Count) * p.Switches[i].Part.PowerW
	}
	return watts
}

func boundsOf(f metric.Figure) string {
	if text := number.Bounds(f); text != "" {
		return text
	}
	return number.Quantity(f.Value, f.Unit)
}

// hopsSentence says on which part of the pairs of endpoints routes are shorter or longer. Its percentages add up to 100.
func hopsSentence(name string, shifts []Shift) string {
	if len(shifts) == 1 && shifts[0].Links == 0 {
		return name + " has routes of the same lengths between as large a part of the pairs"
	}
	const step = 0.1 // percent
	terms := make([]float64, len(shifts))
	for i := range shifts {
		terms[i] = 100 * shifts[i].Share
	}
	var parts []string
	for i, x := range spread(terms, step) {
		text := number.Figure(math.Round(x/step)/10) + " %"
		if math.Round(x/step) == 0 {
			text = "a part below 0.1 %"
		}
		switch d := shifts[i].Links; {
		case d < 0:
			parts = append(parts, fmt.Sprintf("shorter by %s on %s", number.Count(-d, "hop", "hops"), text))
		case d > 0:
			parts = append(parts, fmt.Sprintf("longer by %s on %s", number.Count(d, "hop", "hops"), text))
		default:
			parts = append(parts, "as long on "+text)
		}
	}
	return fmt.Sprintf("routes of %s are %s of the endpoint pairs (those of each design in order of their length; exact)", name, strings.Join(parts, ", "))
}

// wholeShare tells whether shares add up to 1 exactly.
func wholeShare(shifts []Shift) bool {
	total := new(big.Rat)
	for i := range shifts {
		total.Add(total, shifts[i].exact)
	}
	return total.Cmp(big.NewRat(1, 1)) == 0
}

// said are the metrics that are put into words whatever the objectives are, after those.
var said = []metric.Key{metric.Latency, metric.UniformThroughput, metric.Power, metric.Racks}

// metricsSaid are the objectives but for cost, and what else a reader asks for.
func metricsSaid(objectives []metric.Key) []metric.Key {
	var out []metric.Key
	for _, k := range slices.Concat(objectives, said) {
		if k != metric.Cost && k != metric.CostPerEndpoint && !slices.Contains(out, k) {
			out = append(out, k)
		}
	}
	return out
}
