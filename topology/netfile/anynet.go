package netfile

import (
	"strconv"

	"toposearch/topology"
)

// anynet is what lines like
//
//	router 0 node 0 node 1 router 1 5 router 2
//
// say: node 0 and 1 hang on router 0, which has links to routers 1 and 2. A number after a router
// is the latency in cycles of the direction to it (1 if none is given anywhere); one after a node
// is refused, since BookSim2 makes a router link of it. A link is bidirectional whether one or
// both of its ends list it. IDs count from 0 without gaps. Parallel links, which BookSim2 merges
// silently, are refused.
type anynet struct {
	src    *source
	graph  graph
	link   map[[2]int32]int // by ends, smaller first: index of the link
	listed map[[2]int32]bool
	home   map[int32]int32 // router of a node
	where  map[int32]int   // offset at which a node or (negative, -1-id) a router is first named
	maxR   int32
	maxN   int32
}

// maxAnynetID bounds IDs, so that a mistyped one does not ask for memory.
const maxAnynetID = maxSwitches - 1

func parseAnynet(src *source) *graph {
	if src.longLines() {
		return nil
	}
	p := &anynet{
		src: src, link: map[[2]int32]int{}, listed: map[[2]int32]bool{}, home: map[int32]int32{}, where: map[int32]int{}, maxR: -1, maxN: -1,
	}
	for i := range src.lines {
		if src.full {
			break
		}
		p.line(src.lines[i], src.line(i))
	}
	if src.list.HasErrors() {
		return nil
	}
	return p.finish()
}

type word struct {
	text string
	at   int
}

func words(at int, line []byte) (out []word) {
	for i := 0; i < len(line); {
		if line[i] == ' ' || line[i] == '\t' || line[i] == '\r' {
			i++
			continue
		}
		j := i
		for j < len(line) && line[j] != ' ' && line[j] != '\t' && line[j] != '\r' {
			j++
		}
		out = append(out, word{string(line[i:j]), at + i})
		i = j
	}
	return out
}

// line reads one line: a head, then bodies that it is joined to.
func (p *anynet) line(at int, line []byte) {
	w := words(at, line)
	if len(w) == 0 {
		return
	}
	headNode, head, w, ok := p.name(w)
	if !ok {
		return
	}
	if len(w) == 0 && headNode {
		p.src.at(at, "write the router it hangs on", "node %d has no router", head)
	}
	for len(w) > 0 {
		start := w[0].at
		bodyNode, body, rest, ok := p.name(w)
		if !ok {
			return
		}
		cycles := 0
		w = rest
		if len(w) > 0 && w[0].text != "router" && w[0].text != "node" {
			n, err := strconv.Atoi(w[0].text)
			if err != nil || n < 1 || n > 1<<30 {
				p.src.at(w[0].at, "a latency is a whole number of cycles, at least 1", "%q is not router, node or a latency", w[0].text)
				return
			}
			if bodyNode || headNode {
				p.src.at(w[0].at, "leave it out; BookSim2 takes it for a link between routers", "a node's link has no latency")
			}
			cycles, w = n, w[1:]
		}
		p.join(start, headNode, head, bodyNode, body, cycles)
	}
}

// name reads "router N" or "node N".
func (p *anynet) name(w []word) (node bool, id int32, rest []word, ok bool) {
	node = w[0].text == "node"
	if !node && w[0].text != "router" {
		p.src.at(w[0].at, "lines look like: router 0 node 0 router 1 5", "%q is neither router nor node", w[0].text)
		return false, 0, nil, false
	}
	if len(w) < 2 {
		p.src.at(w[0].at, "", "%s without a number", w[0].text)
		return false, 0, nil, false
	}
	n, err := strconv.Atoi(w[1].text)
	if err != nil || n < 0 || n > maxAnynetID {
		p.src.at(w[1].at, "", "%q is not the number of a %s", w[1].text, w[0].text)
		return false, 0, nil, false
	}
	id = int32(n)
	key := -1 - id
	if node {
		key = id
		p.maxN = max(p.maxN, id)
	} else {
		p.maxR = max(p.maxR, id)
	}
	if _, seen := p.where[key]; !seen {
		p.where[key] = w[0].at
	}
	return node, id, w[2:], true
}

