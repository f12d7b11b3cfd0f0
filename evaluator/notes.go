package evaluator

import (
	"fmt"
	"slices"
	"strings"

	"toposearch/catalog"
	"toposearch/evaluator/floor"
	"toposearch/evaluator/market"
	"toposearch/internal/unit"
	"toposearch/topology"
)

// note writes the remarks that belong beside the figures.
func (w *work) note() {
	r := w.res
	add := func(format string, args ...any) { r.Notes = append(r.Notes, fmt.Sprintf(format, args...)) }
	if w.rates.Surplus > 1e-9 {
		add("ports are sold in steps: endpoints have %g Gb/s, %.3g %% more than asked", w.rates.Ports, 100*w.rates.Surplus)
	}
	w.noteDomain(add)
	w.noteDetour(add)
	p := r.Plan
	if p == nil {
		notePrices(w.maybe, add)
		return
	}
	w.noteMedia(add)
	w.noteSplits(add)
	for i, class := range w.d.Family.SwitchClasses {
		if per := w.boxes.Sharing[i].InOne(); per > 1 {
			add("switches of class %s share boxes, up to %d in one of %d ports: %s for %d of them", class.Name, per,
				w.boxes.Switches[i].Part.Ports, unit.Count(w.boxes.Boxes(w.size, i), "box", "boxes"), w.size.Switch[i].Count)
		}
	}
	if n := p.Floor.Buildings; n > 1 {
		add("spread over %d buildings, as many as the site allows: with buildings = { max = 1 } its cables are shorter", n)
	}
	if p.Floor.Note != "" {
		add("%s", p.Floor.Note)
	}
	if limit := w.e.opt.Site.RackPowerW; limit > 0 && w.moduleW > 0 {
		add("racks keep %.4g kW by their servers and switches; modules of links, %.4g kW in the whole network, come on top", limit/1000, w.moduleW/1000)
	}
	if p.Floor.Split != "" {
		add("%s", p.Floor.Split)
	}
	for i := range w.shared {
		switch x := &w.shared[i]; {
		case x.Part.Kind == catalog.KindTransceiver:
		case x.Part.Splitter():
			add("%s splits into %d links from one cage: %d of it", x.Part.PartNo, x.Part.Ports, x.Units)
			if x.Part.Kind == catalog.KindCable && x.Part.PowerW > 0 && x.Part.PowerSplitW == 0 {
				add("the price list does not say what the split ends of %s draw (power_split_w): %.3g W each, together as much as the end in the cage", x.Part.PartNo, x.Part.PowerW/float64(x.Part.Ports))
			}
		default:
			add("%s joins up to %d links of the same two boxes: %d of it for %d links", x.Part.PartNo, x.Part.Ports, x.Units, x.Links)
		}
	}
	w.noteSingle(add)
	w.noteCages(add)
	w.noteForms(add)
	parts := make([]*catalog.Part, len(p.BOM))
	for i := range p.BOM {
		parts[i] = p.BOM[i].Part
	}
	notePrices(parts, add)
}

// noteSingle says where cables for several links are not bought since they cannot be plugged.
func (w *work) noteSingle(add func(string, ...any)) {
	var said []string
	for i := range w.runs {
		if name := w.d.Family.LinkClasses[w.runs[i].Class].Name; w.runs[i].Single && !slices.Contains(said, name) {
			said = append(said, name)
			add("of class %s links have cables and modules for single links where those for several, which cost less, fill more physical ports of a switch than it has", name)
		}
	}
}

