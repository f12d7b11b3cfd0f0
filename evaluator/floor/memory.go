package floor

// LayoutBytes predicts the memory of a Layout on the plan: spots of all switches, counts by class and
// distance, and runs of switches at one spot.
func (p *Plan) LayoutBytes() float64 {
	f := p.size.Family
	switches, places := float64(p.size.AllSwitches()), float64(p.hall())
	bytes := 12*switches + // spots
		16*float64(len(f.LinkClasses))*places + // counts, inside buildings and between them
		3*24*min(float64(p.buildings)*places*float64(len(f.SwitchClasses)), switches) // runs, a list that grows
	if f.Bundles != nil {
		bytes += 4 * switches // runAt
	}
	return bytes
}

// OutBytes predicts the memory of CablesOut.
func (p *Plan) OutBytes() float64 {
	return 4*float64(p.size.AllSwitches()) + 8*float64(p.buildings)*float64(p.hall())
}
