package serve

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"toposearch/internal/crew"
	"toposearch/search/run"
)

// mostBad starts that failed are told.
const mostBad = 3

// postStart starts a study of the list.
func (s *Server) postStart(w http.ResponseWriter, r *http.Request) {
	var ask struct {
		Study string `json:"study"`
	}
	if !body(w, r, &ask) {
		return
	}
	i, err := strconv.Atoi(ask.Study)
	if err != nil || i < 0 || i >= len(s.opt.Studies) || len(s.opt.Folders) == 0 {
		answer(w, http.StatusNotFound, map[string]string{"error": "no such study is offered"})
		return
	}
	study := s.opt.Studies[i]
	s.mu.Lock() // two that ask at a time get folders of their own
	out, err := s.vacant(strings.TrimSuffix(filepath.Base(study), filepath.Ext(study)))
	var p *process
	if err == nil {
		if p, err = launch(s.opt.Program, "run", study, "--out", out); err == nil {
			s.procs[abs(out)] = p
		}
	}
	s.mu.Unlock()
	if err != nil {
		answer(w, http.StatusInternalServerError, map[string]string{"error": err.Error()})
		return
	}
	crew.Detach(func() { s.mourn(p, study, out) }, func(error) {})
	there := p.await(s.done, func() bool { _, err := run.ReadStatus(out); return err == nil })
	switch text := p.failed(); {
	case text != "" && !there:
		answer(w, http.StatusUnprocessableEntity, map[string]string{"error": filepath.Base(study) + " was not started: " + text})
	case !there:
		answer(w, http.StatusAccepted, map[string]string{"text": "started; its files are being read"})
	default:
		answer(w, http.StatusOK, map[string]string{"text": "started", "open": "/run/" + s.named(out) + "/"})
	}
}

// vacant is a run directory that is not there and that nobody was given: STUDY-001 and so on in the first folder.
func (s *Server) vacant(name string) (string, error) {
	const most = 9999 // names of four digits
	for n := 1; n <= most; n++ {
		dir := filepath.Join(s.opt.Folders[0], fmt.Sprintf("%s-%03d", name, n))
		if _, err := os.Lstat(dir); errors.Is(err, os.ErrNotExist) && s.procs[abs(dir)] == nil {
			return dir, nil
		}
	}
	return "", fmt.Errorf("%s holds runs %s-001 to %s-%d: move some elsewhere", s.opt.Folders[0], name, name, most)
}

// mourn tells on the list of runs of a start that left no run directory.
func (s *Server) mourn(p *process, study, out string) {
	select {
	case <-p.ended:
	case <-s.done:
		return
	}
	text := p.failed()
	if _, err := run.ReadManifest(out); text == "" || err == nil { // else its own page tells
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.bad = append(s.bad, filepath.Base(study)+": "+text)
	s.bad = s.bad[max(0, len(s.bad)-mostBad):]
	delete(s.procs, abs(out))
}

// postDo pauses, stops or continues a run.
func (s *Server) postDo(w http.ResponseWriter, r *http.Request) {
	f := s.feedOf(r.PathValue("name"))
	if f == nil {
		answer(w, http.StatusNotFound, map[string]string{"error": "there is no run of this name here"})
		return
	}
	if !body(w, r, &struct{}{}) {
		return
	}
	var text string
	var err error
	switch r.PathValue("do") {
	case "pause":
		text, err = s.signal(f.dir, false)
	case "stop":
		text, err = s.signal(f.dir, true)
	case "resume":
		text, err = s.resume(f.dir)
	default:
		answer(w, http.StatusNotFound, map[string]string{"error": "a run can be asked to pause, stop or resume"})
		return
	}
	if err != nil {
		answer(w, http.StatusConflict, map[string]string{"error": err.Error()})
		return
	}
	answer(w, http.StatusOK, map[string]string{"text": text})
}

// secondAfter is when a process that is to stop at once gets its second signal: later than the time in which the program takes further
// ones for the same, and early enough for batches that end soon to end well.
const secondAfter = time.Second

// signal asks the process of a run to stop as ^C does; at once: with a second one, as who presses it twice.
func (s *Server) signal(dir string, atOnce bool) (string, error) {
	pid, ok := run.Process(dir)
	if !ok {
		return "", errors.New("no process works on this run that can be seen from here: it has ended, or runs on another machine or for another user")
	}
	p, err := os.FindProcess(pid) // holds on to the process, not to its number
	if err != nil {
		return "", err
	}
	defer p.Release()
	if again, ok := run.Process(dir); !ok || again != pid { // it ended in between, and its number may be another's
		return "", errors.New("the run has just ended")
	}
	if err := p.Signal(os.Interrupt); err != nil {
		return "", fmt.Errorf("the process of the run (%d) cannot be asked: %w", pid, err)
	}
	if !atOnce {
		return "asked to pause: it finishes its batch, which takes 30 seconds at most", nil
	}
	time.Sleep(secondAfter)
	if again, ok := run.Process(dir); ok && again == pid {
		_ = p.Signal(os.Interrupt) // it may have ended
	}
	return "stopped", nil
}

// resume starts toposearch resume.
func (s *Server) resume(dir string) (string, error) {
	st, err := run.ReadStatus(dir)
	if err != nil {
		return "", err
	}
	if st.State != run.StateStopped {
		return "", fmt.Errorf("the run is %s", st.State)
	}
	if p, _ := s.lastOf(dir); p != nil { // one that has just given the lock back ends at once
		p.await(s.done, func() bool { return false })
	}
	s.mu.Lock()
	if p := s.procs[abs(dir)]; p != nil && p.working() {
		s.mu.Unlock()
		return "", errors.New("it is being continued already")
	}
	p, err := launch(s.opt.Program, "resume", dir)
	if err == nil {
		s.procs[abs(dir)] = p
	}
	s.mu.Unlock()
	if err != nil {
		return "", err
	}
	p.await(s.done, func() bool { now, err := run.ReadStatus(dir); return err == nil && now.State != run.StateStopped })
	if text := p.failed(); text != "" {
		return "", errors.New(text)
	}
	return "continued", nil
}

// body reads the JSON of a request, or answers what is wrong with it.
func body(w http.ResponseWriter, r *http.Request, v any) bool {
	d := json.NewDecoder(r.Body)
	d.DisallowUnknownFields()
	err := d.Decode(v)
	var large *http.MaxBytesError
	switch {
	case errors.As(err, &large):
		answer(w, http.StatusRequestEntityTooLarge, map[string]string{"error": fmt.Sprintf("a request has %d bytes at most", bodyBytes)})
	case err != nil:
		answer(w, http.StatusBadRequest, map[string]string{"error": "the request is not the JSON that is expected: " + err.Error()})
	default:
		return true
	}
	return false
}
