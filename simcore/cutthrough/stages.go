package cutthrough

import (
	"slices"

	"toposearch/simcore"
)

// changeStage begins the stage that is due, at the border of a window.
func (s *Sim) changeStage() {
	f := s.failing
	before := f.stage
	f.stage++
	if f.next = never; f.stage+1 < len(f.plan) {
		f.next = f.from[f.stage+1]
	}
	stage := &f.plan[f.stage]
	clear(f.down)
	for _, sw := range stage.Down.Switches {
		f.down[sw] = true
	}
	s.foreseeFaults()
	if !slices.Equal(f.plan[before].Down.Switches, stage.Down.Switches) {
		for sw, down := range f.down {
			if down {
				s.loseQueues(int32(sw), s.outStart[sw], s.outStart[sw+1], simcore.LostInSwitch)
			}
		}
	}
	for sw := range s.switches {
		for o := s.outStart[sw]; o < s.outStart[sw+1]; o++ {
			if s.out[o].fault&faultDown != 0 {
				s.loseQueues(int32(sw), o, o+1, simcore.LostAtPort)
			}
		}
	}
	for k := range s.nic {
		if s.nic[k].fault&faultDown != 0 {
			s.standAt(s.nic[k].sw).loseAtSource(&s.nic[k])
		}
	}
	if stage.New {
		s.changeTables(stage)
	}
}
