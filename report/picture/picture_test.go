package picture

import (
	"context"
	"encoding/xml"
	"errors"
	"fmt"
	"html"
	"io"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"toposearch/evaluator"
	"toposearch/evaluator/metric"
	"toposearch/topology"
	"toposearch/topology/family/familytest"
	"toposearch/topology/netfile"
)

func source(t *testing.T, d topology.Design) *Source {
	t.Helper()
	ev, err := evaluator.New(evaluator.Options{BandwidthGbps: 400})
	if err != nil {
		t.Fatal(err)
	}
	r, err := ev.Evaluate(context.Background(), d, evaluator.Request{Keys: []metric.Key{metric.Cost, metric.CableMax}})
	if err != nil {
		t.Fatal(err)
	}
	return Of(ev, d, r.Plan, 1e9)
}

var designs = []string{"fattree(k=8,l=2)", "fattree(k=16,l=3)", "dragonfly(p=2,a=4,h=2)", "dragonfly(p=4,a=8,h=4)", "dragonflyplus(l=4,m=4,h=4,p=4,g=8)", "hyperx(s1=4,s2=4,t=4)",
	"torus(k1=8,k2=8)", "torus(k1=4,k2=4,k3=4)", "zcube(n=8,k=2)", "bcube(n=4,l=2)", "slimfly(q=5)", "jellyfish(n=40,r=6,p=3)", "fullmesh(d1=12,d2=3)", "dcell(n=4,l=1)", "ubmesh(z=2,w=2,spare=1)", "railonly(k=8,g=4)"}

// TestQuotientCounts: the bundles of a picture are all links of the design, class by class, and the circle those between blocks.
func TestQuotientCounts(t *testing.T) {
	for _, name := range designs {
		d := familytest.Parse(t, name)
		q, err := newQuotient(d)
		if err != nil {
			t.Fatal(err)
		}
		var links [topology.MaxClasses]int64
		among, out := int64(0), int64(0)
		for _, b := range q.bundles {
			links[b.class] += b.links
			if b.scope == between {
				among += b.links
			}
			if q.blocks > 1 && b.scope == alike && q.nodes[b.a].central != q.nodes[b.b].central {
				out += b.links
			}
		}
		for c, n := range q.size.Link {
			if links[c] != n {
				t.Errorf("%s: %d links of class %d in bundles, %d in the network", name, links[c], c, n)
			}
		}
		var pairs, central int64
		for _, n := range q.pairs {
			pairs += n
		}
		for _, n := range q.toCentral {
			central += n
		}
		if q.hasRing() && (pairs != among || central != out) {
			t.Errorf("%s: the circle has %d links between blocks and %d out of them, the bundles %d and %d", name, pairs, central, among, out)
		}
		switches := int64(0)
		for _, n := range q.nodes[1:] {
			switches += n.count
		}
		if switches != q.size.AllSwitches() || q.nodes[0].count != q.size.Endpoints {
			t.Errorf("%s: boxes of %d switches and %d endpoints", name, switches, q.nodes[0].count)
		}
	}
}

// TestGraphCounts: the graph has every link once, parallel ones counted together.
func TestGraphCounts(t *testing.T) {
	for _, name := range []string{"fattree(k=8,l=2)", "dragonfly(p=2,a=4,h=2)", "torus(k1=4,k2=4,k3=4)", "zcube(n=8,k=2)", "slimfly(q=5)"} {
		d := familytest.Parse(t, name)
		q, err := newQuotient(d)
		if err != nil {
			t.Fatal(err)
		}
		net, err := d.Build()
		if err != nil {
			t.Fatal(err)
		}
		g := newGraph(q, net)
		var links [topology.MaxClasses]int64
		for _, e := range g.edges {
			links[e.class] += int64(e.count)
		}
		for c, n := range q.size.Link {
			if c > 0 && links[c] != n {
				t.Errorf("%s: %d edges of class %d, %d links", name, links[c], c, n)
			}
		}
		l := g.arrange(d)
		seen := map[string]bool{}
		for v := range net.Switches() {
			at := fmt.Sprintf("%.0f,%.0f", l.x[v], l.y[v])
			if seen[at] || l.x[v] < 0 || l.y[v] < 0 || l.x[v] > l.w || l.y[v] > l.h {
				t.Errorf("%s: switch %d stands at %s, on another one or outside", name, v, at)
			}
			seen[at] = true
		}
	}
}

// TestPictures: every picture is XML with a title and a description, smaller than 300 kB, and no text of it covers another one.
func TestPictures(t *testing.T) {
	for _, name := range designs {
		checkPictures(t, source(t, familytest.Parse(t, name)))
	}
}

func checkPictures(t *testing.T, s *Source) {
	t.Helper()
	for _, kind := range Kinds() {
		svg, err := Draw(context.Background(), kind, s, false)
		if errors.Is(err, ErrNone) {
			continue
		}
		if err != nil {
			t.Errorf("%s %s: %v", s.Design, kind, err)
			continue
		}
		checkSVG(t, s.Design.String()+" "+kind, svg)
	}
}

