package catalog

import (
	"cmp"
	"slices"
)

// switchModel is a switch with what each physical port becomes at each rate of the index.
type switchModel struct {
	part  *Part
	price Money   // at quantity 1
	least Money   // at the best price break
	ports int32   // physical
	split []int32 // by index of rate: ports that one physical port offers; 0: none
}

// switchModels are the models that the limits allow, cheapest first, and the rates of their ports, ascending.
func switchModels(parts []Part, lim SwitchLimits, cur Currency) (models []switchModel, rates []int) {
	for i := range parts {
		if p := &parts[i]; lim.allows(p) {
			models = append(models, switchModel{part: p, price: p.unitIn(cur), least: p.minIn(cur), ports: int32(p.Ports)})
			lim.splits(p, func(gbps, _ int) { rates = append(rates, gbps) })
		}
	}
	slices.Sort(rates)
	rates = slices.Compact(rates)
	for i := range models {
		m := &models[i]
		m.split = make([]int32, len(rates))
		lim.splits(m.part, func(gbps, each int) {
			k, _ := slices.BinarySearch(rates, gbps)
			m.split[k] = max(m.split[k], int32(each))
		})
	}
	// Equal prices: what is delivered first, then the smaller box, then the part number.
	slices.SortFunc(models, func(a, b switchModel) int {
		return cmp.Or(cmp.Compare(a.price, b.price), cmp.Compare(a.part.LeadWeeks, b.part.LeadWeeks),
			cmp.Compare(a.ports, b.ports), cmp.Compare(a.part.PartNo, b.part.PartNo))
	})
	return models, rates
}
