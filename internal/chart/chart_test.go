package chart

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"image/png"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/plot/vg"
)

// sample has everything that a figure can have.
func sample() *Figure {
	f := &Figure{Across: 2, Width: Page}
	p := Panel{Title: "a, b & <c>", X: Axis{Title: "Cost (MUSD)", Log: true}, Y: Axis{Title: "Latency (µs)"}, Diagonal: "y = x",
		Rules:  []Rule{{Name: "predicted", At: 3, Style: 1, Dotted: true}, {Name: "limit", At: 40, Vertical: true, Style: Grey}},
		Labels: []Label{{1, 2, "cheapest"}, {1, 2.05, "fastest"}}}
	for style := range 9 {
		x := float64(style + 1)
		p.Series = append(p.Series, Series{Name: fmt.Sprintf("family %d", style), Style: style, Line: style%2 == 0, Dashed: style == 4,
			X: []float64{x, 10 * x, math.NaN(), 30 * x}, Y: []float64{x + 1, 2, 3, x * x}, Hollow: []bool{false, true, true, false}})
	}
	names := Panel{X: Axis{Title: "Ratio", Zero: true}, Y: Axis{Names: []string{"switches", "links"}}, Series: []Series{{X: []float64{1, 0.9}, Y: []float64{0, 1}}}}
	return &Figure{Across: f.Across, Width: f.Width, Panels: []Panel{p, names, {}}}
}

// The same figure gives the same bytes, and what is written can be read.
func TestEncode(t *testing.T) {
	check := map[string]func([]byte) error{
		"svg": func(b []byte) error {
			texts := ""
			for d := xml.NewDecoder(bytes.NewReader(b)); ; {
				tok, err := d.Token()
				if errors.Is(err, io.EOF) {
					break
				}
				if err != nil {
					return err
				}
				if c, ok := tok.(xml.CharData); ok {
					texts += string(c)
				}
			}
			for _, want := range []string{"a, b & <c>", "Latency (µs)", "family 8", "predicted", "cheapest", "fastest", "links"} {
				if !strings.Contains(texts, want) {
					return fmt.Errorf("no text %q", want)
				}
			}
			return nil
		},
		"png": func(b []byte) error {
			img, err := png.Decode(bytes.NewReader(b))
			if err == nil && img.Bounds().Dx() != int(Page*dpi) {
				return fmt.Errorf("%d dots wide, want %d", img.Bounds().Dx(), int(Page*dpi))
			}
			return err
		},
		"pdf": func(b []byte) error {
			if !bytes.HasPrefix(b, []byte("%PDF-1.")) || !bytes.HasSuffix(bytes.TrimSpace(b), []byte("%%EOF")) {
				return errors.New("neither the head nor the end of a PDF file")
			}
			if !bytes.Contains(b, []byte("/CreationDate (D:20000101000000)")) {
				return errors.New("a date of the clock")
			}
			return nil
		},
	}
	for _, format := range Formats {
		b, err := Encode(sample(), format)
		if err != nil {
			t.Fatal(err)
		}
		for range 3 {
			if again, _ := Encode(sample(), format); !bytes.Equal(again, b) {
				t.Errorf("%s: the bytes differ from one time to the next", format)
			}
		}
		if err := check[format](b); err != nil {
			t.Errorf("%s: %v", format, err)
		}
	}
	if _, err := Encode(sample(), "gif"); err == nil {
		t.Error("gif: no error")
	}
}

func TestFiles(t *testing.T) {
	dir := t.TempDir()
	files, err := WriteAll(filepath.Join(dir, "a", "b"), []Named{{"x", sample()}, {"y", sample()}}, []string{"svg", "pdf"})
	if err != nil || len(files) != 4 || filepath.Base(files[3]) != "y.pdf" {
		t.Errorf("%v, %v", files, err)
	}
	for _, f := range files {
		if s, err := os.Stat(f); err != nil || s.Size() == 0 {
			t.Errorf("%s: %v", f, err)
		}
	}
	if err := Write(filepath.Join(dir, "x.gif"), sample()); err == nil || !strings.Contains(err.Error(), ".svg, .pdf or .png") {
		t.Errorf("x.gif: %v", err)
	}
	if err := Write(filepath.Join(dir, "none", "x.svg"), sample()); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("no folder: %v", err)
	}
	if got, err := ParseFormats("PDF, svg,pdf"); err != nil || !slices.Equal(got, []string{"pdf", "svg"}) {
		t.Errorf("formats: %v, %v", got, err)
	}
	if _, err := ParseFormats("svg,jpg"); err == nil || !strings.Contains(err.Error(), `"jpg"`) {
		t.Errorf("jpg: %v", err)
	}
}

// labelsOf are the labels of an axis of 200 points, a letter being 4 points wide.
func labelsOf(a Axis, values ...float64) string {
	s := scaleOf(&a, values, 5)
	return thinned(&s, 200)
}

func thinned(s *scale, width float64) string {
	s.thin(width, func(l string) float64 { return 4 * float64(len(l)) })
	var out []string
	for _, t := range s.ticks {
		if t.Label != "" {
			out = append(out, t.Label)
		}
	}
	return strings.Join(out, " ")
}

