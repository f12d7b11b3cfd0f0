//go:build browser

package report

import (
	"context"
	"encoding/json"
	"fmt"
	"html"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"toposearch/evaluator/market"
	"toposearch/internal/tool/tooltest"
	"toposearch/report/where"
)

// These tests open the page in Chromium: go test -tags browser ./report. They skip, with the
// reason, where there is none, and fail with TOPOSEARCH_TOOLS=required; .ci/run runs them.

// probe runs in the page after its own scripts and leaves its answers in the title, since the
// policy of the page forbids scripts that it does not know; the page under test therefore gets the
// probe's hash added.
func browse(t *testing.T, d *Data, fragment, probe string, args ...string) string {
	t.Helper()
	return browsePage(t, pageOf(t, "browser", d), fragment, probe, args...)
}

// browsePage is browse of a page that is made already.
func browsePage(t *testing.T, page, fragment, probe string, args ...string) string {
	t.Helper()
	script := "const errors=[];addEventListener('error',e=>errors.push(String(e.message)));document.addEventListener('securitypolicyviolation',e=>errors.push('policy: '+e.violatedDirective+' '+e.blockedURI));"
	ask := "addEventListener('load',()=>setTimeout(async()=>{let r;try{r=await(async()=>{" + probe + "})()}catch(e){r='threw '+e}" +
		"const o=document.createElement('pre');o.id='answer';o.textContent=JSON.stringify({r,errors,loads:performance.getEntriesByType('resource').length});document.body.append(o)},300));"
	page = strings.Replace(page, "script-src ", "script-src 'sha256-"+hashOf(script)+"' 'sha256-"+hashOf(ask)+"' ", 1)
	page = strings.Replace(page, "<title>", "<script>"+script+"</script><title>", 1)
	end := strings.LastIndex(page, "</body>") // ECharts has one, too
	page = page[:end] + "<script>" + ask + "</script>" + page[end:]
	file := filepath.Join(t.TempDir(), "report.html")
	if err := os.WriteFile(file, []byte(page), 0o644); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 60*time.Second)
	defer cancel()
	dom, err := tooltest.Chromium(t, ctx, slices.Concat([]string{"--virtual-time-budget=4000", "--dump-dom"}, args, []string{"file://" + file + fragment})...).Output()
	if err != nil {
		t.Fatalf("chromium: %v", err)
	}
	m := regexp.MustCompile(`(?s)<pre id="answer">(.*?)</pre>`).FindSubmatch(dom)
	if m == nil {
		t.Fatalf("the page gave no answer; it ends with %.300s", dom[max(0, len(dom)-300):])
	}
	var a struct {
		R      any
		Errors []string
		Loads  int
	}
	if err := json.Unmarshal([]byte(html.UnescapeString(string(m[1]))), &a); err != nil {
		t.Fatal(err)
	}
	if len(a.Errors) > 0 {
		t.Errorf("the page reports %q", a.Errors)
	}
	if a.Loads != 0 {
		t.Errorf("the page loaded %d things", a.Loads)
	}
	return fmt.Sprint(a.R)
}

const shownRows = "[...document.querySelectorAll('#table tbody tr')].filter(r=>!r.hidden).map(r=>+r.dataset.i)"

// The fragment of the address selects; the table shows what is selected.
func TestBrowserHash(t *testing.T) {
	d := fixture(12)
	var probes, wants []string
	for _, c := range []struct{ fragment, want string }{
		{"", "[0,1,2,3,4,5,6,7,8,9,10,11]"},
		{"#q=zcube", "[0,5,9]"},
		{"#q=cost%3C5M%20zettafly", "[1,2]"},
		{"#b=cost:4.3e6..5.4e6", "[1,2,3,4]"},
		{"#b=cost:4.3e6..5.4e6;latency:0..2700", "[3,4]"},
		{"#off=zcube,fullmesh", "[1,2,4,6,7,10,11]"},
		{"#q=nothing%20here", "[]"},
		{"#b=nonsense:1..2&off=none", "[0,1,2,3,4,5,6,7,8,9,10,11]"},
	} {
		probes = append(probes, "history.replaceState(null,'',"+quoteJS(c.fragment)+"||location.pathname);TS.reset();location.hash="+quoteJS(c.fragment)+
			";await new Promise(r=>setTimeout(r,60));return "+shownRows)
		wants = append(wants, c.want)
	}
	compareAll(t, browse(t, d, "", each(probes)), wants, probes)
	if got := browse(t, d, "#q=zcube", "return "+shownRows); got != "[0 5 9]" {
		t.Errorf("opened with #q=zcube it shows %s, want [0 5 9]", got)
	}
}

