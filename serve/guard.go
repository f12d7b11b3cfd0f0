package serve

import (
	"crypto/subtle"
	"encoding/json"
	"html/template"
	"net"
	"net/http"
	"net/netip"
	"strings"
)

// Who may ask. Other programs on the machine, and pages of other sites in a browser on it, reach a port on loopback as well:
//
//   - a name of another site that resolves to this address (DNS rebinding) stands in Host: only numbers and localhost are answered;
//   - every request has the token of this start: in the address that is printed, then in a cookie that scripts cannot read. A request
//     that changes something has it in a header of its own, which pages of other sites cannot set;
//   - a request that changes something comes from a page of this server (Origin, Sec-Fetch-Site);
//   - no other page frames, opens or reads these (frame-ancestors, COOP, CORP), and no script but ours runs on them (CSP).
const (
	tokenHeader = "X-Toposearch-Token"
	tokenParam  = "token"
	bodyBytes   = 4 << 10
)

// cookieName is by port: cookies of one host are shared by all its ports.
func cookieName(r *http.Request) string {
	_, port, err := net.SplitHostPort(r.Host)
	if err != nil {
		port = "80"
	}
	return "toposearch_" + port
}

// key is the token of a start of the server.
type key string

func (k key) right(token string) bool {
	return subtle.ConstantTimeCompare([]byte(token), []byte(k)) == 1
}

// guard lets those in who may ask.
func (k key) guard(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Referrer-Policy", "no-referrer")
		h.Set("X-Frame-Options", "DENY")
		h.Set("Cross-Origin-Opener-Policy", "same-origin")
		h.Set("Cross-Origin-Resource-Policy", "same-origin")
		h.Set("Cache-Control", "no-store")
		h.Set("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'; sandbox")
		if !ourHost(r.Host) {
			refuse(w, r, http.StatusForbidden, "This server answers to localhost and to numeric addresses only, and not to the name "+quoted(r.Host)+".")
			return
		}
		if r.Method != http.MethodGet && r.Method != http.MethodHead {
			if !k.mayChange(r) {
				refuse(w, r, http.StatusForbidden, "Only a page of this server may ask for that. Open the address that toposearch serve has printed.")
				return
			}
			r.Body = http.MaxBytesReader(w, r.Body, bodyBytes)
			next.ServeHTTP(w, r)
			return
		}
		if given := r.URL.Query().Get(tokenParam); given != "" {
			if !k.right(given) {
				stale(w, r)
				return
			}
			http.SetCookie(w, &http.Cookie{Name: cookieName(r), Value: string(k), Path: "/", HttpOnly: true, SameSite: http.SameSiteLaxMode})
			u := *r.URL
			q := u.Query()
			q.Del(tokenParam)
			u.RawQuery = q.Encode()
			// The token leaves the address line, the history and what is mailed. Two slashes would name another host.
			http.Redirect(w, r, "/"+strings.TrimLeft(u.RequestURI(), "/\\"), http.StatusSeeOther)
			return
		}
		if c, err := r.Cookie(cookieName(r)); err == nil && k.right(c.Value) || k.right(r.Header.Get(tokenHeader)) {
			next.ServeHTTP(w, r)
			return
		}
		stale(w, r)
	})
}

// mayChange reports whether a request that changes something comes from one of our pages.
func (k key) mayChange(r *http.Request) bool {
	if site := r.Header.Get("Sec-Fetch-Site"); site != "" && site != "same-origin" {
		return false
	}
	return k.right(r.Header.Get(tokenHeader)) && r.Header.Get("Origin") == "http://"+r.Host
}

func stale(w http.ResponseWriter, r *http.Request) {
	refuse(w, r, http.StatusUnauthorized, "This address is not valid, or not any more: toposearch serve makes a new one at every start. Open the one that it has printed last. Runs are not touched by this.")
}

// ourHost reports whether a Host header names this machine by number or as localhost, which no other site can.
func ourHost(host string) bool {
	name := host
	if h, _, err := net.SplitHostPort(host); err == nil {
		name = h
	}
	if strings.EqualFold(name, "localhost") {
		return true
	}
	_, err := netip.ParseAddr(strings.Trim(name, "[]"))
	return err == nil
}

func quoted(s string) string {
	b, _ := json.Marshal(s) // a string
	return string(b)
}

var refusal = template.Must(template.New("").Parse(`<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark"><title>toposearch serve</title>
<style>body{font:16px/1.5 system-ui,sans-serif;max-width:42em;margin:15vh auto;padding:0 24px}</style><h1>{{.Title}}</h1><p>{{.Text}}</p></html>
`))

// refuse answers with a page, or with JSON where a script asked.
func refuse(w http.ResponseWriter, r *http.Request, status int, text string) {
	if r.Method != http.MethodGet {
		answer(w, status, map[string]string{"error": text})
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'")
	w.WriteHeader(status)
	_ = refusal.Execute(w, map[string]string{"Title": http.StatusText(status), "Text": text}) // who asked may have left
}

// answer writes JSON.
func answer(w http.ResponseWriter, status int, v any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(v) // who asked may have left
}
