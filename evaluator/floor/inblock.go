package floor

import "toposearch/topology"

// InBlocks is all that the least cables of a class inside blocks depend on, one by one, where every block stands alone and its leaves,
// the switches with endpoints, stand with these: the links of endpoints, in turn on their leaves, and those from each leaf to all
// switches in one network rack. Designs that differ in how many stand in that rack share it.
type InBlocks struct {
	class                                           int
	blocks, perBlock, perRack, leaves               int64
	endRacks, netRacks, half, central, perRow, rank int64
}

// InBlocks is that of class c at the rate of a rank, of which known is what the family says; ok is false where the cables depend on more.
func (p *Plan) InBlocks(c int, known *topology.Cables, rank int) (x InBlocks, ok bool) {
	leaf := 0
	if c > 0 {
		leaf = known.I
	}
	for i := range p.size.Family.SwitchClasses {
		if p.sharing[i].Per > 1 || (p.size.Switch[i].Ports[0] > 0) != (i == leaf) {
			return x, false
		}
	}
	if leaf < 0 || p.both || !p.alone(leaf) || p.buildings > 1 {
		return x, false
	}
	x = InBlocks{class: c, blocks: p.blocks, perBlock: p.perBlock, perRack: p.perRack, leaves: p.share(leaf), endRacks: p.endRacks,
		netRacks: p.netRacks, half: p.half, central: p.central, perRow: p.perRow, rank: int64(rank)}
	s := p.size
	if c == 0 {
		return x, known.InTurn && known.Parts == 0 && s.EndpointPorts == 1 && x.leaves*int64(s.Switch[leaf].Ports[0]) == p.perBlock
	}
	j := known.J
	if j < 0 || j == leaf || known.Scope != topology.OneBlock || known.Parts != 1 || p.home[j] != topology.InBlock || p.netRacks != 1 {
		return x, false
	}
	before, all := p.beforeInBlock(j)
	return x, s.Switch[leaf].Count*int64(s.Switch[leaf].Ports[c]) == s.Link[c] && before == 0 && all == p.share(j) && p.count[j] == p.blocks*all && int64(s.Switch[leaf].Ports[c])%all == 0
}
