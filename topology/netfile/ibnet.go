package netfile

import (
	"cmp"
	"errors"
	"regexp"
	"strconv"
	"strings"

	"toposearch/diag"
)

// ibnet is what ibnetdiscover prints of an InfiniBand fabric, and what ibsim reads:
//
//	Switch	4 "S-02c9000000000000"		# "leaf-0" base port 0 lid 7 lmc 0
//	[1]	"H-02c9000000000100"[1](2c9000000000101)		# "gpu-0" lid 1 4xNDR
//	[3]	"S-02c9000000000010"[3]		# "spine-0" lid 9 4xNDR
//
// A comment before the record of a switch may name its class and kind (Kind), "# class npu: embedded", one behind a port the class of its cable, "class nic", and its medium.
// A record is its head and a line for each port with a cable; both ends list the cable. Adapters (Ca) are endpoints, each with
// as many ports as have cables. Rates are widths times speeds, where the comments give them. Aggregation nodes, which
// are parts of switches, and routers are left out, with a warning.
type ibnet struct {
	cabling
	nodes map[string]*ibNode
	ports []ibPort // in the order of the file
	at    map[ibEnd]int
	now   *ibNode
	told  []string // class and kind of the switch whose record is next; nil: nothing
	left  int      // nodes left out
}

type ibNode struct {
	device
	ports int
	out   bool // left out
	links int
}

type ibEnd struct {
	node string
	port int
}

// ibPort is a line of a port.
type ibPort struct {
	from, to ibEnd
	milli    int64
	class    string
	medium   string
	at       int
}

var (
	ibHead = regexp.MustCompile(`^(Switch|Ca|Rt)\s+(\d+)\s+"([^"]+)"\s*(?:#\s*"([^"]*)".*)?$`)
	ibLink = regexp.MustCompile(`^\[(\d+)\](?:\([0-9a-fA-F]+\))?\s+"([^"]+)"\[(\d+)\](?:\([0-9a-fA-F]+\))?\s*(?:#(.*))?$`)
	ibRate = regexp.MustCompile(`\b(1|2|4|8|12)x(SDR|DDR|QDR|FDR10|FDR|EDR|HDR|NDR|XDR)\b`)
	ibTold = regexp.MustCompile(`^# class (\S+): ([a-z_=0-9 ]+)$`)
	ibOf   = regexp.MustCompile(`" \d+x[A-Z0-9]+ class (\S+)(?: of (.+))?$`)
	ibGUID = regexp.MustCompile(`^(vendid|devid|sysimgguid|caguid|switchguid|rtguid)=`)
)

// LaneMbps are the rates of one lane of InfiniBand's speeds as they are sold, Mb/s.
var LaneMbps = map[string]int64{"SDR": 2500, "DDR": 5000, "QDR": 10000, "FDR10": 10000, "FDR": 14000, "EDR": 25000, "HDR": 50000, "NDR": 100000, "XDR": 200000}

// mostIBPorts is what a byte numbers without 0, a switch's own port, and 255, none.
const mostIBPorts = 254

// isIBNet tells what ibnetdiscover prints by its first line that is no comment.
func isIBNet(line []byte) bool { return ibGUID.Match(line) || ibHead.Match(line) }

func parseIBNet(src *source) *graph {
	if src.longLines() {
		return nil
	}
	p := &ibnet{cabling: newCabling(src), nodes: map[string]*ibNode{}, at: map[ibEnd]int{}}
	for i := range src.lines {
		if src.full {
			break
		}
		p.line(src.lines[i], strings.TrimSpace(string(src.line(i))))
	}
	p.pairs()
	for _, n := range p.nodes {
		if n.out || n.endpoint && n.links == 0 {
			p.left++
		}
	}
	if p.left > 0 {
		src.list.Warnf(diag.Pos{File: src.path}, "%d nodes are left out: aggregation nodes, routers and adapters without cables", p.left)
	}
	if src.list.HasErrors() {
		return nil
	}
	return p.finish()
}

