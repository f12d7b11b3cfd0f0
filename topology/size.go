package topology

// oneLane is the rate of links before a family says another.
var oneLane = func() (l [MaxClasses]int32) {
	for i := range l {
		l[i] = 1
	}
	return l
}()

// Reset clears the size for a new count of f, with one lane per link. The counts of switches are
// most of a Size and most classes are not in use: only those of f and of the family that the size
// was of are cleared, so whoever counts may fill no others. A size without a family is cleared
// in full.
func (s *Size) Reset(f *Family) {
	if f == nil || s.Family == nil {
		*s = Size{Family: f, Lanes: oneLane}
		return
	}
	for i := range max(len(f.SwitchClasses), len(s.Family.SwitchClasses)) {
		s.Switch[i] = SwitchCount{}
	}
	s.Link, s.Lanes = [MaxClasses]int64{}, oneLane
	s.Endpoints, s.EndpointPorts, s.EndpointLanes, s.Scaleup = 0, 0, 0, 0
	if s.bad.Rule != "" {
		s.bad = Infeasible{}
	}
	s.Family = f
}

// noFamily is that of a Size that nobody has counted: it has no classes.
var noFamily = &Family{}

func (s *Size) family() *Family {
	if s.Family == nil {
		return noFamily
	}
	return s.Family
}

// Switches is the number of switches that are not embedded.
func (s *Size) Switches() int64 {
	f, n := s.family(), int64(0)
	for i := range f.SwitchClasses {
		if !f.SwitchClasses[i].Embedded {
			n += s.Switch[i].Count
		}
	}
	return n
}

// EmbeddedSwitches is the number of embedded switches, server relays aside.
func (s *Size) EmbeddedSwitches() int64 {
	f, n := s.family(), int64(0)
	for i := range f.SwitchClasses {
		if c := &f.SwitchClasses[i]; c.Embedded && !c.Relay {
			n += s.Switch[i].Count
		}
	}
	return n
}

// Spares is the number of spare endpoints that the construction has, see SwitchClass.StandsIn.
func (s *Size) Spares() int64 {
	f, n := s.family(), int64(0)
	for i := range f.SwitchClasses {
		if f.SwitchClasses[i].StandsIn {
			n += s.Switch[i].Count
		}
	}
	return n
}

// AllSwitches is the number of switches of every kind: the switch IDs are [0, AllSwitches).
func (s *Size) AllSwitches() int64 {
	f, n := s.family(), int64(0)
	for i := range f.SwitchClasses {
		n += s.Switch[i].Count
	}
	return n
}

// EndpointLinks is the number of nic links.
func (s *Size) EndpointLinks() int64 {
	f, n := s.family(), int64(0)
	for i := range f.LinkClasses {
		if f.LinkClasses[i].Name == ClassNic {
			n += s.Link[i]
		}
	}
	return n
}

// SwitchLinks is the number of links between switches of either kind, nic, internal and scale-up
// links aside.
func (s *Size) SwitchLinks() int64 {
	f, n := s.family(), int64(0)
	for i := range f.LinkClasses {
		if f.counts(i) {
			n += s.Link[i]
		}
	}
	return n
}

// Radix is the number of ports in use on the fullest switch, at link rate, embedded ones aside.
func (s *Size) Radix() int {
	f, most := s.family(), int32(0)
	for i := range f.SwitchClasses {
		if f.SwitchClasses[i].Embedded || s.Switch[i].Count == 0 {
			continue
		}
		p := s.Switch[i].Most
		if p == 0 {
			for c := range f.LinkClasses {
				p += s.Switch[i].Ports[c]
			}
		}
		most = max(most, p)
	}
	return int(most)
}

// Fail records a broken rule in the size and returns it as an error without allocating. The
// error is overwritten by the next Fail on the same Size.
func (s *Size) Fail(param string, got int, rule string, bound int) error {
	s.bad = Infeasible{Param: param, Got: got, Rule: rule, Bound: bound, params: &s.family().Params}
	return &s.bad
}

// counts tells whether links of class i are switch_links.
func (f *Family) counts(i int) bool {
	switch f.LinkClasses[i].Name {
	case ClassNic, ClassInternal, ClassScaleup:
		return false
	}
	return true
}
