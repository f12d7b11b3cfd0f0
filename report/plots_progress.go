package report

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"path/filepath"

	"toposearch/internal/chart"
	"toposearch/internal/infile"
)

// progressPlot shows how many designs of the final front had been found after how many
// evaluations, which is the order of the lines of journal.jsonl; nil without a journal or a front.
func progressPlot(dir string, d *Data) (*chart.Named, error) {
	f, err := infile.Open(filepath.Join(dir, "journal.jsonl"), math.MaxInt64) // it is read piece by piece
	if errors.Is(err, fs.ErrNotExist) || len(d.Points) == 0 {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("report: %w", err)
	}
	defer f.Close()
	front := map[string]bool{}
	for i := range d.Points {
		front[d.Points[i].Name] = true
	}
	s := chart.Series{Line: true, Bare: true, X: []float64{0}, Y: []float64{0}}
	evaluated, found := 0.0, 0.0
	for in := json.NewDecoder(bufio.NewReaderSize(f, 1<<20)); in.More(); {
		var line struct {
			Design string `json:"d"`
		}
		if err := in.Decode(&line); err != nil {
			break // the last line of a run that was killed
		}
		if line.Design == "" {
			continue
		}
		evaluated++
		if front[line.Design] {
			delete(front, line.Design)
			s.X, s.Y = append(s.X, evaluated, evaluated), append(s.Y, found, found+1)
			found++
		}
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
