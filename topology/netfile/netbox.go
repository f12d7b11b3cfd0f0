package netfile

import (
	"errors"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"toposearch/diag"
)

// netboxColumns are those columns of NetBox's cables that are read, by the names of its import form (dcim/forms/bulk_import.py,
// CableImportForm); its table of cables, exported, has others (netboxHeads). A device is an endpoint by its name (IsEndpoint). NetBox
// keeps no rate of a cable: a description that begins with one, such as "400 Gb/s", gives it. Cables that do not end on
// interfaces (power, consoles) are left out, with a warning.
var netboxColumns = []string{"side_a_device", "side_a_name", "side_b_device", "side_b_name", "side_a_type", "side_b_type",
	"type", "label", "length", "length_unit", "description"}

const (
	nbDeviceA = iota
	nbPortA
	nbDeviceB
	nbPortB
	nbTypeA
	nbTypeB
	nbType
	nbLabel
	nbLength
	nbUnit
	nbDescription
)

// netboxHeads are the heads of its exported table, in small letters.
var netboxHeads = map[string]string{"device a": "side_a_device", "termination a": "side_a_name", "device b": "side_b_device",
	"termination b": "side_b_name", "length unit": "length_unit"}

const netboxInterface = "dcim.interface"

// metres of the units that NetBox measures cables in.
var metres = map[string]float64{"": 1, "m": 1, "meter": 1, "meters": 1, "metres": 1, "km": 1000, "kilometers": 1000, "cm": 0.01, "centimeters": 0.01,
	"mi": 1609.344, "miles": 1609.344, "ft": 0.3048, "feet": 0.3048, "in": 0.0254, "inches": 0.0254}

func isNetBox(head []string) bool {
	return slices.Contains(head, "side_a_device") || slices.Contains(head, "device a")
}

// netbox reads rows of NetBox's cables.
type netbox struct {
	cabling
	records
	column []int
	left   int // rows left out
}

func parseNetBox(r records, head []string) *graph {
	p := &netbox{cabling: newCabling(r.text), records: r}
	p.column = r.columns(head, netboxColumns, netboxHeads, false)
	for _, c := range []int{nbDeviceA, nbPortA, nbDeviceB, nbPortB} {
		if p.column[c] < 0 {
			p.src.at(0, "NetBox's import of cables has side_a_device, side_a_name, side_b_device and side_b_name", "the header has no column %s", netboxColumns[c])
		}
	}
	if p.src.list.HasErrors() {
		return nil
	}
	r.each(p.row)
	if p.left > 0 {
		p.src.list.Warnf(diag.Pos{File: p.src.path}, "%d cables that do not end on two interfaces are left out", p.left)
	}
	if p.src.list.HasErrors() {
		return nil
	}
	return p.finish()
}

func (p *netbox) row(rec []string) {
	get := func(c int) string {
		if p.column[c] < 0 {
			return ""
		}
		return rec[p.column[c]]
	}
	at := func(c int) int { return p.offset(max(p.column[c], 0)) }
	for _, c := range []int{nbTypeA, nbTypeB} {
		if t := get(c); t != "" && t != netboxInterface {
			p.left++
			return
		}
	}
	for _, c := range []int{nbDeviceA, nbPortA, nbDeviceB, nbPortB} {
		if get(c) == "" {
			p.src.at(at(c), "", "a cable without %s", netboxColumns[c])
			return
		}
	}
	a, b := get(nbDeviceA), get(nbDeviceB)
	e := edge{at: at(nbDeviceA), info: LinkInfo{Medium: get(nbType), ID: get(nbLabel), PortA: get(nbPortA), PortB: get(nbPortB)}}
	p.once(p.used, a+"\x00"+e.info.PortA, e.info.PortA, at(nbPortA), e.info.PortA+" of "+a)
	p.once(p.used, b+"\x00"+e.info.PortB, e.info.PortB, at(nbPortB), e.info.PortB+" of "+b)
	if m := described.FindStringSubmatch(get(nbDescription)); m != nil {
		e.milli = p.rate(m[1], at(nbDescription), "the rate")
	}
	e.info.LengthM = p.length(get(nbLength), get(nbUnit), at(nbLength))
	from, to := device{key: a, endpoint: IsEndpoint(a)}, device{key: b, endpoint: IsEndpoint(b)}
	if m := toldCable.FindStringSubmatch(get(nbDescription)); m != nil {
		e.class = m[1]
		if m[2] != "" {
			e.info.Medium = m[2]
		}
		from.class, to.class = m[3], m[5]
		if err := errors.Join(from.setKind(m[4]), to.setKind(m[6])); err != nil {
			p.src.at(at(nbDescription), "", "the description of the cable: %v", err)
			return
		}
	}
	p.join(from, to, e, at(nbDeviceB))
}

// described is a rate at the beginning of a description; toldCable is what behind it says of a cable and its ends, as ToldCable writes it.
var (
	described = regexp.MustCompile(`^([0-9.]+) ?Gb/s`)
	toldCable = regexp.MustCompile(`^(?:[0-9.]+ Gb/s )?class (\S+)(?: of ([^:]+))?: (?:(\S+) )?\(([^()]+)\) to (?:(\S+) )?\(([^()]+)\)$`)
)

// End is an end of a cable: the class of a switch and its kind; of an endpoint no class and the kind "endpoint".
type End struct{ Class, Kind string }

// EndpointEnd is that at an endpoint.
var EndpointEnd = End{Kind: kindEndpoint}

func (e End) text() string { return strings.TrimSpace(e.Class + " (" + e.Kind + ")") }

// ToldCable says in words what NetBox has no columns for: the class of a cable, what it is made of (Medium), and what its ends are.
func ToldCable(class, medium string, a, b End) string {
	if medium != "" {
		medium = " of " + medium
	}
	return "class " + class + medium + ": " + a.text() + " to " + b.text()
}

// length reads a number and its unit, which stands in the same cell or in one of its own.
func (p *netbox) length(text, unit string, at int) float64 {
	if number, with, ok := strings.Cut(text, " "); ok && unit == "" {
		text, unit = number, with
	}
	factor, ok := metres[strings.ToLower(unit)]
	if !ok {
		p.src.at(at, "NetBox has km, m, cm, mi, ft and in", "%s is no unit of length", strconv.Quote(unit))
	}
	return factor * p.positive(text, at, "the length", true, mostLength)
}
