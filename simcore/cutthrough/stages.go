package cutthrough

import (
	"slices"

	"toposearch/simcore"
	"toposearch/topology"
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
	s.foreseeFaults()
	s.loseInSwitches(f.plan[before].Down.Switches, stage.Down.Switches)
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

// loseInSwitches loses what is in switches that have failed, in pipelines and in queues.
func (s *Sim) loseInSwitches(before, now []topology.SwitchID) {
	fails := func(sw int32) bool {
		return slices.Contains(now, topology.SwitchID(sw)) && !slices.Contains(before, topology.SwitchID(sw))
	}
	if !slices.ContainsFunc(now, func(sw topology.SwitchID) bool { return fails(int32(sw)) }) {
		return
	}
	s.loseArrivals(simcore.LostInSwitch, fails)
	for _, sw := range now {
		if fails(int32(sw)) {
			s.loseQueues(int32(sw), s.outStart[sw], s.outStart[sw+1], simcore.LostInSwitch)
		}
	}
}
