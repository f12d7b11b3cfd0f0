package run

import (
	"bytes"
	"hash/crc32"
)

// castagnoli is CRC-32C: it finds every burst of up to 32 bits, misses one in 2^32 of larger faults, and
// processors compute it faster than a disk reads.
var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// Every line of a journal is a JSON object whose last two members are the checksum of the line before it,
// "p" (of none: 0), and its own, "c": CRC-32C of all bytes before the comma in front of "c". So a changed
// line shows by itself, and a line that is missing, there twice or elsewhere by its neighbours.
const (
	sealPrev = `,"p":"`
	sealSum  = `","c":"`
	sealEnd  = `"}`
	sumLen   = 8 // hexadecimal digits, small letters
	prevLen  = len(sealPrev) + sumLen + 1
	sealLen  = prevLen + len(sealSum) - 1 + sumLen + len(sealEnd)
)

// seal ends the line that begins at start and is an object that is still open; prev is the checksum of the
// line before, sum that of this one.
func seal(b []byte, start int, prev uint32) (line []byte, sum uint32) {
	b = appendSum(append(b, sealPrev...), prev)
	sum = crc32.Checksum(append(b, '"')[start:], castagnoli)
	b = appendSum(append(b, sealSum...), sum)
	return append(append(b, sealEnd...), '\n'), sum
}

// unseal gives what seal ended, as it was before, and the two checksums; ok is false unless the line, here
// without its end, has the bytes that were written.
func unseal(line []byte) (body []byte, prev, sum uint32, ok bool) {
	n := len(line) - sealLen
	if n < 1 {
		return nil, 0, 0, false
	}
	sum = crc32.Checksum(line[:n+prevLen], castagnoli)
	var want [sealLen]byte
	end := appendSum(append(want[:0], sealSum[1:]...), sum)
	if !bytes.Equal(line[n+prevLen:], append(end, sealEnd...)) || string(line[n:n+len(sealPrev)]) != sealPrev {
		return nil, 0, 0, false
	}
	for _, c := range line[n+len(sealPrev) : n+len(sealPrev)+sumLen] {
		d := bytes.IndexByte(hexDigits, c)
		if d < 0 {
			return nil, 0, 0, false
		}
		prev = prev<<4 | uint32(d)
	}
	return line[:n], prev, sum, true
}

// object is the JSON object of a line without its seal, in memory of its own: a scanner reuses that of body.
func object(body []byte) []byte { return append(body[:len(body):len(body)], '}') }

var hexDigits = []byte("0123456789abcdef")

func appendSum(b []byte, sum uint32) []byte {
	for shift := 28; shift >= 0; shift -= 4 {
		b = append(b, hexDigits[sum>>shift&15])
	}
	return b
}
