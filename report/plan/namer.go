package plan

import (
	"strconv"

	"toposearch/evaluator/floor"
	"toposearch/report/number"
	"toposearch/topology"
)

// namer names devices and racks.
type namer struct {
	size  topology.Size
	first [topology.MaxClasses + 1]int64 // first SwitchID of each class
	floor *floor.Summary
}

func newNamer(x *Export) (*namer, error) {
	n := &namer{floor: &x.Plan.Floor}
	if err := x.Design.Family.Size(x.Design.V, &n.size); err != nil {
		return nil, err
	}
	for i := range n.size.Family.SwitchClasses {
		n.first[i+1] = n.first[i] + n.size.Switch[i].Count
	}
	return n, nil
}

// rack is its place on the floor, counted from 1.
func (n *namer) rack(b []byte, r int) []byte {
	f := n.floor
	if f.Buildings > 1 && f.PerBuilding > 0 {
		b = strconv.AppendInt(append(b, 'B'), int64(r/f.PerBuilding+1), 10)
		b = append(b, '-')
		r %= f.PerBuilding
	}
	per := max(f.PerRow, 1)
	b = appendTwo(append(b, 'R'), r/per+1)
	return appendTwo(append(b, '-', 'P'), r%per+1)
}

// device is the class of a switch with its number in the class, behind them those of optical circuit switches;
// without a switch, the endpoint.
func (n *namer) device(b []byte, s topology.SwitchID, e topology.EndpointID) []byte {
	if s < 0 {
		return strconv.AppendInt(append(b, "endpoint-"...), int64(e), 10)
	}
	classes := n.size.Family.SwitchClasses
	for i := range classes {
		if int64(s) < n.first[i+1] {
			b = append(number.AppendCell(b, classes[i].Name), '-')
			return strconv.AppendInt(b, int64(s)-n.first[i], 10)
		}
	}
	return strconv.AppendInt(append(b, "ocs-"...), int64(s)-n.first[len(classes)], 10)
}

func appendTwo(b []byte, x int) []byte {
	if x < 10 {
		b = append(b, '0')
	}
	return strconv.AppendInt(b, int64(x), 10)
}
