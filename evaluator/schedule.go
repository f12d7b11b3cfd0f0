package evaluator

import (
	"toposearch/evaluator/floor"
	"toposearch/topology"
)

// Schedule lays a design out on the floor. The error wraps floor.ErrNoPlan if it cannot be laid out, and
// topology.ErrInfeasible if there is no such network.
func (e *Evaluator) Schedule(d topology.Design) (*floor.Schedule, error) {
	e = e.of(d)
	return floor.NewSchedule(e.market, &e.opt.Site, e.opt.PerServer, d)
}

// EachCable streams the cable schedule of a design (floor.Schedule), sockets included; f returns false to stop. Errors are
// those of Schedule.
func (e *Evaluator) EachCable(d topology.Design, f func(floor.Cable) bool) error {
	s, err := e.Schedule(d)
	if err != nil {
		return err
	}
	return s.EachCable(true, f)
}

// EachRack streams the racks of a design that hold something, by number. Errors are those of Schedule.
func (e *Evaluator) EachRack(d topology.Design, f func(floor.Rack) bool) error {
	s, err := e.Schedule(d)
	if err != nil {
		return err
	}
	s.EachRack(f)
	return nil
}
