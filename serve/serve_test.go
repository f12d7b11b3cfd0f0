package serve

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"go.uber.org/goleak"

	"toposearch/report"
	"toposearch/search"
	"toposearch/search/run"
	"toposearch/study"
)

const childEnv = "TOPOSEARCH_TEST_SERVE"

// TestMain is the program itself as a child: run STUDY --out DIR, resume DIR.
func TestMain(m *testing.M) {
	if os.Getenv(childEnv) != "" && len(os.Args) > 2 {
		os.Exit(child(os.Args[1:]))
	}
	goleak.VerifyTestMain(m)
}

func child(args []string) int {
	var asked atomic.Bool
	ch := make(chan os.Signal, 1)
	signal.Notify(ch, os.Interrupt)
	defer func() { signal.Stop(ch); close(ch) }()
	go func() { <-ch; asked.Store(true) }()
	opt := search.Options{Workers: 1, Stop: asked.Load}
	if d, err := time.ParseDuration(os.Getenv(childEnv)); err == nil { // a batch takes that long
		opt.Progress = func(p search.Progress) {
			if p.Phase == search.PhaseSearch {
				time.Sleep(d)
			}
		}
	}
	var out *search.Outcome
	var err error
	if args[0] == "run" {
		st, faults := study.Load(args[1])
		if faults.HasErrors() {
			fmt.Fprintln(os.Stderr, faults.Err())
			return 2
		}
		dir, err2 := run.Create(st, "", args[3], run.Origin{Program: "test", Command: os.Args, Started: time.Unix(0, 0).UTC()})
		if err2 != nil {
			fmt.Fprintln(os.Stderr, err2)
			return 1
		}
		defer dir.Close()
		out, err = run.Run(context.Background(), st, dir, opt)
	} else {
		out, err = run.Resume(context.Background(), args[1], opt)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return int(out.Status)
}

const studyText = `name = "<b>pod</b>"
[endpoints]
count = { min = 60, max = 72 }
bandwidth = "100 Gb/s"
[space]
families = ["hyperx", "fattree"]
[[objective]]
metric = "cost"
[[objective]]
metric = "latency"
[verify]
finalists = 1
cycles = 200
loads = 1
`

// serving is a server with a study and an empty folder of runs.
func serving(t *testing.T, slow string) (s *Server, h *httptest.Server, folder string) {
	t.Helper()
	t.Setenv(childEnv, slow)
	dir := t.TempDir()
	file := filepath.Join(dir, "pod.toml")
	if err := os.WriteFile(file, []byte(studyText), 0o644); err != nil {
		t.Fatal(err)
	}
	folder = filepath.Join(dir, "runs")
	s, err := New(Options{Folders: []string{folder}, Studies: []string{file}, Program: []string{os.Args[0]}, Now: time.Now, Log: func(text string) { t.Log(text) }})
	if err != nil {
		t.Fatal(err)
	}
	h = httptest.NewServer(s.Handler())
	t.Cleanup(func() { s.Close(); h.CloseClientConnections(); h.Close(); http.DefaultClient.CloseIdleConnections() })
	return s, h, folder
}

// ask sends a request as a page of the server does, headers changed by pairs; "-" leaves one out.
func ask(t *testing.T, s *Server, h *httptest.Server, method, path, body string, headers ...string) (int, string) {
	t.Helper()
	r, err := http.NewRequest(method, h.URL+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Origin", h.URL)
	r.Header.Set(tokenHeader, s.Token())
	for i := 0; i < len(headers); i += 2 {
		switch {
		case headers[i] == "Host":
			r.Host = headers[i+1]
		case headers[i+1] == "-":
			r.Header.Del(headers[i])
		default:
			r.Header.Set(headers[i], headers[i+1])
		}
	}
	c := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	a, err := c.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer a.Body.Close()
	b, err := io.ReadAll(a.Body)
	if err != nil {
		t.Fatal(err)
	}
	if a.Header.Get("Content-Security-Policy") == "" || a.Header.Get("X-Content-Type-Options") != "nosniff" {
		t.Errorf("%s %s: headers %v", method, path, a.Header)
	}
	return a.StatusCode, string(b)
}

// Who may ask, and who may not: tokens, hosts, origins, paths and sizes.
func TestGuard(t *testing.T) {
	s, h, folder := serving(t, "1ms")
	outside := filepath.Join(folder, "..", "secret.txt")
	if err := os.WriteFile(outside, []byte("secret"), 0o600); err != nil {
		t.Fatal(err)
	}
	designs := filepath.Join(folder, "a", "designs", "d")
	if err := os.MkdirAll(designs, 0o755); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{filepath.Join(folder, "a", "manifest.json"): "{}", filepath.Join(designs, "bom.csv"): "part"} {
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(outside, filepath.Join(designs, "link.csv")); err != nil {
		t.Fatal(err)
	}
	big := `{"study":"` + strings.Repeat("x", 5000) + `"}`
	for _, c := range []struct {
		method, path, body string
		headers            []string
		want               int
	}{
		{"GET", "/", "", nil, 200},
		{"GET", "/", "", []string{tokenHeader, "-"}, 401},
		{"GET", "/", "", []string{tokenHeader, "0123"}, 401},
		{"GET", "/?token=" + s.Token(), "", []string{tokenHeader, "-"}, 303},
		{"GET", "//evil.example/?token=" + s.Token(), "", []string{tokenHeader, "-"}, 303},
		{"GET", "/?token=old", "", nil, 401},
		{"GET", "/events", "", []string{tokenHeader, "-"}, 401},
		{"GET", echartsPath, "", []string{tokenHeader, "-"}, 401},
		{"GET", "/", "", []string{"Host", "evil.example"}, 403},
		{"GET", "/", "", []string{"Host", "evil.example:" + strings.Split(h.URL, ":")[2]}, 403},
		{"GET", "/status", "", []string{"Host", "localhost:9000"}, 200},
		{"GET", "/status", "", []string{"Host", "[::1]:9000"}, 200},
		{"POST", "/start", `{"study":"7"}`, nil, 404},
		{"POST", "/start", `{"study":"../pod.toml"}`, nil, 404},
		{"POST", "/start", `{"study":"0"}`, []string{"Origin", "http://evil.example"}, 403},
		{"POST", "/start", `{"study":"0"}`, []string{"Origin", "-"}, 403},
		{"POST", "/start", `{"study":"0"}`, []string{"Origin", "null"}, 403},
		{"POST", "/start", `{"study":"0"}`, []string{tokenHeader, "-", "Cookie", "toposearch_" + strings.Split(h.URL, ":")[2] + "=" + s.Token()}, 403},
		{"POST", "/start", `{"study":"0"}`, []string{"Sec-Fetch-Site", "cross-site"}, 403},
		{"POST", "/start", big, nil, 413},
		{"POST", "/start", `[`, nil, 400},
		{"POST", "/start", `{"program":"sh"}`, nil, 400},
		{"DELETE", "/run/a/", "", nil, 405},
		{"GET", "/run/none/", "", nil, 404},
		{"POST", "/run/none/stop", "{}", nil, 404},
		{"POST", "/run/a/remove", "{}", nil, 404},
		{"POST", "/run/a/pause", "{}", nil, 409},
		{"GET", "/run/a/designs/d/bom.csv", "", nil, 200},
		{"GET", "/run/a/designs/d/", "", nil, 200},
		{"GET", "/run/a/designs/d/link.csv", "", nil, 404},
		{"GET", "/run/a/designs/%2e%2e/manifest.json", "", nil, 404},
		{"GET", "/run/a/designs/..%2f..%2f..%2fsecret.txt", "", nil, 404},
		{"GET", "/run/..%2f..%2fsecret.txt/designs/x", "", nil, 404},
	} {
		status, text := ask(t, s, h, c.method, c.path, c.body, c.headers...)
		if status != c.want {
			t.Errorf("%s %s %v: %d, want %d: %.200s", c.method, c.path, c.headers, status, c.want, text)
		}
		if strings.Contains(text, "secret") && status == 200 {
			t.Errorf("%s %s: %s", c.method, c.path, text)
		}
	}
	// A run directory that cannot be read has a page that says why.
	if status, text := ask(t, s, h, "GET", "/run/a/", ""); status != 200 || !strings.Contains(text, "Cannot be read") {
		t.Errorf("%d %.300s", status, text)
	}
}

// reader reads increments of a feed until it is closed.
func reader(t *testing.T, s *Server, h *httptest.Server, path string) (next func() (id, data string), end func()) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	r, err := http.NewRequestWithContext(ctx, "GET", h.URL+path, nil)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set(tokenHeader, s.Token())
	a, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(a.Body)
	lines.Buffer(nil, 1<<24)
	return func() (id, data string) {
		for lines.Scan() {
			if x, ok := strings.CutPrefix(lines.Text(), "id: "); ok {
				id = x
			}
			if x, ok := strings.CutPrefix(lines.Text(), "data: "); ok && id != "" {
				return id, x
			}
		}
		return "", ""
	}, func() { cancel(); a.Body.Close() }
}

// Several browsers get the same increments; one that lost its connection gets those that it missed; one that knows nothing of this start,
// or too little, loads the page anew.
func TestIncrements(t *testing.T) {
	s, h, _ := serving(t, "1ms")
	n := 0
	s.index.make = func() (*report.Snapshot, error) {
		n++
		return report.NewIndex(&report.Index{Notes: []string{fmt.Sprint("note ", n)}}, "")
	}
	if err := s.index.refresh(); err != nil {
		t.Fatal(err)
	}
	first := s.index.name(1)
	a, endA := reader(t, s, h, "/events?from="+first)
	b, endB := reader(t, s, h, "/events?from="+first)
	defer endB()
	var ids [2]string
	for i := range ids {
		if err := s.index.refresh(); err != nil {
			t.Fatal(err)
		}
		idA, textA := a()
		idB, textB := b()
		if idA == "" || idA != idB || textA != textB || !strings.Contains(textA, fmt.Sprint("note ", n)) && !strings.Contains(textA, "note") {
			t.Fatalf("%s %s, %s %s", idA, textA, idB, textB)
		}
		ids[i] = idA
	}
	endA()
	for range 3 {
		if err := s.index.refresh(); err != nil {
			t.Fatal(err)
		}
	}
	c, endC := reader(t, s, h, "/events?from="+ids[1])
	defer endC()
	for i := range 3 {
		if id, _ := c(); id != s.index.name(4+i) {
			t.Errorf("after %s comes %s, want %s", ids[1], id, s.index.name(4+i))
		}
	}
	for _, from := range []string{"", "0123abcd.2", first + "000", "x", s.epoch + ".-1"} {
		d, end := reader(t, s, h, "/events?from="+from)
		if _, text := d(); text != `{"reload":true}` {
			t.Errorf("from %q: %s", from, text)
		}
		end()
	}
	for range kept + 5 {
		if err := s.index.refresh(); err != nil {
			t.Fatal(err)
		}
	}
	if _, deltas, _ := s.index.since(ids[0]); len(deltas) != 1 || string(deltas[0]) != `{"reload":true}` {
		t.Errorf("too old: %d increments", len(deltas))
	}
}

// status is where the only run stands.
func status(t *testing.T, s *Server, h *httptest.Server) *run.RunStatus {
	t.Helper()
	_, text := ask(t, s, h, "GET", "/status", "")
	var a struct{ Runs []*run.RunStatus }
	if err := json.Unmarshal([]byte(text), &a); err != nil || len(a.Runs) != 1 {
		t.Fatalf("%v: %s", err, text)
	}
	return a.Runs[0]
}

func until(t *testing.T, what string, so func() bool) {
	t.Helper()
	for began := time.Now(); !so(); time.Sleep(20 * time.Millisecond) {
		if time.Since(began) > time.Minute {
			t.Fatal("not within a minute: " + what)
		}
	}
}

// A run that is started, watched, paused and continued from the page writes the bytes of one that was not; page and status say the same.
func TestRunFromPage(t *testing.T) {
	s, h, folder := serving(t, "150ms")
	if code, text := ask(t, s, h, "GET", "/", ""); code != 200 || !strings.Contains(text, "No run is here yet") || !strings.Contains(text, "Start pod.toml") {
		t.Errorf("no run: %d %.300s", code, text)
	}
	code, text := ask(t, s, h, "POST", "/start", `{"study":"0"}`)
	if code != 200 || !strings.Contains(text, `"/run/pod-001/"`) {
		t.Fatalf("start: %d %s", code, text)
	}
	dir := filepath.Join(folder, "pod-001")
	_, page := ask(t, s, h, "GET", "/run/pod-001/", "")
	if !strings.Contains(page, "&lt;b&gt;pod&lt;/b&gt;") || strings.Contains(page, "<b>pod</b>") || !strings.Contains(page, `data-do="pause"`) {
		t.Error("the page of the run lacks its name, escaped, or the button")
	}
	_, rest, _ := strings.Cut(page, `data-version="`)
	version, _, _ := strings.Cut(rest, `"`)
	next, end := reader(t, s, h, "/run/pod-001/events?from="+version)
	defer end()
	if id, data := next(); id == "" || !strings.Contains(data, "parts") && !strings.Contains(data, "reload") {
		t.Errorf("no increment while it runs: %s %s", id, data)
	}
	if code, text := ask(t, s, h, "POST", "/run/pod-001/pause", "{}"); code != 200 {
		t.Fatalf("pause: %d %s", code, text)
	}
	until(t, "paused", func() bool { return status(t, s, h).State == run.StateStopped })
	_, page = ask(t, s, h, "GET", "/run/pod-001/", "")
	st, err := run.ReadStatus(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{">Paused<", `data-do="resume"`, fmt.Sprintf("<dt>Evaluated</dt><dd>%d</dd>", st.Progress.Evaluated), fmt.Sprintf("<dt>On the front</dt><dd>%d</dd>", st.Progress.Front)} {
		if !strings.Contains(page, want) {
			t.Errorf("the page of the paused run lacks %s", want)
		}
	}
	t.Setenv(childEnv, "1ms")
	if code, text := ask(t, s, h, "POST", "/run/pod-001/resume", "{}"); code != 200 {
		t.Fatalf("resume: %d %s", code, text)
	}
	until(t, "finished", func() bool { return status(t, s, h).State == run.StateFinished })
	p, _ := s.lastOf(dir)
	<-p.ended
	if _, page = ask(t, s, h, "GET", "/run/pod-001/", ""); !strings.Contains(page, ">Finished<") || !strings.Contains(page, "Designs in full") {
		t.Error("the page of the finished run is not the report")
	}
	alone := filepath.Join(t.TempDir(), "alone")
	if code := child([]string{"run", s.opt.Studies[0], "--out", alone}); code != 0 {
		t.Fatal(code)
	}
	for _, name := range []string{"journal.jsonl", "front.json"} {
		a, err := os.ReadFile(filepath.Join(dir, name))
		b, err2 := os.ReadFile(filepath.Join(alone, name))
		if err != nil || err2 != nil || string(a) != string(b) {
			t.Errorf("%s differs from that of a run that nobody served: %d and %d bytes, %v %v", name, len(a), len(b), err, err2)
		}
	}
	// A journal that was changed is told, in words, where the run is not finished.
	if err := os.Remove(filepath.Join(dir, "front.json")); err != nil {
		t.Fatal(err)
	}
	journal := filepath.Join(dir, "journal.jsonl")
	b, err := os.ReadFile(journal)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(journal, []byte(strings.Replace(string(b), `"d":"`, `"d":"x`, 1)), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, page = ask(t, s, h, "GET", "/run/pod-001/", ""); !strings.Contains(page, "is damaged") {
		t.Error("a damaged journal is not told")
	}
}

// A start that fails says why, on the button and on the list; the run directory of another version says so.
func TestFailures(t *testing.T) {
	s, h, folder := serving(t, "1ms")
	if err := os.WriteFile(s.opt.Studies[0], []byte("name = 3\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if code, text := ask(t, s, h, "POST", "/start", `{"study":"0"}`); code != 422 || !strings.Contains(text, "exit status 2") || !strings.Contains(text, "pod.toml") {
		t.Errorf("%d %s", code, text)
	}
	until(t, "the list tells", func() bool {
		_, text := ask(t, s, h, "GET", "/", "")
		return strings.Contains(text, "Not started")
	})
	dir := filepath.Join(folder, "old")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "manifest.json"), []byte(`{"schema":"toposearch.manifest/0"}`), 0o644); err != nil {
		t.Fatal(err)
	}
	if code, text := ask(t, s, h, "GET", "/run/old/", ""); code != 200 || !strings.Contains(text, "manifest/0") {
		t.Errorf("another version: %d", code)
	}
	l, err := Listen("127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	for addr, want := range map[string]string{l.Addr().String(): "is taken", "nonsense": "no HOST:PORT", "127.0.0.1:99999": "99999"} {
		if _, err := Listen(addr); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", addr, err)
		}
	}
}

// The server ends in good order although a browser is connected.
func TestShutdown(t *testing.T) {
	s, h, _ := serving(t, "1ms")
	_ = h
	l, err := Listen("127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- s.Serve(ctx, l) }()
	h2 := &httptest.Server{URL: "http://" + l.Addr().String()}
	next, end := reader(t, s, h2, "/events?from=")
	defer end()
	next()
	cancel()
	select {
	case err := <-ended:
		if err != nil {
			t.Error(err)
		}
	case <-time.After(leaveWithin + 30*time.Second):
		t.Error("it goes on")
	}
}
