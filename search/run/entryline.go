package run

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"toposearch/evaluator/metric"
	"toposearch/search"
	"unicode/utf8"
)

// appendEntry writes the line of an entry but for its end, which seal adds: the key, the design, a rejection
// by the evaluator, the routing that was chosen, if any, and the metrics in their order, each a number, or [value, lo, hi] where it is not
// exact. Infinities, which JSON lacks, are the strings "inf" and "-inf".
func appendEntry(b []byte, key string, e *search.Entry) []byte {
	b = append(b, `{"k":"`...)
	b = append(b, key...)
	b = append(b, `","d":`...)
	b = appendText(b, e.Design)
	if e.Reject.Constraint != "" {
		b = append(b, `,"r":[`...)
		b = appendText(b, e.Reject.Constraint)
		b = appendNumber(append(b, ','), e.Reject.Got)
		b = appendNumber(append(b, ','), e.Reject.Bound)
		if p := e.Reject.Ports; p.Bound > 0 {
			b = appendNumber(append(b, ','), p.Got)
			b = appendNumber(append(b, ','), p.Bound)
		}
		b = append(b, ']')
	}
	if e.Routing != "" {
		b = appendText(append(b, `,"g":`...), e.Routing)
	}
	b = append(b, `,"m":{`...)
	first := true
	for k := range e.Values {
		v := e.Values[k]
		if math.IsNaN(v) {
			continue
		}
		if !first {
			b = append(b, ',')
		}
		first = false
		b = append(b, quotedKeys[k]...)
		if e.Lo[k] == v && e.Hi[k] == v {
			b = appendNumber(b, v)
			continue
		}
		b = appendNumber(append(b, '['), v)
		b = appendNumber(append(b, ','), e.Lo[k])
		b = appendNumber(append(b, ','), e.Hi[k])
		b = append(b, ']')
	}
	return append(b, '}')
}

// quotedKeys are the metric keys as an entry names them.
var quotedKeys = func() (q [metric.Count]string) {
	for k := range q {
		q[k] = `"` + metric.Keys[k].Name + `":`
	}
	return q
}()

// appendText quotes a name; names are mostly plain ASCII, which needs no escapes.
func appendText(b []byte, s string) []byte {
	for i := range len(s) {
		if c := s[i]; c < ' ' || c > '~' || c == '"' || c == '\\' {
			q, err := json.Marshal(s)
			if err != nil {
				panic("search: a string that JSON cannot hold: " + err.Error())
			}
			return append(b, q...)
		}
	}
	b = append(b, '"')
	b = append(b, s...)
	return append(b, '"')
}

func appendNumber(b []byte, x float64) []byte {
	switch {
	case math.IsInf(x, 1):
		return append(b, `"inf"`...)
	case math.IsInf(x, -1):
		return append(b, `"-inf"`...)
	case math.IsNaN(x):
		return append(b, "null"...)
	case x == math.Trunc(x) && math.Abs(x) < 1e15 && (x != 0 || !math.Signbit(x)):
		return strconv.AppendInt(b, int64(x), 10)
	}
	return strconv.AppendFloat(b, x, 'g', -1, 64)
}

// lineReader takes a line apart without building a tree of it.
type lineReader struct {
	b   []byte
	err error
}

// take skips an expected text.
func (r *lineReader) take(s string) bool {
	if r.err == nil && len(r.b) >= len(s) && string(r.b[:len(s)]) == s {
		r.b = r.b[len(s):]
		return true
	}
	return false
}

func (r *lineReader) must(s string) {
	if !r.take(s) && r.err == nil {
		r.err = fmt.Errorf("%w: expected %q", search.ErrLine, s)
	}
}

// text reads a quoted string.
func (r *lineReader) text() []byte {
	if r.err != nil || len(r.b) == 0 || r.b[0] != '"' {
		r.must(`"`)
		return nil
	}
	for i := 1; i < len(r.b); i++ {
		switch r.b[i] {
		case '\\':
			i++
		case '"':
			raw := r.b[:i+1]
			r.b = r.b[i+1:]
			if bytes.IndexByte(raw, '\\') < 0 {
				return raw[1:i]
			}
			var s string
			if err := json.Unmarshal(raw, &s); err != nil {
				r.err = fmt.Errorf("%w: %w", search.ErrLine, err)
			}
			return []byte(s)
		}
	}
	r.err = fmt.Errorf("%w: a string does not end", search.ErrLine)
	return nil
}