// notePrices says how old the prices of parts are, and which were not quoted.
func notePrices(parts []*catalog.Part, add func(string, ...any)) {
	var derived, old, dates []string
	for _, part := range parts {
		if part.Derived {
			derived = append(derived, part.PartNo)
		}
		if part.EndOfLife != "" {
			old = append(old, part.PartNo+" (on "+part.EndOfLife+")")
		}
		if d := part.ValidFrom; d != "" && !slices.Contains(dates, d) {
			dates = append(dates, d)
		}
	}
	if len(derived) > 0 {
		add("prices continued along a law, not quoted: %s", strings.Join(derived, ", "))
	}
	if len(old) > 0 {
		add("parts with an end of life: %s", strings.Join(old, ", "))
	}
	slices.Sort(dates)
	switch len(dates) {
	case 0:
	case 1:
		add("prices as of %s", dates[0])
	default:
		add("prices from %s to %s", dates[0], dates[len(dates)-1])
	}
}

// noteSplits says where two cables would end in one cage: what links the ports serves fewer of them than the switch
// makes of a physical port. Which splitter joins them is the maker's business; a list that has it (a cable or module for
// several ports) is taken at its word.
func (w *work) noteSplits(add func(string, ...any)) {
	p := w.res.Plan
	var buf [topology.MaxClasses]catalog.PortNeed
	var said []string
	for i := range w.size.Family.SwitchClasses {
		at := slices.IndexFunc(p.Switches, func(b SwitchBuy) bool { return b.Class == w.size.Family.SwitchClasses[i].Name })
		if at < 0 || p.Switches[at].Part == nil {
			continue
		}
		part := p.Switches[at].Part
		for _, need := range w.rates.Needs(w.size, i, &buf) {
			each := floor.SplitOf(part, need.Gbps)
			if each == 1 || need.Count < 2 || !p.lacks(w.d.Family, &w.size.Switch[i], need.Gbps, int(each)) {
				continue
			}
			text := fmt.Sprintf("physical ports of %s are split into %d of %d Gb/s, and what links them serves fewer: order what joins them in a cage (splitter cables, modules for several ports) with the maker", part.PartNo, each, need.Gbps)
			if !slices.Contains(said, text) {
				said = append(said, text)
				add("%s", text)
			}
		}
	}
}

// noteCages says where a part that serves several links from one cage is bought for switches whose ports are listed one by one: that two of them share a cage is taken from the
// part alone.
func (w *work) noteCages(add func(string, ...any)) {
	for i := range w.shared {
		part := w.shared[i].Part
		if part.Kind == catalog.KindFibre {
			continue // its modules are what stands in cages
		}
		for k := range w.res.Plan.Switches {
			if sw := w.res.Plan.Switches[k].Part; sw != nil && sw.RateGbps < part.RateGbps {
				add("%s fills a cage of %d Gb/s, and the price list has %s with ports of %d Gb/s: ask the maker whether these share cages", part.PartNo, part.RateGbps, sw.PartNo, sw.RateGbps)
				break
			}
		}
	}
}

// noteForms says where a cable or module is of another form than the cage that it goes into: parts are chosen by rate, reach and price. Where a port is split,
// or a part serves several, one end is of another form as a rule, and the notes on these say what to ask.
func (w *work) noteForms(add func(string, ...any)) {
	f, p := w.d.Family, w.res.Plan
	var said []string
	for i := range p.Classes {
		c := &p.Classes[i]
		class := slices.IndexFunc(f.LinkClasses, func(l topology.LinkClass) bool { return l.Name == c.Link })
		var boxes []*catalog.Part
		for k := range p.Switches {
			if at := slices.IndexFunc(f.SwitchClasses, func(s topology.SwitchClass) bool { return s.Name == p.Switches[k].Class }); at >= 0 && class >= 0 && w.size.Switch[at].Ports[class] > 0 {
				boxes = append(boxes, p.Switches[k].Part)
			}
		}
		if c.Link == topology.ClassNic && w.boxes.NIC != nil {
			boxes = append(boxes, w.boxes.NIC)
		}
		for _, it := range c.Parts.Items {
			if it.Part == nil || it.Part.Kind != catalog.KindCable && it.Part.Kind != catalog.KindTransceiver || it.Part.Ports > 1 {
				continue
			}
			for _, box := range boxes {
				text := fmt.Sprintf("parts are chosen by rate, reach and price, whatever their form: %s is %s, and the cages of %s are %s; ask the maker for what fits", it.Part.PartNo, it.Part.FormFactor, box.PartNo, box.FormFactor)
				if floor.SplitOf(box, c.Gbps) == 1 && !catalog.Plugs(box.FormFactor, it.Part.FormFactor) && !slices.Contains(said, text) {
					said = append(said, text)
					add("%s", text)
				}
			}
		}
	}
}

