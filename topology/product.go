package topology

import (
	"fmt"
	"math/bits"
)

// maxRuleStates bounds the states of a rule, so that a set of them is one word.
const maxRuleStates = 64

// covers tells whether k, which may hold Any, is a pattern of kind x.
func (k Kind) covers(x Kind) bool {
	return (k.Link == Any || k.Link == x.Link) && (k.From == Any || k.From == x.From) && (k.To == Any || k.To == x.To)
}

// legal is what a rule allows on a network: by kind of channel and state the states that follow.
type legal struct {
	rule Rule
	next map[Kind][]uint64
}

func (l *legal) of(k Kind) []uint64 {
	m, ok := l.next[k]
	if !ok {
		m = make([]uint64, l.rule.States)
		for _, st := range l.rule.Steps {
			if st.Kind.covers(k) {
				m[st.From] |= 1 << st.To
			}
		}
		l.next[k] = m
	}
	return m
}

// restrict makes a node of every switch together with each state in which a packet can be there, and an arc of
// every step that the rule allows it, so that paths are legal routes. Packets begin in state 0 and arrive in
// any.
func (p *probe) restrict(rule Rule) error {
	if rule.States > maxRuleStates {
		return fmt.Errorf("topology: rule %s has %d states; 1 to %d are possible", rule.Name, rule.States, maxRuleStates)
	}
	l := &legal{rule, map[Kind][]uint64{}}
	seen := p.reached(l)
	first := make([]int32, len(seen)+1)
	for v, m := range seen {
		first[v+1] = first[v] + int32(bits.OnesCount64(m))
	}
	p.arcs(l, seen, first)
	p.nodes = int(first[len(seen)])
	p.entry, p.exit, p.exitStart = make([]SwitchID, len(p.setPorts)), nil, []int32{0}
	for i := range p.count {
		for at := p.setStart[i]; at < p.setStart[i+1]; at++ {
			v := p.setPorts[at]
			p.entry[at] = SwitchID(first[v]) // state 0 is the first of a switch with endpoints
			for x := first[v]; x < first[v+1]; x++ {
				p.exit = append(p.exit, SwitchID(x))
			}
		}
		p.exitStart = append(p.exitStart, int32(len(p.exit)))
	}
	if p.hang != nil {
		p.hang = make([]int64, p.nodes)
		for i, c := range p.count {
			p.hang[p.entry[i]] = c
		}
	}
	return nil
}

// reached gives the states in which packets can be on each switch.
func (p *probe) reached(l *legal) []uint64 {
	n := p.n
	seen := make([]uint64, n.Switches())
	var work []SwitchID
	for _, v := range p.setPorts {
		if seen[v] == 0 {
			seen[v] = 1
			work = append(work, v)
		}
	}
	done := make([]uint64, len(seen))
	for len(work) > 0 {
		v := work[len(work)-1]
		work = work[:len(work)-1]
		fresh := seen[v] &^ done[v]
		done[v] = seen[v]
		if fresh == 0 {
			continue
		}
		for c := n.start[v]; c < n.start[v+1]; c++ {
			next, u := l.of(n.Kind(v, ChannelID(c))), n.to[c]
			var m uint64
			for b := fresh; b != 0; b &= b - 1 {
				m |= next[bits.TrailingZeros64(b)]
			}
			if m&^seen[u] != 0 {
				seen[u] |= m
				work = append(work, u)
			}
		}
	}
	return seen
}

// arcs lists the steps between nodes, those of switch v being numbered from first[v] on by state; and, where
// some switch is embedded, those over other than nic links.
func (p *probe) arcs(l *legal, seen []uint64, first []int32) {
	n := p.n
	start, to := make([]int32, 1, first[len(seen)]+1), []SwitchID{}
	start2, to2 := []int32{0}, []SwitchID{}
	var allowed [][]uint64 // by channel of a switch
	for v, states := range seen {
		allowed = allowed[:0]
		for c := n.start[v]; c < n.start[v+1]; c++ {
			allowed = append(allowed, l.of(n.Kind(SwitchID(v), ChannelID(c))))
		}
		for b := states; b != 0; b &= b - 1 {
			s := bits.TrailingZeros64(b)
			for c := n.start[v]; c < n.start[v+1]; c++ {
				u, nic := n.to[c], n.LinkClasses[n.class[c]].Name == ClassNic
				for m := allowed[c-n.start[v]][s]; m != 0; m &= m - 1 {
					below := uint64(1)<<bits.TrailingZeros64(m) - 1
					x := SwitchID(first[u]) + SwitchID(bits.OnesCount64(seen[u]&below))
					to = append(to, x)
					if p.bare && !nic {
						to2 = append(to2, x)
					}
				}
			}
			start = append(start, int32(len(to)))
			if p.bare {
				start2 = append(start2, int32(len(to2)))
			}
		}
	}
	p.start, p.to = start, to
	if p.bare {
		p.start2, p.to2 = start2, to2
	}
}
