package foreign

import (
	"bufio"
	"fmt"
	"io"
	"strconv"

	"toposearch/topology/netfile"
)

// NetBox's files, in the order in which its import forms (dcim/forms/bulk_import.py) want them. Sites, makers and types are to be
// replaced by those of the plant; rates of cables and what their ends are, for which NetBox has no columns, stand in the description, where netfile reads them.
const (
	site  = "toposearch"
	maker = "toposearch"
)

// NetBoxSites, NetBoxMakers and NetBoxRoles are what devices refer to.
func (f *Fabric) NetBoxSites(out io.Writer) error {
	_, err := fmt.Fprintf(out, "name,slug,status\n%s,%s,planned\n", site, site)
	return err
}

// NetBoxMakers writes manufacturers.csv.
func (f *Fabric) NetBoxMakers(out io.Writer) error {
	_, err := fmt.Fprintf(out, "name,slug\n%s,%s\n", maker, maker)
	return err
}

// NetBoxRoles writes device-roles.csv: switch, endpoint, and forwarding parts of endpoints.
func (f *Fabric) NetBoxRoles(out io.Writer) error {
	_, err := io.WriteString(out, "name,slug,color\nswitch,switch,2196f3\nendpoint,endpoint,4caf50\nforwarding part,forwarding-part,9e9e9e\n")
	return err
}

// NetBoxTypes writes device-types.csv: a type for each class of switches, of one unit, and one of endpoints. Forwarding parts and
// endpoints have no height of their own.
func (f *Fabric) NetBoxTypes(out io.Writer) error {
	w := bufio.NewWriter(out)
	fmt.Fprintln(w, "manufacturer,model,slug,u_height")
	for _, c := range f.n.SwitchClasses {
		height := 1
		if c.Embedded {
			height = 0
		}
		fmt.Fprintf(w, "%s,%s,%s,%d\n", maker, plain(c.Name), plain(c.Name), height)
	}
	fmt.Fprintf(w, "%s,endpoint,endpoint,0\n", maker)
	return w.Flush()
}

// NetBoxDevices writes devices.csv.
func (f *Fabric) NetBoxDevices(out io.Writer) error {
	w := bufio.NewWriter(out)
	fmt.Fprintln(w, "name,role,manufacturer,device_type,site,status")
	for d := range f.devices() {
		role, kind := "endpoint", "endpoint"
		if !f.isEndpoint(d) {
			role, kind = "switch", plain(f.class(d).Name)
			if f.class(d).Embedded {
				role = "forwarding part"
			}
		}
		fmt.Fprintf(w, "%s,%s,%s,%s,%s,planned\n", f.name(d), role, maker, kind, site)
	}
	return w.Flush()
}

// NetBoxInterfaces writes interfaces.csv: the ports in use, with their speed in kb/s.
func (f *Fabric) NetBoxInterfaces(out io.Writer) error {
	w := bufio.NewWriter(out)
	fmt.Fprintln(w, "device,name,type,speed")
	err := f.cables(func(c cable) error {
		speed := ""
		if k := f.mbps(c.class); k > 0 {
			speed = strconv.FormatInt(1000*k, 10)
		}
		_, err := fmt.Fprintf(w, "%s,port%d,other,%s\n%s,port%d,other,%s\n", f.name(c.a), c.portA, speed, f.name(c.b), c.portB, speed)
		return err
	})
	return first(err, w.Flush())
}

// NetBoxCables writes cables.csv.
func (f *Fabric) NetBoxCables(out io.Writer) error {
	if err := f.bothWays("netbox"); err != nil {
		return err
	}
	w := bufio.NewWriter(out)
	fmt.Fprintln(w, "side_a_site,side_a_device,side_a_type,side_a_name,side_b_site,side_b_device,side_b_type,side_b_name,status,label,description")
	label := 0
	err := f.cables(func(c cable) error {
		label++
		rate := ""
		if r := f.gbps(c.class); r != "" {
			rate = r + " Gb/s "
		}
		_, err := fmt.Fprintf(w, "%s,%s,dcim.interface,port%d,%s,%s,dcim.interface,port%d,planned,C%06d,%s%s\n",
			site, f.name(c.a), c.portA, site, f.name(c.b), c.portB, label, rate, netfile.ToldCable(f.linkClass(c.class), f.medium(c.class), f.end(c.a), f.end(c.b)))
		return err
	})
	return first(err, w.Flush())
}
