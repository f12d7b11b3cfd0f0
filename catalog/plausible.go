package catalog

import (
	"fmt"
	"regexp"
	"slices"

	"toposearch/internal/unit"
)

// What a value is doubted above: several times what is on sale, so that nobody is asked about a part that exists,
// and a unit that was mistaken, a thousandfold, is.
const (
	mostPortW    = 250     // watts of a switch port: 64 ports of 800 Gb/s with their modules take about 60 each
	mostNICW     = 600     // a DPU takes 150
	mostModuleW  = 120     // of a module or cable end: 1.6 Tb/s modules take 30, coherent ones 40
	mostChipW    = 20e3    // of an accelerator or processor: accelerators of 2026 take 1 to 2 kW
	mostCagePort = 25_600  // Gb/s of one port or cage: 16 times what is on sale
	mostPorts    = 8_192   // of a switch: chassis have some hundreds, circuit switches about a thousand
	mostPassiveM = 30      // metres of a passive copper cable: 7 m at 10 Gb/s per lane
	mostActiveM  = 100     // metres of an active copper cable
	mostFibreM   = 20_000  // metres of a fibre or optical cable in one piece
	mostReachM   = 200_000 // metres that a module reaches: ZR stands at 120 km
	mostSwitchNs = 1e6     // nanoseconds through a switch: store and forward takes a few thousand
	mostWeeks    = 156     // three years of lead time: more are days under a head of weeks
	mostAFR      = 0.5     // failures a year: more is a percentage without its sign
	breakTenth   = 10      // times below the unit price that a price break is doubted
	farFromKind  = 100     // times above or below the median price per Gb/s of a kind
	fewOfKind    = 5       // prices without which a median says nothing
)

// shortened is a number as spreadsheets write long ones: "9.80012E+14".
var shortened = regexp.MustCompile(`^[0-9]([.,][0-9]+)?[eE]\+[0-9]{1,3}$`)

// doubtNumber questions a part number that a spreadsheet changed.
func (rd *reader) doubtNumber(r *row, p *Part) {
	switch {
	case p.PartNo == "":
	case shortened.MatchString(p.PartNo):
		rd.ask(r, colPartNo, fmt.Sprintf("part number %s: a spreadsheet shortened a long number, and digits are lost", p.PartNo),
			"format the column as text in the sheet that it comes from, and enter the number again")
	case r.cells[rd.at[colPartNo]].number:
		rd.ask(r, colPartNo, fmt.Sprintf("part number %s is a number cell: leading zeros and digits past the 15th are already lost", p.PartNo),
			"format the column as text and enter it again")
	}
}

// doubt questions figures that are read, and hardly meant so.
func (rd *reader) doubt(r *row, p *Part) {
	const inUnit = "write the unit in the cell or in the head"
	most := map[string]float64{KindSwitch: mostPortW * float64(p.Ports), KindOCS: mostPortW * float64(p.Ports), KindScaleupSwitch: mostPortW * float64(p.Ports),
		KindNIC: mostNICW, KindTransceiver: mostModuleW, KindCable: mostModuleW, KindFibre: mostModuleW, KindScaleupCable: mostModuleW, KindTrace: mostModuleW,
		KindAccelerator: mostChipW, KindCPU: mostChipW}
	for k, w := range [...]float64{p.PowerW, p.PowerTypW, p.PowerSplitW} {
		c := colPower + column(k) // they stand side by side
		switch limit := most[p.Kind]; {
		case limit == 0 || w <= limit:
		case p.Ports > 1 && p.Kind == KindSwitch:
			rd.ask(r, c, fmt.Sprintf("%s for %d ports, %.3g kW each: is that in W?", unit.Power{W: w}, p.Ports, w/float64(p.Ports)/1000), inUnit)
		default:
			rd.ask(r, c, fmt.Sprintf("%s for one %s: is that in W?", unit.Power{W: w}, p.Kind), inUnit)
		}
	}
	if p.PowerW > 0 && p.PowerTypW > p.PowerW {
		rd.ask(r, colPowerTyp, fmt.Sprintf("%s typically, and %s at most: are the columns exchanged?", unit.Power{W: p.PowerTypW}, unit.Power{W: p.PowerW}), "")
	}
	if p.PowerSplitW > p.PowerW {
		rd.ask(r, colPowerSplit, fmt.Sprintf("%s at each split end, and %s at the end in one cage: are the columns exchanged?", unit.Power{W: p.PowerSplitW}, unit.Power{W: p.PowerW}), "")
	}
	if p.RateGbps > mostCagePort {
		rd.ask(r, colRate, fmt.Sprintf("%d Gb/s for one %s: is that in Mb/s, or of all ports together?", p.RateGbps, p.Kind), "rate_gbps is of one port, cable or module")
	}
	if p.Ports > mostPorts {
		rd.ask(r, colPorts, fmt.Sprintf("%d ports of one %s", p.Ports, p.Kind), "")
	}
	rd.doubtLength(r, p)
	if p.LatencyNs > mostSwitchNs {
		rd.ask(r, colLatency, fmt.Sprintf("%s through one %s: is that in ns?", unit.Latency{Ns: p.LatencyNs}, p.Kind), inUnit)
	}
	if p.LeadWeeks > mostWeeks {
		rd.ask(r, colLead, fmt.Sprintf("a lead time of %.4g weeks: is that in days?", p.LeadWeeks), inUnit)
	}
	if p.AFR > mostAFR {
		rd.ask(r, colAFR, fmt.Sprintf("%g failures of one a year: is that a percentage?", p.AFR), `write 0.02 or "2%"`)
	}
	for _, b := range p.PriceBreaks {
		if b.Price*breakTenth < p.UnitPrice {
			rd.ask(r, colBreaks, fmt.Sprintf("price_breaks: from %d on less than a tenth of the unit price", b.From), "")
			break
		}
	}
}

