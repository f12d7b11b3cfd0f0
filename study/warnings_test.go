package study

import (
	"io/fs"
	"strings"
	"syscall"
	"testing"
)

// What is odd and usable is told, keeps its place, and stays with the study for the report.
func TestWarnings(t *testing.T) {
	const parts = `part_no,kind,rate_gbps,ports,UnitPrice,currency,power_w,length_m,medium
SW,switch,400,64,9000,USD,800,,
DAC,cable,400,,100,USD,0,3,copper
AOC,cable,400,,,USD,2,30,aoc
`
	s, l := from(map[string]string{
		"study.toml": strings.Replace(base, `"400 Gb/s"`, `"400 GB/s"`, 1) + "[search]\nstrategy = \"auto\"\n",
		"parts.csv":  parts,
	})
	if s == nil || !strings.Contains(details(l), `study.toml:4:13: warning: 400 GB/s are bytes: 3.2 Tb/s | write "400 Gb/s" if bits were meant`) {
		t.Errorf("bytes: %s", details(l))
	}
	if s, l = from(map[string]string{"study.toml": `catalog = ["parts.csv"]` + "\n" + base, "parts.csv": parts}); s == nil {
		t.Fatal(details(l))
	}
	// The head UnitPrice is unit_price: only the AOC has no price.
	if want := "parts.csv:4"; len(s.Warnings) != 1 || !strings.HasPrefix(s.Warnings[0].Pos.String(), want) || !strings.Contains(s.Warnings[0].Summary, "1 part has no price: AOC") {
		t.Errorf("warnings %s, want one at %s about AOC", details(s.Warnings), want)
	}
	if p := s.Catalogue.Part("DAC"); p == nil || !p.Priced {
		t.Error("the price of DAC was not read from the column UnitPrice")
	}
}

// A range of endpoints that is neither number nor range, a folder instead of a file, and tables
// of families that are misspelt: one finding each, with the remedy.
func TestFaultsSayWhatToWrite(t *testing.T) {
	for name, c := range map[string]struct{ old, new, want string }{
		"text":   {"{ min = 1024, max = 1152 }", `"many"`, `count is a whole number or a range, not "many" | write count = 1024, or`},
		"float":  {"{ min = 1024, max = 1152 }", "1e30", "count is a whole number or a range, not 1e30"},
		"folder": {`name = "t"`, `catalog = ["dir"]`, `study.toml:1:12: error: cannot read the catalogue "dir": it is a folder`},
		"family": {`"zcube", "dragonfly"]`, `"zcubes"]` + "\n[space.dragonfly]\nh = 3", `there is no family "zcubes" | did you mean "zcube"?`},
	} {
		s, l := LoadFrom("study.toml", func(path string) ([]byte, error) {
			if path == "dir" {
				return nil, &fs.PathError{Op: "read", Path: path, Err: syscall.EISDIR}
			}
			return []byte(strings.Replace(base, c.old, c.new, 1)), nil
		})
		if s != nil || !strings.Contains(details(l), c.want) || len(l) != 1 {
			t.Errorf("%s: %s want exactly one finding, %q", name, details(l), c.want)
		}
	}
}
