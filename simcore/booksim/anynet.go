package booksim

import (
	"sort"
	"strconv"
	"strings"

	"toposearch/diag"
	"toposearch/simcore"
	"toposearch/simcore/flit"
)

// anyLink is a directed link between two routers.
type anyLink struct{ from, to int }

// anyText is a network file as read: "router R node N router Q [latency] ..." on each line.
type anyText struct {
	nodeAt  map[int]int     // router of each node
	latency map[anyLink]int // directed; both directions of every link are there
	routers map[int]bool
}

func (s *Settings) anynet() *fabric {
	name := s.str("network_file")
	text, err := s.open(name)
	if err != nil {
		s.errorAt("network_file", "", "cannot read the network: %v", err)
		return nil
	}
	if s.str("routing_function") != "min" {
		return s.noRouting("min")
	}
	t, diags := readAnynet(name, string(text))
	s.diags = append(s.diags, diags...)
	if len(diags) > 0 {
		return nil
	}
	f, from, to := t.fabric(s.vcs())
	if f == nil {
		s.errorAt("network_file", "", "there is no way from router %d to router %d", from, to)
	}
	return f
}

// readAnynet reads a network file and reports all its faults.
func readAnynet(file, text string) (*anyText, diag.List) {
	t := &anyText{nodeAt: map[int]int{}, latency: map[anyLink]int{}, routers: map[int]bool{}}
	var out diag.List
	for i, line := range strings.Split(text, "\n") {
		line = strings.TrimSuffix(line, "\r")
		fault := func(word, msg string) {
			col := max(0, strings.Index(line, word)) + 1
			out = append(out, diag.Diagnostic{Severity: diag.Error, Summary: msg,
				Pos: diag.Pos{File: file, Line: i + 1, Column: col}, Source: line, Width: max(1, len(word))})
		}
		t.line(strings.Fields(line), fault)
	}
	bad := func(msg string) {
		out = append(out, diag.Diagnostic{Severity: diag.Error, Summary: msg, Pos: diag.Pos{File: file}})
	}
	if len(out) == 0 {
		t.check(bad)
	}
	return t, out
}

func (t *anyText) line(words []string, fault func(word, msg string)) {
	own := -1
	for k := 0; k < len(words); {
		kind := words[k]
		if kind != "router" && kind != "node" {
			fault(kind, "expected router or node, found "+strconv.Quote(kind))
			return
		}
		if k+1 >= len(words) {
			fault(kind, kind+" without a number")
			return
		}
		id, err := strconv.Atoi(words[k+1])
		if err != nil || id < 0 || id >= maxNodes {
			fault(words[k+1], strconv.Quote(words[k+1])+" is not a number of a "+kind)
			return
		}
		k += 2
		latency := 0
		if k < len(words) {
			if l, err := strconv.Atoi(words[k]); err == nil {
				if l < 1 || l > 1<<15 {
					fault(words[k], "a latency is 1 to 32768 cycles")
					return
				}
				latency = l
				k++
			}
		}
		switch {
		case own < 0 && kind == "node":
			fault("node", "a line starts with its router")
			return
		case own < 0:
			if latency > 0 {
				fault(words[k-1], "the router that a line belongs to has no latency")
			}
			own = id
			t.routers[id] = true
		case kind == "node":
			if latency > 0 {
				fault(words[k-1], "the link to a node has no latency (BookSim2 would make it a link to router "+words[k-2]+")")
			}
			if at, twice := t.nodeAt[id]; twice && at != own {
				fault(words[k-1], "node "+strconv.Itoa(id)+" is on two routers")
			}
			t.nodeAt[id] = own
		default:
			t.link(own, id, latency)
		}
	}
}

func (t *anyText) link(a, b, latency int) {
	t.routers[b] = true
	if _, known := t.latency[anyLink{a, b}]; !known || latency > 0 {
		t.latency[anyLink{a, b}] = max(1, latency)
	}
	if _, known := t.latency[anyLink{b, a}]; !known {
		t.latency[anyLink{b, a}] = 1
	}
}

// maxRouters bounds a network file: its routing table has the square of it in entries, 64 MB, and is made in
// the cube of it in steps, as BookSim2 makes it.
const maxRouters = 4096

func (t *anyText) check(bad func(string)) {
	if len(t.routers) > maxRouters {
		bad("the network has " + strconv.Itoa(len(t.routers)) + " routers; at most " + strconv.Itoa(maxRouters) + " are simulated from a file: give it as a DESIGN, file:PATH")
		return
	}
	if len(t.nodeAt) == 0 {
		bad("the network has no nodes")
	}
	for i := range len(t.routers) {
		if !t.routers[i] {
			bad("routers are not numbered from 0 without gaps: there is no router " + strconv.Itoa(i))
			break
		}
	}
	for i := range len(t.nodeAt) {
		if _, ok := t.nodeAt[i]; !ok {
			bad("nodes are not numbered from 0 without gaps: there is no node " + strconv.Itoa(i))
			break
		}
	}
}

// fabric numbers the ports: nodes ascending, then neighbours ascending on both sides. It is nil if a
// router with nodes cannot be reached from another one.
func (t *anyText) fabric(vcs int) (f *fabric, from, to int) {
	n := len(t.routers)
	f = &fabric{plant: &flit.Plant{Switches: n, Endpoints: len(t.nodeAt)}}
	local := make([]int, n)
	port := make([]int32, len(t.nodeAt))
	for e := range len(t.nodeAt) {
		r := t.nodeAt[e]
		port[e] = int32(local[r])
		f.tie(e, r, local[r], local[r])
		local[r]++
	}
	next := make([][]int, n)
	for l := range t.latency {
		next[l.from] = append(next[l.from], l.to)
	}
	outs, ins := append([]int(nil), local...), append([]int(nil), local...)
	for r := range n {
		sort.Ints(next[r])
		for _, q := range next[r] {
			if q != r {
				f.line(r, outs[r], q, ins[q], t.latency[anyLink{r, q}])
			}
			outs[r]++
			if q != r {
				ins[q]++
			}
		}
	}
	table := t.table(next, local)
	for a := range n {
		for b := range n {
			if a != b && local[a] > 0 && local[b] > 0 && table[a*n+b] < 0 {
				return nil, a, b
			}
		}
	}
	h := split0(vcs)
	f.routing = &hook{inject: h.everywhere, route: func(sw int32, p *simcore.Packet, _ *simcore.View) flit.PortHop {
		to := t.nodeAt[dest(p)]
		if to == int(sw) {
			return h.all.hop(port[p.Dst])
		}
		return h.all.hop(table[int(sw)*n+to])
	}}
	return f, 0, 0
}

// table is Dijkstra's algorithm from each router: settled in order of (distance, number), only
// strict improvements, neighbours ascending. It holds the first output on the way.
func (t *anyText) table(next [][]int, local []int) []int32 {
	n := len(next)
	table := make([]int32, n*n)
	const far = 1 << 60
	for s := range n {
		dist, done := make([]int, n), make([]bool, n)
		first := table[s*n : (s+1)*n]
		for i := range dist {
			dist[i], first[i] = far, -1
		}
		dist[s] = 0
		for {
			at := -1
			for i := range n {
				if !done[i] && dist[i] < far && (at < 0 || dist[i] < dist[at]) {
					at = i
				}
			}
			if at < 0 {
				break
			}
			done[at] = true
			for i, q := range next[at] {
				if d := dist[at] + t.latency[anyLink{at, q}]; d < dist[q] {
					dist[q] = d
					if first[q] = first[at]; at == s {
						first[q] = int32(local[s] + i)
					}
				}
			}
		}
	}
	return table
}
