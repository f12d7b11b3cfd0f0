package survey

import (
	"math"

	"toposearch/topology"
)

const (
	drawWidth = 1000.0
	drawTop   = 90.0 // below the title
)

// point is a place on the picture.
type point struct{ x, y float64 }

// picture places the switches and endpoints of a network.
type picture struct {
	n         *topology.Network
	block     []int // of each switch; -1 if it belongs to none
	at        []point
	ends      []point // of endpoints; empty if they are their switches
	height    float64
	centre    point
	ring      bool
	size      float64 // radius of a switch
	classes   []int   // switches of each class
	endpoints bool
}

// place puts the switches of one class on a ring, of several in layers.
func place(d topology.Design, n *topology.Network) *picture {
	p := &picture{n: n, at: make([]point, n.Switches()), block: make([]int, n.Switches()), classes: make([]int, len(n.SwitchClasses))}
	for s := range n.Switches() {
		p.classes[n.Class(topology.SwitchID(s))]++
	}
	used, several := 0, false
	for _, k := range p.classes {
		if k > 0 {
			used++
		}
	}
	for g := range n.Groups() {
		first, end, ports := n.Group(g)
		several = several || len(ports) > 1
		p.endpoints = p.endpoints || end > first && !n.Embedded(ports[0])
	}
	p.blocks(d)
	if p.ring = used == 1 && !several; p.ring {
		p.circle()
	} else {
		p.layers()
	}
	return p
}

// blocks divides the switches as the placement does.
func (p *picture) blocks(d topology.Design) {
	where, seen := d.Family.Place(d.V), make([]int, len(p.classes))
	for s := range p.block {
		c := p.n.Class(topology.SwitchID(s))
		p.block[s] = -1
		// Embedded switches are as many to a block as endpoints.
		if where.Homes[c] != topology.Central && p.classes[c]%where.Blocks == 0 {
			p.block[s] = seen[c] / (p.classes[c] / where.Blocks)
		}
		seen[c]++
	}
}

// circle puts the switches on a ring, with a gap between blocks, and endpoints outside.
func (p *picture) circle() {
	const radius = 330
	p.centre = point{drawWidth / 2, drawTop + radius + 60}
	p.height = drawTop + 2*radius + 120
	steps, total := make([]float64, len(p.at)), 0.0
	for s := range p.at {
		if s > 0 && p.block[s] != p.block[s-1] {
			total += 0.7
		}
		steps[s] = total
		total++
	}
	if len(p.at) > 1 && p.block[0] != p.block[len(p.at)-1] {
		total += 0.7
	}
	for s := range p.at {
		p.at[s] = p.polar(2*math.Pi*steps[s]/total, radius)
	}
	p.size = max(4, min(15, 2*math.Pi*radius/total/3))
	p.ends = make([]point, p.n.Endpoints())
	fan := make([]int, len(p.at)) // endpoints of a switch
	for g := range p.n.Groups() {
		first, end, ports := p.n.Group(g)
		fan[ports[0]] += int(end - first)
	}
	done := make([]int, len(p.at))
	for g := range p.n.Groups() {
		first, end, ports := p.n.Group(g)
		s := ports[0]
		for e := first; e < end; e++ {
			spread := (float64(done[s]) + 0.5) / float64(fan[s])
			p.ends[e] = p.polar(2*math.Pi*(steps[s]+0.7*(spread-0.5))/total, radius+45)
			done[s]++
		}
	}
}

func (p *picture) polar(angle, radius float64) point {
	return point{p.centre.x + radius*math.Sin(angle), p.centre.y - radius*math.Cos(angle)}
}

// layers puts each class of switches on a line, the first lowest, embedded ones and endpoints at the
// bottom.
func (p *picture) layers() {
	var rows []int
	for pass := range 2 {
		for c := len(p.classes) - 1; c >= 0; c-- {
			if p.classes[c] > 0 && p.n.SwitchClasses[c].Embedded == (pass == 1) {
				rows = append(rows, c)
			}
		}
	}
	const step = 170
	p.size = 15
	for row, c := range rows {
		y := drawTop + 90 + step*float64(row)
		total, last := 0.0, -2
		var steps []float64
		var ids []int
		for s := range p.at {
			if p.n.Class(topology.SwitchID(s)) != c {
				continue
			}
			if last != -2 && p.block[s] != last {
				total += 0.7
			}
			last = p.block[s]
			steps, ids = append(steps, total), append(ids, s)
			total++
		}
		for i, s := range ids {
			p.at[s] = point{40 + (drawWidth-80)*(steps[i]+0.5)/total, y}
		}
		p.size = min(p.size, max(3, (drawWidth-80)/total/2.6))
	}
	p.height = drawTop + 90 + step*float64(len(rows)-1) + 60
	if p.endpoints {
		p.height += 90
		p.ends = make([]point, p.n.Endpoints())
		for e := range p.ends {
			p.ends[e] = point{40 + (drawWidth-80)*(float64(e)+0.5)/float64(len(p.ends)), p.height - 50}
		}
	}
}

// boxes is the number of switches that are not inside endpoints.
func (p *picture) boxes() int {
	k := 0
	for c, n := range p.classes {
		if !p.n.SwitchClasses[c].Embedded {
			k += n
		}
	}
	return k
}
