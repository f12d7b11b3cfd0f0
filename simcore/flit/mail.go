package flit

import (
	"cmp"
	"fmt"
	"math/bits"

	"toposearch/simcore"
)

// tell sends a note.
func (s *Sim) tell(n simcore.Note, after simcore.Cycle) {
	if after < 1 {
		panic(fmt.Sprintf("simcore: routing %s tells switch %d something %d cycles ahead", s.routingName, n.To, after))
	}
	if s.partOf != nil && s.partOf[n.To] != s.me {
		b := s.post(s.partOf[n.To])
		b.notes = append(b.notes, farNote{s.now + after, n})
		return
	}
	s.fileNote(s.now+after, n)
}

// fileNote keeps a note until the cycle in which it arrives.
func (s *Sim) fileNote(at simcore.Cycle, n simcore.Note) {
	if at < s.now {
		panic(fmt.Sprintf("simcore: routing %s tells switch %d something sooner than flits travel", s.routingName, n.To))
	}
	if int(at-s.now) >= len(s.mail) {
		s.growMail(int(at - s.now))
	}
	box := &s.mail[int(at)&(len(s.mail)-1)]
	*box = append(*box, n)
}

// growMail makes room for notes that take a number of cycles.
func (s *Sim) growMail(after int) {
	old := s.mail
	s.mail = make([][]simcore.Note, 1<<bits.Len(uint(after)))
	for k := range old { // those of the cycles from now on
		at := int(s.now) + k
		s.mail[at&(len(s.mail)-1)] = old[at&(len(old)-1)]
	}
}

// compareNotes orders notes by all that they say, since in which order they were filed depends on the parts.
func compareNotes(a, b simcore.Note) int {
	if a.To != b.To {
		return cmp.Compare(a.To, b.To)
	}
	return cmp.Or(cmp.Compare(a.Channel, b.Channel), cmp.Compare(a.Row, b.Row), cmp.Compare(a.Value, b.Value))
}
