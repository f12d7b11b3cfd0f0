package traffic

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"toposearch/simcore"
	"toposearch/topology"
)

// ring has n endpoints, one per switch.
func ring(t testing.TB, n int) *topology.Network {
	t.Helper()
	b := topology.NewBuilder([]topology.SwitchClass{{Name: "switch"}}, []topology.LinkClass{{Name: "nic"}, {Name: "ring"}})
	b.Switch(0, n)
	for s := range topology.SwitchID(n) {
		if n > 1 {
			b.Link(1, s, (s+1)%topology.SwitchID(n))
		}
		b.Endpoints(1, []topology.SwitchID{s})
	}
	net, err := b.Build("ring")
	if err != nil {
		t.Fatal(err)
	}
	return net
}

func must(t testing.TB, text string, o Options) *Pattern {
	t.Helper()
	p, err := ByName(text, o)
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	if p.Name() != text {
		t.Errorf("%s is named %s", text, p.Name())
	}
	return p
}

// BookSim2's definitions, worked out by hand (Dally and Towles 2004, table 3.1).
func TestPermutations(t *testing.T) {
	for _, c := range []struct {
		text     string
		n        int
		blocks   int
		src, dst int
	}{
		{"bitcomp", 16, 0, 0b0110, 0b1001},
		{"bitrev", 16, 0, 0b0111, 0b1110},
		{"shuffle", 16, 0, 0b1010, 0b0101},
		{"transpose", 16, 0, 0b1101, 0b0111},
		{"transpose", 64, 0, 0b111010, 0b010111},
		{"tornado", 8, 0, 6, (6 + 3) % 8},
		{"tornado(8,8)", 64, 0, 6 + 8*2, (6+3)%8 + 8*5}, // +3 in either dimension
		{"tornado(5,5)", 25, 0, 4 + 5*1, 1 + 5*3},       // ceil(5/2)-1 = 2
		{"neighbor", 8, 0, 7, 0},
		{"neighbor(4,4)", 16, 0, 3 + 4*1, 0 + 4*2},
		{"group_shift", 12, 3, 5, 9},
		{"group_shift(2)", 12, 3, 5, 1},
	} {
		p := must(t, c.text, Options{Network: ring(t, c.n), Blocks: c.blocks})
		if got := p.Dest(topology.EndpointID(c.src), nil); int(got) != c.dst {
			t.Errorf("%s of %d: %d sends to %d, want %d", c.text, c.n, c.src, got, c.dst)
		}
		seen := make(map[int32]bool)
		for _, d := range p.Permutation() {
			seen[d] = true
		}
		if len(seen) != c.n {
			t.Errorf("%s of %d: %d destinations", c.text, c.n, len(seen))
		}
	}
}

// On an even ring the farthest partner is opposite, at n/2 hops.
func TestWorstOnRing(t *testing.T) {
	p := must(t, "worst", Options{Network: ring(t, 10)})
	for s, d := range p.Permutation() {
		if int(d) != (s+5)%10 {
			t.Errorf("%d sends to %d, want the opposite", s, d)
		}
	}
}

