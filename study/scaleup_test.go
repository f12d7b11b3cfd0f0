package study

import (
	"strings"
	"testing"

	"toposearch/topology"
)

func scaleupStudy(line string) map[string]string {
	return map[string]string{"study.toml": "[endpoints]\ncount = 72\nbandwidth = \"400 Gb/s\"\nper_server = 4\n" + line +
		"\n[space]\nfamilies = [\"fattree\"]\n[[objective]]\nmetric = \"cost\"\n"}
}

func TestScaleupDomains(t *testing.T) {
	for line, want := range map[string]topology.Domain{
		`scaleup = true`:                                         {Endpoints: 4},
		`scaleup = "mesh"`:                                       {Endpoints: 4},
		`scaleup = { domain = 72, switches = 18 }`:               {Endpoints: 72, Levels: 1, Switches: 18},
		`scaleup = { levels = 2, switches = 2, box = 2 }`:        {Endpoints: 4, Levels: 2, Switches: 2, Box: 2, Spines: 2},
		`scaleup = { domain = 8, switches = 2, box=2, spines=1}`: {Endpoints: 8, Levels: 2, Switches: 2, Box: 2, Spines: 1},
	} {
		s, l := from(scaleupStudy(line))
		if s == nil || len(l) > 0 {
			t.Errorf("%s: %v", line, details(l))
			continue
		}
		if !s.Scaleup || !s.Options.Scaleup || s.Options.ScaleupDomain() != want {
			t.Errorf("%s: %+v, want %+v", line, s.Options.ScaleupDomain(), want)
		}
	}
	for line, want := range map[string]string{
		`scaleup = 3`:                       "true or false, or a table",
		`scaleup = "ring"`:                  "write true for a full mesh",
		`scaleup = { levels = 4 }`:          "above the greatest, 2",
		`scaleup = { levels = 2, box = 3 }`: "boxes of 3 endpoints in a scale-up domain of 4",
		`scaleup = { leafs = 2 }`:           "unknown key",
	} {
		_, l := from(scaleupStudy(line))
		if text := details(l); !strings.Contains(text, want) {
			t.Errorf("%s: %q, want ... %s", line, text, want)
		}
	}
}
