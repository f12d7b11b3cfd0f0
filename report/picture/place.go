package picture

import (
	"fmt"
	"slices"

	"toposearch/report/draw"
	"toposearch/report/number"
)

// Sizes in pixels: of a box with its two or three lines of text, of the room for loops beside it, of the slots at which lines
// end on a box, and between rows, where the badges of the lines stand.
const (
	boxPad, boxLine = 12.0, 15.0
	leastBox        = 118.0
	mostName        = 190.0 // the width of a name in a box
	loopRoom        = 52.0
	slot            = 24.0
	rowGap          = 78.0
	margin          = 16.0
)

// box is a node on paper.
type box struct {
	x, y, w, h float64
	lines      []string
	// top, bottom and left count the lines that end on each side.
	top, bottom, left int
}

// plane is a quotient on paper.
type plane struct {
	q     *quotient
	boxes []box
	// leaving are the lines out of blocks, by rank.
	leaving []int
	around  int        // lines that pass rows at their right so far
	frame   [4]float64 // around what is in blocks: x, y, width, height; no width: there are none
	w, h    float64
}

// boxText is what is written into a box.
func (x *node) boxText() []string {
	lines := []string{draw.Clip(x.name, mostName), number.Figure(float64(x.count))}
	if x.embedded {
		lines[1] += " in endpoints"
	}
	switch {
	case x.central && x.blocks == 1:
	case x.blocks > 1 && x.count%x.blocks == 0:
		lines = append(lines, number.Figure(float64(x.count/x.blocks))+" a block")
	case x.blocks > 1:
		lines = append(lines, "at most "+number.Figure(float64(ceil(x.count, x.blocks)))+" a block")
	}
	return lines
}

// arrange puts the nodes in rows, the endpoints at the bottom; what is outside all blocks stands above what is in them.
func arrange(q *quotient) *plane {
	p := &plane{q: q, boxes: make([]box, len(q.nodes))}
	for i := range q.nodes {
		p.boxes[i].lines = q.nodes[i].boxText()
	}
	p.countSides()
	rows := p.rows()
	y, top := margin, 0.0
	for r := len(rows) - 1; r >= 0; r-- {
		inBlocks := q.blocks > 1 && !q.nodes[rows[r][0]].central
		if inBlocks && top == 0 {
			if r < len(rows)-1 {
				y += 16
			}
			top = y
			y += 34 // what the frame is called
		}
		height := 0.0
		for _, i := range rows[r] {
			height = max(height, p.boxes[i].h)
		}
		for _, i := range rows[r] {
			p.boxes[i].y = y + (height-p.boxes[i].h)/2
		}
		y += height + rowGap
	}
	p.h = y - rowGap + margin
	p.columns(rows)
	if top > 0 {
		p.frame = [4]float64{margin, top, p.w - 2*margin - loopRoom, p.h - top}
		p.h += margin + 8 // and the frames of the other blocks behind it
	}
	return p
}

// countSides finds how many lines end on each side of the boxes, and how large these are. Lines out of blocks are counted by
// rows, so that no two of them share a height.
func (p *plane) countSides() {
	p.leaving = make([]int, 2*len(p.boxes)+2)
	for _, b := range p.q.bundles {
		x, y := &p.boxes[b.a], &p.boxes[b.b]
		switch {
		case b.scope == between:
			p.leaving[p.rank(b.a)]++
			if b.a != b.b {
				p.leaving[p.rank(b.b)]++
			}
		case b.a == b.b:
			x.left++
		case p.rank(b.a) == p.rank(b.b):
			x.top++
			y.top++
		case p.rank(b.a) > p.rank(b.b):
			x.bottom++
			y.top++
		default:
			x.top++
			y.bottom++
		}
	}
	for i := range p.boxes {
		b := &p.boxes[i]
		b.w = leastBox
		for _, s := range b.lines {
			b.w = max(b.w, draw.Width(s)+2*boxPad)
		}
		b.w = max(b.w, slot*float64(max(b.top, b.bottom)+1))
		b.h = max(boxLine*float64(len(b.lines))+2*boxPad, slot*float64(max(b.left, p.leaving[p.rank(i)])))
	}
}

// rank orders rows: levels, those outside all blocks last.
func (p *plane) rank(i int) int {
	x := &p.q.nodes[i]
	if x.central && p.q.blocks > 1 {
		return min(x.level, len(p.q.nodes)) + len(p.q.nodes) + 1
	}
	return x.level
}

// rows are the nodes by rank, from the lowest.
func (p *plane) rows() (rows [][]int) {
	order := make([]int, len(p.boxes))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return p.rank(a) - p.rank(b) })
	for k, i := range order {
		if k == 0 || p.rank(i) != p.rank(order[k-1]) {
			rows = append(rows, nil)
		}
		rows[len(rows)-1] = append(rows[len(rows)-1], i)
	}
	return rows
}

// columns spreads each row over the width of the widest.
func (p *plane) columns(rows [][]int) {
	widths := make([]float64, len(rows))
	for r, row := range rows {
		for _, i := range row {
			widths[r] += p.boxes[i].w + 2*loopRoom
		}
		p.w = max(p.w, widths[r])
	}
	p.w += 2*margin + loopRoom + slot*float64(p.skipping())
	inner := p.w - 2*margin - loopRoom - slot*float64(p.skipping())
	for r, row := range rows {
		x := margin + (inner-widths[r])/2
		for _, i := range row {
			p.boxes[i].x = x + loopRoom
			x += p.boxes[i].w + 2*loopRoom
		}
	}
}

// skipping counts the bundles that may pass boxes of rows between theirs.
func (p *plane) skipping() (n int) {
	for _, b := range p.q.bundles {
		lo, hi := min(p.rank(b.a), p.rank(b.b)), max(p.rank(b.a), p.rank(b.b))
		for k := range p.boxes {
			if r := p.rank(k); b.scope != between && r > lo && r < hi {
				n++
				break
			}
		}
	}
	return n
}

// frameText names the frame of a block.
func (p *plane) frameText() string {
	return fmt.Sprintf("one of %s blocks", number.Figure(float64(p.q.blocks)))
}
