package evaluator

import (
	"fmt"
	"math"

	"toposearch/evaluator/metric"
)

// enclosedPlan is for designs whose links take too long to be drawn: all parts but cables are counted, and these bounded.
var enclosedPlan = method{name: "bill of materials, cables enclosed", level: 1, applies: func(w *work) string {
	if why := w.noPlan(); why != "" {
		return why
	}
	if w.undrawn() == "" {
		return "its links are laid"
	}
	return ""
}, cost: func(*work) float64 { return 0 }, run: runEnclosedPlan}

func runEnclosedPlan(w *work) error {
	u, why := w.e.Model.Unlaid(w.d, w.size)
	switch {
	case why != "":
		w.unplanned(fmt.Sprintf("%s; not enclosed: %s", w.undrawn(), why))
		return nil
	case u.Reject.Constraint != "":
		w.rejected(u.Reject)
		return nil
	}
	cables := "cables between the shortest and the longest that racks on the floor plan may need"
	if u.Draws {
		cables += "; the value takes switches to be joined at random, by pairs drawn"
	}
	for _, k := range planKeys {
		iv, text := u.At[k], cables
		switch {
		case u.Lacks.Has(k):
			w.absent(k, "not known of a part")
			continue
		case !u.Have[k] || math.IsInf(iv.Hi, 1):
			w.absent(k, w.undrawn()+"; counts do not bound it")
			continue
		case k == metric.Racks || k == metric.FloorArea:
			text = "canonical floor plan"
		case k == metric.LeadTime:
			text = "longest of the parts on sale that may be on the bill"
		case k != metric.CableMax && k != metric.CableTotal && k != metric.CablesCopper && k != metric.CablesOptical:
			text = "switches and modules by counts, " + cables
		}
		w.between(k, u.Value[k], iv.Lo, iv.Hi, text+"; "+w.undrawn())
	}
	w.unlaid, w.spans, w.maybe = w.undrawn(), u.Spans, u.Parts
	return nil
}
