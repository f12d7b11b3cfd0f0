package evaluator

import (
	"toposearch/catalog"
	"toposearch/evaluator/market"
)

// Supply is what to keep of each part of a plan's bill, what else would do, and how long it takes, by line.
func (e *Evaluator) Supply(p *Plan) []market.Supply {
	return e.market.Supply(p.BOM, func(x *catalog.Part) float64 { f := e.cluster.Part(x); return f.PerHour })
}
