package plan

import (
	"fmt"
	"io"
	"strconv"

	"toposearch/evaluator/floor"
	"toposearch/report/number"
)

// rackHead are the columns of racks.csv: what stands where, from the bottom up.
const rackHead = "rack,building,row,place,position,device,part_no,first_endpoint,last_endpoint\n"

// writeRacks shows each rack to also.
func (x *Export) writeRacks(w io.Writer, also func(*floor.Rack)) error {
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
		also(&r)
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
		b = number.AppendCell(b, x.Part.PartNo)
	}
	return append(b, ",,\n"...)
}
