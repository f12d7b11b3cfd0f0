package flit

import (
	"slices"

	"toposearch/simcore"
)

// changeStage begins the stage that is due, before the cycle.
func (s *Sim) changeStage() {
	f := s.failing
	before := f.stage
	f.stage++
	if f.next = never; f.stage+1 < len(f.plan) {
		f.next = simcore.Cycle(f.from[f.stage+1])
	}
	stage := &f.plan[f.stage]
	f.dead = f.ports[f.stage]
	for ip := range f.dead {
		if !f.ports[before][ip] && ip < s.nIn {
			s.cutPackets(ip)
		}
	}
	for i := range s.wheel {
		for _, e := range s.wheel[i].flits {
			if ip := int32(e>>32) >> s.vs; f.dead[ip] && !f.ports[before][ip] {
				s.mark(int32(uint32(e)>>2), simcore.LostOnLink)
			}
		}
	}
	for _, sw := range stage.Down.Switches {
		if !slices.Contains(f.plan[before].Down.Switches, sw) {
			s.eachFlitIn(func(at int32, flit uint32) {
				if at == int32(sw) {
					s.mark(int32(flit>>2), simcore.LostInSwitch)
				}
			})
		}
	}
	if stage.New {
		s.changeTables(stage)
	}
}

// cutPackets notes which VCs of an input hold, or have sent on, a part of a packet.
func (s *Sim) cutPackets(ip int32) {
	for v := range int32(s.vcs) {
		iv := ip<<s.vs | v
		st := &s.vc[iv]
		open := st.n == 0 && st.state != vcIdle
		if st.n > 0 {
			at := int32(st.head) + int32(st.n) - 1
			if at >= s.depth {
				at -= s.depth
			}
			open = *s.slot(iv, st, at)&tailBit == 0
		}
		if open && s.failing.mode[iv] == 0 {
			s.failing.mode[iv] = modeCut
		}
	}
}
