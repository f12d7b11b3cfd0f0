package study

import (
	"io/fs"
	"strings"
	"testing"
)

// The network that runs today: what is no network, too large, or no price is named with its place and a remedy.
func TestGrowth(t *testing.T) {
	const head = "[endpoints]\ncount = 64\nbandwidth = \"400 Gb/s\"\n[space]\nfamilies = [\"torus\"]\n[[objective]]\nmetric = \"growth_cost\"\n[growth]\n"
	for _, c := range []struct{ text, want string }{
		{"from = \"hyperx(s1=4,s2=2,t=4)\"\nlabour_cable = \"25 USD\"\nracks = \"stay\"", ""},
		{"labour_cable = \"25 USD\"", "does not say which network runs today"},
		{"from = \"hyperx(s1=8,s2=4,t=4)\"", "study.toml:9:8: error: hyperx(s1=8,s2=4,t=4) has 128 endpoints, and at most 64 are asked for"},
		{"from = \"fatree(k=4)\"", `did you mean "fattree"`},
		{"from = \"file:gone.json\"", `"gone.json"`},
		{"from = \"torus(k1=0)\"", "there is no network torus(k1=0)"},
		{"from = \"hyperx(s1=4,s2=2,t=4)\"\nlabour_cable = 25", "study.toml:10:16: error: expected an amount of money"},
		{"from = \"hyperx(s1=4,s2=2,t=4)\"\nlabour_endpoint = \"25 EUR\"", "no rate from EUR to USD"},
		{"from = \"hyperx(s1=4,s2=2,t=4)\"\nracks = \"here\"", `not "here"`},
		{"design = \"hyperx(s1=4,s2=2,t=4)\"", "from"},
	} {
		st, faults := LoadFrom("study.toml", func(path string) ([]byte, error) {
			if path == "study.toml" {
				return []byte(head + c.text + "\n"), nil
			}
			return nil, &fs.PathError{Op: "open", Path: path, Err: fs.ErrNotExist}
		})
		var b strings.Builder
		faults.Print(&b)
		switch g := st; {
		case c.want != "":
			if faults.Err() == nil || !strings.Contains(b.String(), c.want) {
				t.Errorf("%s: %s, want %s", c.text, b.String(), c.want)
			}
		case faults.Err() != nil:
			t.Errorf("%s: %s", c.text, b.String())
		case g.Options.Growth.LabourCable != 2500 || !g.Options.Growth.Rules.Stay || !g.Options.Growth.Rules.Switches:
			t.Errorf("%s: read as %+v", c.text, g.Options.Growth)
		}
	}
}
