package foreign

import (
	"bufio"
	"fmt"
	"io"
	"slices"

	"toposearch/topology"
	"toposearch/topology/netfile"
)

// Limits of InfiniBand.
const (
	mostPorts   = 254    // of a switch: a byte, of which 0 is its own port and 255 no port
	mostUnicast = 0xBFFF // LIDs; those above are of multicast
)

// GUIDs of nodes: those of a vendor's, far enough apart that GUIDs of ports come after a node's own.
const (
	firstGUID = 0x02c9000000000000
	GUIDStep  = 256
)

// SwitchGUID and EndpointGUID are the GUIDs of nodes; that of an endpoint's port p, from 1, is p behind its node's.
func (f *Fabric) SwitchGUID(s topology.SwitchID) uint64 { return firstGUID + GUIDStep*uint64(s) }

// EndpointGUID is the GUID of an endpoint's adapter.
func (f *Fabric) EndpointGUID(e topology.EndpointID) uint64 {
	return f.SwitchGUID(topology.SwitchID(f.n.Switches())) + GUIDStep*uint64(e)
}

// Device numbers of the vendor's switches and adapters, which tools only show.
const (
	switchDevice = 0xd2f0
	hostDevice   = 0x101b
)

// IBNet writes the network as ibnetdiscover prints it. An endpoint stands first: OpenSM runs on the first node of a simulated
// fabric. Rates stand in the comments of ports, as widths and speeds that InfiniBand has, and with them what netfile reads of classes and kinds.
func (f *Fabric) IBNet(out io.Writer) error {
	speed, err := f.checkIB()
	if err != nil {
		return err
	}
	at := make([][]string, f.devices()) // lines of the ports
	_ = f.cables(func(c cable) error {  // no error of its own
		at[c.a] = append(at[c.a], f.portLine(c.portA, c.b, c.portB, speed[c.class], c.class))
		at[c.b] = append(at[c.b], f.portLine(c.portB, c.a, c.portA, speed[c.class], c.class))
		return nil
	})
	w := bufio.NewWriter(out)
	for e := range f.n.Endpoints() {
		d := f.switches() + e
		fmt.Fprintf(w, "vendid=0x2c9\ndevid=%#x\nsysimgguid=%#x\ncaguid=%#x\nCa\t%d %s\t# \"%s\"\n", hostDevice, f.guid(d), f.guid(d), len(at[d]), f.node(d), f.IBName(d))
		f.record(w, at[d])
	}
	for s := range f.switches() {
		if f.milli != nil {
			end := f.end(s)
			fmt.Fprintf(w, "# class %s: %s\n", end.Class, end.Kind)
		}
		fmt.Fprintf(w, "vendid=0x2c9\ndevid=%#x\nsysimgguid=%#x\nswitchguid=%#x(%x)\nSwitch\t%d %s\t# \"%s\" base port 0 lid %d lmc 0\n", switchDevice,
			f.guid(s), f.guid(s), f.guid(s), f.ports[s], f.node(s), f.IBName(s), 1+f.n.Endpoints()+s)
		f.record(w, at[s])
	}
	return w.Flush()
}

// record writes the lines of a record in the order of its ports.
func (f *Fabric) record(w io.Writer, lines []string) {
	slices.SortFunc(lines, func(a, b string) int { return portOf(a) - portOf(b) })
	for _, l := range lines {
		fmt.Fprint(w, l)
	}
	fmt.Fprintln(w)
}

func portOf(line string) (p int) {
	_, _ = fmt.Sscanf(line, "[%d]", &p) // written by portLine
	return p
}

func (f *Fabric) portLine(port, to, toPort int, speed string, class int) string {
	if speed == "" { // nothing else is said without rates
		return fmt.Sprintf("[%d]\t%s[%d]\n", port, f.node(to), toPort)
	}
	of := f.medium(class)
	if of != "" {
		of = " of " + of
	}
	return fmt.Sprintf("[%d]\t%s[%d]\t# \"%s\" %s class %s%s\n", port, f.node(to), toPort, f.IBName(to), speed, f.linkClass(class), of)
}

func (f *Fabric) guid(d int) uint64 {
	if f.isEndpoint(d) {
		return f.EndpointGUID(topology.EndpointID(d - f.switches()))
	}
	return f.SwitchGUID(topology.SwitchID(d))
}

// node is the id of a device.
func (f *Fabric) node(d int) string {
	kind := "S"
	if f.isEndpoint(d) {
		kind = "H"
	}
	return fmt.Sprintf("\"%s-%016x\"", kind, f.guid(d))
}

// IBName is the description of a device in the files.
func (f *Fabric) IBName(d int) string { return f.name(d) }

// checkIB refuses what InfiniBand has not, and gives the speed of each class of links, "" if rates are not written.
func (f *Fabric) checkIB() (speed []string, err error) {
	if err := f.bothWays("ibnetdiscover"); err != nil {
		return nil, err
	}
	if n := f.lids(); n > mostUnicast {
		return nil, f.refusal("ibnetdiscover", "its switches and the ports of its endpoints need %d LIDs, and a subnet has %d", n, mostUnicast)
	}
	for s, ports := range f.ports {
		if ports > mostPorts {
			return nil, f.refusal("ibnetdiscover", "switch %s has %d ports; InfiniBand numbers %d", f.names[s], ports, mostPorts)
		}
	}
	speed = make([]string, len(f.n.LinkClasses))
	for c := range speed {
		if speed[c] = ibSpeed(f.mbps(c)); speed[c] == "" && f.milli != nil {
			return nil, f.refusal("ibnetdiscover", "links of class %s have %s Gb/s, and no width and speed of InfiniBand has that; another --bandwidth, such as '400 Gb/s' a port, does",
				f.n.LinkClasses[c].Name, f.gbps(c))
		}
	}
	return speed, nil
}

// ibSpeed is a width and speed of InfiniBand of a rate in Mb/s; "" if none has it. Of several the usual one: four lanes first, the newer speed.
func ibSpeed(mbps int64) string {
	for _, width := range []int64{4, 2, 1, 8, 12} {
		for _, s := range []string{"XDR", "NDR", "HDR", "EDR", "FDR", "QDR", "DDR", "SDR"} {
			if mbps > 0 && netfile.LaneMbps[s]*width == mbps {
				return fmt.Sprintf("%dx%s", width, s)
			}
		}
	}
	return ""
}

// lids counts the addresses: one of each switch and of each endpoint's port.
func (f *Fabric) lids() int {
	n := f.n.Switches()
	for g := range f.n.Groups() {
		from, end, ports := f.n.Group(g)
		n += int(end-from) * len(ports)
	}
	return n
}