// doubtLength questions lengths and reaches.
func (rd *reader) doubtLength(r *row, p *Part) {
	most, of := 0.0, "a "+p.Kind
	switch {
	case p.Medium == "dac-passive":
		most, of = mostPassiveM, "a passive copper cable"
	case IsCopper(p.Medium):
		most, of = mostActiveM, "a copper cable"
	case p.Kind == KindCable || p.Kind == KindFibre || p.Kind == KindScaleupCable:
		most = mostFibreM
	}
	if most > 0 && p.LengthM > most {
		rd.ask(r, colLength, fmt.Sprintf("%g m of %s: is that in cm or mm?", p.LengthM, of), "write the unit in the cell or in the head")
	}
	if p.ReachM > mostReachM {
		rd.ask(r, colReach, fmt.Sprintf("a reach of %g km: is that in m?", p.ReachM/1000), "write the unit in the cell or in the head")
	}
}

// doubtPrices questions prices far from those of the other parts of a kind in the sheet: a decimal mark was
// lost, or a price is of a hundred pieces.
func (rd *reader) doubtPrices(parts []Part) {
	type group struct{ kind, currency string }
	each := func(p *Part) float64 { return float64(p.UnitPrice) / float64(max(p.RateGbps, 1)*max(p.ports(), 1)) }
	groups := map[group][]float64{}
	for i := range parts {
		if p := &parts[i]; p.Priced {
			groups[group{p.Kind, p.Currency}] = append(groups[group{p.Kind, p.Currency}], each(p))
		}
	}
	for _, all := range groups {
		slices.Sort(all)
	}
	rows := map[int]*row{}
	for i := range rd.t.rows {
		rows[rd.t.rows[i].line] = &rd.t.rows[i]
	}
	for i := range parts {
		p := &parts[i]
		all := groups[group{p.Kind, p.Currency}]
		r := rows[p.Pos.Line]
		if !p.Priced || len(all) < fewOfKind || r == nil {
			continue
		}
		median := all[len(all)/2]
		switch x := each(p); {
		case x > median*farFromKind:
			rd.ask(r, colPrice, fmt.Sprintf("the price of %s is %.3g times what a %s of this list costs by its rate: is a decimal mark lost?", p.PartNo, x/median, p.Kind), "")
		case x*farFromKind < median:
			rd.ask(r, colPrice, fmt.Sprintf("the price of %s is a %.3gth of what a %s of this list costs by its rate", p.PartNo, median/x, p.Kind), "")
		}
	}
}

// ports are those by which a price is compared: of a box; a cable or module is as fast as its rate says.
func (p *Part) ports() int {
	switch p.Kind {
	case KindSwitch, KindOCS, KindScaleupSwitch, KindNIC:
		return p.Ports
	}
	return 1
}
