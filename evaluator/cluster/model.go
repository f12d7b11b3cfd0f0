package cluster

import (
	"fmt"

	"toposearch/catalog"
)

// Model answers for a cluster. It is safe for concurrent use.
type Model struct {
	opt       Options
	perServer int64
	currency  catalog.Currency
	minor     float64
	// The parts around the network; nil if the list has none, or several of which the study names none.
	accelerator, cpu, rack            *catalog.Part
	accelerators, cpus, racks         []string // the part numbers of those several
	acceleratorFails, cpuFails, frame Fails    // of one
}

// New prepares a model. minor is how many minor units the currency has. The error names a part that the list lacks.
func New(opt Options, list *catalog.Catalogue, currency catalog.Currency, minor float64, perServer int) (*Model, error) {
	if opt.CPUsPerServer == 0 {
		opt.CPUsPerServer = DefaultCPUs
	}
	opt.CPUsPerServer = max(opt.CPUsPerServer, 0)
	m := &Model{opt: opt, perServer: int64(max(perServer, 1)), currency: currency, minor: minor}
	for _, p := range []struct {
		kind, name string
		to         **catalog.Part
		several    *[]string
	}{
		{catalog.KindAccelerator, opt.Accelerator, &m.accelerator, &m.accelerators}, {catalog.KindCPU, opt.CPU, &m.cpu, &m.cpus},
		{catalog.KindRack, opt.Rack, &m.rack, &m.racks},
	} {
		var err error
		if *p.to, *p.several, err = Choose(list, p.kind, p.name); err != nil {
			return nil, err
		}
	}
	m.acceleratorFails = m.ofKind(catalog.KindAccelerator, "", m.accelerator)
	m.cpuFails = m.ofKind(catalog.KindCPU, "", m.cpu)
	m.frame = m.ofKind(catalog.KindRack, "", m.rack)
	return m, nil
}

// Choose is the part of a kind that is meant: the one named, or the only one that may be bought. If several may be bought
// and none is named, there is none, and several are their numbers. The error is a name that is not on the list.
func Choose(list *catalog.Catalogue, kind, name string) (part *catalog.Part, several []string, err error) {
	for i := range list.Parts {
		p := &list.Parts[i]
		switch {
		case p.Kind != kind:
		case p.PartNo == name:
			return p, nil, nil
		case p.Approved:
			part, several = p, append(several, p.PartNo)
		}
	}
	switch {
	case name != "":
		return nil, nil, fmt.Errorf("there is no %s %q in catalogue %s", kind, name, list.Name)
	case len(several) > 1:
		return nil, several, nil
	}
	return part, nil, nil
}

// Servers is how many servers hold n endpoints.
func (m *Model) Servers(n int64) int64 { return (n + m.perServer - 1) / m.perServer }

// WithSpares is the model of a cluster of which group endpoints share spares spare ones, whatever the options say; none where
// either is 0.
func (m *Model) WithSpares(group, spares int64) *Model {
	with := *m
	with.opt.Group, with.opt.Spares = int(group), int(spares)
	return &with
}

// Spares is how many endpoints share how many spare ones; 0, 0: there are none.
func (m *Model) Spares() (group, spares int) {
	if m.opt.Group <= 0 || m.opt.Spares <= 0 {
		return 0, 0
	}
	return m.opt.Group, m.opt.Spares
}

// groups is how many groups share spares, and how many endpoints the last of them has.
func (m *Model) groups(n int64) (whole, rest int64) {
	group, _ := m.Spares()
	if group == 0 {
		return 0, 0
	}
	return n / int64(group), n % int64(group)
}

// SparesOf is how many spare endpoints n have.
func (m *Model) SparesOf(n int64) int64 {
	whole, rest := m.groups(n)
	if rest > 0 {
		whole++
	}
	return whole * int64(m.opt.Spares)
}

// Part is one of a part.
func (m *Model) Part(p *catalog.Part) Fails { return m.ofKind(p.Kind, p.Medium, p) }

// Usual is one of a kind of which the list has no part.
func (m *Model) Usual(kind string) Fails { return m.ofKind(kind, "", nil) }

// ofKind is one of a kind, of the part p unless it is nil: as the list says, the study, or what is usual.
func (m *Model) ofKind(kind, medium string, p *catalog.Part) Fails {
	rate, ok := 0.0, false
	if p != nil && p.HasAFR {
		rate, ok = p.AFR, true
	} else if rate, ok = m.opt.AFR[kind]; !ok {
		rate = catalog.UsualFailures(kind, medium)
	}
	repair, ok := m.opt.RepairH[kind]
	if !ok {
		if repair, ok = m.opt.RepairH[""]; !ok {
			repair = DefaultRepairH
		}
	}
	return Failing(rate, repair)
}

// Link is one link of a cabling: its cable, or its two modules and the fibre.
func (m *Model) Link(c *catalog.Cabling) (f Fails) {
	for i := range c.Items {
		if it := &c.Items[i]; it.Part != nil {
			x := m.Part(it.Part)
			f.Plus(float64(it.Num)/float64(it.Den), &x)
		}
	}
	return f
}
