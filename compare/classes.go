package compare

import (
	"math"
	"slices"

	"toposearch/evaluator"
)

// Class is a link class of a design in one medium.
type Class struct {
	Link   string  `json:"link"`
	Gbps   int     `json:"gbps"`
	Medium string  `json:"medium"`
	Copper bool    `json:"copper"`
	Count  int64   `json:"count"`
	TotalM float64 `json:"bought_m"` // stock lengths
	MaxM   float64 `json:"longest_laid_m"`
}

// ClassChange is how a link class differs, its media together. Count has one of the two 0 where only one design has a class of the name.
type ClassChange struct {
	Link    string     `json:"link"`
	Count   [2]int64   `json:"count"`
	Optical [2]int64   `json:"optical"`
	TotalM  [2]float64 `json:"bought_m"`
	MaxM    [2]float64 `json:"longest_laid_m"`
}

// classesOf sums the cables of a plan by class, rate and medium, in the order of the plan.
func classesOf(p *evaluator.Plan) []Class {
	if p == nil {
		return nil
	}
	var out []Class
	for _, c := range p.Classes {
		at := slices.IndexFunc(out, func(x Class) bool { return x.Link == c.Link && x.Gbps == c.Gbps && x.Medium == c.Medium })
		if at < 0 {
			at = len(out)
			out = append(out, Class{Link: c.Link, Gbps: c.Gbps, Medium: c.Medium, Copper: c.Copper})
		}
		x := &out[at]
		x.Count += c.Count
		x.TotalM += float64(c.Count) * c.StockM
		x.MaxM = max(x.MaxM, c.MaxM)
	}
	for i := range out {
		out[i].TotalM = math.Round(out[i].TotalM*1e6) / 1e6 // micrometres: sums of stock lengths
	}
	return out
}

// classChanges compares classes by name, those of the first design first.
func classChanges(a, b []Class) []ClassChange {
	var out []ClassChange
	for side, list := range [2][]Class{a, b} {
		for _, c := range list {
			at := slices.IndexFunc(out, func(x ClassChange) bool { return x.Link == c.Link })
			if at < 0 {
				at = len(out)
				out = append(out, ClassChange{Link: c.Link})
			}
			x := &out[at]
			x.Count[side] += c.Count
			x.TotalM[side] += c.TotalM
			x.MaxM[side] = max(x.MaxM[side], c.MaxM)
			if !c.Copper {
				x.Optical[side] += c.Count
			}
		}
	}
	return out
}
