package netfile

import (
	"encoding/json"
	"errors"
	"slices"
	"strconv"
	"strings"

	"toposearch/diag"
)

// tokens reads JSON token by token, so that every finding has its place and one fault does not hide others.
type tokens struct {
	src *source
	dec *json.Decoder
	end error // a syntax error; nothing more can be read
}

// next is the offset of the token that comes next.
func (r *tokens) next() int {
	at := int(r.dec.InputOffset())
	for at < len(r.src.data) && strings.IndexByte(" \t\r\n,:", r.src.data[at]) >= 0 {
		at++
	}
	return at
}

// token reads the next token; at is its offset. nil after a syntax error.
func (r *tokens) token() (t json.Token, at int) {
	if r.end != nil {
		return nil, 0
	}
	at = r.next()
	t, err := r.dec.Token()
	if err != nil {
		r.end = err
		var bad *json.SyntaxError
		switch {
		case errors.As(err, &bad):
			r.src.at(int(bad.Offset)-1, "", "not JSON: %v", err)
		default:
			r.src.at(len(r.src.data), "", "the file ends early")
		}
		return nil, at
	}
	return t, at
}

// object reads an object by a function for each key, and gives the keys that it has.
func (r *tokens) object(what string, keys map[string]func()) (seen []string) {
	t, at := r.token()
	if t != json.Delim('{') {
		r.wrong(t, at, what+" is an object")
		return nil
	}
	for r.end == nil && r.dec.More() {
		t, at := r.token()
		key, ok := t.(string)
		if !ok {
			return seen
		}
		read, known := keys[key]
		switch {
		case !known:
			names := make([]string, 0, len(keys))
			for k := range keys {
				names = append(names, k)
			}
			slices.Sort(names)
			r.src.at(at, "", "unknown key %q in %s%s", key, what, diag.Hint(key, names))
			r.skip()
		case slices.Contains(seen, key):
			r.src.at(at, "", "key %q stands twice in %s", key, what)
			r.skip()
		default:
			seen = append(seen, key)
			read()
		}
	}
	r.token()
	return seen
}

// array reads an array by a function for each element, which must read exactly one value.
func (r *tokens) array(what string, element func()) {
	t, at := r.token()
	if t != json.Delim('[') {
		r.wrong(t, at, what+" is an array")
		return
	}
	for r.end == nil && r.dec.More() && !r.src.full {
		element()
	}
	if r.src.full {
		r.end = errors.New("too many findings")
		return
	}
	r.token()
}

// wrong complains about a value that is not what it should be, and skips it.
func (r *tokens) wrong(t json.Token, at int, want string) {
	if r.end != nil {
		return
	}
	r.src.at(at, "", "%s", want)
	if d, ok := t.(json.Delim); ok && (d == '{' || d == '[') {
		r.close()
	}
}

// skip reads one value of any kind.
func (r *tokens) skip() {
	if t, _ := r.token(); t == json.Delim('{') || t == json.Delim('[') {
		r.close()
	}
}

// maxDepth bounds values that are skipped; a network has four levels.
const maxDepth = 64

// close reads to the end of the object or array that has begun.
func (r *tokens) close() {
	for depth := 1; depth > 0 && r.end == nil; {
		switch t, at := r.token(); t {
		case json.Delim('{'), json.Delim('['):
			if depth++; depth > maxDepth {
				r.src.at(at, "", "values are nested more than %d deep here", maxDepth)
				r.end = errors.New("nested too deeply")
			}
		case json.Delim('}'), json.Delim(']'):
			depth--
		}
	}
}

func (r *tokens) text(what string) (s string, at int) {
	t, at := r.token()
	s, ok := t.(string)
	if !ok {
		r.wrong(t, at, what+" is a text")
	}
	r.src.seen(at, s)
	return s, at
}

func (r *tokens) flag(what string) bool {
	t, at := r.token()
	b, ok := t.(bool)
	if !ok {
		r.wrong(t, at, what+" is true or false")
	}
	return b
}

// whole reads a whole number in lo..hi; lo if it is not one.
func (r *tokens) whole(what string, lo, hi int64) int64 {
	t, at := r.token()
	n, ok := t.(json.Number)
	x, err := strconv.ParseInt(string(n), 10, 64)
	if !ok || err != nil || x < lo || x > hi {
		r.wrong(t, at, what+" is a whole number from "+strconv.FormatInt(lo, 10)+" to "+strconv.FormatInt(hi, 10))
		return lo
	}
	return x
}

// positive reads a rate in Gb/s or a length in metres.
func (r *tokens) positive(what string) float64 {
	t, at := r.token()
	n, ok := t.(json.Number)
	x, err := strconv.ParseFloat(string(n), 64)
	if !ok || err != nil || !(x > 0 && x <= 1e6) {
		r.wrong(t, at, what+" is a number above 0, up to 1000000")
		return 1
	}
	return x
}
