//go:build browser

package report

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"toposearch/internal/tool/tooltest"
)

// The page of a run under way takes increments: what its scripts hold, its table, order and chips are then those of a page that is loaded
// anew; what is selected and compared stays. How long a thousand designs take to be drawn again is logged.
func TestBrowserIncrement(t *testing.T) {
	const all = 1000
	d := fixture(all)
	before := snapshotOf(t, some(d, func(i int) bool { return i%10 != 3 }))
	after := snapshotOf(t, some(d, func(i int) bool { return i%10 != 7 }))
	increment := string(before.To(after).JSON())
	want, err := json.Marshal(after.data)
	if err != nil {
		t.Fatal(err)
	}
	probe := `const d=` + increment + `,want=` + string(want) + `;
location.hash='#q=zcube&pin=4';await new Promise(r=>setTimeout(r,100));
const pinned=TS.D.names[4];
TSLive.apply(d);
const kept=TS.S.pins.length===(TS.D.names.includes(pinned)?1:0)&&TS.S.pins.every(i=>TS.D.names[i]===pinned);
const D=TS.D,same=k=>JSON.stringify(D[k])===JSON.stringify(want[k]);
const axes=D.axes.every((a,i)=>['key','unit','div','dec','v','lo','hi','method'].every(k=>JSON.stringify(a[k])===JSON.stringify(want.axes[i][k])));
const rows=[...document.querySelectorAll('#table tbody tr')],names=rows.map(r=>r.querySelector('th').textContent);
const order=rows.every((r,i)=>+r.dataset.i===i&&names[i].includes(D.names[i]));
const cells=rows.every((r,i)=>[...r.cells].slice(2).every((c,j)=>{const a=D.axes.find(a=>a.key===D.table[j]);return c.textContent===TS.format(a,a.v[i])}));
const filtered=rows.filter(r=>!r.hidden).every((r,i)=>r.textContent.includes('zcube'))&&rows.some(r=>r.hidden);
TS.reset();
const times=[];
for(let i=0;i<12;i++){const t=performance.now();TS.update({...d.front,drop:[],at:[],names:[],fam:[],sim:[],axes:d.front.axes.map(a=>({...a,v:[],lo:a.lo?[]:undefined,hi:a.hi?[]:undefined,method:[]}))});times.push(performance.now()-t)}
times.sort((a,b)=>a-b);
return [same('names'),same('fam'),same('sim'),same('picks'),axes,order,cells,filtered,kept,TS.S.pins.length===0,rows.length,Math.round(times[0]),TSLive.took().map(Math.round)]`
	got := browseLive(t, livePage(t, before), probe)
	var answer []any
	if err := json.Unmarshal([]byte(got), &answer); err != nil || len(answer) < 12 {
		t.Fatalf("%v: %s", err, got)
	}
	t.Logf("a thousand designs, [..., rows, ms to draw again at best, ms of the increment]: %s", got)
	if n := strings.Count(got, "true"); n != 10 {
		t.Errorf("%d of 10 hold: names fam sim picks axes order cells filter names pins: %s", n, got)
	}
}

// No state of a run makes the page wider than a phone.
func TestBrowserLiveNarrow(t *testing.T) {
	for name, s := range map[string]*Snapshot{"none": snapshotOf(t, some(fixture(3), func(int) bool { return false })), "some": snapshotOf(t, some(fixture(40), func(int) bool { return true }))} {
		if got := browsePage(t, livePage(t, s), "", "return document.documentElement.scrollWidth<=innerWidth", "--window-size=390,844"); got != "true" {
			t.Errorf("%s: wider than a phone", name)
		}
	}
}

// browseLive opens a page from a server, in real time, and gives what the probe posts: times are measured, which stand still
// under a virtual clock.
func browseLive(t *testing.T, page, probe string) string {
	t.Helper()
	script := "addEventListener('load',()=>setTimeout(async()=>{let r;try{r=await(async()=>{" + probe + "})()}catch(e){r='threw '+e+e.stack}fetch('/answer',{method:'POST',body:JSON.stringify(r)})},300));"
	page = strings.Replace(page, "script-src ", "script-src 'sha256-"+hashOf(script)+"' ", 1)
	end := strings.LastIndex(page, "</body>") // ECharts has one, too
	page = page[:end] + "<script>" + script + "</script>" + page[end:]
	answer := make(chan string, 1)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case r.URL.Path == "/answer":
			b, _ := io.ReadAll(r.Body)
			answer <- string(b)
		case r.URL.Path == "/":
			io.WriteString(w, page)
		default:
			w.WriteHeader(http.StatusNotFound)
		}
	}))
	defer server.Close()
	ctx, cancel := context.WithTimeout(context.Background(), 60*time.Second)
	defer cancel()
	c := tooltest.Chromium(t, ctx, "--remote-debugging-port=0", server.URL)
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	select {
	case a := <-answer:
		return a
	case <-ctx.Done():
		t.Fatal("the page gave no answer")
		return ""
	}
}

// livePage is the page of a snapshot as a file, where ECharts cannot be loaded by its address, nor increments.
func livePage(t *testing.T, s *Snapshot) string {
	t.Helper()
	var b bytes.Buffer
	if err := s.Write(&b, "e.1"); err != nil {
		t.Fatal(err)
	}
	text := b.String()
	at := strings.Index(text, `<script src="/assets/`)
	end := at + strings.Index(text[at:], "</script>") + len("</script>")
	text = text[:at] + "<script>" + asset(scripts[0]) + "</script>" + text[end:]
	return text
}
