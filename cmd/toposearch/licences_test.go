package main_test

import (
	"cmp"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/licensecheck"
	"toposearch/internal/racing"
)

const thirdParty = "../../THIRD_PARTY.md"

// accepted are the licences, by their SPDX names, that ask of whoever passes the program on no more than
// to name its authors and to keep their texts.
var accepted = []string{"Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "CC-BY-4.0", "FTL", "ISC", "MIT", "OFL-1.1"}

// chosen is the licence taken where a module offers one of several.
var chosen = map[string]string{
	"github.com/golang/freetype": "FTL", // or the GPL, version 2, as its LICENSE says
}

// enough of a text, in percent, has to be that of a known licence; the rest names authors and years.
const enough = 90

// less is enough of texts that also say which files each of several licences covers.
var less = map[string]float64{"go.yaml.in/yaml/v3": 70}

// licences are those of the texts in the folder of a module.
func licences(module, folder string) ([]string, error) {
	var found []string
	for _, pattern := range []string{"LICEN[CS]E*", "COPYING*", "licenses/*"} {
		files, err := filepath.Glob(filepath.Join(folder, pattern))
		if err != nil {
			return nil, err
		}
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				return nil, err
			}
			if c := licensecheck.Scan(text); c.Percent >= cmp.Or(less[module], enough) {
				for _, m := range c.Match {
					found = append(found, m.ID)
				}
			}
		}
	}
	slices.Sort(found)
	found = slices.Compact(found)
	if pick, ok := chosen[module]; ok && slices.Contains(found, pick) {
		found = []string{pick}
	}
	if len(found) == 0 {
		return nil, fmt.Errorf("%s: there is no text of a known licence in %s", module, folder)
	}
	for _, id := range found {
		if !slices.Contains(accepted, id) {
			return nil, fmt.Errorf("%s: %s is none of the accepted licences (%s)", module, id, strings.Join(accepted, ", "))
		}
	}
	return found, nil
}

// TestThirdParty: every module that is linked into the program comes with the text of an accepted licence,
// and THIRD_PARTY.md lists them all, with the versions in use (-update rewrites it).
func TestThirdParty(t *testing.T) {
	if testing.Short() {
		t.Skip("go list reads all sources")
	}
	list := exec.Command("go", "list", "-deps", "-f", "{{with .Module}}{{if not .Main}}{{.Path}} {{.Version}} {{.Dir}}{{end}}{{end}}", ".")
	list.Env = append(os.Environ(), "GOOS=linux", "GOARCH=amd64", "CGO_ENABLED=0") // the same list everywhere
	out, err := list.Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	lines := slices.Compact(slices.Sorted(strings.Lines(string(out))))
	if len(lines) < 10 {
		t.Fatalf("only these modules are linked: %q", lines)
	}
	var b strings.Builder
	b.WriteString("# Third-party software\n\nWhat is linked or embedded into `toposearch`, beside the Go standard library and runtime (BSD-3-Clause).\n" +
		"The texts of the licences are in the modules; `go mod download` fetches them. `go test -run ThirdParty ./cmd/toposearch`\n" +
		"compares this list with the modules in use, and `-update` rewrites it.\n\n| module | version | licence |\n|---|---|---|\n")
	for _, line := range lines {
		f := strings.Fields(line)
		if len(f) == 0 {
			continue // of the standard library
		}
		if len(f) < 3 {
			t.Fatalf("%q: its source is not in the module cache; run go mod download", line)
		}
		ids, err := licences(f[0], f[2])
		if err != nil {
			t.Error(err)
		}
		fmt.Fprintf(&b, "| %s | %s | %s |\n", f[0], f[1], strings.Join(ids, ", "))
	}
	b.WriteString("\nEmbedded into reports: Apache ECharts 6.1.0, Apache-2.0 (`report/assets/echarts/SOURCE.md`).\n")
	if *update {
		if err := os.WriteFile(thirdParty, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if have, err := os.ReadFile(thirdParty); err != nil || string(have) != b.String() {
		t.Errorf("THIRD_PARTY.md (%v) does not list what is linked; run this test with -update, and read the diff. Want:\n%s", err, b.String())
	}
}

// TestLicences: texts that are missing, unknown or not accepted are refused.
func TestLicences(t *testing.T) {
	racing.Figures(t)
	const isc = "Permission to use, copy, modify, and/or distribute this software for any purpose with or without fee is hereby granted, provided that the above copyright notice and this permission notice appear in all copies.\n\n" +
		"THE SOFTWARE IS PROVIDED \"AS IS\" AND THE AUTHOR DISCLAIMS ALL WARRANTIES WITH REGARD TO THIS SOFTWARE INCLUDING ALL IMPLIED WARRANTIES OF MERCHANTABILITY AND FITNESS. IN NO EVENT SHALL THE AUTHOR BE LIABLE FOR ANY SPECIAL, DIRECT, INDIRECT, OR CONSEQUENTIAL DAMAGES OR ANY DAMAGES WHATSOEVER RESULTING FROM LOSS OF USE, DATA OR PROFITS, WHETHER IN AN ACTION OF CONTRACT, NEGLIGENCE OR OTHER TORTIOUS ACTION, ARISING OUT OF OR IN CONNECTION WITH THE USE OR PERFORMANCE OF THIS SOFTWARE.\n"
	for _, c := range []struct{ file, text, want string }{
		{"LICENSE", isc, ""},
		{"COPYING", "All rights reserved. Ask us.\n", "no text of a known licence"},
		{"README", isc, "no text of a known licence"},
	} {
		folder := t.TempDir()
		if err := os.WriteFile(filepath.Join(folder, c.file), []byte(c.text), 0o600); err != nil {
			t.Fatal(err)
		}
		ids, err := licences("example.org/m", folder)
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s %.30q: %v, %v; want %q", c.file, c.text, ids, err, c.want)
		}
	}
	// Of a choice between two, one of which is not accepted, one has to be chosen.
	folder, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "github.com/golang/freetype").Output()
	if err != nil {
		t.Fatal(err)
	}
	dir := strings.TrimSpace(string(folder))
	if ids, err := licences("github.com/golang/freetype", dir); err != nil || len(ids) != 1 {
		t.Errorf("%v, %v", ids, err)
	}
	if ids, err := licences("example.org/m", dir); err == nil || !strings.Contains(err.Error(), "GPL-2.0 is none of the accepted") {
		t.Errorf("%v, %v", ids, err)
	}
}
