package search

import (
	"cmp"
	"toposearch/evaluator/metric"
	"toposearch/internal/unit"
)

// amount prints a value of a metric with its unit.
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
