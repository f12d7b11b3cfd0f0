package catalog

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"toposearch/diag"
	"toposearch/internal/unit"
)

// kinds gives the kind for what people write in the column.
var kinds = map[string]string{
	"switch": KindSwitch, "switches": KindSwitch, "ethernet switch": KindSwitch, "infiniband switch": KindSwitch,
	"nic": KindNIC, "nics": KindNIC, "adapter": KindNIC, "adapters": KindNIC, "network adapter": KindNIC, "hca": KindNIC, "network card": KindNIC,
	"cable": KindCable, "cables": KindCable, "dac cable": KindCable, "aoc cable": KindCable, "dac": KindCable, "aoc": KindCable, "acc": KindCable, "aec": KindCable, "copper cable": KindCable,
	"transceiver": KindTransceiver, "transceivers": KindTransceiver, "optic": KindTransceiver, "optics": KindTransceiver, "module": KindTransceiver, "modules": KindTransceiver, "optical transceiver": KindTransceiver, "optical module": KindTransceiver, "xcvr": KindTransceiver,
	"fibre": KindFibre, "fiber": KindFibre, "fibres": KindFibre, "fibers": KindFibre, "fibre cable": KindFibre, "fiber cable": KindFibre, "patch cable": KindFibre, "patch cord": KindFibre, "fibre patch cord": KindFibre, "fiber patch cord": KindFibre,
	"rack": KindRack, "racks": KindRack, "cabinet": KindRack,
	"trace": KindTrace, "traces": KindTrace, "pcb trace": KindTrace, "backplane": KindTrace,
	"ocs": KindOCS, "circuit switch": KindOCS, "optical circuit switch": KindOCS,
}

// media are NetBox's cable types that can stand in a data hall (netbox v4.6.8, dcim/choices.py), and
// those of traces.
var media = []string{"cat3", "cat5", "cat5e", "cat6", "cat6a", "cat7", "cat7a", "cat8", "dac-active", "dac-passive", "mrj21-trunk", "coaxial",
	"mmf", "mmf-om1", "mmf-om2", "mmf-om3", "mmf-om4", "mmf-om5", "smf", "smf-os1", "smf-os2", "aoc", MediumPCB, MediumBackplane}

// Media lists the media that a catalogue may name.
func Media() []string { return slices.Clone(media) }

// mediumAliases are other words for them.
var mediumAliases = map[string]string{"dac": "dac-passive", "passive copper": "dac-passive", "copper": "dac-passive", "passive": "dac-passive",
	"acc": "dac-active", "aec": "dac-active", "active copper": "dac-active", "om3": "mmf-om3", "om4": "mmf-om4", "om5": "mmf-om5",
	"multimode": "mmf", "multi-mode": "mmf", "mm": "mmf", "os1": "smf-os1", "os2": "smf-os2", "singlemode": "smf", "single-mode": "smf", "sm": "smf",
	"active optical": "aoc", "board": MediumPCB, "midplane": MediumBackplane}

func quote(s string) string { return strconv.Quote(s) }

// text is the trimmed cell of a column, "" if the row is shorter or the column missing.
func (rd *reader) text(r *row, c column) string {
	if j := rd.at[c]; j >= 0 && j < len(r.cells) {
		return strings.TrimSpace(r.cells[j].text)
	}
	return ""
}

// part reads a row; false if it has an error.
func (rd *reader) part(r *row) (Part, bool) {
	rd.bad = false
	rd.faults(r)
	p := Part{PartNo: rd.text(r, colPartNo), Vendor: rd.text(r, colVendor), Description: rd.text(r, colDescription),
		FormFactor: rd.text(r, colFormFactor), Source: rd.text(r, colSource), Note: rd.text(r, colNote)}
	p.Pos = rd.pos(r, rd.at[colPartNo])
	if j := rd.at[colPartNo]; p.PartNo == "" {
		rd.fail(r, j, "the part number is missing", "")
	} else if r.cells[j].number {
		rd.warn(r, j, fmt.Sprintf("part number %s is a number cell: leading zeros and digits past the 15th are already lost", p.PartNo), "format the column as text and enter it again")
	}
	rd.kindAndMedium(r, &p)
	rd.measures(r, &p)
	rd.price(r, &p)
	rd.supply(r, &p)
	if !rd.bad {
		rd.complete(r, &p)
	}
	return p, !rd.bad
}

