package opensm

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"toposearch/routing"
	"toposearch/topology"
	"toposearch/topology/family"
	"toposearch/topology/foreign"
)

// end is a port of a node, by what the files call them.
type end struct {
	node uint64
	port int
}

// read are the files, read by their text alone.
type read struct {
	link  map[end]end
	lid   map[int]uint64         // node of a LID
	table map[uint64]map[int]int // of a switch: port by LID
	level map[[2]uint64]int      // by source node and destination node
	hosts []uint64
}

var (
	nodeLine  = regexp.MustCompile(`^(Ca|Switch)\t(\d+) "[HS]-([0-9a-f]{16})"\t# "[^"]+"( base port 0 lid (\d+) lmc 0)?$`)
	portLine  = regexp.MustCompile(`^\[(\d+)\]\t"[HS]-([0-9a-f]{16})"\[(\d+)\]$`)
	lidLine   = regexp.MustCompile(`^0x([0-9a-f]{16}) 0x([0-9a-f]{4}) 0x([0-9a-f]{4})$`)
	headLine  = regexp.MustCompile(`^Unicast lids \[0-(\d+)\] of switch Lid (\d+) guid 0x([0-9a-f]{16}) \('[^']+'\):$`)
	entryLine = regexp.MustCompile(`^0x([0-9a-f]{4}) (\d{3}) # (Channel Adapter|Switch) portguid 0x([0-9a-f]{16}): '[^']+'$`)
	levelLine = regexp.MustCompile(`^0x([0-9a-f]{16}) (\d+) (\d+)$`)
)

