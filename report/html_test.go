package report

import (
	"bytes"
	"flag"
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
			os.WriteFile(*out+"/r"+figure(float64(n))+".html", b, 0o644)
		}
	}
}