// The filter box reads conditions as package report/where does: the same cases give the same designs.
func TestBrowserWhere(t *testing.T) {
	data, err := os.ReadFile("where/testdata/where.json")
	if err != nil {
		t.Fatal(err)
	}
	var cases struct{ Metrics map[string]string }
	if err := json.Unmarshal(data, &cases); err != nil {
		t.Fatal(err)
	}
	units := map[string]map[string]float64{}
	for key, of := range cases.Metrics {
		units[key] = where.Units(of)
	}
	in, err := json.Marshal(units)
	if err != nil {
		t.Fatal(err)
	}
	got := browse(t, fixture(3), "", "const s="+string(data)+",units="+string(in)+`;
const names=s.designs.map(d=>d.name),axes=Object.keys(s.metrics).map(key=>({key,units:units[key],v:s.designs.map(d=>d.values[key]??null)}));
return s.cases.map(c=>{const p=TSWhere.parse(c.q,names,axes);
const wrong=p.bad.length>0||p.none.some(x=>x.startsWith('no name')),met=names.map((_,i)=>i).filter(i=>p.tests.every(f=>f(i)));
return wrong!==!!c.wrong||!wrong&&met.join()!==(c.want||[]).join()?c.q+': '+met+' '+p.bad+p.none:''}).filter(x=>x)`)
	if got != "[]" {
		t.Errorf("read in another way than report/where does: %s", got)
	}
}

func quoteJS(s string) string {
	b, _ := json.Marshal(s)
	return string(b)
}

// each runs probes one after the other in one page, reset between them.
func each(probes []string) string {
	var b strings.Builder
	b.WriteString("const all=[];")
	for _, p := range probes {
		b.WriteString("TS.reset();all.push(JSON.stringify(await(async()=>{" + p + "})()));")
	}
	return b.String() + "return all.join(';')"
}

func compareAll(t *testing.T, got string, wants, names []string) {
	t.Helper()
	answers := strings.Split(got, ";")
	if len(answers) != len(wants) {
		t.Fatalf("%d answers, want %d: %s", len(answers), len(wants), got)
	}
	for i, w := range wants {
		if answers[i] != w {
			t.Errorf("%s: %s, want %s", names[i], answers[i], w)
		}
	}
}

// Sorting, families, comparison, and the opening of a design.
func TestBrowserTable(t *testing.T) {
	d := fixture(12)
	var names, probes, wants []string
	for _, c := range []struct{ name, probe, want string }{
		{"sort by cost, absent last", "document.querySelector('th[data-key=cost] button').click();document.querySelector('th[data-key=cost] button').click();return " + shownRows, "[11,9,8,7,6,5,4,3,2,1,0,10]"},
		{"aria-sort", "document.querySelector('th[data-key=latency] button').click();return document.querySelector('th[data-key=latency]').getAttribute('aria-sort')", `"ascending"`},
		{"family off", "document.querySelector('#families button').click();return [" + shownRows + ".length,document.getElementById('count').textContent]", `[9,"9 of 12 designs"]`},
		{"compare", "document.querySelectorAll('#table .add')[1].click();document.querySelectorAll('#table .add')[3].click();return [document.querySelectorAll('#compare thead th').length,document.getElementById('compare').hidden,location.hash.split(',').length]", "[3,false,2]"},
		{"filter typed", "const q=document.getElementById('q');q.value='mean_hops<0 bogus>1';q.dispatchEvent(new Event('input'));await new Promise(r=>setTimeout(r,300));return document.getElementById('count').textContent", `"0 of 12 designs, not understood: bogus>1, mean_hops<0 is met by none, mean_hops is 2.115 to 2.998"`},
		{"charts replace drawings", "return [document.querySelectorAll('.chart canvas').length>=2,getComputedStyle(document.querySelector('.static')).display]", `[true,"none"]`},
		{"keyboard", "const s=document.getElementById('scatter');for(const k of ['ArrowRight','ArrowRight'])s.dispatchEvent(new KeyboardEvent('keydown',{key:k}));return location.hash", `"#pin=1"`},
		{"design opened by link", `document.querySelector('#table a[href="#d-3"]').click();return document.getElementById('d-3').open`, "true"},
		{"reset", "return [" + shownRows + ".length,document.getElementById('compare').hidden,document.getElementById('q').value]", `[12,true,""]`},
	} {
		names, probes, wants = append(names, c.name), append(probes, c.probe), append(wants, c.want)
	}
	compareAll(t, browse(t, d, "", each(probes)), wants, names)
}

