package topology

import "context"

// Diameter is the largest distance between any two switches of a network, embedded and
// endpoint-less ones included, over channels of every class; connected is false if some switch
// does not reach another, and the diameter is then the largest finite distance. Orbits, if not
// nil, are representatives of the switches under a symmetry. It stops when ctx ends.
func (n *Network) Diameter(ctx context.Context, orbits []Orbit, workers int) (diameter int, connected bool, err error) {
	p := &probe{n: n, start: n.start, to: n.to, dead: -1}
	k := n.Switches()
	p.setStart = make([]int32, k+1)
	p.setPorts = make([]SwitchID, k)
	p.count, p.hang = make([]int64, k), make([]int64, k)
	for i := range k {
		p.setStart[i+1], p.setPorts[i] = int32(i+1), SwitchID(i)
		p.count[i], p.hang[i] = 1, 1
	}
	p.free()
	src := make([]source, 0, k)
	if orbits == nil {
		for i := range k {
			src = append(src, source{int32(i), 1})
		}
	} else {
		for _, o := range orbits {
			src = append(src, source{o.Rep, 1})
		}
	}
	d, err := p.run(ctx, src, max(workers, 1))
	if err != nil {
		return 0, false, err
	}
	var reached int64
	for i, c := range d.Pairs {
		reached += c
		if c > 0 {
			diameter = i
		}
	}
	return diameter, reached == int64(len(src))*int64(k), nil
}
