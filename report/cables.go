package report

import (
	"fmt"
	"io"
	"strconv"

	"toposearch/evaluator/floor"
	"toposearch/topology"
)

// cableHead are the columns of cables.csv. Devices are named by class and number within it, both
// from 0, as in network.json; racks by place: R03-P07 is place 7 of row 3, with the building before
// it where there are several. Positions count the boxes of a rack from 1 at the bottom, as racks.csv
// lists them. Ports of a switch count the links that end on it, from 1, in the order of the schedule;
// sockets are the same as they stand on the front of the box: 17 is physical port 17, 17/2 the second
// part of it where it is split, and of a server 3.1 is port 1 of its third endpoint. The label is for
// both ends of a cable, and no two cables have the same. Lengths are in metres.
const cableHead = "cable,link,from_device,from_rack,from_position,from_port,to_device,to_rack,to_position,to_port," +
	"laid_m,bought_m,medium,part_no,transceiver_part_no,from_socket,to_socket,label\n"

// WriteCables writes the cabling schedule as CSV, one line a cable, without holding it: a million
// cables take no more memory than one.
func WriteCables(w io.Writer, x *Export) error {
	n, err := newNamer(x)
	if err != nil {
		return fmt.Errorf("the cables of %s: %w", x.Design, err)
	}
	if _, err := io.WriteString(w, cableHead); err != nil {
		return err
	}
	var buf []byte
	var failed error
	err = x.EachCable(func(c floor.Cable) bool {
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

func (n *namer) cable(b []byte, c *floor.Cable) []byte {
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
	b = appendSocket(append(b, ','), c.From)
	b = appendSocket(append(b, ','), c.To)
	b = n.end(append(b, ','), c.FromRack, c.FromPos, c.From)
	b = n.end(append(b, " > "...), c.ToRack, c.ToPos, c.To)
	return append(b, '\n')
}

// end names an end of a cable as TIA-606 does, cabinet-position:port.
func (n *namer) end(b []byte, rack, pos int, at floor.Socket) []byte {
	b = appendTwo(append(n.rack(b, rack), '-'), pos)
	return appendSocket(append(b, ':'), at)
}

// appendSocket writes 17 or 17/2 for a switch, 3.1 for an endpoint of a server.
func appendSocket(b []byte, s floor.Socket) []byte {
	if s.Unit > 0 {
		b = append(strconv.AppendInt(b, int64(s.Unit), 10), '.')
	}
	b = strconv.AppendInt(b, int64(s.Port), 10)
	if s.Lane > 0 {
		b = strconv.AppendInt(append(b, '/'), int64(s.Lane), 10)
	}
	return b
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

// rackHead are the columns of racks.csv: what stands where, from the bottom up.
const rackHead = "rack,building,row,place,position,device,part_no,first_endpoint,last_endpoint\n"

// WriteRacks writes what stands in every rack as CSV, one line a box, racks in order of their
// numbers: a server with the endpoints in it, or a switch with its model. Positions count boxes
// from 1 at the bottom; the price list does not say how high they are.
func WriteRacks(w io.Writer, x *Export) error {
	n, err := newNamer(x)
	if err != nil {
		return fmt.Errorf("the racks of %s: %w", x.Design, err)
	}
	if _, err := io.WriteString(w, rackHead); err != nil {
		return err
	}
	var buf []byte
	var failed error
	err = x.EachRack(func(r floor.Rack) bool {
		buf = buf[:0]
		for i := range r.Boxes {
			buf = n.box(buf, &r, &r.Boxes[i])
		}
		_, failed = w.Write(buf)
		return failed == nil
	})
	if failed != nil {
		return failed
	}
	return err
}

func (n *namer) box(b []byte, r *floor.Rack, x *floor.Box) []byte {
	b = n.rack(b, r.Number)
	for _, v := range []int{r.Building + 1, r.Row + 1, r.Place + 1, x.Pos} {
		b = strconv.AppendInt(append(b, ','), int64(v), 10)
	}
	b = append(b, ',')
	if x.Switch < 0 {
		b = append(b, "server,,endpoint-"...)
		b = strconv.AppendInt(b, int64(x.First), 10)
		return append(strconv.AppendInt(append(b, ",endpoint-"...), int64(x.End)-1, 10), '\n')
	}
	b = append(n.device(b, x.Switch, 0), ',')
	if x.Part != nil {
		b = appendCell(b, x.Part.PartNo)
	}
	return append(b, ",,\n"...)
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
