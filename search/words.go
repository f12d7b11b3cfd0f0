package search

import (
	"cmp"
	"fmt"
	"math"
	"strconv"
	"strings"

	"toposearch/evaluator/metric"
	"toposearch/internal/unit"
	"toposearch/study"
)

// Amount prints a value of a metric with its unit.
func (p *Problem) Amount(key string, x float64) string {
	k, ok := metric.KeyOf(key)
	if !ok {
		return unit.Number(x)
	}
	switch u := metric.Keys[k].Unit; u {
	case "USD":
		return unit.MoneyText(x, cmp.Or(p.Study.Currency.Code, u))
	case "W":
		return unit.KindPower.Format(x)
	case "1":
		return unit.Number(x)
	default:
		return unit.Number(x) + " " + u
	}
}

// Limit is Amount of a limit that admits x: a largest value is rounded up, a least one down.
func (p *Problem) Limit(key string, x float64, largest bool) string {
	if k, ok := metric.KeyOf(key); !ok || metric.Keys[k].Unit == "1" && x == math.Trunc(x) { // counts are printed in full
		return p.Amount(key, x)
	}
	return p.Amount(key, unit.Outward(x, amountDigits, largest))
}

// Apart are two amounts that differ, in full where they would read alike.
func (p *Problem) Apart(key string, a, b float64) (string, string) {
	return p.apart(key, a, b, p.Amount(key, a), p.Amount(key, b))
}

// LimitApart is Limit of what admits got beside the amount of the limit that it stands for.
func (p *Problem) LimitApart(key string, got, bound float64) (string, string) {
	return p.apart(key, got, bound, p.Limit(key, got, got > bound), p.Amount(key, bound))
}

func (p *Problem) apart(key string, a, b float64, textA, textB string) (string, string) {
	if textA != textB || a == b {
		return textA, textB
	}
	full := func(x float64) string {
		u := ""
		if k, ok := metric.KeyOf(key); ok && metric.Keys[k].Unit == "USD" {
			u = " " + cmp.Or(p.Study.Currency.Code, metric.Keys[k].Unit)
		} else if ok && metric.Keys[k].Unit != "1" {
			u = " " + metric.Keys[k].Unit
		}
		return strconv.FormatFloat(x, 'f', -1, 64) + u
	}
	return full(a), full(b)
}

// amountDigits are those of unit.Number.
const amountDigits = 6

// ProvedText says of a front that is not complete what part of the best hypervolume is proved, rounded down, and within what part it is complete, rounded up;
// as WithinText says it.
func ProvedText(proved, within float64) string {
	text := fmt.Sprintf("at least %s %% of the best hypervolume is proved", unit.Number(math.Floor(1000*proved)/10))
	if part := WithinText(within); part != "" {
		text += ", and the front is complete within " + part
	}
	return text
}

// WithinText is the part within which a front is complete, rounded up; "" where that is not known, 0, or a missing design may be better by all of a value or more.
func WithinText(within float64) string {
	if within <= 0 || within >= 1 {
		return ""
	}
	return unit.Number(max(1, math.Ceil(1000*within-1e-6))/10) + " %" // -1e-6: what is a tenth but for its last bits
}

// Text is ProvedText of a proof.
func (p *Proof) Text() string { return ProvedText(p.Proved, p.Known()) }

// Known is Within, 0 where that is not known.
func (p *Proof) Known() float64 {
	if p.Within == nil {
		return 0
	}
	return *p.Within
}

// JSONNumber replaces what JSON cannot hold by 0.
func JSONNumber(x float64) float64 {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return 0
	}
	return x
}

// SimulatedNote says in a sentence what is measured on finalists only; "" if nothing is.
func (p *Problem) SimulatedNote() string {
	if len(p.Simulated) == 0 {
		return ""
	}
	var names, by []string
	for _, k := range p.Simulated {
		names = append(names, metric.Keys[k].Name)
		by = append(by, metric.Keys[StandIns[k]].Name)
	}
	verb := "is"
	if len(names) > 1 {
		verb = "are"
	}
	if v := &p.Study.Verify; v.Fidelity == study.FidelitySearch {
		return fmt.Sprintf("%s %s measured on at most %d designs, not on the whole space: simulations correct %s, which stands for it, family by family, and the front by corrected values is simulated until it stays; what was proved or searched completely is the front by the analytic model, not this one",
			strings.Join(names, " and "), verb, v.Simulations, strings.Join(by, " and "))
	}
	return fmt.Sprintf("%s %s measured on at most %d finalists, not on the whole space: the search is steered by %s in its place, and the front is judged again among the finalists by what was measured",
		strings.Join(names, " and "), verb, p.Study.Verify.Finalists, strings.Join(by, " and "))
}

// Helped says what other processes do or did for a run, "" if nothing.
func (p *Progress) Helped() string {
	if len(p.Workers) == 0 {
		return ""
	}
	var here []string
	tasks, gone := int64(0), 0
	for _, w := range p.Workers {
		if tasks += w.Tasks; w.AtOnce == 0 {
			gone++
			continue
		}
		here = append(here, fmt.Sprintf("%s (%d at once, %d tasks, %.3g a second)", w.Name, w.AtOnce, w.Tasks, w.PerS))
	}
	const most = 8 // named
	text := strings.Join(here[:min(most, len(here))], ", ")
	if n := len(here) - most; n > 0 {
		text += fmt.Sprintf(" and %d more", n)
	}
	if text == "" {
		text = "none is there"
	}
	text = fmt.Sprintf("workers: %s; %d tasks done by all", text, tasks)
	if gone > 0 {
		text += fmt.Sprintf(", %d left", gone)
	}
	if p.Retries > 0 {
		text += fmt.Sprintf(", %d tasks given out again", p.Retries)
	}
	return text
}
