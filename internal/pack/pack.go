// Package pack writes numbers, texts and lists of them into few bytes, and reads them again without trusting them.
package pack

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
)

// ErrBytes are bytes that were not packed so.
var ErrBytes = errors.New("packed bytes are not as expected")

// Writer is what has been packed.
type Writer []byte

// Int packs a whole number: small ones take a byte.
func (w *Writer) Int(x int64) { *w = binary.AppendVarint(*w, x) }

// Fixed packs a number of which every bit is as likely.
func (w *Writer) Fixed(x uint64) { *w = binary.LittleEndian.AppendUint64(*w, x) }

// Float packs a number to the bit.
func (w *Writer) Float(x float64) { w.Fixed(math.Float64bits(x)) }

// Floats packs a list; none and an empty one are the same.
func (w *Writer) Floats(list []float64) {
	w.Int(int64(len(list)))
	for _, x := range list {
		w.Float(x)
	}
}

// Bool packs a truth value.
func (w *Writer) Bool(x bool) {
	b := byte(0)
	if x {
		b = 1
	}
	*w = append(*w, b)
}

// Text packs a text.
func (w *Writer) Text(s string) {
	w.Int(int64(len(s)))
	*w = append(*w, s...)
}

// Reader reads in the order of writing. After the first failure everything is zero.
type Reader struct {
	rest []byte
	err  error
}

// NewReader reads packed bytes.
func NewReader(b []byte) *Reader { return &Reader{rest: b} }

// Fail makes the reader fail, unless it has.
func (r *Reader) Fail(why string) {
	if r.err == nil {
		r.err = fmt.Errorf("%w: %s", ErrBytes, why)
	}
	r.rest = nil
}

// Failed tells whether something was not as expected.
func (r *Reader) Failed() bool { return r.err != nil }

// Left is how many bytes are to be read.
func (r *Reader) Left() int { return len(r.rest) }

// End is the failure; bytes that are left are one.
func (r *Reader) End() error {
	if len(r.rest) > 0 {
		r.Fail("more bytes than expected")
	}
	return r.err
}

// Int reads a whole number.
func (r *Reader) Int() int64 {
	x, n := binary.Varint(r.rest)
	if n <= 0 {
		r.Fail("a number is missing")
		return 0
	}
	r.rest = r.rest[n:]
	return x
}

// Within reads a whole number from least to most; another is a failure, and least.
func (r *Reader) Within(least, most int64) int64 {
	x := r.Int()
	if x < least || x > most {
		r.Fail(fmt.Sprintf("%d is not from %d to %d", x, least, most))
		return least
	}
	return x
}

// Count reads the length of a list whose items take at least so many bytes each: no more than can follow.
func (r *Reader) Count(each int) int {
	n := r.Int()
	if n < 0 || n > int64(len(r.rest)/each) {
		r.Fail(fmt.Sprintf("%d items do not follow", n))
		return 0
	}
	return int(n)
}

// Fixed reads a number of 64 bits.
func (r *Reader) Fixed() uint64 {
	if len(r.rest) < 8 {
		r.Fail("a number is missing")
		return 0
	}
	x := binary.LittleEndian.Uint64(r.rest)
	r.rest = r.rest[8:]
	return x
}

// Float reads a number.
func (r *Reader) Float() float64 { return math.Float64frombits(r.Fixed()) }

// Floats reads a list, nil if it is empty.
func (r *Reader) Floats() []float64 {
	n := r.Count(8)
	if n == 0 {
		return nil
	}
	list := make([]float64, n)
	for i := range list {
		list[i] = r.Float()
	}
	return list
}

// Bool reads a truth value.
func (r *Reader) Bool() bool {
	if len(r.rest) == 0 || r.rest[0] > 1 {
		r.Fail("a truth value is missing")
		return false
	}
	x := r.rest[0] == 1
	r.rest = r.rest[1:]
	return x
}

// Text reads a text.
func (r *Reader) Text() string {
	n := r.Count(1)
	s := string(r.rest[:n])
	r.rest = r.rest[n:]
	return s
}
