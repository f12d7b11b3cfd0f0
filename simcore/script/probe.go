package script

import "toposearch/simcore"

// Probe is a script that sends a message between each of some pairs of endpoints, one after the other
// with a pause between, so that each finds the network idle, and notes how long it takes.
type Probe struct {
	pairs [][2]int32
	size  int32
	pause int64
	took  []int64
	of    [][]int32 // pairs by sender
	next  []int
}

// NewProbe makes the script on a network of endpoints; messages have a size, and pause is longer than
// one takes, in cycles or ps.
func NewProbe(endpoints int, pairs [][2]int32, size int32, pause int64) *Probe {
	p := &Probe{pairs: pairs, size: size, pause: pause, took: make([]int64, len(pairs)), of: make([][]int32, endpoints), next: make([]int, endpoints)}
	for i, x := range pairs {
		p.of[x[0]] = append(p.of[x[0]], int32(i))
	}
	return p
}

// Took is the time of the message of each pair, from when it could be sent to when another that waits for it could be.
func (p *Probe) Took() []int64 { return p.took }

// Begin is of simcore.Script.
func (p *Probe) Begin() { clear(p.next) }

// Total is of simcore.Script.
func (p *Probe) Total() int64 { return int64(len(p.pairs)) * int64(p.size) }

// Sizes is of simcore.Script.
func (p *Probe) Sizes() []int32 { return []int32{p.size} }

// AtOnce is of simcore.Script.
func (p *Probe) AtOnce() int { return 1 }

// Due is of simcore.Script.
func (p *Probe) Due(e int32) int64 {
	if p.next[e] == len(p.of[e]) {
		return simcore.Never
	}
	return int64(p.of[e][p.next[e]]) * p.pause
}

// Next is of simcore.Script.
func (p *Probe) Next(e int32) simcore.Message {
	i := p.of[e][p.next[e]]
	p.next[e]++
	return simcore.Message{Dst: p.pairs[i][1], Size: p.size, Tag: int64(i)}
}

// Arrived is of simcore.Script.
func (p *Probe) Arrived(_ int32, tag int64, _ int32, from int64) { p.took[tag] = from - tag*p.pause }
