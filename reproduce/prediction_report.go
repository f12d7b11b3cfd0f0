package reproduce

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
)

// worstNamed is the number of designs whose causes the notes list.
const worstNamed = 10

// predictionReport is the table of designs that have been simulated, by family.
func predictionReport(all []*comparedDesign) *Table {
	t := &Table{
		Source:   fmt.Sprintf("the saturation load expected from routes, VCs and buffers (package simcore/queue), and the flit simulator, as a run compares them: random designs of all families, seed %d", predictionSeed),
		Compared: &[2]string{"predicted", "simulated"},
	}
	byFamily := map[string][]*comparedDesign{}
	var order []string
	var bad []*comparedDesign
	compared, contradicting, above, below, capacity := 0, 0, 0, 0, 0
	var skipped []string
	for _, x := range all {
		name := x.design.Family.Name
		if x.line.Skipped != "" || x.line.Predicted == 0 {
			skipped = append(skipped, x.design.String()+" ("+x.line.Skipped+")")
			continue
		}
		if byFamily[name] == nil {
			order = append(order, name)
		}
		byFamily[name] = append(byFamily[name], x)
		compared++
		if math.Abs(x.over(x.line.Predicted)-1) > predictionTolerance {
			capacity++
		}
		if x.differs() {
			bad = append(bad, x)
			switch {
			case x.agrees.Contradicts:
				contradicting++
			case x.ratio() > 1:
				above++
			default:
				below++
			}
		}
	}
	for _, name := range order {
		t.Rows = append(t.Rows, predictionRow(name, byFamily[name]))
	}
	t.Notes = append(t.Notes,
		fmt.Sprintf("%d designs: in %d the simulation contradicts what the model certifies; in %d more it saturates more than %.0f %% above what is expected, in %d more than %.0f %% below: %.1f %% agree.",
			compared, contradicting, above, 100*predictionTolerance, below, 100*predictionTolerance, 100*float64(compared-len(bad))/float64(max(compared, 1))),
		fmt.Sprintf("Of the load that fills the busiest channel (uniform_throughput, at most 1), which knows nothing of VCs and buffers, %d are more than %.0f %% off.",
			capacity, 100*predictionTolerance),
		fmt.Sprintf("Uniform traffic, natural routing, %d to %d endpoints (more where a family has no smaller networks), packets of 4 flits, %d to %d cycles a load and up to four times as many near saturation, the switch of eval and run. Simulated is the middle of the interval; it agrees if the nearest end is within %.0f %%.",
			leastEnds, mostEnds, fewestCycles, mostCycles, 100*predictionTolerance),
		"Causes are found by experiment: a design that falls short is simulated again with deeper buffers, more VCs, a faster crossbar, and all of them.")
	slices.SortStableFunc(bad, func(a, b *comparedDesign) int {
		return cmp.Compare(-math.Abs(math.Log(a.ratio())), -math.Abs(math.Log(b.ratio())))
	})
	for i, x := range bad[:min(worstNamed, len(bad))] {
		t.Notes = append(t.Notes, fmt.Sprintf("Worst %d: %s: %.3g of the prediction; %s.", i+1, x.design, x.ratio(), cmp.Or(x.cause, "limited by "+x.line.Limit)))
	}
	if len(skipped) > 0 {
		t.Notes = append(t.Notes, "Not simulated: "+strings.Join(skipped, "; ")+".")
	}
	return t
}

// predictionRow is a family: how its designs fare, then each.
func predictionRow(name string, of []*comparedDesign) Row {
	row := Row{Name: name}
	worst, differ := of[0], 0
	for _, x := range of {
		if x.differs() {
			differ++
		}
		if math.Abs(math.Log(x.ratio())) > math.Abs(math.Log(worst.ratio())) {
			worst = x
		}
	}
	row.Cells = append(row.Cells, extra("designs", len(of), fmt.Sprintf("%d differ; worst %.3g of the prediction", differ, worst.ratio())))
	for _, x := range of {
		c := Cell{"saturation_load", round(x.predicted(), 4), round((x.line.Saturation+x.line.Above)/2, 4), !x.differs(), x.design.String()}
		if !c.Agrees {
			c.Note += fmt.Sprintf(" [%.4f, %.4f]: %s", x.line.Saturation, x.line.Above, cmp.Or(x.cause, "limited by "+x.line.Limit))
		}
		row.Cells = append(row.Cells, c)
	}
	return row
}
