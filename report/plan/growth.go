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
		}
		if err := c.Write(r); err != nil {
			return err
		}
	}
	c.Flush()
	return c.Error()
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
