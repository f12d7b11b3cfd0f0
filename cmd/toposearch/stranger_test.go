package main

import (
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"toposearch/internal/racing"
	"toposearch/search/run"
	"toposearch/simulate"
)

// What strangers type: status 2, the place and the remedy, and never a word of the parsers.
func TestStrangeCommandLines(t *testing.T) {
	racing.Figures(t)
	t.Chdir(t.TempDir())
	for name, text := range map[string]string{
		"cut.any": "router 0 node 0 node 1 router 1 5\nrouter 1 node 2 rout",
		"two.csv": "a,b,gbps\ns1,s1,10\ns2,s2,ten\n",
	} {
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct{ args, want string }{
		{"help nosuch", `there is no command "nosuch"`},
		{"statsu", `did you mean "status"?`},
		{"--nosuch", "toposearch --help lists its flags"},
		{"eval x --quite", "did you mean --quiet?"},
		{"eval x --seed -1", "--seed -1: it takes a whole number from 0 up"},
		{"eval x --budget soon", "it takes a time such as 500ms"},
		{"eval x -z", "unknown shorthand flag"},
		{"eval zcube(n=4,k=2) --routing updown", "there is one of natural, valiant, ugal_l, ugal_g, par"},
		{"eval zcube(n=4,k=2) --bandwidth 0Gb/s", "it must be above 0"},
		{"eval zcube(n=4,k=2) --metrics foo", "toposearch help metrics lists them"},
		{"eval foo(a=1)", "toposearch families lists them"},
		{"eval zcube(n=0,k=2)", "n = 0 is below its least value; the nearest n is 2"},
		{"eval zcube(n=4,k=2", "in quotes on a command line"},
		{"eval file:", "lacks the path"},
		{"eval file:.", "is a folder"}, {"explain none file:", "lacks the path"}, {"compare file:a file:b", "--study STUDY"}, {"compare bus(n=4) bus(n=5)", "toposearch compare RUN bus(n=4) bus(n=5)"},
		{"eval file:none", "there is no such file"},
		{"eval file:cut.any", `cut.any:2:17: error: "rout" is not router`},
		{"eval file:two.csv", "two.csv:3:4: error: s2 is linked to itself"}, // the second finding, after two.csv:2
		{"resume none", "none is not a run directory"},
		{"status none", "none is not a run directory"},
		{"show none", "none is not a run directory"},
		{"explain none zcube(n=4,k=2)", "none is not a run directory"},
		{"report none", "none is not a run directory"},
	} {
		status, out, errw := command(t, strings.Fields(c.args)...)
		if all := out + errw; status != exitUsage || !strings.Contains(all, c.want) || strings.Contains(all, "strconv") || strings.Contains(all, "arg(s)") {
			t.Errorf("%s: exit %d, stdout %q, stderr %q; want exit 2 and %q", c.args, status, out, errw, c.want)
		}
	}
}

// A network file is evaluated at the rates that it gives: two ports of 100 Gb/s are an endpoint of
// 200 Gb/s, not of the default 400. A bandwidth on the command line wins.
func TestFileBandwidth(t *testing.T) {
	t.Chdir(t.TempDir())
	text := "a,b,gbps\nh1,s1,100\nh1,s2,100\nh2,s1,100\nh2,s2,100\ns1,s2,100\n"
	if err := os.WriteFile("net.csv", []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	ns := func(args ...string) float64 {
		var doc evalDoc
		decode(t, "toposearch.eval/1", &doc, append([]string{"eval", "file:net.csv", "--metrics", "latency"}, args...)...)
		return doc.Designs[0].Metrics["latency"].Value
	}
	// Another rate is another serialisation of 4096 B: 327.68 ns at 100 Gb/s, 163.84 at 200.
	own, faster := ns(), ns("--bandwidth", "400 Gb/s")
	if d := own - faster; d < 163 || d > 165 {
		t.Errorf("latency %g ns at the file's rates and %g at twice those, want 163.84 between", own, faster)
	}
	// Simulations of either model are at these rates, too.
	for _, model := range []string{"flit", "cut_through"} {
		for _, c := range []struct {
			args []string
			gbps float64
		}{{nil, 200}, {[]string{"--bandwidth", "400 Gb/s"}, 400}} {
			var doc simulate.Document
			decode(t, simulate.Schema, &doc, append([]string{"simulate", "file:net.csv", "--model", model, "--load", "0.1", "--cycles", "1000"}, c.args...)...)
			rates, _ := doc.Config["link_gbps"].(map[string]any)
			if doc.Config["bandwidth_gbps"] != c.gbps || rates["nic"] != c.gbps/2 {
				t.Errorf("%s %v: endpoints of %v Gb/s, links of %v; want %g and half", model, c.args, doc.Config["bandwidth_gbps"], rates, c.gbps)
			}
		}
	}
}

// In a file endpoints of a switch need not follow one another: jobs are inside a region if they are on the same switch, three of four if placed so
// on one with three endpoints and one with five, and then slow nobody down. The link between the switches is shared by three jobs of the order of numbers.
func TestFileJobs(t *testing.T) {
	t.Chdir(t.TempDir())
	text := "a,b,gbps,a_kind,b_kind\nsw-0,sw-1,100,switch,switch\n"
	for e, sw := range []int{0, 1, 0, 1, 0, 1, 1, 1} {
		text += fmt.Sprintf("h-%d,sw-%d,100,endpoint,switch\n", e, sw)
	}
	if err := os.WriteFile("net.csv", []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	for placement, want := range map[string]struct{ isolated, slowest float64 }{"compact": {0.25, 3}, "region": {0.75, 1}} {
		var doc simulate.JobsDocument
		decode(t, simulate.JobsSchema, &doc, "simulate", "file:net.csv", "--model", "cut_through", "--collective", "allgather:ring", "--size", "2MB", "--jobs", "2,2,2,2", "--placement", placement)
		if doc.Isolated != want.isolated || doc.Region != 5 || math.Abs(doc.Max/want.slowest-1) > 0.05 {
			t.Errorf("%s: %g isolated in regions of %d, slowed down by %g; want %g in 5, by %g", placement, doc.Isolated, doc.Region, doc.Max, want.isolated, want.slowest)
		}
	}
}

// A network of one endpoint has no pair, and says so of all that is of pairs.
func TestFileOfOneEndpoint(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.WriteFile("one.csv", []byte("a,b,gbps,a_kind,b_kind\nh-0,sw-0,100,endpoint,switch\nsw-0,sw-1,100,switch,switch\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	status, out, errw := command(t, "eval", "file:one.csv")
	if status != exitOK || strings.Contains(out, "the network is made") || !regexp.MustCompile(`mean_hops +absent: there is no pair of endpoints`).MatchString(out) {
		t.Errorf("exit %d, %s%s", status, out, errw)
	}
}

// Studies of one name get directories of their own.
func TestBatchNames(t *testing.T) {
	for in, want := range map[string]string{
		"a.toml b.toml":                           "a b",
		"x/study.toml y/study.toml c.toml":        "x-study y-study c",
		"/x/study.toml /z/x/study.toml d.x.toml":  "x-study x-study-2 d.x",
		"/x/study.toml /x/study.toml x-study.txt": "x-study x-study-2 x-study-3",
	} {
		if got := strings.Join(batchNames(strings.Fields(in)), " "); got != want {
			t.Errorf("%s: %s, want %s", in, got, want)
		}
	}
}

type fullDisk struct{}

func (fullDisk) Write([]byte) (int, error) { return 0, errors.New("no space left on device") }

// Output that is lost is not success.
func TestLostOutput(t *testing.T) {
	for _, args := range [][]string{{"families"}, {"eval", "zcube(n=4,k=2)"}, {"eval", "zcube(n=4,k=2)", "--json"}, {"help", "metrics"}, {"version"}} {
		var errw strings.Builder
		if status := execute(args, strings.NewReader(""), fullDisk{}, &errw); status != exitFailed || !strings.Contains(errw.String(), "no space left") {
			t.Errorf("%v: exit %d, %q", args, status, errw.String())
		}
	}
}

// Everything printed for people fits 80 columns: help pages, topics and results.
func TestEightyColumns(t *testing.T) {
	racing.Figures(t)
	dir := writeStudy(t, "[switch]\nports = { max = 32 }\n")
	text := strings.Replace(small, "finalists = 0", "finalists = 1\ncycles = 200\nloads = 2", 1)
	if err := os.WriteFile("study.toml", []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	if status, _, errw := command(t, "run", "study.toml", "--out", "r", "--quiet"); status != 0 {
		t.Fatalf("run: exit %d, %s", status, errw)
	}
	lines := [][]string{{}, {"help", "metrics"}, {"exit-codes"}, {"json"}, {"eval", "zcube(n=8,k=2)"}, {"plan", "study.toml"}, {"show", "r"},
		{"report", "r", "--format", "text"}, {"status", "r"}, {"explain", "r", "zcube(n=9,k=2)"}, {"version"}, {"files"},
		{"families"}, {"families", "dragonfly"}, {"families", "dragonfly", "--radix", "8", "--endpoints", "50"}, {"reproduce"}, {"reproduce", "survey-claims"},
		{"simulate", "ring(n=4)", "--model", "cut_through", "--workload", "alltoall", "--message", "64kB"}}
	front, err := run.ReadFront("r")
	if err != nil {
		t.Fatal(err)
	}
	for i := range front.Front {
		lines = append(lines, []string{"show", "r", front.Front[i].Design})
	}
	for _, c := range new(app).root().Commands() {
		if c.Name() != "completion" { // cobra's own words
			lines = append(lines, []string{c.Name(), "--help"})
		}
	}
	for _, args := range lines {
		_, out, _ := command(t, args...)
		for _, l := range strings.Split(out, "\n") {
			if n := len([]rune(l)); n > 80 {
				t.Errorf("%v: %d columns: %s", args, n, l)
			}
		}
	}
	if _, err := os.Stat(filepath.Join(dir, "r", "report.html")); err != nil {
		t.Error(err)
	}
	_, help, _ := command(t, "json")
	_, help, _ = strings.Cut(help, "toposearch.report/1")
	help, _, _ = strings.Cut(help, "\ntoposearch.")
	var doc any
	decode(t, "toposearch.report/1", &doc, "report", "r")
	undocumented(t, help, "", doc)
}

// undocumented names the keys of a JSON document that its help page does not have.
func undocumented(t *testing.T, help, under string, v any) {
	t.Helper()
	switch x := v.(type) {
	case []any:
		for _, e := range x {
			undocumented(t, help, under, e)
		}
	case map[string]any:
		for k, e := range x {
			switch under {
			case "metrics", "params", "absent", "picks", "inputs": // named by what they hold
				continue
			}
			if k != "schema" && !regexp.MustCompile(`\b`+k+`\b`).MatchString(help) {
				t.Errorf("help json does not name %s of a report", k)
			}
			undocumented(t, help, k, e)
		}
	}
}

// A threshold that is missed is named with the best that there is; an explanation has units.
func TestRequireAndExplainInWords(t *testing.T) {
	writeStudy(t, "[switch]\nports = { max = 32 }\n[procurement]\ncost = \"400 kUSD\"\n")
	text := small + "[require]\nmean_hops = { max = 0.001 }\n"
	if err := os.WriteFile("study.toml", []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	status, out, errw := command(t, "run", "study.toml", "--out", "r", "--quiet")
	if flat := strings.Join(strings.Fields(out), " "); status != exitRequire || !strings.Contains(flat, "mean_hops at most 0.001 (the best has ") {
		t.Errorf("exit %d, %q %s; want 5 and the threshold", status, out, errw)
	}
	_, out, _ = command(t, "explain", "r", "zcube(n=40,k=2)")
	if flat := strings.Join(strings.Fields(out), " "); !strings.Contains(flat, "misses procurement.cost by 2217.7 %: 9.27") || !strings.Contains(flat, "MUSD instead of 400 kUSD") {
		t.Errorf("explain: %s", out)
	}
	if _, out, _ = command(t, "explain", "r", "zcube(n=0,k=2)"); strings.Count(out, "no such network") != 1 {
		t.Errorf("explain: %s", out)
	}
}

// A supplier's list as it comes: semicolons, decimal commas, euros, no network cards. eval counts in
// the list's currency, and --metrics prints what it names and nothing else.
func TestEvalWithSuppliersList(t *testing.T) {
	t.Chdir(t.TempDir())
	list := "Quotation 4711;;;;;;;\nP/N;Type;Speed;Ports;Length (m);Cable type;Max power (W);Unit price (EUR)\n" +
		"S64;switch;400 Gb/s;64;;;1.150;38.900,00\nD3;cable;400 Gb/s;;3;copper;0;159,00\nA30;cable;400 Gb/s;;30;aoc;8,5;612,00\n"
	if err := os.WriteFile("supplier.csv", []byte(list), 0o644); err != nil {
		t.Fatal(err)
	}
	status, out, errw := command(t, "eval", "crossbar(n=64)", "--catalog", "supplier.csv", "--metrics", "power,cost,lead_time")
	if status != 0 || !strings.Contains(out, "EUR") || !strings.Contains(out, "\npower ") || strings.Contains(out, "\nswitches ") || strings.Contains(out, "racks") {
		t.Errorf("exit %d %s\n%s", status, errw, out)
	}
}
