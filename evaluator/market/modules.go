package market

import (
	"toposearch/catalog"
	"toposearch/topology"
)

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
	if it := &c.Items[0]; it.Part != nil && it.Part.Kind == catalog.KindCable && it.Den > 1 { // a cable of its own
		return c.PowerW * float64(it.Den)
	}
	if it := &c.Items[1]; it.Part != nil && it.Den > 1 { // a module of its own at either end
		return c.PowerW + it.Part.PowerW*(2-float64(it.Num)/float64(it.Den))
	}
	return max(c.PowerW, linkW(c, &nic))
}
