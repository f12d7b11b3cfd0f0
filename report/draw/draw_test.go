package draw

import (
	"encoding/xml"
	"errors"
	"io"
	"math"
	"strings"
	"testing"
)

// TestDrawing: whatever the texts hold, a picture is well formed.
func TestDrawing(t *testing.T) {
	d := New(100, 50, "a \"b\" <c>\x00")
	d.Line("gr", 0, 0, 10, 10)
	d.Rect("k0", 1, 2, math.NaN(), 4, "x & <y>\x01")
	d.Text("tk", 5, 5, "middle", "1 < 2 & 3")
	for i := range Shapes {
		d.Path("mk", Marker(i, 10, 10, 4), "")
	}
	x := xml.NewDecoder(strings.NewReader(d.String()))
	shapes := 0
	for {
		token, err := x.Token()
		if errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatalf("%v in %s", err, d)
		}
		if s, ok := token.(xml.StartElement); ok && s.Name.Local == "path" {
			shapes++
		}
	}
	if shapes != 1+len(Shapes) {
		t.Errorf("%d paths, want a line and %d markers", shapes, len(Shapes))
	}
}

// TestAxis: ticks stand at round numbers, the finite values lie between the ends, and the ends are at
// their pixels.
func TestAxis(t *testing.T) {
	x := NewAxis([]float64{3, 17, math.NaN(), math.Inf(1)}, 100, 0, 5, true)
	if x.Lo != 0 || x.Hi != 20 || len(x.Ticks) != 5 || x.Ticks[1] != 5 {
		t.Errorf("axis from %g to %g, ticks %v; want 0 to 20 in steps of 5", x.Lo, x.Hi, x.Ticks)
	}
	if x.At(0) != 100 || x.At(20) != 0 || x.At(5) != 75 {
		t.Errorf("0, 5 and 20 are at %g, %g and %g; want 100, 75 and 0", x.At(0), x.At(5), x.At(20))
	}
	if s := SpanAxis([]float64{7, 7}, 0, 10); s.At(7) != 5 {
		t.Errorf("the only value is at %g, want the middle, 5", s.At(7))
	}
	if s := NewAxis([]float64{0.1, 0.25}, 0, 1, 4, false).TickScale("1"); s.Decimals != 2 {
		t.Errorf("ticks have %d decimals, want 2", s.Decimals)
	}
}
