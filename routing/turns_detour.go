package routing

// Detoured are the turns of traffic of which a part keeps to the routes of `direct` and the rest goes by way of a random
// endpoint, both legs as uniform traffic does (Detoured for loads). uniform are the turns of that on the same router; VCs are those of
// the direct part and of first legs.
func (uniform *Turns) Detoured(direct *Turns, part float64) *Turns {
	n := uniform.Router.Net
	t := *uniform
	t.Single = false // by different ways
	t.Rate, t.On = make([]float64, len(uniform.Rate)), make([]float64, len(uniform.On))
	onward := uniform.onward()
	channels := n.Channels()
	for in := range t.Row {
		sw := t.switchOf(in)
		first, end := n.Out(sw)
		deg := int(end - first)
		row := uniform.Rate[t.Row[in]:][:deg+len(t.Local[sw])]
		out, own := t.Rate[t.Row[in]:], direct.Rate[t.Row[in]:]
		ends := 0.0 // first legs that end here
		for _, x := range row[deg:] {
			ends += x
		}
		for k, x := range row {
			switch {
			case in >= channels && k >= deg: // within the switch: the second leg begins there, too
				x = 0
			case in < channels && k < deg:
				x *= 2
			}
			if ends > 0 {
				x += ends * onward[sw][k]
			}
			out[k] = part*own[k] + (1-part)*x
		}
	}
	for i, x := range uniform.On {
		t.On[i] = part*direct.On[i] + (1-part)*2*x
	}
	return &t
}

// onward is where what endpoints of each switch send goes, as parts of it: what a second leg does that begins there.
func (t *Turns) onward() [][]float64 {
	n := t.Router.Net
	out := make([][]float64, n.Switches())
	for sw, local := range t.Local {
		sum := 0.0
		for _, p := range local {
			in := n.Channels() + int(p)
			first, end := n.Out(t.at[p])
			row := t.Rate[t.Row[in]:][:int(end-first)+len(local)]
			if out[sw] == nil {
				out[sw] = make([]float64, len(row))
			}
			for k, x := range row {
				out[sw][k] += x
				sum += x
			}
		}
		for k := range out[sw] {
			out[sw][k] /= max(sum, 1e-300) // of nothing nothing goes on
		}
	}
	return out
}
