package picture

import (
	"fmt"

	"toposearch/report/draw"
)

// network draws the quotient.
func (s *Source) network() (string, error) {
	q, err := newQuotient(s.Design)
	if err != nil {
		return "", err
	}
	p := arrange(q)
	cols := q.columns(s.gbps())
	none := func(int) string { return "" }
	probe := draw.New(0, 0, "")
	tw, th := table(probe, 0, 0, cols, none)
	w, h := p.w, headPx+p.h
	if q.hasRing() {
		w, h = w+ringPx+30, max(h, headPx+ringPx+60)
	}
	d := start(max(w, tw+50), h+th+24, draw.Clip(s.Design.String(), titleMost), q.words(), q.sentence())
	class := func(i int) string { return fmt.Sprintf("ln f%d d%d", q.bundles[i].class%8, q.bundles[i].class/8) }
	p.diagram(d, 0, headPx, class)
	if q.hasRing() {
		q.ring(d, p.w+20, headPx)
	}
	table(d, 30, h+8, cols, class)
	return d.String(), nil
}
