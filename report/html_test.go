package report

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"encoding/xml"
	"errors"
	"flag"
	"fmt"
	"io"
	"math"
	"math/big"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"toposearch/diag"
	"toposearch/evaluator/metric"
	"toposearch/internal/racing"
	"toposearch/report/number"
)

var out = flag.String("out", "", "write the pages of the tests into this folder, to look at them")

// pageOf writes a report and gives it back, into the folder of -out as well.
func pageOf(t testing.TB, name string, d *Data) string {
	t.Helper()
	var b bytes.Buffer
	if err := WriteHTML(&b, d); err != nil {
		t.Fatal(err)
	}
	if *out != "" {
		if err := os.WriteFile(filepath.Join(*out, name+".html"), b.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return b.String()
}

var scriptText = regexp.MustCompile(`(?s)<script[^>]*>(.*?)</script>`)

// markup is the page without the text of scripts and styles.
func markup(s string) string {
	s = scriptText.ReplaceAllString(s, "<script></script>")
	return regexp.MustCompile(`(?s)<style>.*?</style>`).ReplaceAllString(s, "<style></style>")
}

// voids are the elements of HTML that have no end tag; "/>" ends those of SVG.
var voids = map[string]bool{"meta": true, "input": true, "br": true, "wbr": true}

// TestHTMLParses walks the tags of the page: each is closed in its place.
func TestHTMLParses(t *testing.T) {
	racing.Figures(t)
	tag := regexp.MustCompile(`<(/?)([a-z][a-z0-9]*)((?:\s+[a-zA-Z-]+(?:="[^"<]*")?)*)\s*(/?)>`)
	for _, n := range []int{0, 1, 12} {
		text := markup(pageOf(t, fmt.Sprint("r", n), fixture(n)))
		found := tag.FindAllStringSubmatch(text, -1)
		if left := strings.Count(text, "<") - len(found); left != 1 { // the document type
			t.Errorf("%d designs: %d tags are malformed", n, left-1)
		}
		var open []string
		for _, m := range found {
			switch name := m[2]; {
			case voids[name] || m[4] == "/":
			case m[1] == "":
				open = append(open, name)
			case len(open) == 0 || open[len(open)-1] != name:
				t.Fatalf("%d designs: </%s> closes %v", n, name, open)
			default:
				open = open[:len(open)-1]
			}
		}
		if len(open) > 0 || len(found) < 60 {
			t.Errorf("%d designs: %d tags, left open: %v", n, len(found), open)
		}
	}
}

// TestHTMLLoadsNothing looks for everything by which a page can load.
func TestHTMLLoadsNothing(t *testing.T) {
	page := pageOf(t, "r12", fixture(12))
	text := strings.ReplaceAll(page, asset("echarts/echarts.min.js"), "")
	if len(page)-len(text) < 1_000_000 {
		t.Fatal("the page does not hold ECharts")
	}
	for _, bad := range []string{"src=", "@import", "url(", "<link", "<iframe", "<object", "<embed", "<base", "<form", "fetch(", "XMLHttpRequest", "WebSocket", "sendBeacon", "import(", "onclick=", "onload=", "javascript:"} {
		if strings.Contains(text, bad) {
			t.Errorf("the page contains %q", bad)
		}
	}
	for _, m := range regexp.MustCompile(`https?://[^"'\s<)]*`).FindAllString(text, -1) {
		if m != "http://www.w3.org/2000/svg" {
			t.Errorf("the page names %s", m)
		}
	}
	for _, m := range regexp.MustCompile(`href="([^"]*)"`).FindAllStringSubmatch(text, -1) {
		if !strings.HasPrefix(m[1], "#") {
			t.Errorf("a link leads to %q", m[1])
		}
	}
	for _, m := range regexp.MustCompile(`href="#([^"]+)"`).FindAllStringSubmatch(text, -1) {
		if !strings.Contains(text, `id="`+m[1]+`"`) {
			t.Errorf("a link leads to #%s, which is not there", m[1])
		}
	}
}

// hashOf is the hash by which a policy names a script.
func hashOf(script string) string {
	sum := sha256.Sum256([]byte(script))
	return base64.StdEncoding.EncodeToString(sum[:])
}

// TestCSP checks that the policy admits exactly the scripts of the page.
func TestCSP(t *testing.T) {
	racing.Figures(t)
	page := pageOf(t, "r12", fixture(12))
	policy := regexp.MustCompile(`Content-Security-Policy" content="([^"]*)"`).FindStringSubmatch(page)
	if policy == nil {
		t.Fatal("no policy")
	}
	rule := strings.NewReplacer("&#39;", "'", "&#43;", "+").Replace(policy[1])
	run := 0
	for _, m := range regexp.MustCompile(`(?s)<script>(.*?)</script>`).FindAllStringSubmatch(page, -1) {
		if h := "'sha256-" + hashOf(m[1]) + "'"; !strings.Contains(rule, h) {
			t.Errorf("the policy lacks %s of the script %.40q", h, m[1])
		}
		run++
	}
	if run != len(scripts) || strings.Count(rule, "sha256-") != run {
		t.Errorf("%d scripts, %d hashes, want %d", run, strings.Count(rule, "sha256-"), len(scripts))
	}
	if !strings.HasPrefix(rule, "default-src 'none';") {
		t.Errorf("policy = %s", rule)
	}
}

// A thousand designs and twenty in full stay below 4 MB.
func TestHTMLSize(t *testing.T) {
	racing.Figures(t)
	d := fixture(1000)
	for i := len(d.Details); i < maxDetails; i++ {
		d.Details = append(d.Details, fixtureDetail(i))
		d.Points[i].Sim = d.Points[0].Sim
	}
	page := pageOf(t, "r1000", d)
	t.Logf("1,000 designs, %d in full: %d bytes", len(d.Details), len(page))
	if len(page) >= 4_000_000 {
		t.Errorf("the page has %d bytes, want less than 4 MB", len(page))
	}
	if rows := strings.Count(page, "<tr data-i="); rows != 1000 {
		t.Errorf("the table has %d rows, want 1000", rows)
	}
}

// TestHTMLHostile gives every text of a report the means to break out of its place.
func TestHTMLHostile(t *testing.T) {
	const evil = `"><script>alert(1)</script><img src=x onerror=alert(2)>'</title>]]>-->` + "\x00\u2028\u202e\x1b[31m"
	d := fixture(3)
	d.Study, d.Wanted, d.Catalogue, d.Program = evil, evil, evil, evil
	d.Warnings = []string{evil}
	d.Asked = []Fact{{evil, evil}}
	d.Inputs = []Input{{evil, evil}}
	d.Reject[0].Constraint, d.Reject[0].Origin, d.Reject[0].Text = evil, evil, evil
	d.Closest[0].Design, d.Closest[0].Misses[0].Origin = evil, evil
	d.Limits[0].Name, d.Limits[0].Origin = evil, evil
	d.Families = append([]string{evil}, d.Families...)
	for i := range d.Points {
		p := &d.Points[i]
		p.Name, p.Family, p.Bottleneck = evil, evil, evil
		p.Params[0] = Param{evil, evil, evil, false}
		p.Absent[metric.MTBF] = evil
		p.Metrics[metric.Latency].Method = evil
		p.Sim = &Sim{Routing: evil, Notes: []string{evil}, Traffic: []Traffic{{Name: evil, Curve: []CurvePoint{{0.1, 0.1, 3, 4, false}}}}}
	}
	for i := range d.Details {
		det := &d.Details[i]
		det.Title, det.Source, det.Notes, det.Unpriced, det.Dir = evil, evil, []string{evil}, []string{evil}, evil
		det.Plan.BOM[0].Part.PartNo, det.Plan.BOM[0].Part.Description, det.Plan.BOM[0].UsedIn = evil, evil, evil
		det.Plan.Classes[0].Link, det.Plan.Classes[0].Medium = evil, evil
	}
	page := strings.ReplaceAll(pageOf(t, "hostile", d), asset("echarts/echarts.min.js"), "")
	if r, i := diag.FirstHidden(strings.NewReplacer("\n", "", "\t", "").Replace(page)); i >= 0 {
		t.Errorf("the page holds %U", r)
	}
	for _, bad := range []string{"<script>alert", "<img", "onerror=alert(2)>"} {
		if strings.Contains(page, bad) {
			t.Errorf("the page contains %q", bad)
		}
	}
	if got := strings.Count(page, "</script>"); got != len(scripts)+1 {
		t.Errorf("%d script elements, want %d", got, len(scripts)+1)
	}
	var data payloadData
	if err := json.Unmarshal([]byte(payloadText(t, page)), &data); err != nil {
		t.Fatalf("the data do not read back: %v", err)
	}
	if want := strings.ToValidUTF8(evil, "\ufffd"); data.Names[0] != want {
		t.Errorf("name = %q, want %q", data.Names[0], want)
	}
}

func payloadText(t *testing.T, page string) string {
	t.Helper()
	m := regexp.MustCompile(`(?s)<script type="application/json" id="data">(.*?)</script>`).FindStringSubmatch(page)
	if m == nil {
		t.Fatal("the page holds no data")
	}
	return m[1]
}

// UnmarshalJSON lets the tests read the columns back.
func (n *shortNumber) UnmarshalJSON(b []byte) error {
	if string(b) == "null" {
		return nil
	}
	return json.Unmarshal(b, (*float64)(n))
}

// TestPayload compares the columns that scripts read with the points.
func TestPayload(t *testing.T) {
	d := fixture(12)
	var data payloadData
	if err := json.Unmarshal([]byte(payloadText(t, pageOf(t, "r12", d))), &data); err != nil {
		t.Fatal(err)
	}
	for _, a := range data.Axes {
		k, ok := metric.KeyOf(a.Key)
		if !ok || len(a.V) != 12 || len(a.Method) != 12 {
			t.Fatalf("axis %s has %d values, %d methods", a.Key, len(a.V), len(a.Method))
		}
		for i := range d.Points {
			p := &d.Points[i]
			want := p.Value(k)
			if p.Have[k] && relative(float64(a.V[i]), want) > 1e-8 {
				t.Errorf("%s of %d = %v, want %v", a.Key, i, a.V[i], want)
			}
			if p.Have[k] && data.Methods[a.Method[i]] != p.Metrics[k].Method {
				t.Errorf("%s of %d: method %q, want %q", a.Key, i, data.Methods[a.Method[i]], p.Metrics[k].Method)
			}
		}
		if k == metric.Bisection && (a.Lo == nil || relative(float64(a.Lo[0]), d.Points[0].Metrics[k].Lo) > 1e-8) {
			t.Errorf("bisection lost its bounds: %v", a.Lo)
		}
		if k == metric.Latency && a.Lo != nil {
			t.Error("an exact metric carries bounds")
		}
	}
}

func relative(a, b float64) float64 {
	if a == b {
		return 0
	}
	return math.Abs(a-b) / max(math.Abs(a), math.Abs(b))
}

// The same data give the same bytes, in every form.
func TestDeterministic(t *testing.T) {
	for name, write := range Formats {
		var a, b bytes.Buffer
		if err := write(&a, fixture(40)); err != nil {
			t.Fatal(err)
		}
		if err := write(&b, fixture(40)); err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(a.Bytes(), b.Bytes()) {
			t.Errorf("%s differs from one time to the next", name)
		}
	}
}

// TestSVG parses every drawing of a page as XML, which a browser forgives but a file must be.
func TestSVG(t *testing.T) {
	page := pageOf(t, "r12", fixture(12))
	found := 0
	for _, s := range regexp.MustCompile(`(?s)<svg xmlns.*?</svg>`).FindAllString(page, -1) {
		wellFormed(t, s)
		found++
	}
	// Two of the front; a floor plan for each of six designs, a curve for five of them.
	if found != 2+6+5 {
		t.Errorf("%d drawings, want 13", found)
	}
}

func wellFormed(t *testing.T, s string) {
	t.Helper()
	d := xml.NewDecoder(strings.NewReader(s))
	for {
		if _, err := d.Token(); errors.Is(err, io.EOF) {
			return
		} else if err != nil {
			t.Fatalf("not well formed: %v in %.200s", err, s)
		}
	}
}

// The embedded library is the published file.
func TestECharts(t *testing.T) {
	sum := sha256.Sum256([]byte(asset("echarts/echarts.min.js")))
	if got := hex.EncodeToString(sum[:]); got != echartsSHA256 {
		t.Errorf("echarts.min.js has SHA-256 %s, want %s", got, echartsSHA256)
	}
	for _, f := range []string{"LICENSE", "NOTICE", "LICENSE-d3", "SOURCE.md"} {
		if b, err := os.ReadFile("assets/echarts/" + f); err != nil || len(b) == 0 {
			t.Errorf("%s: %v", f, err)
		}
	}
	if b, _ := os.ReadFile("assets/echarts/SOURCE.md"); !bytes.Contains(b, []byte(echartsSHA256)) {
		t.Error("SOURCE.md names another hash")
	}
}

// What the page says of the outcome: complete, sampled, none, contradicted, unpriced.
func TestHTMLSays(t *testing.T) {
	racing.Figures(t)
	says := func(d *Data, want ...string) {
		t.Helper()
		text := number.Plain(regexp.MustCompile(`<[^>]*>`).ReplaceAllString(markup(pageOf(t, "says", d)), " "))
		text = strings.Join(strings.Fields(strings.NewReplacer("&#39;", "'", "&#43;", "+", "&lt;", "<").Replace(text)), " ")
		for _, w := range want {
			if !strings.Contains(text, w) {
				t.Errorf("the page does not say %q", w)
			}
		}
	}
	d := fixture(12)
	says(d, "Contradiction The simulation of multirail", "Complete 12 designs of 6 families. The search is complete: all 2,348,213 parameter combinations of 6 families were decided",
		"Networks for 1,024 to 1,152 endpoints at 400 Gb/s, wanted with lowest cost, lowest latency and highest uniform throughput.",
		"Contradiction worst: simulated saturation 0.71 lies above the certified upper bound 0.62.",
		"Unpriced No cost is stated, since these parts have no price: XCV-800-DR8.",
		"building.power: 2.16 MW, the limit is 2 MW (by 8 %) site.toml:21", "building.power from 2 MW to 2.16 MW",
		"switch.ports 64 site.toml:5 131,300", "Global links limit uniform traffic.", "Deadlock-free Channels are taken in the order up, down.", "leaf SW-64x400 64 ports of 400 Gb/s 48 61 of 64",
		"Not stated: step time (later), availability (later)", "study.toml 6f1e4e3a5a0d",
		"1 of 5 designs with this figure meet it")
	d.Complete, d.Strategy, d.Stopped = false, "nsga2", "time"
	says(d, "Not complete 12 designs of 6 families, found by NSGA-II in 4,120 evaluations.", "The budget of time ended before the space was decided. Better designs may exist.",
		"The front so far (not complete)", "Cheapest so far", "Not complete · ")
	e := fixture(0)
	e.Reject = append(e.Reject, Rejection{Constraint: "absent cost", Count: big.NewInt(1)})
	says(e, "No design The search is complete: none of the 2,348,213", "keeps every limit and has a figure for every objective.", "the front is empty")
}

// The verdict on fronts that may miss designs, and on a run that was interrupted while it verified.
func TestVerdict(t *testing.T) {
	for _, c := range []struct {
		strategy, stopped       string
		complete, local         bool
		class, badge, says, not string
	}{
		{"nsga2", "", false, true, "warn", "Not complete", "locally complete: no change of a single parameter improves it, but better designs may exist.", "stopped"},
		{"nsga2", "evaluations", false, false, "warn", "Not complete", "The budget of evaluations ended before the space was decided. Better designs may exist.", "too large"},
		{"enumerate", "interrupted", false, false, "warn", "Not complete", "found by enumeration in 4,120 evaluations. The search was interrupted before the space was decided; toposearch resume continues it.", "too large"},
		{"enumerate", "interrupted", true, true, "good", "Complete", "interrupted before every finalist was simulated", "Better designs"},
	} {
		d := fixture(12)
		d.Strategy, d.Stopped, d.Complete, d.LocallyComplete = c.strategy, c.stopped, c.complete, c.local
		b, text := verdict(d)
		if text = number.Plain(text); b != (badge{c.class, c.badge}) || !strings.Contains(text, c.says) || strings.Contains(text, c.not) {
			t.Errorf("%+v: %v %q", c, b, text)
		}
	}
	d := fixture(12)
	if n, ok := contradictions(d); !ok || !strings.HasPrefix(n.Text, "The simulation of multirail(a=8,p=12,h=7) lies outside what the model certifies") {
		t.Errorf("contradiction: %v %+v", ok, n)
	}
}

// BenchmarkHTML writes a page of a thousand designs.
func BenchmarkHTML(b *testing.B) {
	d := fixture(1000)
	for b.Loop() {
		if err := WriteHTML(io.Discard, d); err != nil {
			b.Fatal(err)
		}
	}
}
