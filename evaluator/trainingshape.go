package evaluator

import (
	"toposearch/evaluator/bound"
	"toposearch/workload/placed"
)

// On what the loads of collectives are counted: a shape, or the network.

// shape is the design as a network whose loads are counted without building it, nil if it is none.
func (w *work) shape() placed.Shape {
	if w.e.opt.built || w.e.opt.Routing == RoutingMinimal {
		return nil
	}
	s := bound.ShapeOf(w.d.V, w.size, &w.rates.Link, w.rates.Bandwidth)
	if s == nil {
		s = w.groups()
	}
	if c := w.cubes(); s == nil && c != nil {
		s = c
	}
	if p := w.pods(); s == nil && p != nil {
		s = p
	}
	if s == nil || !w.e.scaled(w.d.Family) {
		return s
	}
	// In domains whose endpoints hang on one switch none is nearer to anywhere than another: what leaves them takes the family's own routes.
	if dom := w.e.opt.ScaleupDomain(); !placed.Whole(s, dom.Endpoints) || !dom.Fits(len(w.d.Family.LinkClasses), len(w.d.Family.SwitchClasses)) {
		return nil
	}
	return s
}

// groups is the design as groups of switches, nil if it is none.
func (w *work) groups() placed.Shape {
	f := w.d.Family
	if f.GroupLinks == nil || w.rates.Bandwidth <= 0 {
		return nil
	}
	if w.joined != nil {
		return w.joined
	}
	n, groups := int(w.size.Switch[0].Count), f.Place(w.d.V).Blocks
	g := &placed.Groups{Count: groups, Each: n / groups, PerSwitch: int(w.size.Endpoints) / n,
		Local: w.rates.Link[1] / w.rates.Bandwidth, Global: w.rates.Link[2] / w.rates.Bandwidth,
		Links: func(group int, emit func(from, to int)) { f.GroupLinks(w.d.V, group, emit) }}
	if w.size.Switch[1].Ports[2] > 0 { // not those of the first class
		g.Mids = int(w.size.Switch[1].Count) / groups
	}
	g.Turned = f.GroupLinks(w.d.V, 0, func(int, int) {})
	w.joined = g
	return g
}

// cubes is the design as a ZCube, nil if it is none.
func (w *work) cubes() *placed.Cubes {
	f := w.d.Family
	if f.Cube == nil || w.rates.Bandwidth <= 0 || w.e.scaled(f) {
		return nil
	}
	row, side, levels := f.Cube(w.d.V)
	if levels < 2 {
		return nil
	}
	c := placed.NewCubes(row, side, levels)
	for i := range c.Carry {
		c.Carry[i] = w.rates.Link[i] / w.rates.Bandwidth
	}
	return c
}

// pods is the design as a partial ZCube, nil if it is none.
func (w *work) pods() *placed.Pods {
	if !w.byMessage() {
		return nil
	}
	side := w.d.Family.Messages(w.d.V).Pods
	if side == 0 {
		return nil
	}
	return &placed.Pods{Channels: w.messages(), Side: side}
}

// counted is the shape on which loads are counted without the network: that of routes without detours.
func (w *work) counted() placed.Shape {
	s := w.shape()
	if w.around() || bound.OfRoutes(s) && w.divides() {
		return nil
	}
	if w.hashesJobs() {
		switch s.(type) {
		case placed.Tree, placed.Rails:
			if w.hashedTree(nil) == nil {
				return nil
			}
		default:
			return nil
		}
	}
	return s
}

// messages are the channels of a design that is no shape, where what its natural routes load is known message by message and nothing but these is taken; nil: otherwise.
func (w *work) messages() *placed.Channels {
	if !w.byMessage() {
		return nil
	}
	m := w.d.Family.Messages(w.d.V)
	c := &placed.Channels{Load: m.Load}
	for _, l := range m.Levels {
		c.Levels = append(c.Levels, placed.Bundles{Count: l.Bundles, Carry: float64(l.Each) * w.rates.Link[l.Class] / w.rates.Bandwidth})
	}
	return c
}

// byMessage tells whether there are some.
func (w *work) byMessage() bool {
	return w.d.Family.Messages != nil && !w.e.opt.built && w.lined() && w.rates.Bandwidth > 0 && !w.around() && !w.divides() && !w.hashesJobs()
}

// around tells whether every message between switches makes a detour by way of another, whose loads are known: in Valiant's routing, where
// endpoints have one port and share no scale-up domain.
func (w *work) around() bool {
	return w.routing().Always && !w.severalPorts() && !w.e.scaled(w.d.Family)
}

// divides tells whether what groups send may be divided over several paths: in the routing that the design takes packets may make detours, which endpoints
// with several ports, and those of scale-up domains, do not pass on.
func (w *work) divides() bool {
	return w.e.usesOwn() && w.routing().divides() && !w.severalPorts() && !w.e.scaled(w.d.Family)
}

// lined tells whether routes and endpoints are the family's own, so that a grid or a tree is one.
func (w *work) lined() bool { return w.e.opt.Routing != RoutingMinimal && !w.e.scaled(w.d.Family) }

// hashesJobs tells whether messages of the design keep to one of several paths.
func (w *work) hashesJobs() bool { return w.e.usesOwn() && w.routing().Single && !w.noChoice() }

// noChoice tells whether it is known in closed form that no flow of the natural routes has a choice.
func (w *work) noChoice() bool {
	f, spread := w.d.Family, [len(w.rates.Link)]float64{}
	if f.Spread == nil || w.e.scaled(f) && w.shape() == nil || !f.Spread(w.d.V, &spread) {
		return false
	}
	for c := range f.LinkClasses {
		if spread[c] > 0 && w.size.Link[c] > 0 {
			return false
		}
	}
	return true
}
