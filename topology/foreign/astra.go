package foreign

import (
	"fmt"
	"io"
	"strings"

	"toposearch/topology"
)

// AstraSim writes the input of ASTRA-sim's analytical backends, a product of rings, full meshes and one-switch levels with a rate and
// a latency of a link in each dimension (astra-network-analytical, input/*.yml). What is not such a product with one NPU on each
// place is refused: the graph itself is checked, link by link.
func (f *Fabric) AstraSim(out io.Writer, o Times) error {
	if err := first(f.bothWays("astra-sim"), f.onePort("astra-sim"), f.rated("astra-sim")); err != nil {
		return err
	}
	var blocks []string
	var counts []int
	var rates, latency []string
	add := func(block string, count, class int) {
		blocks, counts = append(blocks, block), append(counts, count)
		rates = append(rates, fmt.Sprintf("%g", float64(f.mbps(class))/8000)) // Gb/s to GB/s
		latency = append(latency, fmt.Sprintf("%g", o.HopNs))
	}
	if f.switches() == 1 && f.n.Channels() == 0 {
		add("Switch", f.n.Endpoints(), 0)
	} else {
		dims, err := f.product()
		if err != nil {
			return err
		}
		for _, d := range dims {
			add(d.block, d.count, d.class)
		}
	}
	_, err := fmt.Fprintf(out, "# %s\ntopology: [ %s ]\nnpus_count: [ %s ]\nbandwidth: [ %s ]  # GB/s of a link, each way\nlatency: [ %s ]  # ns of a link\n", f.n.Design,
		strings.Join(blocks, ", "), strings.Trim(strings.Join(strings.Fields(fmt.Sprint(counts)), ", "), "[]"), strings.Join(rates, ", "), strings.Join(latency, ", "))
	return err
}

// dimension is a factor of a product.
type dimension struct {
	block string
	count int
	class int // a class of its links
}

// product finds the dimensions of a graph whose switches have an endpoint each. The classes of links are the directions; the place of
// a switch along one is the part of the graph in which it lies once the links of that direction are taken away. It is a
// product if all places differ and fill the box, a link changes its own coordinate alone, and each line is the same ring or full mesh.
func (f *Fabric) product() ([]dimension, error) {
	not := func(why string, x ...any) ([]dimension, error) {
		return nil, f.refusal("astra-sim", "its inputs are products of rings, full meshes and a single switch with one NPU on each place, and %s; graphml and simai have any graph", fmt.Sprintf(why, x...))
	}
	n := f.n
	for s := range n.Switches() {
		if have := f.ports[s] - len(n.Neighbors(topology.SwitchID(s))); have != 1 {
			return not("switch %s has %d endpoints", f.names[s], have)
		}
	}
	class := f.directions()
	var places [][]int // of each direction: the coordinate of every switch
	var dims []dimension
	volume := 1
	for c := range n.LinkClasses {
		if class[c] != c || !f.used(class, c) {
			continue
		}
		place, count := f.parts(func(l int) bool { return class[l] != c })
		places = append(places, place)
		dims = append(dims, dimension{count: count, class: c})
		volume *= count
		if volume > n.Switches() {
			break
		}
	}
	if volume != n.Switches() {
		return not("its classes of links are no directions of one")
	}
	at := map[string]bool{}
	for s := range n.Switches() {
		var key strings.Builder
		for _, p := range places {
			fmt.Fprint(&key, p[s], ",")
		}
		at[key.String()] = true
	}
	if len(at) != volume {
		return not("two of its switches would have one place")
	}
	for i := range dims {
		if why := f.factor(class, places, dims, i); why != "" {
			return not("%s", why)
		}
	}
	return dims, nil
}

// directions give links that close rings (wrap2) the class of the others of their direction (dim2).
func (f *Fabric) directions() []int {
	n := f.n
	of := make([]int, len(n.LinkClasses))
	for c, l := range n.LinkClasses {
		of[c] = c
		if number, ok := strings.CutPrefix(l.Name, "wrap"); ok {
			for d, m := range n.LinkClasses {
				if m.Name == "dim"+number && f.share(d) == f.share(c) {
					of[c] = d
				}
			}
		}
	}
	return of
}

func (f *Fabric) used(class []int, c int) bool {
	for x := range topology.ChannelID(f.n.Channels()) {
		if class[f.n.LinkClass(x)] == c {
			return true
		}
	}
	return false
}

// parts numbers the connected parts that links of some classes leave.
func (f *Fabric) parts(keep func(class int) bool) (part []int, count int) {
	part = make([]int, f.n.Switches())
	for s := range part {
		part[s] = -1
	}
	var todo []topology.SwitchID
	for s := range part {
		if part[s] >= 0 {
			continue
		}
		part[s] = count
		todo = append(todo[:0], topology.SwitchID(s))
		for len(todo) > 0 {
			v := todo[len(todo)-1]
			todo = todo[:len(todo)-1]
			for c, end := f.n.Out(v); c < end; c++ {
				if t := f.n.To(c); keep(f.n.LinkClass(c)) && part[t] < 0 {
					part[t] = count
					todo = append(todo, t)
				}
			}
		}
		count++
	}
	return part, count
}

// factor tells whether all lines of a direction are the same ring or full mesh of single links, and which.
func (f *Fabric) factor(class []int, places [][]int, dims []dimension, i int) (why string) {
	d := &dims[i]
	links := map[[2]int]int{} // by the coordinates of their ends
	for c := range topology.ChannelID(f.n.Channels()) {
		if class[f.n.LinkClass(c)] != d.class {
			continue
		}
		a, b := f.n.From(c), f.n.To(c)
		for j, p := range places {
			if (p[a] != p[b]) != (j == i) {
				return fmt.Sprintf("a link of class %s changes more than one coordinate", f.n.LinkClasses[d.class].Name)
			}
		}
		links[[2]int{places[i][a], places[i][b]}]++
	}
	degree := make([]int, d.count)
	for ends, k := range links {
		degree[ends[0]]++
		if k != f.n.Switches()/d.count {
			return fmt.Sprintf("lines of class %s differ, or have parallel links", f.n.LinkClasses[d.class].Name)
		}
	}
	for _, k := range degree {
		switch k {
		case d.count - 1: // a ring of two or three is a full mesh, too
			if d.block == "Ring" {
				return "its lines are neither rings nor full meshes"
			}
			d.block = "FullyConnected"
		case 2: // connected: the parts of the graph without the other directions
			if d.block == "FullyConnected" {
				return "its lines are neither rings nor full meshes"
			}
			d.block = "Ring"
		default:
			return fmt.Sprintf("a switch has %d links of class %s, neither a ring's nor a full mesh's", k, f.n.LinkClasses[d.class].Name)
		}
	}
	if d.block == "Ring" {
		return f.oneRing(links, d.count)
	}
	return ""
}

// oneRing tells whether places with two links each form one ring.
func (f *Fabric) oneRing(links map[[2]int]int, count int) (why string) {
	next := make([][]int, count)
	for ends := range links {
		next[ends[0]] = append(next[ends[0]], ends[1])
	}
	before, at, steps := -1, 0, 0
	for {
		to := next[at][0]
		if to == before {
			to = next[at][1]
		}
		before, at = at, to
		if steps++; at == 0 || steps > count {
			break
		}
	}
	if steps != count {
		return "a line of it is several rings"
	}
	return ""
}
