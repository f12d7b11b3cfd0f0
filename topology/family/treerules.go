package family

import "toposearch/topology"

// treeRule is the natural routing of all trees.
var treeRule = treeUpdown()

// treeUpdown: state 0 goes up or turns, state 1 goes down.
func treeUpdown() topology.Rule {
	r := topology.Rule{Name: "updown", States: 2}
	link := func(h, lower, upper uint8) {
		r.Steps = append(r.Steps,
			topology.Step{From: 0, Kind: topology.Kind{Link: h, From: lower, To: upper}, To: 0},
			topology.Step{From: 0, Kind: topology.Kind{Link: h, From: upper, To: lower}, To: 1},
			topology.Step{From: 1, Kind: topology.Kind{Link: h, From: upper, To: lower}, To: 1})
	}
	for h := uint8(1); h <= treeTop; h++ {
		link(treeTop, h-1, treeTop)
		if h < treeTop {
			link(h, h-1, h)
		}
	}
	return r
}

// upDown3 is up and down over the levels 0, 1, 2 joined by link classes 1 and 2.
func upDown3() topology.Rule {
	up1, up2 := topology.Kind{Link: 1, From: 0, To: 1}, topology.Kind{Link: 2, From: 1, To: 2}
	down2, down1 := topology.Kind{Link: 2, From: 2, To: 1}, topology.Kind{Link: 1, From: 1, To: 0}
	return topology.Rule{Name: "updown", States: 2, Steps: []topology.Step{
		{From: 0, Kind: up1, To: 0}, {From: 0, Kind: up2, To: 0},
		{From: 0, Kind: down2, To: 1}, {From: 0, Kind: down1, To: 1},
		{From: 1, Kind: down2, To: 1}, {From: 1, Kind: down1, To: 1},
	}}
}
