package family

import "toposearch/topology"

// stageBundles are channels of a multistage network that carry equal parts of what goes from endpoints with the same values of some digits to others that have some in common:
// of the sender's number what is left of it over Div modulo Mod, and of the receiver's over To.
type stageBundles struct {
	class, each  int
	div, mod, to int
}

// stageMessages are those of n endpoints whose messages load a bundle of each list.
func stageMessages(n int, bundles []stageBundles) *topology.Messages {
	m := &topology.Messages{Levels: []topology.Channels{{Class: stageNic, Bundles: 2 * n, Each: 1}}}
	for _, b := range bundles {
		m.Levels = append(m.Levels, topology.Channels{Class: b.class, Bundles: b.mod * ((n-1)/b.to + 1), Each: b.each})
	}
	m.Load = func(from, to int, emit func(level, at int, share float64)) {
		emit(0, 2*from, 1)
		emit(0, 2*to+1, 1)
		for i := range bundles {
			b := &bundles[i]
			emit(1+i, to/b.to*b.mod+from/b.div%b.mod, 1)
		}
	}
	return m
}
