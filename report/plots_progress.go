package report

import (
	"fmt"

	"toposearch/internal/chart"
	"toposearch/search/run"
)

// progressPlot shows how many designs of the final front had been found after how many
// evaluations, which is the order of the lines of journal.jsonl; nil without a journal or a front.
func progressPlot(dir string, d *Data) (*chart.Named, error) {
	if len(d.Points) == 0 {
		return nil, nil
	}
	front := map[string]bool{}
	for i := range d.Points {
		front[d.Points[i].Name] = true
	}
	s := chart.Series{Line: true, Bare: true, X: []float64{0}, Y: []float64{0}}
	evaluated, found := 0.0, 0.0
	err := run.EachDesign(dir, d.Counts.Evaluated, func(design string) {
		evaluated++
		if front[design] {
			delete(front, design)
			s.X, s.Y = append(s.X, evaluated, evaluated), append(s.Y, found, found+1)
			found++
		}
	})
	if err != nil {
		return nil, fmt.Errorf("report: %w", err)
	}
	if found == 0 {
		return nil, nil
	}
	s.X, s.Y = append(s.X, evaluated), append(s.Y, found)
	return &chart.Named{Name: "progress", Figure: &chart.Figure{Panels: []chart.Panel{{
		X: chart.Axis{Title: "Designs evaluated", Zero: true}, Y: chart.Axis{Title: "Designs of the front found", Zero: true},
		Series: []chart.Series{s},
	}}}}, nil
}
