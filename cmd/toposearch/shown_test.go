package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"toposearch/diag"
	"toposearch/internal/racing"
)

// evil is a name that sets colours, goes back to the begin of the line and turns the direction of writing around.
const evil = "x\x1b[31m\r\u202e\u009b1m\u200b"

// TestNothingHiddenIsPrinted: whatever names hold, wherever they stand, no escape sequence, control or
// formatting character of them reaches the terminal, and JSON stays JSON.
func TestNothingHiddenIsPrinted(t *testing.T) {
	racing.Figures(t)
	dir := t.TempDir()
	file := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	const head = "part_no,kind,rate_gbps,ports,unit_price,currency,description\n"
	quoted, err := json.Marshal(evil)
	if err != nil {
		t.Fatal(err)
	}
	good := "endpoints.count = {min = 8, max = 16}\nendpoints.bandwidth = \"400 Gb/s\"\nspace.families = [\"bus\"]\n[[objective]]\nmetric = \"diameter\"\n"
	named := file(evil+".toml", "name = \"t\"\n"+good)
	study := file("study.toml", "name = "+strings.ReplaceAll(string(quoted), "\u009b", `\u009b`)+"\n"+good)
	parts := file("parts.csv", head+evil+",switch,400,64,10,USD,"+evil+"\nA,"+evil+",400,64,10,USD,\n")
	network := file("net.csv", "a,b\n"+evil+",leaf-1\ngpu-1,leaf-1\n")
	booksim := file("b.cfg", evil+" = 1;\ntopology = "+evil+";\n")
	traffic := file("t.txt", evil+" 1\n1 "+evil+"\n")
	const torus = "torus(k1=4,k2=4,t=1)"
	for _, args := range [][]string{
		{evil}, {"check", evil}, {"check", named}, {"check", study}, {"check", parts}, {"check", network, booksim, traffic},
		{"plan", study}, {"plan", named}, {"run", study}, {"eval", "file:" + network}, {"eval", "file:" + evil}, {"eval", evil + "(n=1)"}, {"eval", "bus(" + evil + "=1)"},
		{"eval", "bus(n=4)", "--catalog", parts}, {"simulate", "--booksim", booksim}, {"simulate", torus, "--traffic", "file:" + traffic},
		{"simulate", torus, "--traffic", evil}, {"simulate", torus, "--fail", evil}, {"simulate", torus, "--load", evil}, {"families", evil}, {"show", evil},
		{"report", evil}, {"explain", evil, evil}, {"compare", evil, evil}, {"compare", dir, evil, evil}, {"what-if", evil}, {"what-if", dir, "--limit", evil + "=1"}, {"what-if", dir, "--price", evil + "=1 USD"},
		{"resume", evil}, {"status", evil}, {"help", evil}, {"show", dir, "--where", evil + "<1"}, {"eval", "--" + evil},
	} {
		for _, more := range [][]string{nil, {"--json"}} {
			var out, errw bytes.Buffer
			execute(append(args, more...), nil, &out, &errw)
			for _, text := range []string{out.String(), errw.String()} {
				if c, i := diag.FirstHidden(strings.NewReplacer("\n", "", "\t", "").Replace(text)); i >= 0 {
					t.Errorf("%q prints U+%04X: %q", args, c, text)
				}
			}
			if out.Len() > 0 && more != nil && !json.Valid(out.Bytes()) {
				t.Errorf("%q prints no JSON: %s", args, &out)
			}
		}
	}
}

// TestShownWriter: characters that are written in pieces are whole again, and a piece that stays one is shown.
func TestShownWriter(t *testing.T) {
	var b bytes.Buffer
	s := &shownWriter{w: &b}
	for _, c := range []byte("gr\u00f6\u00dfe \u4e2d \U0001f600 \u202e\x1b\xe4") {
		if n, err := s.Write([]byte{c}); n != 1 || err != nil {
			t.Fatal(n, err)
		}
	}
	s.flush()
	if want := "größe 中 \U0001f600 \\u202e\\u001b\\xe4"; b.String() != want {
		t.Errorf("written %q, want %q", b.String(), want)
	}
}

// TestPrompt: the first signal ends a command that knows no context; one that saves what it has done ends itself.
func TestPrompt(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	a := &app{}
	stuck := make(chan struct{})
	defer close(stuck)
	cancel()
	start := time.Now()
	if err := a.prompt(ctx, func() error { <-stuck; return nil }); !errors.Is(err, context.Canceled) || time.Since(start) > patience+10*time.Second {
		t.Errorf("a command that reads for ever ends with %v after %v", err, time.Since(start))
	}
	own := errors.New("saved")
	a.graceful.Store(true)
	if err := a.prompt(ctx, func() error { time.Sleep(10 * time.Millisecond); return own }); !errors.Is(err, own) {
		t.Errorf("a command that saves ends with %v, want its own error", err)
	}
}