func TestRefusals(t *testing.T) {
	for text, want := range map[string]string{
		"bitrev":                               "12 endpoints; the pattern needs a power of 2",
		"transpose":                            "needs a power of 4",
		"tornado(5)":                           "product",
		"tornado(0)":                           "not a whole number from 1",
		"group_shift":                          "no blocks",
		"asymmetric(3)":                        "takes no arguments",
		"taper":                                "square",
		"hotspot(0)":                           "share",
		"hotspot(nan)":                         "share",
		"hotspot(0.1,12)":                      "0 to 11",
		"hotspot(0.1,0*3)":                     "weight above 0",
		"hotspot(0.1,1,2,3,4,5,6,7,8,9,10,11)": "11 of 12 endpoints are hot",
		"local(0,0.5)":                         "endpoint 0 has nobody within 0 hops; take a larger D",
		"local(1,1.5)":                         `the share "1.5" of local packets is not a number from 0 to 1`,
		"local(1,0.5,3)":                       "two arguments",
		"fft(3,5,1)":                           "a grid of 3 x 5 has 15 processes, and the network 12 endpoints: each takes one; write 3,4",
		"fft(3)":                               "one side of a process grid",
		"fft(3,4,3)":                           `the phase "3" is not 1 (rows), 2 (columns) or both`,
		"fft(1,12,2)":                          "have nobody to send to in phase 2",
		"fft(3,4,1,blokced)":                   `did you mean "blocked"?`,
		"fft(3,4,1,blocked(2,2))":              "have to divide the grid of 3 x 4; write blocked(1,2)",
		"fft(3,4,1,row(2))":                    "takes no arguments",
		"fft(3,4,1,row,2)":                     "four arguments at most",
		"mixed":                                "name what is mixed",
		"mixed(uniform)":                       "weight*traffic",
		"mixed(0.5*unifrom)":                   `did you mean "uniform"`,
		"mixed(0.5*uniform,-1*neighbor)":       "weight above 0",
		"uniform(":                             "parenthesis",
		"uniform)x(":                           "parenthesis",
		"nothing":                              "no traffic",
		"file:/does/not/exist":                 "cannot read the traffic file",
	} {
		_, err := ByName(text, Options{Network: ring(t, 12)})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error = %v, want one with %q", text, err, want)
		}
	}
	if _, err := ByName("uniform", Options{Network: ring(t, 1)}); err == nil {
		t.Error("uniform on one endpoint: no error")
	}
}

// share counts how often each destination comes up.
func share(p *Pattern, src, draws, n int) []float64 {
	out := make([]float64, n+1) // the last is for none
	r := simcore.NewRand(1, uint64(src))
	for range draws {
		d := p.Dest(topology.EndpointID(src), &r)
		if d < 0 {
			d = topology.EndpointID(n)
		}
		out[d] += 1 / float64(draws)
	}
	return out
}

