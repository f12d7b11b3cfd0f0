// Package serve shows runs in browsers while they go on: the report's own page, with what is new as increments (server-sent events),
// and buttons that start, pause and stop. Runs are processes of their own, found by what they write into their directories: they go on
// when this one ends, and those started elsewhere are shown as well. Nothing here evaluates for a run or writes into its directory.
//
// What may be read is the runs of the folders that were named, what may be started the studies that were: a request names either by a
// name from a list, never by a path. See guard.go for who may ask at all.
package serve

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"toposearch/internal/crew"
)

const (
	tokenBytes = 16 // 128 random bits cannot be guessed
)

// New prepares a server with a random token.
func New(opt Options) (*Server, error) {
	b := make([]byte, tokenBytes+4)
	if _, err := rand.Read(b); err != nil {
		return nil, fmt.Errorf("serve: no random token: %w", err)
	}
	if opt.Log == nil {
		opt.Log = func(string) {}
	}
	for i, s := range opt.Studies {
		abs, err := filepath.Abs(s)
		if err != nil {
			return nil, fmt.Errorf("serve: %w", err)
		}
		opt.Studies[i] = abs
	}
	s := &Server{opt: opt, key: key(hex.EncodeToString(b[:tokenBytes])), epoch: hex.EncodeToString(b[tokenBytes:]),
		feeds: map[string]*feed{}, procs: map[string]*process{}, done: make(chan struct{}), open: make(chan struct{}, mostStreams)}
	s.index = s.newFeed("", s.indexPage)
	return s, nil
}

// Token is what a browser has to show to be let in.
func (s *Server) Token() string { return string(s.key) }

// Close ends the connections that are kept open. Runs go on.
func (s *Server) Close() { s.once.Do(func() { close(s.done) }) }

// Listen takes an address, such as 127.0.0.1:0; its error says what to do where the port is taken.
func Listen(addr string) (net.Listener, error) {
	host, port, err := net.SplitHostPort(addr)
	if err != nil {
		return nil, fmt.Errorf("--addr %q is no HOST:PORT, such as 127.0.0.1:8080: %w", addr, err)
	}
	l, err := net.Listen("tcp", addr)
	switch {
	case err == nil:
		return l, nil
	case errors.Is(err, syscall.EADDRINUSE):
		return nil, fmt.Errorf("port %s of %s is taken by another program, perhaps by another toposearch serve; give another, or leave --addr out for a free one", port, host)
	case errors.Is(err, os.ErrPermission):
		return nil, fmt.Errorf("port %s may not be taken without privileges: give one above 1023, or leave --addr out for a free one", port)
	}
	return nil, fmt.Errorf("--addr %s: %w", addr, err)
}

const (
	headWithin = 5 * time.Second  // a request's head
	readWithin = 15 * time.Second // all of it: bodies have a kilobyte
	// writeWithin is for a whole page: one of 20 MB at 80 kB/s. Streams set their own.
	writeWithin = 5 * time.Minute
	idleWithin  = 2 * time.Minute
	// leaveWithin is how long requests under way may take when the server ends.
	leaveWithin = 2 * time.Second
	headBytes   = 16 << 10
)

// Serve answers at a listener until ctx ends, and then ends in good order.
func (s *Server) Serve(ctx context.Context, l net.Listener) error {
	h := &http.Server{Handler: s.Handler(), ReadHeaderTimeout: headWithin, ReadTimeout: readWithin, WriteTimeout: writeWithin,
		IdleTimeout: idleWithin, MaxHeaderBytes: headBytes, ErrorLog: nil}
	ended := make(chan error, 1)
	crew.Detach(func() { ended <- h.Serve(l) }, func(err error) { ended <- err })
	select {
	case err := <-ended:
		return fmt.Errorf("serve: %w", err)
	case <-ctx.Done():
	}
	s.Close()
	late, cancel := context.WithTimeout(context.WithoutCancel(ctx), leaveWithin)
	defer cancel()
	if err := h.Shutdown(late); err != nil {
		h.Close()
	}
	return nil
}

// Going are the run directories in which a process works now.
func (s *Server) Going() (dirs []string) {
	for _, r := range s.find() {
		if r.live != nil && r.live.Status != nil && r.live.Status.State == "running" {
			dirs = append(dirs, r.dir)
		}
	}
	return dirs
}

// Handler answers requests.
func (s *Server) Handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{$}", s.getIndex)
	mux.HandleFunc("GET /events", func(w http.ResponseWriter, r *http.Request) { s.stream(w, r, s.index) })
	mux.HandleFunc("GET "+echartsPath, s.getECharts)
	mux.HandleFunc("GET /status", s.getStatus)
	mux.HandleFunc("GET /run/{name}/{$}", s.getRun)
	mux.HandleFunc("GET /run/{name}/events", s.getRunEvents)
	mux.HandleFunc("GET /run/{name}/designs/{path...}", s.getFile)
	mux.HandleFunc("POST /start", s.postStart)
	mux.HandleFunc("POST /run/{name}/{do}", s.postDo)
	return s.key.guard(mux)
}
