package flit

// SplitInto is Split however small the network is.
func (s *Sim) SplitInto(parts int) int { return s.split(parts) }
