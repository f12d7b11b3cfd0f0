package reproduce

import (
	"context"
	"fmt"
	"slices"

	"toposearch/internal/crew"
	"toposearch/simcore/route"
)

// adaptiveTable simulates the rows of Table 2 that the program knows, and the controls.
func adaptiveTable(ctx context.Context, workers int) (*Table, error) {
	l, err := newAdaptiveLab()
	if err != nil {
		return nil, err
	}
	y, err := l.yardsticks(ctx)
	if err != nil {
		return nil, err
	}
	rows := slices.Concat(adaptiveRows, adaptiveControls)
	all := make([]*adaptiveMarks, len(rows))
	g, ctx := crew.WithContext(ctx, max(1, workers))
	for i, r := range rows {
		if !slices.ContainsFunc(route.All(), func(x route.Info) bool { return x.Name == r.name }) {
			continue
		}
		g.Go(func() (err error) {
			all[i], err = l.marks(ctx, r, y)
			return err
		})
	}
	if err := g.Wait(); err != nil {
		return nil, err
	}
	t := &Table{
		Source:   "Dong, Wang, Lei: survey of interconnect topologies, Table 2",
		Compared: &[2]string{"survey", "measured"},
		Notes: []string{
			fmt.Sprintf("All on %s, packets of 4 flits, the switch of eval and run, %d VCs or as many as the routing needs, %d cycles after %d.", adaptiveDesign, adaptiveVCs, adaptiveLook, adaptiveSettle),
			fmt.Sprintf("indirect: three of four packets to the next group, over one link that three of four switches do not see, the others uniform; load %.2f, buffers of %d flits. "+
				"Solved if the load is accepted with a mean latency of at most %.2f times that of the best fixed split of direct ways and detours, which knows the traffic. Minimal routing asks the link to carry 2.8 times its rate.", indirectLoad, indirectBuffer, indirectMost),
			fmt.Sprintf("phantom: links between groups of %d cycles. Solved if uniform traffic of load %.1f takes at most %.1f times as long as with minimal routing, and a load of %.2f to the next group is accepted.", phantomCycles, phantomLoad, phantomAtMost, phantomShift),
			fmt.Sprintf("asymmetric: %d of 9 groups send, each to the next of them, at load %.2f. Solved if it is accepted: detours by all other groups alike carry at most 0.56, the best choice of detours, more by the idle groups, 0.81.", asymmetricActive, asymmetricLoad),
			fmt.Sprintf("ugal_l, pb and par are simulated as published, with ugal_peers = 0; as eval and run take them they stand below. q_adaptive learns for %d cycles first, and is measured for %d.", adaptiveSettle+qSettle, qLook),
			"The survey prints + and -, and does not say how it came to its marks; these rules are ours. A mark that differs says that the routing, as it stands here, passes or fails this test, not that the survey's is wrong.",
			"space and low_logic are the survey's: the state and the logic of a switch of radix k, in a window of T cycles. vcs are what a routing needs here to be free of deadlock, with detours by way of a switch.",
		},
	}
	for i, r := range rows {
		t.Rows = append(t.Rows, adaptiveCells(r, all[i]))
	}
	return t, nil
}

// adaptiveCells is a row of the table; m is nil if the routing was not simulated.
func adaptiveCells(r adaptiveRow, m *adaptiveMarks) Row {
	sign := map[bool]string{true: "yes", false: "no"}
	control := r.space == ""
	row := Row{Name: r.title + " (" + r.name + ")"}
	for k, column := range []string{"indirect", "phantom", "asymmetric"} {
		c := Cell{Column: column, Published: sign[r.solves[k]], Agrees: true}
		if m != nil {
			c.Computed, c.Agrees, c.Note = sign[m.of[k].solves], m.of[k].solves == r.solves[k], m.of[k].note
			if !c.Agrees && r.why[k] != "" {
				c.Note += "; " + r.why[k]
			}
		}
		if control {
			c = extra(column, c.Computed, c.Note)
		}
		row.Cells = append(row.Cells, c)
	}
	if control {
		return row
	}
	vcs := Cell{Column: "vcs", Published: r.vcs, Agrees: true, Note: notBuilt(r.name)}
	if m != nil {
		vcs = number("vcs", float64(r.vcs), float64(m.vcs), 0, "")
	}
	return Row{row.Name, append(row.Cells, vcs, Cell{Column: "space", Published: r.space, Agrees: true},
		Cell{Column: "low_logic", Published: sign[r.lowLogic], Agrees: true})}
}

// notBuilt says why a routing is not built; "" of others.
func notBuilt(name string) string {
	for _, u := range route.AllUnbuilt() {
		if u.Name == name {
			return "not built: " + u.Why
		}
	}
	return ""
}
