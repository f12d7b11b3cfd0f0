package report

import (
	"fmt"
	"io"
	"strconv"

	"toposearch/evaluator"
	"toposearch/topology"
)

// cableHead are the columns of cables.csv. Devices are named by class and number within it, both
// from 0, as in network.json; racks by place: R03-P07 is place 7 of row 3, with the building before
// it where there are several. Positions in a rack count from 1 at the bottom, ports from 1 as on
// the front of a box, in the order of the schedule. Lengths are in metres.
const cableHead = "cable,link,from_device,from_rack,from_position,from_port,to_device,to_rack,to_position,to_port," +
	"laid_m,bought_m,medium,part_no,transceiver_part_no\n"

// WriteCables writes the cabling schedule as CSV, one line a cable, without holding it: a million
// cables take no more memory than one.
func WriteCables(w io.Writer, x *Export) error {
	var size topology.Size
	if err := x.Design.Family.Size(x.Design.V, &size); err != nil {
		return fmt.Errorf("the cables of %s: %w", x.Design, err)
	}
	n := namer{size: &size, floor: &x.Plan.Floor}
	n.first[0] = 0
	for i := range size.Family.SwitchClasses {
		n.first[i+1] = n.first[i] + size.Switch[i].Count
	}
	if _, err := io.WriteString(w, cableHead); err != nil {
		return err
	}
	var buf []byte
	var failed error
	err := x.EachCable(func(c evaluator.Cable) bool {
		buf = n.cable(buf[:0], &c)
		_, failed = w.Write(buf)
		return failed == nil
	})
	if failed != nil {
		return failed
	}
	return err
}

// namer names devices and racks.
type namer struct {
	size  *topology.Size
	first [topology.MaxClasses + 1]int64 // first SwitchID of each class
	floor *evaluator.Floor
}

func (n *namer) cable(b []byte, c *evaluator.Cable) []byte {
	b = strconv.AppendInt(b, int64(c.ID), 10)
	b = appendCell(append(b, ','), c.Link)
	b = append(b, ',')
	b = n.device(b, c.FromSwitch, c.Endpoint)
	b = n.rack(append(b, ','), c.FromRack)
	b = strconv.AppendInt(append(b, ','), int64(c.FromPos), 10)
	b = strconv.AppendInt(append(b, ','), int64(c.FromPort)+1, 10)
	b = n.device(append(b, ','), c.ToSwitch, c.ToEndpoint)
	b = n.rack(append(b, ','), c.ToRack)
	b = strconv.AppendInt(append(b, ','), int64(c.ToPos), 10)
	b = strconv.AppendInt(append(b, ','), int64(c.ToPort)+1, 10)
	b = strconv.AppendFloat(append(b, ','), c.LaidM, 'f', 2, 64)
	b = strconv.AppendFloat(append(b, ','), c.StockM, 'f', -1, 64)
	b = appendCell(append(b, ','), c.Medium)
	b = append(b, ',')
	if c.Part != nil {
		b = appendCell(b, c.Part.PartNo)
	}
	b = append(b, ',')
	if c.Modules != nil {
		b = appendCell(b, c.Modules.PartNo)
	}
	return append(b, '\n')
}

// device is the class of a switch with its number in the class; without a switch, the endpoint.
func (n *namer) device(b []byte, s topology.SwitchID, e topology.EndpointID) []byte {
	if s < 0 {
		return strconv.AppendInt(append(b, "endpoint-"...), int64(e), 10)
	}
	classes := n.size.Family.SwitchClasses
	for i := range classes {
		if int64(s) < n.first[i+1] {
			b = append(appendCell(b, classes[i].Name), '-')
			return strconv.AppendInt(b, int64(s)-n.first[i], 10)
		}
	}
	return strconv.AppendInt(append(b, "switch-"...), int64(s), 10)
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

func appendTwo(b []byte, x int) []byte {
	if x < 10 {
		b = append(b, '0')
	}
	return strconv.AppendInt(b, int64(x), 10)
}

// appendCell quotes a text for CSV where it must be.
func appendCell(b []byte, s string) []byte {
	s = safeCell(s)
	for i := 0; i < len(s); i++ {
		if c := s[i]; c == '"' || c == ',' || c == '\n' || c == '\r' || c == ' ' && i == 0 {
			b = append(b, '"')
			for j := 0; j < len(s); j++ {
				if s[j] == '"' {
					b = append(b, '"')
				}
				b = append(b, s[j])
			}
			return append(b, '"')
		}
	}
	return append(b, s...)
}