// number reads what appendNumber writes.
func (r *lineReader) number() float64 {
	if len(r.b) > 0 && r.b[0] > '9' || r.take(`"`) { // few are
		switch {
		case r.take(`inf"`):
			return math.Inf(1)
		case r.take(`-inf"`):
			return math.Inf(-1)
		case r.take("null"):
			return math.NaN()
		}
	}
	n := 0
	for n < len(r.b) && (r.b[n] >= '0' && r.b[n] <= '9' || r.b[n] == '-' || r.b[n] == '+' || r.b[n] == '.' || r.b[n] == 'e') {
		n++
	}
	if x, ok := smallInt(r.b[:n]); ok {
		r.b = r.b[n:]
		return x
	}
	x, err := strconv.ParseFloat(string(r.b[:n]), 64)
	if err != nil && r.err == nil {
		r.err = fmt.Errorf("%w: %w", search.ErrLine, err)
	}
	r.b = r.b[n:]
	return x
}

// smallInt reads a whole number of up to 15 digits, which is most of a journal.
func smallInt(b []byte) (float64, bool) {
	if len(b) == 0 || len(b) > 15 || len(b) > 1 && b[0] == '0' {
		return 0, false
	}
	var x int64
	for _, c := range b {
		if c < '0' || c > '9' {
			return 0, false
		}
		x = 10*x + int64(c-'0')
	}
	return float64(x), true
}

// parseEntry reads what appendEntry wrote into e and gives its key.
func parseEntry(line []byte, e *search.Entry) (key string, err error) {
	for k := range e.Values {
		e.Values[k], e.Lo[k], e.Hi[k] = math.NaN(), math.NaN(), math.NaN()
	}
	e.Reject = metric.Reject{}
	r := lineReader{b: line}
	if !utf8.Valid(line) {
		r.err = fmt.Errorf("%w: not UTF-8", search.ErrLine)
	}
	r.must(`{"k":`)
	key = string(r.text())
	r.must(`,"d":`)
	e.Design = string(r.text())
	if r.take(`,"r":[`) {
		e.Reject.Constraint = string(r.text())
		r.must(",")
		e.Reject.Got = r.number()
		r.must(",")
		e.Reject.Bound = r.number()
		if r.take(",") {
			e.Reject.Ports.Got = r.number()
			r.must(",")
			e.Reject.Ports.Bound = r.number()
		}
		r.must("]")
	}
	e.Routing = ""
	if r.take(`,"g":`) {
		e.Routing = string(r.text())
	}
	r.must(`,"m":{`)
	next := metric.Key(0)
	for i := 0; r.err == nil && !r.take("}"); i++ {
		if i > 0 {
			r.must(",")
		}
		next = r.metric(e, next) + 1
	}
	if r.err == nil && len(r.b) > 0 {
		r.err = fmt.Errorf("%w: text behind its end", search.ErrLine)
	}
	return key, r.err
}

// metric reads one metric; its key is likely next or soon after, as they are written in order.
func (r *lineReader) metric(e *search.Entry, next metric.Key) metric.Key {
	name := r.text()
	r.must(":")
	k := next
	for k < metric.Count && metric.Keys[k].Name != string(name) {
		k++
	}
	if k >= metric.Count {
		if r.err == nil {
			r.err = fmt.Errorf("%w: no metric %q in this place", search.ErrLine, name)
		}
		return metric.Count - 1
	}
	if !r.take("[") {
		x := r.number()
		e.Values[k], e.Lo[k], e.Hi[k] = x, x, x
		return k
	}
	e.Values[k] = r.number()
	r.must(",")
	e.Lo[k] = r.number()
	r.must(",")
	e.Hi[k] = r.number()
	r.must("]")
	return k
}

// EncodeEntry writes an entry as the journal holds it, without the key and the end of its line.
func EncodeEntry(e *search.Entry) []byte { return appendEntry(nil, "", e) }

// DecodeEntry reads what EncodeEntry wrote. The error wraps search.ErrLine.
func DecodeEntry(line []byte) (*search.Entry, error) {
	e := new(search.Entry)
	_, err := parseEntry(line, e)
	return e, err
}
