package serve

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"html/template"
	"io"
	"mime"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"toposearch/report"
	"toposearch/search/run"
)

const echartsPath = report.EChartsPath

// zipped is ECharts as it is sent, a third of its size.
var zipped = sync.OnceValue(func() []byte { return pack([]byte(report.ECharts())) })

func pack(text []byte) []byte {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	_, _ = w.Write(text) // into memory
	_ = w.Close()
	return b.Bytes()
}

// send sends a text, packed where the browser takes that.
func send(w http.ResponseWriter, r *http.Request, kind string, text []byte, packed func() []byte) {
	h := w.Header()
	h.Set("Content-Type", kind)
	h.Set("Vary", "Accept-Encoding")
	if strings.Contains(r.Header.Get("Accept-Encoding"), "gzip") {
		h.Set("Content-Encoding", "gzip")
		text = packed()
	}
	h.Set("Content-Length", fmt.Sprint(len(text)))
	_, _ = w.Write(text) // who asked may have left
}

// getECharts is the one part of a page that browsers keep: it is named by its version, and checked by its hash.
func (s *Server) getECharts(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Cache-Control", "private, max-age=31536000, immutable")
	send(w, r, "text/javascript; charset=utf-8", []byte(report.ECharts()), zipped)
}

func (s *Server) getIndex(w http.ResponseWriter, r *http.Request) { s.page(w, r, s.index) }

func (s *Server) page(w http.ResponseWriter, r *http.Request, f *feed) {
	var b bytes.Buffer
	err := f.write(&b, func(csp string) {
		w.Header().Set("Content-Security-Policy", csp+"; frame-ancestors 'none'")
	})
	if err != nil {
		refuse(w, r, http.StatusInternalServerError, err.Error())
		return
	}
	send(w, r, "text/html; charset=utf-8", b.Bytes(), func() []byte { return pack(b.Bytes()) })
}

func (s *Server) getRun(w http.ResponseWriter, r *http.Request) {
	if f := s.feedOf(r.PathValue("name")); f != nil {
		s.page(w, r, f)
		return
	}
	s.noRun(w, r)
}

func (s *Server) noRun(w http.ResponseWriter, r *http.Request) {
	refuse(w, r, http.StatusNotFound, "There is no run of this name here, or not any more. The list of runs is at /.")
}

func (s *Server) getRunEvents(w http.ResponseWriter, r *http.Request) {
	if f := s.feedOf(r.PathValue("name")); f != nil {
		s.stream(w, r, f)
		return
	}
	s.noRun(w, r)
}

// getStatus is `toposearch status --json` of all runs.
func (s *Server) getStatus(w http.ResponseWriter, _ *http.Request) {
	all, faults := []*run.RunStatus{}, []string{}
	for _, r := range s.find() {
		if r.live.Status != nil {
			all = append(all, r.live.Status)
		} else {
			faults = append(faults, r.live.Fault)
		}
	}
	answer(w, http.StatusOK, map[string]any{"schema": run.StatusSchema, "runs": all, "faults": faults})
}

// getFile sends a file of the orders and drawings of a design. It is opened below the folder designs of the run: links that lead out
// of it, and dots, are refused by the system (os.Root).
func (s *Server) getFile(w http.ResponseWriter, r *http.Request) {
	f := s.feedOf(r.PathValue("name"))
	if f == nil {
		s.noRun(w, r)
		return
	}
	gone := func() { refuse(w, r, http.StatusNotFound, "There is no such file in the folder designs of this run.") }
	root, err := os.OpenRoot(filepath.Join(f.dir, "designs"))
	if err != nil {
		gone()
		return
	}
	defer root.Close()
	path := filepath.FromSlash(strings.TrimSuffix(r.PathValue("path"), "/"))
	info, err := root.Stat(path)
	if err != nil {
		gone()
		return
	}
	if info.IsDir() {
		s.list(w, r, root, path)
		return
	}
	file, err := root.Open(path)
	if err != nil || !info.Mode().IsRegular() {
		gone()
		return
	}
	defer file.Close()
	// Whatever a file holds, it is not run: the policy of guard.go sandboxes it.
	w.Header().Set("Content-Disposition", mime.FormatMediaType("attachment", map[string]string{"filename": filepath.Base(path)}))
	w.Header().Set("Content-Type", "application/octet-stream")
	http.ServeContent(w, r, "", info.ModTime(), file)
}

// mostFiles of a folder are listed: a design has some ten.
const mostFiles = 200

var listing = template.Must(template.New("").Parse(`<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark"><title>{{.Title}}</title>
<style>body{font:16px/1.6 system-ui,sans-serif;max-width:42em;margin:8vh auto;padding:0 24px}</style><h1>{{.Title}}</h1><ul>{{range .Names}}<li><a href="./{{.}}" download>{{.}}</a></li>{{end}}</ul></html>
`))

// list names the files of a folder.
func (s *Server) list(w http.ResponseWriter, r *http.Request, root *os.Root, path string) {
	if !strings.HasSuffix(r.URL.Path, "/") {
		http.Redirect(w, r, "/"+strings.TrimLeft(r.URL.EscapedPath(), "/\\")+"/", http.StatusSeeOther)
		return
	}
	dir, err := root.Open(path)
	if err != nil {
		s.noRun(w, r)
		return
	}
	defer dir.Close()
	entries, err := dir.ReadDir(mostFiles)
	if err != nil && err != io.EOF {
		s.noRun(w, r)
		return
	}
	var names []string
	for _, e := range entries {
		if e.Type().IsRegular() {
			names = append(names, e.Name())
		}
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'")
	_ = listing.Execute(w, map[string]any{"Title": filepath.Base(path), "Names": names}) // who asked may have left
}
