package plan

import (
	"encoding/csv"
	"io"
	"strconv"

	"toposearch/catalog"
	"toposearch/evaluator"
	"toposearch/evaluator/growth"
	"toposearch/report/number"
)

// writeGrowth writes what becomes of every cable of the network that runs and of the new one: cables are numbered as in cables.csv of either design, and
// ends are named as there.
func writeGrowth(w io.Writer, g *evaluator.Grown) error {
	c := csv.NewWriter(w)
	if err := c.Write([]string{"cable", "work", "old_cable", "old_from", "old_to", "from", "to", "part_no", "old_part_no"}); err != nil {
		return err
	}
	for i := range g.Plan.Uses {
		u := &g.Plan.Uses[i]
		r := make([]string, 9)
		r[1] = u.How
		if u.New >= 0 {
			r[0], r[5], r[6], r[7] = growthCells(g.New, u.New)
		}
		if u.Old >= 0 {
			r[2], r[3], r[4], r[8] = growthCells(g.Old, u.Old)
			if crossed(g, u) {
				r[3], r[4] = r[4], r[3]
			}
		}
		if err := c.Write(r); err != nil {
			return err
		}
	}
	c.Flush()
	return c.Error()
}

// crossed tells whether an old cable's second end is where the first one of the new cable is, or its first where the second is: old ends then stand in the other
// order, so that those that stay stand over each other.
func crossed(g *evaluator.Grown, u *growth.Use) bool {
	if u.New < 0 {
		return false
	}
	a, b, at := &g.Old.Cables[u.Old], &g.New.Cables[u.New], g.Plan.Match.New
	return at[a.A] != b.A && at[a.B] != b.B && (at[a.A] == b.B || at[a.B] == b.A)
}

func growthCells(n *growth.Network, cable int32) (id, from, to, part string) {
	c := &n.Cables[cable]
	return strconv.Itoa(c.ID), number.SafeCell(n.Name(c.A)), number.SafeCell(n.Name(c.B)), number.SafeCell(partNo(c.Part))
}

func partNo(p *catalog.Part) string {
	if p == nil {
		return ""
	}
	return p.PartNo
}
