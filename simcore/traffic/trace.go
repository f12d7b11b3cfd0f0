package traffic

import (
	"fmt"
	"math"
	"strconv"

	"toposearch/diag"
	"toposearch/internal/infile"
	"toposearch/simcore"
)

// Limits of a trace: messages are cut into packets whose numbers are 32 bits wide, and times are those of a run.
const (
	maxMessage = 1 << 30
	maxTime    = simcore.MostCycles
)

// TraceFile reads a trace or a communication graph from a file, see ParseTrace.
func TraceFile(path string, n int) ([]simcore.Send, error) {
	data, err := infile.Read(path, maxFileBytes)
	if err != nil {
		return nil, fmt.Errorf("cannot read the trace %s: %w", path, err)
	}
	sends, found := ParseTrace(path, data, n)
	if found.HasErrors() {
		return nil, allOf(found)
	}
	return sends, nil
}

// ParseTrace reads a trace, lines "time source destination size" in order of time, or a communication graph, lines "source
// destination size" of which all may begin at once, for n endpoints numbered from 0. Times are cycles (of the cut-through model
// ns), sizes flits (bytes), all whole numbers. Fields, comments and a head are as in a traffic file. A pair may come again. Every
// fault is reported.
func ParseTrace(file string, data []byte, n int) (sends []simcore.Send, found diag.List) {
	fields, last, lastLine := 0, int64(0), 0
	scan(file, data, &found, func() int { return len(sends) }, func(pos diag.Pos, f []string) {
		if fields == 0 {
			fields = len(f)
		}
		if len(f) != fields || fields < 3 || fields > 4 {
			found.Errorf(pos, "%d fields; a trace has 4 on every line (time, source, destination, size), a communication graph 3 (without a time)", len(f))
			return
		}
		s, ok := simcore.Send{}, true
		if fields == 4 {
			t, err := strconv.ParseInt(f[0], 10, 64)
			switch {
			case err != nil || t < 0 || t > maxTime:
				found.Errorf(pos, "time %q is not a whole number from 0 to %d", f[0], int64(maxTime))
				ok = false
			case t < last:
				found.Errorf(pos, "time %d is before %d on line %d: a trace is in order of time; sort its lines", t, last, lastLine)
				ok = false
			default:
				last, lastLine = t, pos.Line
			}
			s.At, f = t, f[1:]
		}
		var pair bool
		s.From, s.To, pair = parsePair(f, pos, n, &found)
		size, err := strconv.ParseInt(f[2], 10, 64)
		if err != nil || size < 1 || size > maxMessage {
			found.Errorf(pos, "size %q is not a whole number from 1 to %d", f[2], maxMessage)
			ok = false
		}
		if s.Size = int32(min(max(size, 0), math.MaxInt32)); ok && pair {
			sends = append(sends, s)
		}
	})
	if len(sends) == 0 && !found.HasErrors() {
		found.Errorf(diag.Pos{File: file}, "no line with a source, a destination and a size")
	}
	if found.Sort(); found.HasErrors() {
		return nil, found
	}
	return sends, found
}
