package plan

import (
	"fmt"
	"io"
	"strconv"

	"toposearch/evaluator/floor"
	"toposearch/report/number"
)

// cableHead are the columns of cables.csv. Devices are named by class and number within it, both
// from 0, as in network.json; racks by place: R03-P07 is place 7 of row 3, with the building before
// it where there are several. Positions count the boxes of a rack from 1 at the bottom, as racks.csv
// lists them. Ports of a switch count the links that end on it, from 1, in the order of the schedule;
// sockets are the same as they stand on the front of the box: 17 is physical port 17, 17/2 the second
// part of it where it is split, and of a server 3.1 is port 1 of its third endpoint. The label is for
// both ends of a cable, and no two cables have the same. Lengths are in metres. Cables between the same two racks are a bundle; those that
// stay in a rack have none, and no tray.
const cableHead = "cable,link,from_device,from_rack,from_position,from_port,to_device,to_rack,to_position,to_port," +
	"laid_m,bought_m,medium,part_no,transceiver_part_no,from_socket,to_socket,label,colour,bundle,tray,install_step\n"

// WriteCables writes the cabling schedule as CSV, one line a cable, without holding it: a million
// cables take no more memory than one.
func WriteCables(w io.Writer, x *Export) error { return x.writeCables(w, func(*floor.Cable) {}) }

// writeCables shows each cable to also.
func (x *Export) writeCables(w io.Writer, also func(*floor.Cable)) error {
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
		also(&c)
		_, failed = w.Write(buf)
		return failed == nil
	})
	if failed != nil {
		return failed
	}
	return err
}

func (n *namer) cable(b []byte, c *floor.Cable) []byte {
	b = strconv.AppendInt(b, int64(c.ID), 10)
	b = number.AppendCell(append(b, ','), c.Link)
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
	b = number.AppendCell(append(b, ','), c.Medium)
	b = append(b, ',')
	if c.Part != nil {
		b = number.AppendCell(b, c.Part.PartNo)
	}
	b = append(b, ',')
	if c.Modules != nil {
		b = number.AppendCell(b, c.Modules.PartNo)
	}
	b = appendSocket(append(b, ','), c.From)
	b = appendSocket(append(b, ','), c.To)
	b = n.end(append(b, ','), c.FromRack, c.FromPos, c.From)
	b = n.end(append(b, " > "...), c.ToRack, c.ToPos, c.To)
	b = append(append(append(b, ','), n.colour(c.Link)...), ',')
	way := n.way(c)
	if way.scope != inRack {
		b = append(n.rack(append(n.rack(b, way.a), '/'), way.b), ',')
		b = n.tray(b, &way)
	} else {
		b = append(b, ',')
	}
	b = strconv.AppendInt(append(b, ','), int64(way.scope.step()), 10)
	return append(b, '\n')
}

// colours are those of TIA-598 for the fibres of a cable, in its order: twelve that are told apart by everybody who lays cables.
var colours = []string{"blue", "orange", "green", "brown", "slate", "white", "red", "black", "yellow", "violet", "rose", "aqua"}

// colour is that of the labels, or of the jackets where they can be chosen, of a class of links.
func (n *namer) colour(link string) string {
	for i := range n.size.Family.LinkClasses {
		if n.size.Family.LinkClasses[i].Name == link {
			return colours[i%len(colours)]
		}
	}
	return ""
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
