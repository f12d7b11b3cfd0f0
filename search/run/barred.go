package run

import (
	"context"
	"fmt"
	"math"
	"strings"

	"toposearch/constraints"
	"toposearch/diag"
	"toposearch/evaluator"
	"toposearch/search"
	"toposearch/search/branch"
	"toposearch/study"
)

// Barred says why no design of a study can meet its limits, by closed forms alone, and where the first limit that all of them miss was
// written; text is "" if one might. It takes some milliseconds a family, and is silent where that is not enough. The study has no errors.
func Barred(ctx context.Context, st *study.Study, workers int) (text string, at diag.Pos, err error) {
	p, counts, err := glance(ctx, st, workers)
	if err != nil {
		return "", at, err
	}
	text, first := barred(p, counts)
	if first != nil {
		at = first.Origin.Pos
	}
	return text, at, nil
}

// glance counts the designs of each family that closed forms leave, for some milliseconds each.
func glance(ctx context.Context, st *study.Study, workers int) (*search.Problem, []branch.Counts, error) {
	m, err := evaluator.New(st.Options)
	if err != nil {
		return nil, nil, err
	}
	p, err := search.NewProblem(st, m)
	if err != nil {
		return nil, nil, err
	}
	counts := make([]branch.Counts, len(p.Spaces))
	search.Each(ctx, workers, len(counts), func(_, i int) { counts[i] = branch.Count(p, i, planVisits(st)/barredShare) })
	return p, counts, ctx.Err()
}

// Steps that counting a family may take.
const (
	countVisits   = 300_000 // a fifth of a second,
	countTraining = 500     // where the steps of a workload are bounded: 3 ms for each number of endpoints that has not been met.
	barredShare   = 10      // a tenth of that where it is only asked whether there is a design
)

// planVisits are the steps that counting one family may take.
func planVisits(st *study.Study) int64 {
	if st.Options.BoundTraining {
		return countTraining
	}
	return countVisits
}

// barred says which limits exclude all designs of all families, and gives the first of them; "" if some may be left.
func barred(p *search.Problem, counts []branch.Counts) (text string, first *constraints.Limit) {
	var reasons []string
	of := map[string][]string{}
	for i := range counts {
		c := &counts[i]
		if c.Designs > 0 || c.Stopped {
			return "", nil
		}
		why := barredWords(p, c)
		if of[why] == nil {
			reasons = append(reasons, why)
		}
		of[why] = append(of[why], p.Spaces[i].Fam.Name)
		if len(c.Barred) > 0 && first == nil {
			first = c.Barred[0].Limit
		}
	}
	if len(reasons) == 0 {
		return "", nil
	}
	for i, why := range reasons {
		reasons[i] = strings.Join(of[why], ", ") + ": " + why
	}
	return "No design can satisfy this study. " + strings.Join(reasons, ". ") + ".", first
}

// barredWords says which limits exclude all designs of a family.
func barredWords(p *search.Problem, c *branch.Counts) string {
	var parts []string
	for _, b := range c.Barred {
		least := "no design is above "
		if b.Limit.Max {
			least = "no design is below "
		}
		if math.IsInf(b.Best, 0) {
			parts = append(parts, b.Limit.Text()+", of which no design has a value")
			continue
		}
		parts = append(parts, b.Limit.Text()+", and "+least+b.Limit.Amount(b.Best))
	}
	switch {
	case len(parts) > 0:
		return strings.Join(parts, "; ")
	case len(c.Why) > 0:
		return "every design is excluded by " + strings.Join(c.Why, " or ")
	case p.Min == p.Max:
		return fmt.Sprintf("no design has %d endpoints ([endpoints] count)", p.Min)
	}
	return fmt.Sprintf("no design has %d to %d endpoints ([endpoints] count)", p.Min, p.Max)
}