func (p *anynet) join(at int, headNode bool, head int32, bodyNode bool, body int32, cycles int) {
	switch {
	case headNode && bodyNode:
		p.src.at(at, "nodes hang on routers", "node %d cannot be joined to node %d", head, body)
	case headNode || bodyNode:
		if headNode {
			head, body = body, head
		}
		if r, twice := p.home[body]; twice && (r != head || !headNode && p.listed[[2]int32{-1 - body, head}]) {
			p.src.at(at, "a node hangs on one router", "node %d hangs on router %d already", body, r)
			return
		}
		p.home[body] = head
		p.listed[[2]int32{-1 - body, head}] = true
	case head == body:
		p.src.at(at, "", "router %d is linked to itself", head)
	case p.listed[[2]int32{head, body}]:
		p.src.at(at, "BookSim2 would merge them; give one link, with a higher rate elsewhere", "a second link from router %d to router %d", head, body)
	default:
		p.listed[[2]int32{head, body}] = true
		p.routers(head, body, cycles)
	}
}

func (p *anynet) routers(head, body int32, cycles int) {
	a, b := min(head, body), max(head, body)
	i, seen := p.link[[2]int32{a, b}]
	if !seen {
		i = len(p.graph.a)
		p.link[[2]int32{a, b}] = i
		p.graph.a, p.graph.b = append(p.graph.a, topology.SwitchID(a)), append(p.graph.b, topology.SwitchID(b))
		p.graph.links = append(p.graph.links, LinkInfo{CyclesAB: 1, CyclesBA: 1})
	}
	switch {
	case cycles > 0 && head == a:
		p.graph.links[i].CyclesAB = cycles
	case cycles > 0:
		p.graph.links[i].CyclesBA = cycles
	}
}

// finish checks that IDs have no gaps and makes the graph: routers with nodes first.
func (p *anynet) finish() *graph {
	if int(p.maxR)+1+int(p.maxN)+1 != len(p.where) {
		for id := range min(p.maxR, int32(len(p.where))) {
			if _, ok := p.where[-1-id]; !ok {
				p.src.at(p.where[-1-p.maxR], "number routers from 0 without gaps", "there is a router %d but no router %d", p.maxR, id)
				break
			}
		}
		for id := range min(p.maxN, int32(len(p.where))) {
			if _, ok := p.where[id]; !ok {
				p.src.at(p.where[p.maxN], "number nodes from 0 without gaps", "there is a node %d but no node %d", p.maxN, id)
				break
			}
		}
		return nil
	}
	g := &p.graph
	nodes := make([]topology.SwitchID, p.maxN+1)
	edge := make([]bool, p.maxR+1)
	for n := range nodes {
		nodes[n] = topology.SwitchID(p.home[int32(n)])
		edge[nodes[n]] = true
	}
	names := make([]string, p.maxR+1)
	for r := range names {
		names[r] = "router " + strconv.Itoa(r)
	}
	g.twoClasses(edge, names)
	g.linkClasses = []topology.LinkClass{nicClass, linkClass}
	g.lanes = []int32{1, 1}
	g.class = make([]uint8, len(g.a))
	order := g.renumber(edge)
	for i := range g.a {
		g.class[i] = 1
		g.a[i], g.b[i] = order[g.a[i]], order[g.b[i]]
	}
	g.portStart = []int32{0}
	for n, r := range nodes {
		g.endpoint(order[r : r+1])
		g.endpointNames = append(g.endpointNames, "node "+strconv.Itoa(n))
	}
	return g
}
