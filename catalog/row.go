package catalog

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/text/unicode/norm"

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
	"accelerator": KindAccelerator, "accelerators": KindAccelerator, "gpu": KindAccelerator, "gpus": KindAccelerator, "npu": KindAccelerator, "npus": KindAccelerator, "tpu": KindAccelerator, "tpus": KindAccelerator,
	"cpu": KindCPU, "cpus": KindCPU, "processor": KindCPU, "processors": KindCPU, "host processor": KindCPU,
	"trace": KindTrace, "traces": KindTrace, "pcb trace": KindTrace, "backplane": KindTrace,
	"scaleup_switch": KindScaleupSwitch, "scaleup switch": KindScaleupSwitch, "scale-up switch": KindScaleupSwitch, "nvswitch": KindScaleupSwitch, "nvlink switch": KindScaleupSwitch,
	"scaleup_cable": KindScaleupCable, "scaleup cable": KindScaleupCable, "scale-up cable": KindScaleupCable, "nvlink cable": KindScaleupCable,
	"ocs": KindOCS, "circuit switch": KindOCS, "optical circuit switch": KindOCS,
}

// kindNamed is the kind for a word in lower case, "" if it is none.
func kindNamed(word string) string { return cmp.Or(kinds[word], foreignKinds[word]) }

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
	"active optical": "aoc", "kupfer": "dac-passive", "kupfer passiv": "dac-passive", "passives kupfer": "dac-passive", "kupfer aktiv": "dac-active",
	"cuivre": "dac-passive", "cuivre passif": "dac-passive", "cuivre actif": "dac-active", "optique active": "aoc", "monomode": "smf", "einmoden": "smf",
	"multimodal": "mmf", "multimode om3": "mmf-om3", "multimode om4": "mmf-om4", "board": MediumPCB, "midplane": MediumBackplane}

// kindAndMedium reads the kind of a part, which the sheet may say for all, and the medium, which the
// kind may imply.
func (rd *reader) kindAndMedium(r *row, p *Part) {
	k := strings.ToLower(norm.NFC.String(rd.text(r, colKind)))
	p.Kind = kindNamed(k)
	if k == "" && rd.at[colKind] < 0 {
		p.Kind = rd.t.kind // none: reported at the head
	} else if p.Kind == "" {
		names := Kinds()
		if k == "" {
			rd.fail(r, rd.at[colKind], "the kind is missing", "one of "+strings.Join(names, ", "))
		} else {
			rd.fail(r, rd.at[colKind], "there is no kind "+strconv.Quote(k), diag.Suggest(k, names))
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
		word, _, _ := strings.Cut(strings.TrimPrefix(strings.TrimPrefix(k, "câble "), "câbles "), "-kabel")
		m = mediumAliases[strings.TrimSuffix(word, "kabel")] // a row of kind DAC or AEC says what it is
		if word == "aoc" {
			m = "aoc"
		}
	}
	if m != "" && !slices.Contains(media, m) {
		rd.fail(r, rd.at[colMedium], "there is no medium "+strconv.Quote(m), cmp.Or(diag.Suggest(m, media), "media are named as in NetBox: dac-passive, dac-active, aoc, mmf-om4, smf-os2, ..."))
	}
	p.Medium = m
}

// measures reads the physical figures of a part.
func (rd *reader) measures(r *row, p *Part) {
	gbps := rd.quantity(r, colRate, unit.KindBandwidth, "Gb/s")
	p.RateGbps = int(gbps)
	if gbps > 1e6 || float64(p.RateGbps) != gbps {
		rd.fail(r, rd.at[colRate], fmt.Sprintf("rate_gbps must be a whole number of Gb/s, not %s", strconv.Quote(rd.text(r, colRate))), "")
	}
	p.Lanes = rd.whole(r, colLanes, 0)
	p.Ports = rd.whole(r, colPorts, 0)
	p.LengthM = rd.quantity(r, colLength, unit.KindLength, "m")
	p.ReachM = rd.quantity(r, colReach, unit.KindLength, "m")
	p.PowerW = rd.quantity(r, colPower, unit.KindPower, "W")
	p.PowerTypW = rd.quantity(r, colPowerTyp, unit.KindPower, "W")
	p.PowerSplitW = rd.quantity(r, colPowerSplit, unit.KindPower, "W")
	p.LatencyNs = rd.quantity(r, colLatency, unit.KindLatency, "ns")
	p.BufferBytes = int64(rd.quantity(r, colBuffer, unit.KindBytes, "B"))
	p.ReductionGbps = rd.quantity(r, colReduction, unit.KindBandwidth, "Gb/s")
	switch {
	case p.ReductionGbps > 0 && p.Kind != KindSwitch:
		rd.fail(r, rd.at[colReduction], "reduction of a "+p.Kind+": only switches add what passes them", "leave the cell empty")
	case p.ReductionGbps > gbps:
		rd.fail(r, rd.at[colReduction], fmt.Sprintf("reduction of %g Gb/s at ports of %g Gb/s", p.ReductionGbps, gbps), "write what a port adds, at most its rate, or leave the cell empty")
	}
	if s := strings.TrimSuffix(strings.ToLower(rd.text(r, colWeight)), "kg"); s != "" {
		p.WeightKg = rd.fraction(r, colWeight, strings.TrimSpace(s))
	}
	if s := rd.text(r, colAFR); s != "" {
		if pct, ok := strings.CutSuffix(s, "%"); ok {
			p.AFR = rd.fraction(r, colAFR, strings.TrimSpace(pct)) / 100
		} else {
			p.AFR = rd.fraction(r, colAFR, s)
		}
		p.HasAFR = true
		if p.AFR > 1 {
			rd.fail(r, rd.at[colAFR], "an annual failure rate above 1", `write 0.02 or "2%"`)
		}
	}
	rd.breakouts(r, p)
	if p.PowerSplitW > 0 && !(p.Kind == KindCable && p.Splitter()) {
		rd.fail(r, rd.at[colPowerSplit], "power_split_w of a "+p.Kind+" that splits no cage", "it is of each split end of a cable with breakouts, such as 2x400: leave the cell empty")
	}
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
			rd.fail(r, j, "breakouts: "+strconv.Quote(f)+" is not ports x rate", "write all modes of all ports: 64x400;128x200;256x100")
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
		rd.fail(r, rd.at[colBreakouts], "breakouts: "+strconv.Quote(s)+" is not links x rate", "write what one cage is split into: 2x400")
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
			remedy := ""
			if rd.at[c] < 0 {
				remedy = "there is no such column: add it, or say which it is: [catalog.columns] " + c.name() + " = \"...\" in the study"
			}
			rd.fail(r, rd.at[c], fmt.Sprintf("a %s needs %s", p.Kind, c.name()), remedy)
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
			rd.ask(r, colPower, fmt.Sprintf("%d ports on %s: is that in kW?", p.Ports, unit.Power{W: w}), "write the unit in the cell or in the head")
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
	case KindScaleupSwitch:
		need(p.RateGbps > 0, colRate)
		need(p.Ports >= 2, colPorts)
	case KindScaleupCable:
		need(p.RateGbps > 0, colRate)
		need(p.LengthM > 0, colLength)
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
