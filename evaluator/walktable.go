package evaluator

import "toposearch/topology"

// walks are numbers of endpoints at 0, 1, ... hops from every switch, those of a switch side by side.
type walks struct {
	hops int
	at   []float64
}

func (w *walks) from(s topology.SwitchID) []float64 {
	return w.at[int(s)*(w.hops+1) : (int(s)+1)*(w.hops+1)]
}
