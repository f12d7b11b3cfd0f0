package family

import "toposearch/topology"

// Levels of the messages of ZCubes whose endpoints have two ports.
const (
	zcubePorts  = iota // by endpoint and port: out, in
	zcubeLocal         // by pod, switch of the first group and of the second: up, down
	zcubeGlobal        // by pod and level-1 switch: up, down
)

// zcubePair is where an endpoint hangs: its pod, and its switch of the first and of the second group there.
type zcubePair struct{ pod, first, second int }

// zcubeMessages are those of pods of so many switches a group, without what leads out of them.
func zcubeMessages(endpoints, pods, side int, at func(endpoint int) zcubePair, across func(a, b zcubePair, ends func(port, other int, share float64), emit func(level, at int, share float64))) *topology.Messages {
	return &topology.Messages{
		Levels: []topology.Channels{zcubePorts: {Class: 0, Bundles: 4 * endpoints, Each: 1}, zcubeLocal: {Class: 1, Bundles: 2 * pods * side * side, Each: 1}},
		Load: func(from, to int, emit func(level, at int, share float64)) {
			a, b := at(from), at(to)
			ends := func(port, other int, share float64) {
				emit(zcubePorts, (from*2+port)*2, share)
				emit(zcubePorts, (to*2+other)*2+1, share)
			}
			local := func(first, second, way int, share float64) {
				emit(zcubeLocal, ((a.pod*side+first)*side+second)*2+way, share)
			}
			switch first, second := a.first == b.first, a.second == b.second; {
			case a.pod != b.pod:
				across(a, b, ends, emit)
			case first && second:
				ends(0, 0, 0.5)
				ends(1, 1, 0.5)
			case first:
				ends(0, 0, 1)
			case second:
				ends(1, 1, 1)
			default: // by the switch of either group, and its link to the one of the other
				ends(0, 1, 0.5)
				local(a.first, b.second, 0, 0.5)
				ends(1, 0, 0.5)
				local(b.first, a.second, 1, 0.5)
			}
		},
	}
}