func TestTicks(t *testing.T) {
	for _, c := range []struct {
		axis   Axis
		values []float64
		want   string
	}{
		{Axis{}, []float64{2.9, 8.2}, "2 4 6 8 10"},
		{Axis{Zero: true}, []float64{0.3, math.NaN(), 0.9}, "0.0 0.2 0.4 0.6 0.8 1.0"},
		{Axis{}, []float64{-0.3, 0.3}, "-0.4 -0.2 0.0 0.2 0.4"},
		{Axis{}, []float64{7}, "6.0 6.5 7.0 7.5 8.0"},
		{Axis{}, nil, "0.0 0.2 0.4 0.6 0.8 1.0"},
		{Axis{}, []float64{0, 50000}, "0 10,000 20,000 30,000 40,000 50,000"},
		{Axis{}, []float64{0, 5e6}, "0 1e6 2e6 3e6 4e6 5e6"},
		{Axis{Log: true}, []float64{3, 60}, "5 10 20 50"},
		{Axis{Log: true}, []float64{0.001, 0.02}, "0.001 0.002 0.005 0.01 0.02"},
		{Axis{Log: true}, []float64{1, 1e12}, "1 1000 1e6 1e9 1e12"},
		{Axis{Log: true}, []float64{0, 10}, "0 2 4 6 8 10"}, // 0 has no logarithm
		{Axis{Names: []string{"a", "b"}}, []float64{0, 1}, "a b"},
	} {
		if got := labelsOf(c.axis, c.values...); got != c.want {
			t.Errorf("%+v over %v: ticks %s, want %s", c.axis, c.values, got, c.want)
		}
	}
}

// Where labels would touch, every other goes, or all but the powers of ten.
func TestThin(t *testing.T) {
	linear := scaleOf(&Axis{}, []float64{0, 50000}, 5)
	if got, want := thinned(&linear, 100), "0 20,000 40,000"; got != want {
		t.Errorf("linear: ticks %s, want %s", got, want)
	}
	log := scaleOf(&Axis{Log: true}, []float64{10, 1000}, 5)
	if got, want := thinned(&log, 60), "10 100 1000"; got != want {
		t.Errorf("logarithmic: ticks %s, want %s", got, want)
	}
}

func TestWide(t *testing.T) {
	for _, c := range []struct {
		values []float64
		want   bool
	}{{[]float64{1, 10}, false}, {[]float64{1, math.NaN(), 11}, true}, {[]float64{0, 11}, false}, {[]float64{-1, 100}, false}, {nil, false}} {
		if got := Wide(c.values...); got != c.want {
			t.Errorf("%v: %v", c.values, got)
		}
	}
}

// Names find places inside the area that cover no other; where there is none, none is given.
func TestFreePlace(t *testing.T) {
	area := vg.Rectangle{Max: vg.Point{X: 200, Y: 100}}
	size := vg.Point{X: 40, Y: 8}
	var taken []vg.Rectangle
	placed := 0
	for i := range 60 {
		at := vg.Point{X: vg.Length(i%10) * 20, Y: vg.Length(i/10) * 20}
		box, ok := freePlace(area, at, size, markRadius, taken, nil)
		if !ok {
			continue
		}
		placed++
		if anyOverlap(box, taken) || box.Min.X < 0 || box.Max.X > 200 || box.Min.Y < 0 || box.Max.Y > 100 {
			t.Errorf("name %d at %v lies on another or outside", i, box)
		}
		taken = append(taken, box)
	}
	if placed < 20 { // of the 62 that the area could hold if packed
		t.Errorf("%d names placed", placed)
	}
}

// Entries with one name are one, grey where they differ in colour; rows keep to the width.
func TestLegend(t *testing.T) {
	f := &Figure{Panels: []Panel{
		{Series: []Series{{Name: "a", Style: 1}, {Name: "tail", Style: 1, Line: true, Dashed: true}, {}}, Diagonal: "y = x"},
		{Series: []Series{{Name: "a", Style: 1}, {Name: "tail", Style: 2, Line: true, Dashed: true}}, Rules: []Rule{{Name: "r"}}},
	}}
	entries := entriesOf(f)
	var names []string
	for _, e := range entries {
		names = append(names, e.name)
	}
	if got := strings.Join(names, ", "); got != "a, tail, y = x, r" {
		t.Errorf("entries %s", got)
	}
	if entries[1].line.Color != colourOf(Grey) || entries[0].style != 1 {
		t.Errorf("entries %+v", entries[:2])
	}
	style := letters(labelSize, 0, 0)
	n := 0
	for _, row := range rowsOf(entries, 70) {
		var width vg.Length
		for _, e := range row {
			width += e.width(style)
		}
		if width += entryGap * vg.Length(len(row)-1); width > 70 {
			t.Errorf("a row is %v wide", width)
		}
		n += len(row)
	}
	if n != len(entries) {
		t.Errorf("%d entries in rows, want %d", n, len(entries))
	}
}
