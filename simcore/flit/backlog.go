package flit

import "toposearch/simcore"

// border is what has been offered since Reset, and what of it has not arrived, in flits: in the network, in the queues of
// sources, and what sources would have made had those queues had room. Of the latter only the time of the
// first packet of an endpoint is drawn; the rest counts as the load makes it on average.
func (s *Sim) border() simcore.Border {
	t := &s.stat
	size, due := s.cfg.MeanFlits(), 0.0
	rate := s.load * float64(s.rateNum) / float64(s.rateDen)
	for e := range s.srcOf {
		x := &s.srcOf[e]
		if at := s.created(int32(e), x); at < s.now {
			part, _ := x.sends()
			due += part * (size + float64(s.now-at)*rate)
		}
	}
	if t.attempts > t.silent { // some of it could not be sent
		due *= 1 - float64(t.unreachable)/float64(t.attempts-t.silent)
	}
	return simcore.Border{Offered: float64(t.made) + due, Backlog: float64(t.made-t.gone) + due}
}
