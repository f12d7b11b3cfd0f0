package report

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"testing"
)

var out = flag.String("out", "", "write the pages of the tests into this folder, to look at them")

func page12(t *testing.T, n int) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := WriteHTML(&b, fixture(n)); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestHTML(t *testing.T) {
	for _, n := range []int{0, 1, 12, 1000} {
		b := page12(t, n)
		t.Logf("%d designs: %d bytes", n, len(b))
		if *out != "" {
			os.WriteFile(*out+"/r"+fmt.Sprint(n)+".html", b, 0o644)
		}
	}
}

func TestPeek(t *testing.T) {
	if *out == "" {
		t.Skip("only to look at")
	}
	var b bytes.Buffer
	if err := WriteText(&b, fixture(12), TextOptions{}); err != nil {
		t.Fatal(err)
	}
	os.WriteFile(*out+"/r.txt", b.Bytes(), 0o644)
	b.Reset()
	WriteCSV(&b, fixture(12))
	os.WriteFile(*out+"/r.csv", b.Bytes(), 0o644)
	b.Reset()
	if err := WriteXLSX(&b, fixture(12)); err != nil {
		t.Fatal(err)
	}
	os.WriteFile(*out+"/r.xlsx", b.Bytes(), 0o644)
}