// faults reports what a spreadsheet says is wrong with the cells of the columns that are read.
func (rd *reader) faults(r *row) {
	for c, j := range rd.at {
		if j < 0 || j >= len(r.cells) || r.cells[j].fault == nil {
			continue
		}
		cell := &r.cells[j]
		sev := cell.fault.severity
		if sev == diag.Error {
			cell.text = "" // reported; not once more as a value that cannot be read
			if remark(column(c)) {
				sev = diag.Warning
			} else {
				rd.bad = true
			}
		}
		rd.report(sev, r, j, cell.fault.summary, cell.fault.detail)
	}
	for _, c := range []column{colPartNo, colPrice, colBreaks, colStock} {
		if j := rd.at[c]; j >= 0 && j < len(r.cells) && r.cells[j].merged {
			rd.fail(r, j, "the cell of "+c.name()+" is merged over several rows", "give each part a cell of its own")
		}
	}
}

// remark tells whether nothing is computed from a column.
func remark(c column) bool {
	return slices.Contains([]column{colVendor, colDescription, colFormFactor, colSource, colNote}, c)
}

func (rd *reader) kindAndMedium(r *row, p *Part) {
	k := strings.ToLower(rd.text(r, colKind))
	p.Kind = kinds[k]
	if k == "" && rd.at[colKind] < 0 {
		p.Kind = rd.t.kind // none: reported at the head
	} else if p.Kind == "" {
		names := []string{KindSwitch, KindNIC, KindCable, KindTransceiver, KindFibre, KindRack, KindTrace, KindOCS}
		if k == "" {
			rd.fail(r, rd.at[colKind], "the kind is missing", "one of "+strings.Join(names, ", "))
		} else {
			rd.fail(r, rd.at[colKind], "there is no kind "+quote(k), diag.Suggest(k, names))
		}
	}
	m := strings.ToLower(rd.text(r, colMedium))
	if a, ok := mediumAliases[m]; ok {
		m = a
	}
	if m == "" && k == "backplane" {
		m = MediumBackplane
	}
	if m == "" && p.Kind == KindCable {
		m = mediumAliases[k] // a row of kind DAC or AEC says what it is
		if k == "aoc" {
			m = "aoc"
		}
	}
	if m != "" && !slices.Contains(media, m) {
		rd.fail(r, rd.at[colMedium], "there is no medium "+quote(m), cmp.Or(diag.Suggest(m, media), "media are named as in NetBox: dac-passive, dac-active, aoc, mmf-om4, smf-os2, ..."))
	}
	p.Medium = m
}

// quantity reads a number with or without a unit; a bare number is in the unit of the column, or
// in that which the head names.
func (rd *reader) quantity(r *row, c column, k unit.Kind, base string) float64 {
	s := rd.text(r, c)
	if s == "" {
		return 0
	}
	j := rd.at[c]
	t, err := rd.plain(&r.cells[j])
	if err != nil {
		rd.fail(r, j, c.name()+": "+err.Error(), "write it without thousands separators, or state the decimal mark: decimal = \",\" beside files in the catalog of the study")
		return 0
	}
	if num := numberPart(t); num == t {
		t += " " + rd.unitOf(c, base)
	} else if c == colRate {
		t = rateText(t)
	}
	x, err := k.Parse(t)
	if err != nil {
		rd.fail(r, j, c.name()+": "+err.Error(), "")
		return 0
	}
	return x
}

// unitOf is the unit of bare numbers in a column.
func (rd *reader) unitOf(c column, base string) string {
	switch rd.hint[c] {
	case "kw":
		return "kW"
	case "km", "cm", "ft":
		return rd.hint[c]
	case "mb":
		return "MB"
	case "tbps":
		return "Tb/s"
	case "us":
		return "us"
	case "weeks", "days", "months":
		return rd.hint[c]
	}
	return base
}

// rateText reads "400G", "400GbE" and "0.8T" as the port rates they are.
func rateText(s string) string {
	num := numberPart(s)
	switch strings.ToLower(strings.TrimSpace(strings.TrimPrefix(s, num))) {
	case "g", "gbe", "gb", "ge", "gbit", "gig":
		return num + " Gb/s"
	case "t", "tbe", "tb":
		return num + " Tb/s"
	}
	return s
}

// plain is the cell as a number with a point; cells of spreadsheets already are.
func (rd *reader) plain(c *cell) (string, error) {
	if c.number {
		return strings.TrimSpace(c.text), nil
	}
	return plainNumber(c.text, rd.mark, rd.t.comma != ';')
}

