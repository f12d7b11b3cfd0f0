package run

import (
	"fmt"
	"math"

	"toposearch/evaluator/metric"
	"toposearch/objectives"
	"toposearch/search"
	"toposearch/search/verify"
)

// dominators are the designs on a front that dominate one of these costs, that in a sentence, and the least single improvements that end it.
func dominators(p *search.Problem, v objectives.Vector, f *search.Front) (by []string, why string, admit []string) {
	needed := append(objectives.Vector(nil), v...) // by objective: better than all who dominate
	tied := make([]string, len(v))                 // by objective: the first of them that is as good
	n := 0                                         // points of the front that do
	for i := range f.Front {
		w := make(objectives.Vector, len(p.Objectives))
		for j, o := range p.Objectives {
			value, ok := verify.ValueOf(p, o.Key, &f.Front[i])
			if w[j] = o.Cost(value); !ok {
				w[j] = math.Inf(1)
			}
		}
		if objectives.Dominates(w, v) {
			by = append(by, f.Front[i].Design)
			if f.Front[i].SameAs == "" { // otherwise counted by another name
				n++
			}
			for j := range w {
				if tied[j] == "" && w[j] == v[j] {
					tied[j] = f.Front[i].Design
				}
				needed[j] = min(needed[j], w[j])
			}
		}
	}
	if len(by) == 0 {
		return nil, "", nil
	}
	why = fmt.Sprintf("%s is nowhere worse and somewhere better", by[0])
	if n > 1 {
		why += fmt.Sprintf("; so %s %d more", map[bool]string{true: "is", false: "are"}[n == 2], n-1)
	}
	for j, o := range p.Objectives {
		beyond, up := "below", false
		if o.Better == metric.Higher {
			beyond, up = "above", true
		}
		if o.Enough > 0 && o.Value(needed[j]) >= o.Enough {
			continue // more would count for nothing
		}
		// What is printed is itself enough.
		name, least, is := o.Name(), o.Value(needed[j]), o.Value(v[j])
		if least == is {
			admit = append(admit, fmt.Sprintf("%s %s %s (at %s it ties with %s)", name, beyond, p.Limit(name, least, up), p.Amount(name, is), tied[j]))
			continue
		}
		limit, now := p.LimitApart(name, least, is)
		admit = append(admit, fmt.Sprintf("%s %s %s (it is %s)", name, beyond, limit, now))
	}
	return by, why, admit
}