func hex(t *testing.T, s string) uint64 {
	t.Helper()
	x, err := strconv.ParseUint(s, 16, 64)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

func number(s string) int { x, _ := strconv.Atoi(s); return x }

func written(t *testing.T, write func(io.Writer) error) []string {
	t.Helper()
	var b bytes.Buffer
	if err := write(&b); err != nil {
		t.Fatal(err)
	}
	return strings.Split(strings.TrimSuffix(b.String(), "\n"), "\n")
}

// readBack reads the files; whatever does not look as the tools write it is an error.
func readBack(t *testing.T, f *Fabric) *read {
	t.Helper()
	r := &read{link: map[end]end{}, lid: map[int]uint64{}, table: map[uint64]map[int]int{}, level: map[[2]uint64]int{}}
	var node uint64
	for _, l := range written(t, f.WriteFabric) {
		if m := nodeLine.FindStringSubmatch(l); m != nil {
			node = hex(t, m[3])
			if m[1] == "Ca" {
				r.hosts = append(r.hosts, node)
			}
		} else if m := portLine.FindStringSubmatch(l); m != nil {
			from := end{node, number(m[1])}
			if _, twice := r.link[from]; twice {
				t.Errorf("port %v stands twice", from)
			}
			r.link[from] = end{hex(t, m[2]), number(m[3])}
		} else if l != "" && !strings.Contains(l, "guid=") && l != "vendid=0x2c9" && !strings.HasPrefix(l, "devid=0x") {
			t.Errorf("fabric.net: %q", l)
		}
	}
	for _, l := range written(t, f.WriteLIDs) {
		if m := lidLine.FindStringSubmatch(l); m != nil && m[2] == m[3] {
			r.lid[int(hex(t, m[2]))] = hex(t, m[1]) &^ (foreign.GUIDStep - 1)
		} else if l != "" {
			t.Errorf("guid2lid: %q", l)
		}
	}
	for _, l := range written(t, f.WriteTables) {
		if m := headLine.FindStringSubmatch(l); m != nil {
			node = hex(t, m[3])
			if r.lid[number(m[2])] != node {
				t.Errorf("lfts: LID of %q", l)
			}
			r.table[node] = map[int]int{}
		} else if m := entryLine.FindStringSubmatch(l); m != nil {
			lid := int(hex(t, m[1]))
			if r.lid[lid] != hex(t, m[4])&^(foreign.GUIDStep-1) {
				t.Errorf("lfts: GUID of %q", l)
			}
			r.table[node][lid] = number(m[2])
		} else {
			t.Errorf("lfts: %q", l)
		}
	}
	for _, l := range written(t, f.WriteLevels) {
		m := levelLine.FindStringSubmatch(l)
		if m == nil {
			t.Fatalf("paths.sl: %q", l)
		}
		r.level[[2]uint64{hex(t, m[1]), r.lid[number(m[2])]}] = number(m[3])
	}
	return r
}

// follow gives the links of a pair's way through the tables.
func (r *read) follow(src uint64, dst int) (way []end, err error) {
	at := r.link[end{src, 1}]
	for at.node != r.lid[dst] {
		out, ok := r.table[at.node][dst]
		if !ok || len(way) > 100 {
			return nil, fmt.Errorf("from %x to LID %d: lost at %x after %d hops", src, dst, at.node, len(way))
		}
		from := end{at.node, out}
		way, at = append(way, from), r.link[from]
	}
	return way, nil
}

// cyclic says whether packets that hold a link and want the next of their way can wait in a circle, each level of service by itself.
func cyclic(ways map[[2]uint64][]end, level func([2]uint64) int) bool {
	type node struct {
		end
		sl int
	}
	next := map[node]map[node]bool{}
	for pair, way := range ways {
		sl := level(pair)
		for i := 1; i < len(way); i++ {
			a, b := node{way[i-1], sl}, node{way[i], sl}
			if next[a] == nil {
				next[a] = map[node]bool{}
			}
			next[a][b] = true
		}
	}
	state := map[node]int{} // 1: on the path of the search, 2: done
	var visit func(node) bool
	visit = func(a node) bool {
		state[a] = 1
		for b := range next[a] {
			if state[b] == 1 || state[b] == 0 && visit(b) {
				return true
			}
		}
		state[a] = 2
		return false
	}
	for a := range next {
		if state[a] == 0 && visit(a) {
			return true
		}
	}
	return false
}

func built(t *testing.T, text string) *topology.Network {
	t.Helper()
	d, err := topology.ParseDesign(text, family.All())
	if err != nil {
		t.Fatal(err)
	}
	n, err := d.Build()
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// What is written leads every pair to its end over as many switches as are nearest, and no circle of links waits in a level of
// service; all in one level, circles do wait in rings and tori, which shows that the check finds them.
func TestRoundTrip(t *testing.T) {
	for _, c := range []struct {
		text    string
		circles bool
	}{{"ring(n=5,t=2)", true}, {"torus(k1=4,k2=5)", true}, {"dragonfly(p=2,a=4,h=2)", true}, {"fattree(k=4,l=3)", false}, {"hyperx(s1=3,s2=3,k2=2,t=2)", false}, {"fullmesh(d1=3,d2=4)", false}} {
		n := built(t, c.text)
		for name, make := range map[string]func(context.Context, *topology.Network) (*routing.Layered, error){"lash": routing.LASH, "dfsssp": routing.DFSSSP} {
			tables, err := make(t.Context(), n)
			if err != nil {
				t.Fatal(err)
			}
			f, err := New(n, tables)
			if err != nil {
				t.Fatal(err)
			}
			r := readBack(t, f)
			for from, to := range r.link {
				if r.link[to] != from {
					t.Fatalf("%s: link %v to %v, and back to %v", c.text, from, to, r.link[to])
				}
			}
			if len(r.hosts) != n.Endpoints() || len(r.level) != n.Endpoints()*(n.Endpoints()-1) {
				t.Errorf("%s: %d hosts, %d pairs", c.text, len(r.hosts), len(r.level))
			}
			ways, most := map[[2]uint64][]end{}, 0
			for lid, dst := range r.lid {
				for _, src := range r.hosts {
					pair := [2]uint64{src, dst}
					sl, ok := r.level[pair]
					if !ok {
						continue
					}
					most = max(most, sl)
					way, err := r.follow(src, lid)
					if err != nil {
						t.Fatalf("%s, %s: %v", c.text, name, err)
					}
					ways[pair] = way[:max(0, len(way)-1)] // the last leads to the endpoint, which takes all
					e, d := int(src-r.hosts[0])/foreign.GUIDStep, int(dst-r.hosts[0])/foreign.GUIDStep
					if f.at[e] == f.at[d] {
						continue
					}
					if _, hops := tables.Layer(tables.Row(topology.EndpointID(d)), f.at[e]); int(hops) != len(way)-1 {
						t.Fatalf("%s, %s: %d to %d takes %d hops, want %d", c.text, name, e, d, len(way)-1, hops)
					}
				}
			}
			if len(ways) != len(r.level) || most != tables.Layers-1 {
				t.Errorf("%s, %s: %d ways, levels up to %d of %d layers", c.text, name, len(ways), most, tables.Layers)
			}
			if cyclic(ways, func(p [2]uint64) int { return r.level[p] }) {
				t.Errorf("%s, %s: links wait in a circle", c.text, name)
			}
			if got := cyclic(ways, func([2]uint64) int { return 0 }); c.circles != got {
				t.Errorf("%s, %s: in one level circles %v, want %v", c.text, name, got, c.circles)
			}
		}
	}
}

// The first lines, as ibnetdiscover and opensm print theirs.
func TestForms(t *testing.T) {
	n := built(t, "complete(n=3)")
	tables, err := routing.LASH(t.Context(), n)
	if err != nil {
		t.Fatal(err)
	}
	f, err := New(n, tables)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		write func(io.Writer) error
		want  string
	}{
		{f.WriteFabric, "vendid=0x2c9\ndevid=0x101b\nsysimgguid=0x2c9000000000300\ncaguid=0x2c9000000000300\nCa\t1 \"H-02c9000000000300\"\t# \"endpoint-0\"\n[1]\t\"S-02c9000000000000\"[3]\n"},
		{f.WriteTables, "Unicast lids [0-6] of switch Lid 4 guid 0x02c9000000000000 ('switch-0'):\n0x0001 003 # Channel Adapter portguid 0x02c9000000000301: 'endpoint-0'\n"},
		{f.WriteLIDs, "0x02c9000000000301 0x0001 0x0001\n\n"},
		{f.WriteLevels, "0x02c9000000000300 2 0\n"},
		{f.WriteOptions, "routing_engine file\nlfts_file lfts\nreassign_lids FALSE\nqos TRUE\nqos_max_vls 1\nqos_sl2vl 0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0\n"},
	} {
		if got := strings.Join(written(t, c.write), "\n"); !strings.HasPrefix(got+"\n", c.want) {
			t.Errorf("got\n%s\nwant\n%s", got[:min(len(got), 300)], c.want)
		}
	}
}

func TestRefused(t *testing.T) {
	for text, want := range map[string]string{"zcube(n=4,k=2)": "2 ports", "torus(k1=70,k2=70)": "4.9"} {
		n := built(t, text)
		f, err := New(n, &routing.Layered{})
		if err == nil || f != nil || !strings.Contains(err.Error(), want) && !strings.Contains(err.Error(), "pairs") {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
	if _, err := New(built(t, "ring(n=5)"), &routing.Layered{Layers: 16}); err == nil || !strings.Contains(err.Error(), "16 layers") {
		t.Errorf("16 layers: %v", err)
	}
}