func (p *ibnet) line(at int, line string) {
	if m := ibTold.FindStringSubmatch(line); m != nil {
		p.told = m[1:]
		return
	}
	switch {
	case line == "" || line[0] == '#' || ibGUID.MatchString(line):
	case line[0] == '[':
		p.port(at, line)
	default:
		m := ibHead.FindStringSubmatch(line)
		if m == nil {
			p.src.at(at, `records begin like: Switch 4 "S-0002c90200000001" # "leaf-0"`, "this is no line of ibnetdiscover")
			return
		}
		if p.nodes[m[3]] != nil {
			p.src.at(at, "a node has one record", "node %s stands twice", m[3])
			return
		}
		ports, err := strconv.Atoi(m[2])
		if err != nil || ports > mostIBPorts {
			p.src.at(at, "", "%s ports; InfiniBand numbers %d", m[2], mostIBPorts)
		}
		p.src.seen(at, m[3])
		p.src.seen(at, m[4])
		p.now = &ibNode{device: device{key: m[3], name: m[4], endpoint: m[1] == "Ca"}, ports: ports,
			out: m[1] == "Rt" || m[1] == "Ca" && strings.Contains(m[4], "Aggregation Node")}
		if p.nodes[m[3]] = p.now; m[1] == "Switch" && p.told != nil {
			p.now.class = p.told[0]
			if err := p.now.setKind(p.told[1]); err != nil || p.now.endpoint {
				p.src.at(at, "", "the comment on the kind of %s: %v", p.now.shown(), cmp.Or(err, errors.New("a switch is no endpoint")))
			}
		}
		p.told = nil
	}
}

func (p *ibnet) port(at int, line string) {
	m := ibLink.FindStringSubmatch(line)
	switch {
	case m == nil:
		p.src.at(at, `ports look like: [1] "S-0002c90200000001"[3]`, "this is no line of a port")
		return
	case p.now == nil:
		p.src.at(at, "a record begins with its Switch or Ca", "a port of no node")
		return
	}
	from, _ := strconv.Atoi(m[1])
	to, _ := strconv.Atoi(m[3])
	x := ibPort{from: ibEnd{p.now.key, from}, to: ibEnd{m[2], to}, at: at}
	if from < 1 || from > p.now.ports {
		p.src.at(at, "", "port %s of %s, which has %d", m[1], p.now.shown(), p.now.ports)
		return
	}
	if _, twice := p.at[x.from]; twice {
		p.src.at(at, "a port has one cable", "port %d of %s stands twice", from, p.now.shown())
		return
	}
	if r := ibRate.FindStringSubmatch(m[4]); r != nil {
		width, _ := strconv.ParseInt(r[1], 10, 64)
		x.milli = width * LaneMbps[r[2]]
	}
	if c := ibOf.FindStringSubmatch(m[4]); c != nil {
		x.class, x.medium = c[1], c[2]
	}
	p.at[x.from] = len(p.ports)
	p.ports = append(p.ports, x)
}

// pairs joins the two lines of each cable.
func (p *ibnet) pairs() {
	for i, x := range p.ports {
		a, b := p.nodes[x.from.node], p.nodes[x.to.node]
		if p.src.full {
			return
		}
		if b == nil {
			p.src.at(x.at, "the output is cut, or a node did not answer: discover again", "%s has no record", x.to.node)
			continue
		}
		j, ok := p.at[x.to]
		if !ok || p.ports[j].to != x.from {
			p.src.at(x.at, "both ends list a cable", "port %d of %s does not lead back to port %d of %s", x.to.port, b.shown(), x.from.port, a.shown())
			continue
		}
		if a.out || b.out || j < i {
			continue
		}
		a.links, b.links = a.links+1, b.links+1
		if y := p.ports[j]; x.milli == 0 {
			x.milli = y.milli
		} else if y.milli != 0 && y.milli != x.milli {
			p.src.at(x.at, "", "the two ends of a cable have %g and %g Gb/s", float64(x.milli)/1000, float64(y.milli)/1000)
		}
		e := edge{at: x.at, milli: x.milli, class: x.class, info: LinkInfo{Medium: x.medium, PortA: strconv.Itoa(x.from.port), PortB: strconv.Itoa(x.to.port)}}
		p.join(a.device, b.device, e, x.at)
	}
}