// whole reads an integer of at least 0; a missing cell is def.
func (rd *reader) whole(r *row, c column, def int) int {
	s := rd.text(r, c)
	if s == "" {
		return def
	}
	t, err := rd.plain(&r.cells[rd.at[c]])
	if err == nil {
		var n int64
		if n, err = unit.Decimal(t, 0); err == nil && (n < 0 || n > 1<<30) {
			err = fmt.Errorf("%q is out of range", s)
		}
		if err == nil {
			return int(n)
		}
	}
	rd.fail(r, rd.at[c], fmt.Sprintf("%s must be a whole number, not %s", c.name(), quote(s)), "")
	return def
}

func (rd *reader) measures(r *row, p *Part) {
	gbps := rd.quantity(r, colRate, unit.KindBandwidth, "Gb/s")
	p.RateGbps = int(gbps)
	if gbps > 1e6 || float64(p.RateGbps) != gbps {
		rd.fail(r, rd.at[colRate], fmt.Sprintf("rate_gbps must be a whole number of Gb/s, not %s", quote(rd.text(r, colRate))), "")
	}
	p.Lanes = rd.whole(r, colLanes, 0)
	p.Ports = rd.whole(r, colPorts, 0)
	p.LengthM = rd.quantity(r, colLength, unit.KindLength, "m")
	p.ReachM = rd.quantity(r, colReach, unit.KindLength, "m")
	p.PowerW = rd.quantity(r, colPower, unit.KindPower, "W")
	p.PowerTypW = rd.quantity(r, colPowerTyp, unit.KindPower, "W")
	p.LatencyNs = rd.quantity(r, colLatency, unit.KindLatency, "ns")
	p.BufferBytes = int64(rd.quantity(r, colBuffer, unit.KindBytes, "B"))
	if s := strings.TrimSuffix(strings.ToLower(rd.text(r, colWeight)), "kg"); s != "" {
		p.WeightKg = rd.fraction(r, colWeight, strings.TrimSpace(s))
	}
	if s := rd.text(r, colAFR); s != "" {
		if pct, ok := strings.CutSuffix(s, "%"); ok {
			p.AFR = rd.fraction(r, colAFR, strings.TrimSpace(pct)) / 100
		} else {
			p.AFR = rd.fraction(r, colAFR, s)
		}
		if p.AFR > 1 {
			rd.fail(r, rd.at[colAFR], "an annual failure rate above 1", `write 0.02 or "2%"`)
		}
	}
	rd.breakouts(r, p)
}

// fraction reads a bare non-negative number.
func (rd *reader) fraction(r *row, c column, s string) float64 {
	x := r.cells[rd.at[c]]
	x.text = s
	t, err := rd.plain(&x)
	if err == nil {
		var f float64
		if f, err = strconv.ParseFloat(t, 64); err == nil && f >= 0 && f < 1e12 {
			return f
		}
	}
	rd.fail(r, rd.at[c], fmt.Sprintf("%s must be a number, not %s", c.name(), quote(s)), "")
	return 0
}

// breakouts reads "64x400;128x200": ports and their rate, all physical ports in that mode.
func (rd *reader) breakouts(r *row, p *Part) {
	s := rd.text(r, colBreakouts)
	j := rd.at[colBreakouts]
	switch {
	case s == "":
		return
	case p.Kind == KindCable || p.Kind == KindFibre:
		rd.splitter(r, p, s)
		return
	case p.Kind != KindSwitch && p.Kind != KindNIC:
		rd.warn(r, j, "breakouts of a "+p.Kind+" are ignored", "")
		return
	}
	for _, f := range strings.FieldsFunc(s, func(c rune) bool { return c == ';' || c == '|' || c == ',' || c == '/' }) {
		n, g, ok := strings.Cut(strings.ToLower(strings.TrimSpace(f)), "x")
		count, err1 := strconv.Atoi(strings.TrimSpace(n))
		gbps, err2 := strconv.Atoi(strings.TrimSpace(strings.TrimRight(g, "gbe ")))
		switch {
		case !ok || err1 != nil || err2 != nil || count <= 0 || gbps <= 0 || count > 1<<20 || gbps > 1e6:
			rd.fail(r, j, "breakouts: "+quote(f)+" is not ports x rate", "write all modes of all ports: 64x400;128x200;256x100")
		case p.Ports > 0 && count%p.Ports != 0:
			rd.fail(r, j, fmt.Sprintf("breakouts: %d ports of %d Gb/s are not a multiple of the %d physical ports", count, gbps, p.Ports), "count the ports of the whole switch in that mode")
		case p.RateGbps > 0 && p.Ports > 0 && count*gbps > p.Ports*p.RateGbps:
			rd.fail(r, j, fmt.Sprintf("breakouts: %d ports of %d Gb/s are more than the %d of %d Gb/s", count, gbps, p.Ports, p.RateGbps), "")
		default:
			p.Breakouts = append(p.Breakouts, Breakout{count, gbps})
		}
	}
}

