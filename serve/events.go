package serve

import (
	"fmt"
	"io"
	"net/http"
	"time"
)

const (
	// mostStreams are open at a time: a browser keeps one a page, and six to a server in all.
	mostStreams = 64
	// beat is how often a connection without news shows that it lives: proxies cut silent ones after a minute.
	beat = 15 * time.Second
	// takeWithin is how long a browser may take for an increment.
	takeWithin = time.Minute
	// again is when a browser tries again, ms.
	again = 2000
)

// stream sends increments as server-sent events, from the last that the browser has seen.
func (s *Server) stream(w http.ResponseWriter, r *http.Request, f *feed) {
	select {
	case s.open <- struct{}{}:
		defer func() { <-s.open }()
	default:
		refuse(w, r, http.StatusServiceUnavailable, fmt.Sprintf("More than %d pages are open.", mostStreams))
		return
	}
	defer f.read()()
	from := r.Header.Get("Last-Event-ID") // of a browser that comes back
	if from == "" {
		from = r.URL.Query().Get("from")
	}
	w.Header().Set("Content-Type", "text/event-stream")
	c := http.NewResponseController(w)
	put := func(text string) bool {
		_ = c.SetWriteDeadline(time.Now().Add(takeWithin)) // a connection without one is not written to either
		if _, err := io.WriteString(w, text); err != nil {
			return false
		}
		return c.Flush() == nil
	}
	_ = c.SetReadDeadline(time.Time{})
	if !put(fmt.Sprintf("retry: %d\n\n", again)) {
		return
	}
	for {
		names, deltas, more := f.since(from)
		for i, d := range deltas {
			if !put("id: " + names[i] + "\ndata: " + string(d) + "\n\n") {
				return
			}
			from = names[i]
		}
		select {
		case <-more:
		case <-time.After(beat):
			if !put("event: beat\ndata: \n\n") {
				return
			}
		case <-r.Context().Done():
			return
		case <-s.done:
			return
		}
	}
}
