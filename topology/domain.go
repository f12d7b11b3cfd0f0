package topology

import (
	"fmt"
	"strconv"
	"strings"
)

// Domain is how the endpoints of a scale-up domain (a server, or a rack such as NVL72) are joined.
// The zero value is a full mesh; with Levels, switches join them: of one level, to each of which
// every endpoint is linked (HGX and NVL72: NVIDIA's NVSwitch boards and trays), or of two, leaf and
// spine, where every leaf is linked to every spine. Scale-up switches belong to the domain as its
// links do: they are embedded relays, no switches of the network.
type Domain struct {
	Endpoints int // of a domain, consecutive; at least 2
	Levels    int // of switches: 0 (a full mesh), 1 or 2
	Switches  int // to each of which an endpoint is linked, at least 1; 0 for a mesh
	Box       int // two levels: endpoints that share their leaves; divides Endpoints
	Spines    int // two levels: of the domain
	// Lanes are the lanes of the links of both levels in the network; 0 is 1.
	Lanes [2]int32
}

// Check tells what is wrong, and what would be right.
func (d *Domain) Check() error {
	switch {
	case d.Endpoints < 2:
		return fmt.Errorf("a scale-up domain of %d endpoints: it needs at least 2", d.Endpoints)
	case d.Levels < 0 || d.Levels > 2:
		return fmt.Errorf("a scale-up domain of %d levels of switches: it has 0 (a full mesh), 1 or 2", d.Levels)
	case d.Levels == 0 && (d.Switches != 0 || d.Box != 0 || d.Spines != 0):
		return fmt.Errorf("a full mesh has no scale-up switches: leave switches, box and spines out, or say levels = 1 or 2")
	case d.Levels > 0 && (d.Switches < 1 || d.Switches > mostScaleup):
		return fmt.Errorf("%d scale-up switches for every endpoint: between 1 and %d are possible", d.Switches, mostScaleup)
	case d.Levels == 1 && (d.Box != 0 || d.Spines != 0):
		return fmt.Errorf("box and spines are for two levels of scale-up switches: say levels = 2, or leave them out")
	case d.Levels == 2 && (d.Spines < 1 || d.Spines > mostScaleup):
		return fmt.Errorf("%d spines of a scale-up domain: between 1 and %d are possible", d.Spines, mostScaleup)
	case d.Levels == 2 && (d.Box < 1 || d.Endpoints%d.Box != 0 || d.Box == d.Endpoints):
		return fmt.Errorf("boxes of %d endpoints in a scale-up domain of %d: two levels need at least two boxes of equal size", d.Box, d.Endpoints)
	}
	return nil
}

// mostScaleup bounds the scale-up switches of an endpoint, and the spines of a domain: one for each
// of the 18 links of an accelerator is what is built (NVL72), and spines are as many in all.
const mostScaleup = 1024

// Count is the number of scale-up switches and links of a domain.
func (d *Domain) Count() (switches, links int) {
	e := d.Endpoints
	switch d.Levels {
	case 0:
		return 0, e * (e - 1) / 2
	case 1:
		return d.Switches, e * d.Switches
	}
	leaves := e / d.Box * d.Switches
	return leaves + d.Spines, e*d.Switches + leaves*d.Spines
}

// LinkGbps is the rate of the links of both levels if an endpoint has gbps of scale-up bandwidth:
// all its links together where there are switches, and leaves with as much up as down; in a mesh,
// as in ATOP, each link by itself.
func (d *Domain) LinkGbps(gbps float64) (first, second float64) {
	if d.Levels == 0 {
		return gbps, 0
	}
	first = gbps / float64(d.Switches)
	if d.Levels == 2 {
		second = first * float64(d.Box) / float64(d.Spines)
	}
	return first, second
}

// String describes the domain in the words of ParseDomain.
func (d Domain) String() string {
	switch d.Levels {
	case 1:
		return fmt.Sprintf("domain=%d,levels=1,switches=%d", d.Endpoints, d.Switches)
	case 2:
		return fmt.Sprintf("domain=%d,levels=2,switches=%d,box=%d,spines=%d", d.Endpoints, d.Switches, d.Box, d.Spines)
	}
	return fmt.Sprintf("domain=%d", d.Endpoints)
}

// ParseDomain reads "mesh" or name=value pairs: domain (default: per), levels (default: 1 if
// switches are given, 2 if box or spines are), switches (1), box, and spines (as many as switches).
func ParseDomain(s string, per int) (Domain, error) {
	d := Domain{Endpoints: per, Levels: -1}
	fields := map[string]*int{"domain": &d.Endpoints, "levels": &d.Levels, "switches": &d.Switches, "box": &d.Box, "spines": &d.Spines}
	for _, a := range strings.Split(s, ",") {
		a = strings.TrimSpace(a)
		if a == "mesh" || a == "" {
			continue
		}
		key, val, _ := strings.Cut(a, "=")
		to := fields[strings.TrimSpace(key)]
		if to == nil {
			return d, fmt.Errorf("%q says nothing of a scale-up domain: write mesh, or domain=72,levels=1,switches=18, or levels=2 with box=36,spines=18", a)
		}
		x, err := strconv.Atoi(strings.TrimSpace(val))
		if err != nil || x < 0 {
			return d, fmt.Errorf("%q is not a whole number: write %s=4", val, key)
		}
		*to = x
	}
	d.Complete()
	return d, d.Check()
}

// Complete fills in what a description left out: Levels < 0, and zeros.
func (d *Domain) Complete() {
	if d.Levels < 0 {
		switch {
		case d.Box > 0 || d.Spines > 0:
			d.Levels = 2
		case d.Switches > 0:
			d.Levels = 1
		default:
			d.Levels = 0
		}
	}
	if d.Levels > 0 && d.Switches == 0 {
		d.Switches = 1
	}
	if d.Levels == 2 && d.Spines == 0 {
		d.Spines = d.Switches
	}
}
