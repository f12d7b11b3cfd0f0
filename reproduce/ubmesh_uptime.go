package reproduce

import (
	"fmt"
	"math"

	"toposearch/catalog"
	"toposearch/evaluator/cluster"
	"toposearch/topology"
)

// What is printed of failures: mean times between failures of the parts of the network, h, and times to repair, h.
const (
	ubMTBF, closMTBF   = 98.5, 13.8
	slowRepair         = 75.0 / 60
	fastRepair         = 13.0 / 60
	hoursAYear         = 8760
	availabilityOff    = 0.1 // percentage points: the paper's three figures are not rounded alike
	efficiencyOff      = 0.03
	ubCapex, ubOpex    = 2.46, 0.65 // CapEx of Clos over that of UB-Mesh; OpEx of UB-Mesh over that of Clos
	opexShare          = 0.3        // of the Clos cluster's TCO
	ubPerformance      = 0.955      // of Clos, on 8,192 to 32,768 NPUs
	ubShare, closShare = 20, 67     // of the network in CapEx, per cent
)

// ubParts are the lanes of a network: over optics, electrical, of low-radix and of high-radix switches.
type ubParts struct{ optical, electrical, lrs, hrs float64 }

// partsOf counts the SuperPod's, and those of the Clos network of HRSs in two tiers.
func partsOf(s *topology.Size) (ub, clos ubParts) {
	for i, c := range s.Family.SwitchClasses {
		switch n := float64(s.Switch[i].Count); c.Name {
		case "hrs":
			ub.hrs = hrsLanes * n
		case "lrs", "hub":
			ub.lrs += hubLanes * n
		}
	}
	n := float64(s.Endpoints)
	ub.optical = lanesOf(s, "hrs")
	ub.electrical = float64(s.EndpointLanes)*n + lanesOf(s, "z") + lanesOf(s, "w")
	clos.optical = 2 * n * closLanes // to the leaves, and to the spines
	clos.hrs = hrsLanes * (n*closLanes/(hrsLanes/2) + n*closLanes/hrsLanes)
	return ub, clos
}

// ubUptime puts the printed availabilities beside those of the model, by the printed mean times between failures; and
// says what these mean for the parts.
func ubUptime(s *topology.Size) (Row, error) {
	m, err := cluster.New(cluster.Options{CPUsPerServer: -1, AFR: map[string]float64{catalog.KindAccelerator: 0}}, &catalog.Catalogue{}, catalog.Currency{Code: "USD"}, 100, 8)
	if err != nil {
		return Row{}, err
	}
	cell := func(column string, published, mtbf, repair float64) Cell {
		const parts = 1000 // of which each fails as often: as many as make no difference
		u := m.Uptime(&cluster.Job{Endpoints: s.Endpoints, Shared: cluster.Failing(hoursAYear/mtbf/parts, repair).Times(parts)})
		got := 100 * u.AvailableIdle
		return Cell{column, published, round(got, 3), math.Abs(got-published) <= availabilityOff,
			fmt.Sprintf("MTBF / (MTBF + repair), %g and %.4g h, within %g; %.3f if parts fail while the job stands, too", mtbf, repair, availabilityOff, 100*u.Available)}
	}
	ub, clos := partsOf(s)
	// Two totals, two unknowns: failures a year of a lane over optics, both ends, and of a lane of a switch.
	a, b, c, d := clos.optical, clos.hrs, ub.optical, ub.lrs+ub.hrs
	perClos, perUB := hoursAYear/closMTBF, hoursAYear/ubMTBF
	det := a*d - b*c
	optical, lane := (perClos*d-b*perUB)/det, (a*perUB-c*perClos)/det
	return Row{"Availability", []Cell{
		cell("ubmesh_percent", 98.8, ubMTBF, slowRepair), cell("clos_percent", 91.6, closMTBF, slowRepair), cell("ubmesh_13_minutes_percent", 99.78, ubMTBF, fastRepair),
		extra("optical_lane_per_year", round(optical, 7), "what both totals mean by our counts, if failures are of lanes over optics and of lanes of switches alone; Table 6, which divides them, is not in our material"),
		extra("hrs_per_year", round(lane*hrsLanes, 4), fmt.Sprintf("the same; a switch fails %.4f times a year where a price list does not say", catalog.UsualFailures(catalog.KindSwitch, ""))),
		extra("lrs_per_year", round(lane*hubLanes, 4), "the same"),
	}}, nil
}

// ubMoney is Figure 21. Prices are not printed: lanes cost what the survey's ports and links of 100 Gb/s do, and the rest
// of the cluster what makes the printed share of UB-Mesh's network.
func ubMoney(s *topology.Size) Row {
	ub, clos := partsOf(s)
	price := func(p *ubParts) float64 {
		return p.optical*op100 + p.electrical*cu100 + (p.lrs+p.hrs)*port/2
	}
	mine, theirs := price(&ub), price(&clos)
	rest := mine * (100 - ubShare) / ubShare
	// What is printed, by itself: with rest 80 of 100 for UB-Mesh, Clos costs 246, of which 166 are the network.
	implied := 100 * (1 - (100-ubShare)/(100*ubCapex))
	// The network ratio that is printed, and what part of the survey's prices low-radix switches and electrical lanes would have for it, all else as there.
	printed := (ubCapex - (100-ubShare)/100.) / (ubShare / 100.)
	low := ubParts{electrical: ub.electrical, lrs: ub.lrs}
	part := (theirs/printed - (mine - price(&low))) / price(&low)
	efficiency := ubPerformance / ((1-opexShare)/ubCapex + opexShare*ubOpex)
	const unknown = "prices are not printed; with the survey's, low-radix switches and cables in the rack cost more than the printed figures leave for them"
	return Row{"Figure 21: costs", []Cell{
		number("clos_share_percent", closShare, round(implied, 2), 0, "from the printed ratio and share of UB-Mesh"),
		{"cost_efficiency", 2.04, round(efficiency, 3), math.Abs(efficiency/2.04-1) <= efficiencyOff,
			fmt.Sprintf("%.3f of Clos's performance, CapEx 1/%.2f, OpEx %.2f, OpEx %.1f of TCO, as printed; within %g %%", ubPerformance, ubCapex, ubOpex, opexShare, 100*efficiencyOff)},
		noted(number("capex_ratio", ubCapex, round((theirs+rest)/(mine+rest), 3), 2, "by our counts"), unknown),
		noted(number("clos_share_by_counts_percent", closShare, round(100*theirs/(theirs+rest), 1), 0, "by our counts"), unknown),
		extra("network_ratio", round(theirs/mine, 3), fmt.Sprintf("by our counts; the printed figures mean %.2f", printed)),
		extra("low_price_percent", round(100*part, 0), "of the survey's, if low-radix switches and electrical lanes cost so much less, both printed figures are ours; they are "+
			fmt.Sprintf("%.0f %% of our network", 100*price(&low)/mine)),
		extra("rest_per_npu_usd", round(rest/float64(s.Endpoints), 0), "accelerator, its processors and rack, if the network of UB-Mesh is 20 %"),
	}}
}
