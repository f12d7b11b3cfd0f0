package report

import (
	"encoding/json"
	"fmt"
	"math"
	"strings"

	"toposearch/compare"
	"toposearch/evaluator/metric"
	"toposearch/report/number"
	"toposearch/search/run"
)

// unitIn is the unit of a metric by name, with money in a currency.
func unitIn(name, currency string) string {
	k, _ := metric.KeyOf(name)
	return k.UnitIn(currency)
}

// mostSteps are the steps of a curve that are put into words to either side of the limit.
const mostSteps = 4

// CurveText says in sentences how the best value of an objective moves with a limit: what is had now, then what a stricter limit costs, then what
// a looser one brings, step by step.
func CurveText(c *run.Curve, currency string) (lead string, lines []string) {
	bound := func(x float64) string { return boundText(c, x, currency) }
	value := func(x float64) string { return number.Quantity(x, unitIn(c.Objective, currency)) }
	side := "at least "
	if c.Max {
		side = "at most "
	}
	lead = c.Limit + " " + side + number.Quantity(c.Bound, unitIn(c.Metric, currency))
	if c.Origin != "" {
		lead += " (" + c.Origin + ")"
	}
	at := c.At(c.Bound)
	if at < 0 {
		lead += ": no design meets it"
	} else {
		lead += fmt.Sprintf(": best %s %s, %s", c.Objective, value(c.Steps[at].Value), c.Steps[at].Design)
		if s := &c.Steps[at]; s.Bound != c.Bound {
			lines = append(lines, "stricter, nothing changes down to "+bound(s.Bound))
			if !c.Max {
				lines[0] = "stricter, nothing changes up to " + bound(s.Bound)
			}
		}
		for i := at - 1; i >= 0 && i >= at-mostSteps; i-- {
			lines = append(lines, fmt.Sprintf("stricter, to %s: %s, %s (%s)", bound(c.Steps[i].Bound), value(c.Steps[i].Value), c.Steps[i].Design, changeText(c, i, at, currency)))
		}
		if at-mostSteps > 0 {
			lines = append(lines, fmt.Sprintf("and %s more, in what-if --json", number.Count(at-mostSteps, "step", "steps")))
		} else if s := &c.Steps[0]; s.Bound != c.Strict && (c.Max == (s.Bound > c.Strict)) {
			none := "no design meets it"
			if !c.Complete {
				none = "no design was found that meets it"
			}
			lines = append(lines, "stricter than "+bound(s.Bound)+" "+none)
		}
	}
	if at == len(c.Steps)-1 && at >= 0 && c.Loose != c.Bound {
		lines = append(lines, "looser, nothing changes, tried to "+bound(c.Loose))
	}
	for i := at + 1; i < len(c.Steps) && i <= at+mostSteps; i++ {
		text := fmt.Sprintf("looser, from %s on: %s, %s", bound(c.Steps[i].Bound), value(c.Steps[i].Value), c.Steps[i].Design)
		if at >= 0 {
			text += " (" + changeText(c, i, at, currency) + ")"
		}
		lines = append(lines, text)
	}
	if c.Loose == c.Bound {
		lines = append(lines, "looser, the price list has nothing more")
	}
	if !c.Complete {
		text := "not complete: designs that were not looked at may be better"
		if c.Least != nil {
			k, _ := metric.KeyOf(c.Objective)
			beyond := "above "
			if metric.Keys[k].Better == metric.Higher {
				beyond = "below "
			}
			text += ", where there is none or the best is " + beyond + value(*c.Least)
		}
		lines = append(lines, text)
	}
	return lead, lines
}

// boundText prints a bound of a curve so that it still admits what it is the bound of.
func boundText(c *run.Curve, x float64, currency string) string {
	return number.Plain(number.PageLimit(x, unitIn(c.Metric, currency), c.Max))
}

// changeText is how a step differs from another, and what that is for each unit of the limit.
func changeText(c *run.Curve, i, at int, currency string) string {
	u := unitIn(c.Objective, currency)
	change := c.Steps[i].Value - c.Steps[at].Value
	sign := "+"
	if change < 0 {
		sign = "-"
	}
	text := sign + number.Quantity(math.Abs(change), u)
	from := c.Bound
	if width := math.Abs(c.Steps[i].Bound - from); width > 0 {
		unit, scale := perUnit(c.Metric, currency)
		text += fmt.Sprintf(", %s on the mean for each %s", number.Quantity(math.Abs(change)/(width/scale), u), unit)
	}
	return text
}

// perUnit is the unit in which the price of a limit is said, and how many base units it is.
func perUnit(name, currency string) (unit string, scale float64) {
	switch u := unitIn(name, currency); u {
	case "W":
		return "kW", 1e3
	case "m":
		return "metre", 1
	case "weeks":
		return "week", 1
	case "1":
		switch name {
		case metric.Keys[metric.Racks].Name:
			return "rack", 1
		case metric.Keys[metric.PhysicalPorts].Name:
			return "port", 1
		case metric.Keys[metric.VCsMinimal].Name:
			return "VC", 1
		case metric.Keys[metric.UniformThroughput].Name, metric.Keys[metric.WorstThroughput].Name, metric.Keys[metric.Bisection].Name:
			return "0.01 of " + strings.ReplaceAll(name, "_", " "), 0.01
		}
		return strings.ReplaceAll(name, "_", " "), 1
	default:
		if u == currency {
			return "k" + currency, 1e3
		}
		return u, 1
	}
}

// BreakEvenText says at which price of a part which design wins.
func BreakEvenText(b *compare.BreakEven, currency string) string {
	side := "below"
	if b.Above {
		side = "above"
	}
	text := fmt.Sprintf("%s: %s %s %s a piece %s is cheaper than %s (now %s; %s %%); both cost %s there", b.Part, side, amount(b.Price), currency, b.Beyond, b.Cheaper,
		amount(b.Now), fmt.Sprintf("%+.1f", 100*(b.Factor-1)), amount(b.Cost))
	if b.Verified {
		return text + ", verified by evaluation"
	}
	return text + "; NOT as long as other parts are bought: " + b.Note
}

// amount groups the digits of an exact amount.
func amount(n json.Number) string { return strings.TrimPrefix(compare.Amount(n), "+") }

// PickTexts say how stable a pick is.
func PickTexts(p *StablePick) []string {
	text := fmt.Sprintf("%s, %s: stays under all %d lists of prices (each kind of parts 30 %% dearer or cheaper, alone or with all others)", p.Pick, p.Design, p.Prices)
	if p.Kept < p.Prices {
		text = fmt.Sprintf("%s, %s: stays under %d of %d lists of prices (each kind of parts 30 %% dearer or cheaper, alone or with all others)", p.Pick, p.Design, p.Kept, p.Prices)
	}
	out := []string{text}
	for _, l := range p.Loses {
		out = append(out, l.Prices+": "+l.To)
	}
	if n := len(p.Rivals); n > 0 {
		out = append(out, fmt.Sprintf("by the bounds of the figures %s may be better: %s", number.Count(n, "design", "designs"), strings.Join(p.Rivals[:min(n, mostSteps)], ", ")))
	} else {
		out = append(out, "no other design may be better by the bounds of its figures")
	}
	return out
}
