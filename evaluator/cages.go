package evaluator

import (
	"toposearch/catalog"
	"toposearch/topology"
)

// A twin-port module serves two ports of a switch from one cage. An adapter has a cage for each
// port, so that at the end of a nic link a module serves one link only. (Ports of a switch that are
// left over in a cage of their own are not counted: at most one a switch and stock length.)

// cables adds the parts of links of a class.
func (b *bill) cables(c *catalog.Cabling, class *topology.LinkClass, count int64, usedIn string) {
	for k := range c.Items {
		it := &c.Items[k]
		switch {
		case it.Part == nil:
		case shared(it, class):
			b.add(it.Part, count, int64(it.Den)+1, int64(it.Den), usedIn)
		default:
			b.add(it.Part, count, int64(it.Num), int64(it.Den), usedIn)
		}
	}
}

// shared tells whether a part is modules at both ends of a nic link that serve several links each.
func shared(it *catalog.Item, class *topology.LinkClass) bool {
	return class.Name == topology.ClassNic && it.Part.Kind == catalog.KindTransceiver && it.Den > 1
}

// linkW is the draw of the modules of a link of a class.
func linkW(c *catalog.Cabling, class *topology.LinkClass) float64 {
	if it := &c.Items[1]; it.Part != nil && shared(it, class) {
		return it.Part.PowerW * float64(it.Den+1) / float64(it.Den)
	}
	return c.PowerW
}

// mostLinkW is that of a link of any class.
func mostLinkW(c *catalog.Cabling) float64 {
	nic := topology.LinkClass{Name: topology.ClassNic}
	return max(c.PowerW, linkW(c, &nic))
}
