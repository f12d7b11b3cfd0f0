//go:build browser

package serve

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"toposearch/internal/tool/tooltest"
)

// probe presses the buttons that a person would, and tells what the page says: start, pause, continue, and the end.
const probe = `const errors=[];addEventListener('error',e=>errors.push(String(e.message)));document.addEventListener('securitypolicyviolation',e=>errors.push('policy: '+e.violatedDirective+' '+e.blockedURI));
setInterval(()=>{const q=s=>document.querySelector(s),badge=q('#live-status .badge'),state=badge?badge.textContent:'list';
const press=b=>{if(b&&!b.disabled&&!b.dataset.pressed){b.dataset.pressed=1;b.click()}};
if(state==='list')press(q('button[data-do=start]'));
if((state==='Starting'||state==='Running')&&!sessionStorage.paused&&q('button[data-do=pause]')){sessionStorage.paused=1;press(q('button[data-do=pause]'))}
if(state==='Paused')press(q('button[data-do=resume]'));
fetch('/answer',{method:'POST',body:JSON.stringify({state,errors,link:(q('#live-link')||{}).textContent,rows:document.querySelectorAll('#table tbody tr').length,designs:document.querySelectorAll('details.d').length,charts:document.querySelectorAll('.chart canvas').length})})},150);`

// probed adds the probe to pages.
func probed(next http.Handler, told func(body []byte)) http.Handler {
	sum := sha256.Sum256([]byte(probe))
	hash := "script-src 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "' "
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/answer" {
			b, _ := io.ReadAll(r.Body)
			told(b)
			return
		}
		if strings.HasSuffix(r.URL.Path, "/events") || r.Method != "GET" || r.URL.Path == echartsPath {
			next.ServeHTTP(w, r)
			return
		}
		r.Header.Del("Accept-Encoding")
		rec := httptest.NewRecorder()
		next.ServeHTTP(rec, r)
		for k, v := range rec.Header() {
			w.Header()[k] = v
		}
		w.Header().Set("Content-Security-Policy", strings.Replace(rec.Header().Get("Content-Security-Policy"), "script-src ", hash, 1))
		w.Header().Del("Content-Length")
		w.WriteHeader(rec.Code)
		page := strings.Replace(rec.Body.String(), "script-src ", hash, 1)
		io.WriteString(w, strings.Replace(page, "<title>", "<script>"+probe+"</script><title>", 1))
	})
}

// In Chromium a study is started, paused, continued and seen to its end by the buttons of the page, over one connection, with nothing
// that the policy forbids; the page at the end is the report.
func TestBrowserServe(t *testing.T) {
	s, _, folder := serving(t, "1s")
	type answer struct {
		State, Link           string
		Errors                []string
		Rows, Designs, Charts int
	}
	var mu sync.Mutex
	var states []string
	var last answer
	h := httptest.NewServer(probed(s.Handler(), func(b []byte) {
		var a answer
		if json.Unmarshal(b, &a) != nil {
			return
		}
		mu.Lock()
		defer mu.Unlock()
		if last = a; len(states) == 0 || states[len(states)-1] != a.State {
			states = append(states, a.State)
		}
		if len(a.Errors) > 0 {
			t.Errorf("the page reports %q", a.Errors)
		}
	}))
	defer h.Close()
	defer s.Close()
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()
	c := tooltest.Chromium(t, ctx, "--remote-debugging-port=0", h.URL+"/?token="+s.Token())
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	until(t, "finished", func() bool {
		mu.Lock()
		defer mu.Unlock()
		return last.State == "Finished" && last.Charts > 0 && last.Link == "live"
	})
	if p, _ := s.lastOf(filepath.Join(folder, "pod-001")); p != nil {
		<-p.ended
	}
	mu.Lock()
	defer mu.Unlock()
	t.Logf("states seen: %q; at the end %+v", states, last)
	for _, want := range []string{"list", "Paused"} {
		if !slices.Contains(states, want) {
			t.Errorf("the page was never %s: %q", want, states)
		}
	}
	if last.Rows == 0 || last.Designs == 0 || last.Link != "live" {
		t.Errorf("at the end: %+v", last)
	}
}
