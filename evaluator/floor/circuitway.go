package floor

import (
	"toposearch/evaluator/market"
	"toposearch/topology"
)

// eachCircuit gives the circuit switches with their positions, in order.
func (p *Plan) eachCircuit(f func(j, position int64)) {
	for j := range p.circuits.boxes {
		f(j, p.positionOfSwitch(len(p.size.Family.SwitchClasses), j))
	}
}

// circuitWay tells over which circuit switch a link runs, for links in the order of the wiring: those that leave
// a block are dealt to the groups of their medium in turn, and the links of a group fill its boxes one
// after the other.
type circuitWay struct {
	p     *Plan
	first [topology.MaxClasses + 1]int64 // switch of each class
	dealt [market.MostMedia][]int64      // links so far, by block
	taken [market.MostMedia][]int64      // and by group
}

// throughCircuits begins with the first link; nil where nothing runs over circuit switches.
func (p *Plan) throughCircuits() *circuitWay {
	if p.circuits.boxes == 0 {
		return nil
	}
	w := &circuitWay{p: p}
	for i := range p.size.Family.SwitchClasses {
		w.first[i+1] = w.first[i] + p.size.Switch[i].Count
	}
	for i := range p.circuits.of {
		if c := &p.circuits.of[i]; c.groups > 0 {
			w.dealt[i], w.taken[i] = make([]int64, p.blocks), make([]int64, c.groups)
		}
	}
	return w
}

// box is the circuit switch of the next link, of a class from switch a, by its number among switches; false if
// the class has none.
func (w *circuitWay) box(class int, a topology.SwitchID) (topology.SwitchID, bool) {
	if w == nil {
		return 0, false
	}
	for i := range w.p.circuits.of {
		c := &w.p.circuits.of[i]
		if c.classes>>class&1 == 0 {
			continue
		}
		k := 0
		for int64(a) >= w.first[k+1] {
			k++
		}
		each := (w.p.size.Switch[k].Count + w.p.blocks - 1) / w.p.blocks
		block := (int64(a) - w.first[k]) / each
		group := w.dealt[i][block] % c.groups
		w.dealt[i][block]++
		j := min(w.taken[i][group]/c.links, c.each-1)
		w.taken[i][group]++
		return topology.SwitchID(w.first[len(w.p.size.Family.SwitchClasses)] + c.first + group*c.each + j), true
	}
	return 0, false
}