func checkSVG(t *testing.T, name, svg string) {
	t.Helper()
	for d := xml.NewDecoder(strings.NewReader(svg)); ; {
		if _, err := d.Token(); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Errorf("%s: %v", name, err)
			return
		}
	}
	if len(svg) > 300_000 || !strings.Contains(svg, "aria-label=") || !strings.Contains(svg, "<style>") {
		t.Errorf("%s: %d bytes: %.200s", name, len(svg), svg)
	}
	texts := textBoxes(t, svg)
	for i, a := range texts {
		for _, b := range texts[:i] {
			if a.x0 < b.x1-0.5 && b.x0 < a.x1-0.5 && a.y0 < b.y1-0.5 && b.y0 < a.y1-0.5 {
				t.Errorf("%s: %q covers %q", name, a.s, b.s)
			}
		}
	}
}

type textBox struct {
	x0, y0, x1, y1 float64
	s              string
}

var elements = regexp.MustCompile(`<g transform="translate\(([-0-9.]+) ([-0-9.]+)\)">|<g>|</g>|<text class="(\w+)" x="([-0-9.]+)" y="([-0-9.]+)"(?: text-anchor="(\w+)")?>([^<]*)</text>`)

// textBoxes are the places of all texts, of letters of 5.8 pixels (4.8 in the small class): the mean of browsers' fonts, so that what touches
// there is seen to touch.
func textBoxes(t *testing.T, svg string) (out []textBox) {
	t.Helper()
	var dx, dy float64
	var stack [][2]float64
	num := func(s string) float64 {
		x, err := strconv.ParseFloat(s, 64)
		if err != nil {
			t.Fatal(err)
		}
		return x
	}
	for _, m := range elements.FindAllStringSubmatch(svg, -1) {
		switch {
		case strings.HasPrefix(m[0], "<g"):
			stack = append(stack, [2]float64{dx, dy})
			if m[1] != "" {
				dx, dy = dx+num(m[1]), dy+num(m[2])
			}
		case m[0] == "</g>":
			dx, dy = stack[len(stack)-1][0], stack[len(stack)-1][1]
			stack = stack[:len(stack)-1]
		default:
			letter, up := 5.8, 9.0
			if m[3] == "pn" {
				letter, up = 4.8, 7
			}
			s := html.UnescapeString(m[7])
			x, y, w := dx+num(m[4]), dy+num(m[5]), letter*letters(s)
			switch m[6] {
			case "middle":
				x -= w / 2
			case "end":
				x -= w
			}
			out = append(out, textBox{x, y - up, x + w, y + 1, s})
		}
	}
	return out
}

// letters counts those that fill a square twice.
func letters(s string) (n float64) {
	for _, r := range s {
		if n++; r >= 0x1100 {
			n++
		}
	}
	return n
}

// TestHostileNames: whatever a network file calls its classes stays text, and inside its place.
func TestHostileNames(t *testing.T) {
	long := strings.Repeat("W", 500)
	for _, name := range []string{`</text><script>alert(1)</script>`, `"&'<>`, "樓層交換機" + strings.Repeat("換", 80), long} {
		text := fmt.Sprintf(`{"schema":"toposearch.network/1","lane_gbps":100,"endpoint_lanes":1,"switch_classes":[{"name":%s,"count":2}],"link_classes":[{"name":"nic","lanes":1},{"name":%s,"lanes":1}],
"endpoints":[[2,0],[2,1]],"links":[{"class":%s,"ends":[[0,1]]}]}`, quoted(name), quoted(name+"2"), quoted(name+"2"))
		f, faults := netfile.Parse("x.json", []byte(text))
		if faults.HasErrors() {
			t.Logf("%.40q is no name: %v", name, faults)
			continue
		}
		s := source(t, topology.Design{Family: f.Family})
		for _, kind := range Kinds() {
			svg, err := Draw(context.Background(), kind, s, false)
			if err != nil {
				t.Errorf("%.40q %s: %v", name, kind, err)
				continue
			}
			checkSVG(t, kind, svg)
			if strings.Contains(svg, "<script") {
				t.Errorf("%.40q %s: a script", name, kind)
			}
		}
	}
}

func quoted(s string) string {
	b := strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(s)
	return `"` + b + `"`
}

// TestBigPictures: a network of a hundred thousand switches is a small picture, at once.
func TestBigPictures(t *testing.T) {
	for _, name := range []string{"torus(k1=320,k2=320)", "dragonfly(p=16,a=32,h=16)"} {
		s := source(t, familytest.Parse(t, name))
		for _, kind := range []string{Network, Heat, Floor, Cables} {
			began := time.Now()
			svg, err := Draw(context.Background(), kind, s, false)
			if err != nil {
				t.Fatal(err)
			}
			if took := time.Since(began); len(svg) > 300_000 || took > time.Minute { // a second on a quiet machine
				t.Errorf("%s %s: %d bytes after %v", name, kind, len(svg), took)
			}
		}
		if _, err := Draw(context.Background(), Graph, s, false); !errors.Is(err, ErrNone) {
			t.Errorf("a graph of %s: %v", name, err)
		}
	}
}