// lacks tells whether links of a rate at switches of a class have cables and modules that serve fewer ports from one cage than it is split into.
func (p *Plan) lacks(f *topology.Family, at *topology.SwitchCount, gbps, each int) bool {
	return slices.ContainsFunc(p.Classes, func(c CableClass) bool {
		class := slices.IndexFunc(f.LinkClasses, func(l topology.LinkClass) bool { return l.Name == c.Link })
		return c.Gbps == gbps && class >= 0 && at.Ports[class] > 0 && !slices.ContainsFunc(c.Parts.Items[:], func(it catalog.Item) bool { return it.Part != nil && it.Part.Ports >= each })
	})
}

// noteMedia says what comes with the endpoints and is not counted.
func (w *work) noteMedia(add func(string, ...any)) {
	var buys [market.MostMedia]market.Medium
	circuits := false
	for i := range w.e.market.MediaOf(w.size, &w.rates, &buys) {
		b := &buys[i]
		if b.Of.Medium == catalog.MediumOCS {
			circuits = true
			if b.Part == nil {
				groups, _, _ := b.Circuits()
				add("the price list has no optical circuit switch: the floor plan takes one for each group of %s links, %d in all", b.Class, groups)
			}
		} else if b.Part == nil {
			add("%d links of class %s are traces (%s) that come with their boards: not counted, the price list has no trace of that medium",
				b.Count, b.Class, b.Of.Medium)
		}
	}
	if circuits {
		add("a link over an optical circuit switch is two single-mode fibres with a module at either end of the link; the circuit switches stand in central racks")
	}
}

// noteDomain says what of a scale-up domain is in the figures, and what is not.
func (w *work) noteDomain(add func(string, ...any)) {
	o := &w.e.opt
	if !o.Scaled(w.d.Family) {
		return
	}
	d := o.ScaleupDomain()
	domains := w.size.Endpoints / int64(d.Endpoints)
	switches, links := d.Count()
	first, second := d.LinkGbps(o.ScaleupGbps)
	text := fmt.Sprintf("%s of %d endpoints", unit.Count(domains, "scale-up domain", "scale-up domains"), d.Endpoints)
	if w.d.Family.HasScaleup() {
		text += " in place of the meshes of the family"
	}
	switch d.Levels {
	case 0:
		text += fmt.Sprintf(", each a full mesh of %s of %.4g Gb/s", unit.Count(links, "link", "links"), first)
	case 1:
		text += fmt.Sprintf(", each with %s and %d links of %.4g Gb/s", unit.Count(switches, "switch", "switches"), links, first)
	default:
		text += fmt.Sprintf(", each with %d switches in two levels and %d links, of %.4g Gb/s from endpoints and %.4g between levels", switches, links, first, second)
	}
	if !o.CountScaleup {
		add("%s; they come with the endpoints: neither their links and switches nor their price and power are counted", text)
		return
	}
	if p := w.boxes.ScaleupModel; p != nil {
		text += fmt.Sprintf(", in all %d of %s", w.boxes.ScaleupSwitches, p.PartNo)
	}
	if w.floor != nil {
		text += fmt.Sprintf("; on the floor their cables are at most %.3g m long", w.floor.ScaleupM(w.e.market))
	}
	text += "; they are part of cost and power and of no count of switches, links and cables"
	if d.Levels > 0 {
		text += "; their switches stand in the racks of the endpoints, beside as many servers as the site allows"
	}
	add("%s", text)
}