// With 40,000 draws a share's standard deviation is at most 0.0025; six of them are allowed.
func TestMarginals(t *testing.T) {
	const n, draws, tolerance = 16, 40_000, 0.015
	path := filepath.Join(t.TempDir(), "m.csv")
	if err := os.WriteFile(path, []byte("src,dst,weight\n0,1,3\n0,2,1\n5,6,2\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		text string
		src  int
		want func(d int) float64 // d = n: nothing is sent
	}{
		{"uniform", 3, func(d int) float64 { return is(d != 3 && d < n) / 15 }},
		{"hotspot(0.4,2,9)", 3, func(d int) float64 {
			return is(d == 2 || d == 9)*0.2 + 0.6*is(d != 2 && d != 3 && d != 9 && d < n)/13
		}},
		// Half of its hot draws would go to itself and go to the 14 that are not hot.
		{"hotspot(0.4,2,9)", 2, func(d int) float64 { return is(d == 9)*0.2 + 0.8*is(d != 2 && d != 9 && d < n)/14 }},
		{"hotspot(0.5,3*2,9)", 5, func(d int) float64 {
			return is(d == 2)*0.375 + is(d == 9)*0.125 + 0.5*is(d != 2 && d != 5 && d != 9 && d < n)/13
		}},
		// On a ring of one endpoint a switch 3 is within 2 hops of 1, 2, 4 and 5.
		{"local(2,0.75)", 3, func(d int) float64 { return is(d >= 1 && d <= 5 && d != 3)*0.75/4 + is(d != 3 && d < n)*0.25/15 }},
		{"local(1,1)", 0, func(d int) float64 { return is(d == 1 || d == 15) / 2 }},
		// 2 rows of 8: process 3 has row 0 and column 3.
		{"fft(2,8,1)", 3, func(d int) float64 { return is(d < 8 && d != 3) / 7 }},
		{"fft(2,8,2)", 3, func(d int) float64 { return is(d == 11) }},
		{"fft(4,4)", 5, func(d int) float64 { return (is(d >= 4 && d < 8) + is(d%4 == 1 && d < n)) * is(d != 5) / 6 }},
		// Endpoint 3 has process 3 % 2 * 8 + 3 / 2 = 9: its column 1 is that of process 1, on endpoint 2.
		{"fft(2,8,2,column)", 3, func(d int) float64 { return is(d == 2) }},
		// 4 x 4 in tiles of 2 x 2: endpoint 6 has tile 1 and there row 1, column 0: process (1, 2). Its row is 4 and 5 in tile 0 (endpoints 2, 3), and 7.
		{"fft(4,4,1,blocked(2,2))", 6, func(d int) float64 { return is(d == 2 || d == 3 || d == 7) / 3 }},
		{"asymmetric", 11, func(d int) float64 { return is(d == 3 || d == 11) / 2 }},
		{"diagonal", 15, func(d int) float64 { return is(d == 0)/3 + is(d == 15)*2/3 }},
		// A 4x4 square, numbered along rows that run on into the next: 5 +- {0,1} +- {0,4}.
		{"taper", 5, func(d int) float64 {
			return is(d <= 2 || d >= 4 && d <= 6 || d >= 8 && d <= 10)/18 + is(d != 5 && d < n)/30
		}},
		{"group_adversarial", 5, func(d int) float64 { return is(d >= 8 && d < 12) / 4 }},
		{"group_adversarial(3)", 5, func(d int) float64 { return is(d < 4) / 4 }},
		{"mixed(1*neighbor,3*bitcomp)", 0, func(d int) float64 { return is(d == 1)*0.25 + is(d == 15)*0.75 }},
		{"file:" + path, 0, func(d int) float64 { return is(d == 1)*0.75 + is(d == 2)*0.25 }},
		{"file:" + path, 5, func(d int) float64 { return is(d == 6)*0.5 + is(d == n)*0.5 }},
		{"file:" + path, 7, func(d int) float64 { return is(d == n) }},
	} {
		p := must(t, c.text, Options{Network: ring(t, n), Blocks: 4})
		for d, got := range share(p, c.src, draws, n) {
			if want := c.want(d); got < want-tolerance || got > want+tolerance || want == 0 && got != 0 {
				t.Errorf("%s: %d sends to %d with probability %v, want %v", c.text, c.src, d, got, want)
			}
		}
	}
}

func is(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

func TestRandperm(t *testing.T) {
	for n := 2; n < 40; n++ {
		o := Options{Network: ring(t, n), Seed: uint64(n)}
		a, b, c := must(t, "randperm", o), must(t, "randperm", o), must(t, "randperm(77)", o)
		seen := make(map[int32]bool)
		differ := false
		for s, d := range a.Permutation() {
			seen[d] = true
			if int(d) == s {
				t.Errorf("n = %d: %d sends to itself", n, s)
			}
			if d != b.Permutation()[s] {
				t.Errorf("n = %d: the same seed gives another permutation", n)
			}
			differ = differ || d != c.Permutation()[s]
		}
		if len(seen) != n {
			t.Errorf("n = %d: %d destinations", n, len(seen))
		}
		if n > 10 && !differ {
			t.Errorf("n = %d: another seed gives the same permutation", n)
		}
	}
}

// Every fault of a file is reported, with its line.
func TestFileFaults(t *testing.T) {
	_, found := Parse("p.txt", []byte("\xef\xbb\xbfsource destination\r\n0 1\r\n0 2 # again\r\n3;1\r\n4 4\r\n5 99\r\nx 2\r\n6 7 8\r\n"), 10)
	var got []string
	for _, d := range found {
		got = append(got, d.String())
	}
	want := []string{
		"p.txt:3: error: source 0 has a destination already, on line 2",
		"p.txt:4: error: destination 1 has a source already, on line 2",
		"p.txt:5: error: endpoint 4 sends to itself",
		`p.txt:6: error: destination "99" is not an endpoint; they are 0 to 9`,
		`p.txt:7: error: source "x" is not an endpoint; they are 0 to 9`,
		"p.txt:8: error: 3 fields; a permutation has 2 on every line (source, destination), a matrix 3 (and a weight)",
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	for text, want := range map[string]string{
		"":                                 "no line",
		"0 1 2\n0 1 3\n":                   "stands already on line 1",
		"0 1 -2\n":                         "weight",
		"0 1 0\n":                          "add up to 0",
		"0 1 1e308\n1 0 1e308 ":            "add up to +Inf",
		"#" + strings.Repeat("x", maxLine): "m:1: error: the line has 4097 bytes; source, destination and weight fit 4096",
		strings.Repeat("x 1\n0 1\n", 1001): "m:1: error: source",
	} {
		if _, found := Parse("m", []byte(text), 4); !strings.Contains(found[0].String(), want) {
			t.Errorf("%q: %v, want %q", text, found, want)
		}
	}
}

// FuzzParse: a file is a traffic or refused with its reason and line; destinations are endpoints, and a source
// without a line sends nothing.
func FuzzParse(f *testing.F) {
	f.Add([]byte("0 1\n1 0\n"))
	f.Add([]byte("src,dst,w\n0,1,2.5\n1;2;1e3\n"))
	f.Add([]byte("\xef\xbb\xbf# x\r\n2\t3\r\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		p, found := Parse("f", data, 5)
		if (p == nil) != found.HasErrors() {
			t.Fatalf("pattern %v with %v", p, found)
		}
		for _, d := range found {
			if d.Pos.File != "f" || d.Pos.Line > bytes.Count(data, []byte("\n"))+1 || d.Summary == "" {
				t.Errorf("finding %+v", d)
			}
		}
		if p == nil {
			return
		}
		r := simcore.NewRand(1, 2)
		for s := range topology.EndpointID(5) {
			d := p.Dest(s, &r)
			if d < -1 || d >= 5 || d == s {
				t.Fatalf("%d sends to %d", s, d)
			}
			if d >= 0 && !bytes.ContainsRune(data, rune('0'+int(s))) {
				t.Errorf("%q: %d stands nowhere and sends to %d", data, s, d)
			}
		}
	})
}

func FuzzByName(f *testing.F) {
	for _, s := range []string{"uniform", "hotspot(0.5,1,2)", "mixed(1*mixed(2*uniform),3*tornado(2,3))", "randperm(3)", "tornado(6)",
		"local(2,0.25)", "fft(2,3,both,blocked(1,3))", "fft(2,3,2,random(4))", "hotspot(1,3*2,0.5*1)"} {
		f.Add(s)
	}
	o := Options{Network: ring(f, 6), Blocks: 3}
	f.Fuzz(func(t *testing.T, text string) {
		if strings.Contains(text, "file:") {
			return // no files of this machine
		}
		p, err := ByName(text, o)
		if err != nil {
			return
		}
		r := simcore.NewRand(1, 2)
		for s := range topology.EndpointID(6) {
			if d := p.Dest(s, &r); d < -1 || d >= 6 {
				t.Fatalf("%q: %d sends to %d", text, s, d)
			}
			sent := p.Uniform()
			p.Shares(s, func(dst int, part float64) { sent += part })
			if !(sent > -1e-9 && sent < 1+1e-9) {
				t.Fatalf("%q: %d sends %v of the offered load", text, s, sent)
			}
		}
	})
}

func TestDestDoesNotAllocate(t *testing.T) {
	o := Options{Network: ring(t, 16), Blocks: 4}
	for _, x := range All() {
		text := x.Name
		if text == "mixed" {
			text = "mixed(1*uniform,1*tornado)"
		}
		p := must(t, text, o)
		r := simcore.NewRand(1, 2)
		if got := testing.AllocsPerRun(100, func() { p.Dest(3, &r) }); got != 0 {
			t.Errorf("%s: %v allocations per draw", text, got)
		}
	}
}