// A brush on the scatter chart, drawn with the pointer, narrows the table; so does one along an
// axis of the parallel coordinates.
func TestBrowserBrush(t *testing.T) {
	drag := `const drag=(id,x0,y0,x1,y1)=>{const c=document.querySelector('#'+id+' canvas'),b=c.getBoundingClientRect();
const ev=(n,x,y,e)=>c.dispatchEvent(new MouseEvent(n,{bubbles:true,cancelable:true,clientX:b.left+x,clientY:b.top+y,button:0,buttons:1,which:1,view:window}));
ev('mousemove',x0,y0);ev('mousedown',x0,y0);for(let i=1;i<=8;i++)ev('mousemove',x0+(x1-x0)*i/8,y0+(y1-y0)*i/8);ev('mouseup',x1,y1)};`
	got := browse(t, fixture(12), "", drag+`document.getElementById('area').checked=true;document.getElementById('area').onchange();
const c=echarts.getInstanceByDom(document.getElementById('scatter')),a=c.convertToPixel({xAxisIndex:0,yAxisIndex:0},[4.3e6,3200]),b=c.convertToPixel({xAxisIndex:0,yAxisIndex:0},[5.5e6,2300]);
drag('scatter',a[0],a[1],b[0],b[1]);await new Promise(r=>setTimeout(r,400));return `+shownRows)
	if got != "[1 2 3 4]" {
		t.Errorf("the brush on the scatter chart shows %s, want [1 2 3 4]", got)
	}
	got = browse(t, fixture(12), "", drag+`const c=echarts.getInstanceByDom(document.getElementById('parallel')),m=c.getModel().getComponent('parallel',0).coordinateSystem,
k='cost',p=v=>m.dataToPoint?0:0,ax=m.getAxisLayout?m.getAxisLayout(m.dimensions[0]):null,x=ax.position[0],top=ax.position[1],h=c.getHeight();
const y=v=>{const q=m.dataToPoint?m.dataToPoint(v,m.dimensions[0]):m.axisCoordToPoint(m.getAxis(m.dimensions[0]).dataToCoord(v),m.dimensions[0]);return q[1]};
drag('parallel',x,y(4.3e6),x,y(5.5e6));await new Promise(r=>setTimeout(r,400));return `+shownRows)
	if got != "[1 2 3 4]" {
		t.Errorf("the brush on the cost axis shows %s, want [1 2 3 4]", got)
	}
}

// Without scripts the drawings, the table and the designs are there.
func TestBrowserStatic(t *testing.T) {
	text := markup(pageOf(t, "static", fixture(12)))
	for _, want := range []string{`<div class="static"><svg`, `<tr data-i="11">`, `id="d-6"`} {
		if !strings.Contains(text, want) {
			t.Errorf("the page without scripts lacks %s", want)
		}
	}
	if i := strings.Index(text, `id="tools"`); i < 0 || !strings.Contains(text[i:i+60], "hidden") {
		t.Error("the tools, which need scripts, are not hidden")
	}
}

// A thousand designs are drawn and filtered; light and dark have colours of their own, and nothing
// is wider than a phone.
func TestBrowserLarge(t *testing.T) {
	if got := browse(t, fixture(1000), "#q=zcube", "return ["+shownRows+".length>100,"+shownRows+".length<300]"); got != "[true true]" {
		t.Errorf("a thousand designs: %s", got)
	}
	colour := "return getComputedStyle(document.body).backgroundColor"
	light := browse(t, fixture(1), "", colour, "--blink-settings=preferredColorScheme=1")
	dark := browse(t, fixture(1), "", colour, "--blink-settings=preferredColorScheme=0")
	if light == dark {
		t.Errorf("light and dark are both %s", light)
	}
	wide := "return document.documentElement.scrollWidth<=innerWidth"
	for _, size := range []string{"390,844", "1280,900"} {
		if got := browse(t, fixture(40), "", wide, "--window-size="+size); got != "true" {
			t.Errorf("the page is wider than a window of %s", size)
		}
	}
	if got := browse(t, fixture(0), "", "return document.querySelectorAll('#table').length"); got != "0" {
		t.Errorf("an empty front has a table: %s", got)
	}
}