// splitter reads the breakouts of a cable or fibre: "2x400", the links at its split end.
func (rd *reader) splitter(r *row, p *Part, s string) {
	n, g, ok := strings.Cut(strings.ToLower(s), "x")
	count, err1 := strconv.Atoi(strings.TrimSpace(n))
	gbps, err2 := strconv.Atoi(strings.TrimSpace(strings.TrimRight(g, "gbe ")))
	switch {
	case !ok || err1 != nil || err2 != nil || count <= 1 || gbps <= 0 || count > 64 || gbps > 1e6:
		rd.fail(r, rd.at[colBreakouts], "breakouts: "+quote(s)+" is not links x rate", "write what one cage is split into: 2x400")
	case p.Ports > 0 && p.Ports != count:
		rd.fail(r, rd.at[colBreakouts], fmt.Sprintf("breakouts: %d links, but ports says %d", count, p.Ports), "ports counts the links that one serves")
	case p.RateGbps > 0 && p.RateGbps != count*gbps:
		rd.fail(r, rd.at[colBreakouts], fmt.Sprintf("breakouts: %d links of %d Gb/s are not %d Gb/s", count, gbps, p.RateGbps), "rate_gbps is that of the whole cage")
	default:
		p.Ports, p.Breakouts = count, []Breakout{{count, gbps}}
		if p.RateGbps == 0 && p.Kind == KindCable {
			p.RateGbps = count * gbps
		}
	}
}

// complete checks what a kind needs and fills in what it implies.
func (rd *reader) complete(r *row, p *Part) {
	need := func(ok bool, c column) {
		if !ok {
			rd.fail(r, rd.at[c], fmt.Sprintf("a %s needs %s", p.Kind, c.name()), "")
		}
	}
	switch p.Kind {
	case KindSwitch:
		need(p.RateGbps > 0, colRate)
		need(p.Ports > 0, colPorts)
		if len(p.Breakouts) == 0 && p.Ports > 0 {
			p.Breakouts = []Breakout{{p.Ports, p.RateGbps}}
		}
		if w := p.PowerW; w > 0 && w < 0.2*float64(p.Ports) {
			rd.warn(r, rd.at[colPower], fmt.Sprintf("%d ports on %s: is that in kW?", p.Ports, unit.Power{W: w}), "write the unit in the cell or in the head")
		}
	case KindNIC:
		need(p.RateGbps > 0, colRate)
		p.Ports = max(p.Ports, 1)
	case KindCable:
		need(p.RateGbps > 0, colRate)
		need(p.LengthM > 0, colLength)
		need(p.Medium != "", colMedium)
		p.Ports = max(p.Ports, 1)
	case KindTransceiver:
		need(p.RateGbps > 0, colRate)
		need(p.ReachM > 0, colReach)
		need(p.Medium != "", colMedium)
		p.Ports = max(p.Ports, 1)
	case KindTrace:
		need(p.RateGbps > 0, colRate)
		need(p.Medium == MediumPCB || p.Medium == MediumBackplane, colMedium)
		p.Ports = max(p.Ports, 1)
	case KindOCS:
		need(p.Ports >= 2, colPorts)
	case KindFibre:
		need(p.LengthM > 0, colLength)
		need(p.Medium != "", colMedium)
		p.Ports = max(p.Ports, 1)
	}
	if p.Ports > 1 && p.RateGbps%p.Ports != 0 && (p.Kind == KindCable || p.Kind == KindTransceiver) {
		rd.fail(r, rd.at[colPorts], fmt.Sprintf("%d Gb/s do not divide among %d ports", p.RateGbps, p.Ports), "rate_gbps is that of the whole cage: 800 for a twin-port 2 x 400G")
	}
	if (p.Kind == KindCable || p.Kind == KindFibre) && p.ReachM > 0 && p.ReachM < p.LengthM {
		rd.warn(r, rd.at[colReach], fmt.Sprintf("it reaches %g m and is %g m long: it will never be chosen", p.ReachM, p.LengthM), "")
	}
}
