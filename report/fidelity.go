package report

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"toposearch/search"
)

// fidelityText says in sentences how far the two fidelities of a search agree, and how the search at both ended.
func fidelityText(x *search.Fidelity) string {
	var b strings.Builder
	end := "the simulations were spent before the front stayed"
	if x.Stays {
		end = "the front stayed over the last round"
	}
	fmt.Fprintf(&b, "%d of at most %d simulations in %d rounds: %s.", x.Simulations, x.Most, x.Rounds, end)
	if len(x.Partial) > 0 {
		fmt.Fprintf(&b, " Of %s only what the search had evaluated could be simulated.", strings.Join(x.Partial, ", "))
	}
	for _, c := range x.Corrections {
		if c.Family == "" {
			fmt.Fprintf(&b, " %s against %s, %d designs: %s", c.Metric, c.StandIn, c.Simulated, ranksText(&c))
			if c.Scatter > 0 {
				fmt.Fprintf(&b, "; single designs scatter by %.1f %% around the corrections", 100*c.Scatter)
			}
			b.WriteString(".")
			continue
		}
		fmt.Fprintf(&b, " %s: measured over %s %.3g (%.3g to %.3g with 95 %% confidence) from %d simulated designs", c.Family, c.StandIn, c.Ratio.Value, c.Ratio.Lo, c.Ratio.Hi, c.Simulated)
		if c.Simulated == 0 {
			b.WriteString(", so that of the other families")
		} else {
			b.WriteString(", " + ranksText(&c))
		}
		b.WriteString(".")
	}
	return b.String()
}

// ranksText is the rank correlation of a correction.
func ranksText(c *search.Correction) string {
	if c.Ranks == nil {
		return "no order to compare"
	}
	return fmt.Sprintf("rank correlation of the two (n = %d) Kendall %.2f, Spearman %.2f", c.Ranks.N, c.Ranks.Kendall, c.Ranks.Spearman)
}

// vouchedText says which level vouches for the objectives of a point, "" where nothing was corrected.
func vouchedText(r *search.Record) string {
	var parts []string
	for _, o := range slices.Sorted(maps.Keys(r.Vouched)) {
		parts = append(parts, o+" "+r.Vouched[o])
	}
	return strings.Join(parts, ", ")
}