// On paper the head of the table stands on every page: the two rules by which Chromium does so.
func TestBrowserPrintHead(t *testing.T) {
	got := browse(t, fixture(12), "", `const css=[...document.styleSheets[0].cssRules].filter(r=>r.media&&r.media.mediaText==='print').map(r=>r.cssText).join('');
return [css.includes('table-header-group'),/#table thead button\s*{\s*display: contents/.test(css)]`)
	if got != "[true true]" {
		t.Errorf("rules for paper: %s", got)
	}
}

// TestBrowserSummary prints the page of each design in full: it is one sheet of A4.
func TestBrowserSummary(t *testing.T) {
	d := fixture(12)
	d.Details[0].Notes = append(d.Details[0].Notes, strings.Repeat("a long note about a long cable ", 40))
	p := newPage(d, nil)
	for i := range d.Details[:3] {
		var b strings.Builder
		if err := p.writeSummary(&b, &d.Details[i]); err != nil {
			t.Fatal(err)
		}
		dir := t.TempDir()
		file, out := filepath.Join(dir, "summary.html"), filepath.Join(dir, "summary.pdf")
		if err := os.WriteFile(file, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithTimeout(context.Background(), 60*time.Second)
		defer cancel()
		if err := tooltest.Chromium(t, ctx, "--no-pdf-header-footer", "--print-to-pdf="+out, "file://"+file).Run(); err != nil {
			t.Fatal(err)
		}
		pdf, err := os.ReadFile(out)
		if err != nil {
			t.Fatal(err)
		}
		if n := len(regexp.MustCompile(`/Type\s*/Page\b`).FindAll(pdf, -1)); n != 1 {
			t.Errorf("the summary of %s has %d pages", d.Points[d.Details[i].Point].Name, n)
		}
	}
}

// Pinned designs stand side by side with what they differ by from the first, their bills, whose differences add up to that of the totals, and
// their simulated curves.
func TestBrowserPins(t *testing.T) {
	d := fixture(12)
	for i := range d.Details {
		if det := &d.Details[i]; det.Point == 1 {
			p := *det.Plan
			p.BOM = append([]market.Line(nil), p.BOM...)
			l := &p.BOM[0]
			l.Order, l.Total = l.Order+3, l.Total+3*l.Unit
			det.Plan = &p
		}
	}
	want := []int64{}
	for _, i := range []int{0, 1} {
		sum := int64(0)
		for _, det := range d.Details {
			if det.Point == i && det.Plan != nil {
				for _, l := range det.Plan.BOM {
					sum += int64(l.Total)
				}
			}
		}
		want = append(want, sum)
	}
	if want[0] == want[1] || want[0] == 0 {
		t.Fatalf("the bills of the fixture come to %v: nothing is compared", want)
	}
	got := browse(t, d, "#pin=0,1", `const n=s=>Math.round(100*Number(s.replace(/\u202f/g,"").replace("−","-").replace("+","")));
const rows=[...document.querySelectorAll("#compare table.bills tbody tr")],small=r=>r.cells[2].querySelector("small");
const total=rows.pop(),parts=rows.reduce((s,r)=>s+(small(r)?n(small(r).textContent):0),0);
const text=(c)=>n([...c.childNodes].filter(x=>x.nodeType===3).map(x=>x.textContent).join(""));
return [document.getElementById("compare").hidden,rows.length>0,text(total.cells[1]),text(total.cells[2]),small(total)?n(small(total).textContent):0,parts,
document.querySelectorAll("#compare tbody small").length>3].join()`)
	if s := fmt.Sprintf("false,true,%d,%d,%d,%d,true", want[0], want[1], want[1]-want[0], want[1]-want[0]); got != s {
		t.Errorf("the panel shows %s, want %s", got, s)
	}
}
