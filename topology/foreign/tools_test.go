package foreign_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"toposearch/internal/tool/tooltest"
	"toposearch/topology"
	"toposearch/topology/foreign"
)

// graphOf are the figures by which foreign tools tell a graph: nodes, edges, degrees in order, the longest distance.
func graphOf(n *topology.Network) string {
	v := n.Switches() + n.Endpoints()
	to := make([][]int, v)
	join := func(a, b int) { to[a] = append(to[a], b) }
	edges := 0
	for c := range topology.ChannelID(n.Channels()) {
		join(int(n.From(c)), int(n.To(c)))
		if n.Rev(c) < c {
			edges++ // of one-way links all
		}
	}
	for g := range n.Groups() {
		first, end, ports := n.Group(g)
		for e := first; e < end; e++ {
			for _, s := range ports {
				join(n.Switches()+int(e), int(s))
				join(int(s), n.Switches()+int(e))
				if edges++; n.Unidirectional {
					edges++
				}
			}
		}
	}
	degrees := make([]int, v)
	diameter := 0
	for s := range v {
		degrees[s] = len(to[s])
		dist := slices.Repeat([]int{-1}, v)
		dist[s] = 0
		for queue := []int{s}; len(queue) > 0; queue = queue[1:] {
			for _, t := range to[queue[0]] {
				if dist[t] < 0 {
					dist[t] = dist[queue[0]] + 1
					queue = append(queue, t)
				}
			}
		}
		diameter = max(diameter, slices.Max(dist))
	}
	slices.Sort(degrees)
	return fmt.Sprintf("%d %d %v %d", v, edges, degrees, diameter)
}

// networkxReads prints the same figures of what networkx reads, and what it reads of rates and kinds.
const networkxReads = `
import sys, json, networkx as nx
from networkx.readwrite import json_graph
for path in sys.argv[1:]:
    if path.endswith("graphml"):
        g = nx.read_graphml(path, force_multigraph=True)
    elif path.endswith("edges"):
        g = nx.read_edgelist(path)
    else:
        data = json.load(open(path))
        try:
            g = json_graph.node_link_graph(data, edges="links")
        except TypeError: # before 3.4
            g = json_graph.node_link_graph(data)
    d = [k for _, k in (g.out_degree() if g.is_directed() else g.degree())]
    far = max(max(l.values()) for _, l in nx.all_pairs_shortest_path_length(g))
    gbps = sorted(set(x for *_, x in g.edges(data="gbps")), key=str)
    print(g.number_of_nodes(), g.number_of_edges(), "[" + " ".join(map(str, sorted(d))) + "]", far, gbps,
          sum(x == "endpoint" for _, x in g.nodes(data="kind")))
`

// networkx reads GraphML and node-link JSON as the same graph, parallel links, directions, rates and kinds included.
func TestNetworkx(t *testing.T) {
	python := tooltest.Python(t)
	dir := t.TempDir()
	args := []string{"-c", networkxReads}
	var want []string
	for i, text := range designs {
		n := built(t, text)
		for _, format := range []string{"graphml", "node-link"} {
			args = append(args, save(t, n, format, filepath.Join(dir, fmt.Sprintf("%d.%s", i, format))))
			want = append(want, fmt.Sprintf("%s [400.0] %d", graphOf(n), n.Endpoints()))
		}
	}
	// Switches alone: Petersen's ten of degree three would do as well; a torus has diameter 2+2 by hand.
	args = append(args, save(t, built(t, "torus(k1=4,k2=5)"), "edges", filepath.Join(dir, "t.edges")))
	want = append(want, "20 40 ["+strings.TrimSpace(strings.Repeat("4 ", 20))+"] 4 [None] 0")
	out, err := exec.Command(python, args...).CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	lines := strings.Split(strings.TrimSpace(strings.ReplaceAll(string(out), "[400]", "[400.0]")), "\n")
	for i := range want {
		if i >= len(lines) || lines[i] != want[i] {
			t.Errorf("%s: networkx reads\n%s\nwant\n%s", args[2+i], strings.Join(lines[min(i, len(lines)):min(i+1, len(lines))], ""), want[i])
		}
	}
}

func save(t *testing.T, n *topology.Network, format, path string) string {
	t.Helper()
	out, err := written(n, 400, format)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(out), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

// graphviz reads DOT: gc counts nodes and edges, gvpr gives degrees.
func TestGraphviz(t *testing.T) {
	gc, gvpr := tooltest.Need(t, "gc"), tooltest.Need(t, "gvpr")
	for _, text := range []string{"hyperx(s1=3,s2=3,k2=2,t=2)", "bcube(n=4,l=2)", "butterfly(k=2,n=3)"} {
		n := built(t, text)
		path := save(t, n, "dot", filepath.Join(t.TempDir(), "n.dot"))
		out, err := exec.Command(gc, "-ne", path).Output()
		if err != nil {
			t.Fatal(err)
		}
		count := strings.Fields(string(out))
		degree, err := exec.Command(gvpr, `N{print($.outdegree + (isDirect($G) ? 0 : $.indegree))}`, path).Output()
		if err != nil {
			t.Fatal(err)
		}
		var degrees []int
		for _, x := range strings.Fields(string(degree)) {
			var k int
			_, _ = fmt.Sscan(x, &k) // 0 if gvpr prints something else: the comparison fails
			degrees = append(degrees, k)
		}
		slices.Sort(degrees)
		want := graphOf(n)
		if got := fmt.Sprintf("%s %s %v", count[0], count[1], degrees); !strings.HasPrefix(want, got) {
			t.Errorf("%s: graphviz reads %s, want %s", text, got, want)
		}
	}
}

// gpmetis finds the middle cut of a full mesh in two dimensions: 8 x 8 switches with an endpoint each are cut between rows, 4*4 links
// in each of 8 columns, 128.
func TestMETIS(t *testing.T) {
	check, part := tooltest.Need(t, "graphchk"), tooltest.Need(t, "gpmetis")
	for _, text := range designs[:len(designs)-1] {
		if text == "crossbar(n=7)" { // no links: refused
			continue
		}
		path := save(t, built(t, text), "metis", filepath.Join(t.TempDir(), "n.metis"))
		if out, err := exec.Command(check, path).CombinedOutput(); err != nil || !strings.Contains(string(out), "format of the graph is correct") {
			t.Errorf("%s: graphchk: %v\n%s", text, err, out)
		}
	}
	path := save(t, built(t, "hyperx(s1=8,s2=8,t=1)"), "metis", filepath.Join(t.TempDir(), "n.metis"))
	out, err := exec.Command(part, "-ufactor=1", "-ncuts=10", path, "2").CombinedOutput()
	if m := regexp.MustCompile(`Edgecut: (\d+)`).FindSubmatch(out); err != nil || m == nil || string(m[1]) != "128" {
		t.Errorf("gpmetis: %v, cut %s, want 128\n%s", err, m, out)
	}
}

// All designs and formats: what a format writes does not depend on when it is written.
func TestRepeats(t *testing.T) {
	for _, text := range designs {
		for _, f := range foreign.Formats() {
			a, errA := written(built(t, text), 400, f.Name)
			b, errB := written(built(t, text), 400, f.Name)
			if a != b || fmt.Sprint(errA) != fmt.Sprint(errB) {
				t.Errorf("%s as %s: two writings differ", text, f.Name)
			}
		}
	}
}
