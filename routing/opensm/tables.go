package opensm

import (
	"bufio"
	"fmt"
	"io"

	"toposearch/topology"
)

// WriteTables writes lfts: of each switch the port to each endpoint and to itself, as opensm dumps and reads them. Endpoints without a route have no line.
func (f *Fabric) WriteTables(out io.Writer) error {
	w := bufio.NewWriter(out)
	last := len(f.at) + len(f.hosts)
	for s := range topology.SwitchID(len(f.hosts)) {
		fmt.Fprintf(w, "Unicast lids [0-%d] of switch Lid %d guid 0x%016x ('%s'):\n", last, f.switchLID(s), f.switchGUID(s), f.switchName(s))
		for e := range topology.EndpointID(len(f.at)) {
			port := f.port[e]
			if s != f.at[e] {
				c := f.tables.Next(f.tables.Row(e), s)
				if c < 0 {
					continue
				}
				port = f.portOf(c)
			}
			fmt.Fprintf(w, "0x%04x %03d # Channel Adapter portguid 0x%016x: '%s'\n", f.hostLID(e), port, f.hostGUID(e)+1, f.hostName(e))
		}
		fmt.Fprintf(w, "0x%04x 000 # Switch portguid 0x%016x: '%s'\n", f.switchLID(s), f.switchGUID(s), f.switchName(s))
	}
	return w.Flush()
}

// WriteLevels writes paths.sl: a line for each pair of endpoints with a route, the GUID of the source's node, the LID of the destination,
// the service level.
func (f *Fabric) WriteLevels(out io.Writer) error {
	w := bufio.NewWriter(out)
	for e := range topology.EndpointID(len(f.at)) {
		for d := range topology.EndpointID(len(f.at)) {
			layer, reached := f.level(e, d)
			if e == d || !reached {
				continue
			}
			fmt.Fprintf(w, "0x%016x %d %d\n", f.hostGUID(e), f.hostLID(d), layer)
		}
	}
	return w.Flush()
}

// level is the service level of a pair. What stays on a switch crosses no link of a layer: the first will do.
func (f *Fabric) level(from, to topology.EndpointID) (layer uint8, reached bool) {
	if f.at[from] == f.at[to] {
		return 0, true
	}
	row := f.tables.Row(to)
	if f.tables.Next(row, f.at[from]) < 0 {
		return 0, false
	}
	layer, _ = f.tables.Layer(row, f.at[from])
	return layer, true
}

// WriteOptions writes opensm.conf.
func (f *Fabric) WriteOptions(out io.Writer) error {
	lanes := max(f.tables.Layers, 1)
	w := bufio.NewWriter(out)
	fmt.Fprintf(w, "routing_engine file\nlfts_file lfts\nreassign_lids FALSE\nqos TRUE\nqos_max_vls %d\nqos_sl2vl ", lanes)
	for sl := range 16 {
		if sl > 0 {
			fmt.Fprint(w, ",")
		}
		fmt.Fprint(w, sl%lanes)
	}
	fmt.Fprintln(w)
	return w.Flush()
}
