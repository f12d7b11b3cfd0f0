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
		`scaleup = 3`:                       "true or false, a table",
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

// A list or a range of domains becomes a parameter of every family, which counts in cost unless the study says otherwise.
func TestScaleupSearch(t *testing.T) {
	parts := "part_no,kind,rate_gbps,ports,length_m,medium,power_w,unit_price,currency,approved\n" +
		"S,switch,400,64,,,500,9000,USD,yes\nC,cable,400,,3,dac-passive,0,100,USD,yes\nU,scaleup_switch,400,64,,,100,2000,USD,yes\nK,NVLink cable,400,,2,,0,20,USD,yes\n"
	load := func(line, cost string) (*Study, string) {
		files := scaleupStudy(line)
		files["study.toml"] = "catalog = [\"parts.csv\"]\n" + files["study.toml"] + cost
		files["parts.csv"] = parts
		s, l := from(files)
		return s, details(l)
	}
	for line, want := range map[string]string{
		`scaleup = [false, true]`: "none 4mesh",
		`scaleup = [true, { domain = [8, 72], switches = 18 }, "mesh"]`:   "4mesh 8x18 72x18",
		`scaleup = { domain = 8, levels = [0, 1], switches = [2, 4] }`:    "8mesh 8x2 8x4",
		`scaleup = { domain = { min = 2, max = 4 } }`:                     "2mesh 3mesh 4mesh",
		`scaleup = { domain=[8,16], levels=2, switches=2, box=[4,8] }`:    "8x2x4x2 16x2x4x2 16x2x8x2",
		`scaleup = { domain=8, levels=[1,2], switches=2, box=4,spines=1}`: "8x2 8x2x4x1",
	} {
		s, text := load(line, "")
		if s == nil {
			t.Errorf("%s: %s", line, text)
			continue
		}
		var got []string
		for _, d := range s.Scaleups {
			got = append(got, d.Name())
		}
		if strings.Join(got, " ") != want || s.Scaleup || !s.Options.CountScaleup {
			t.Errorf("%s: %v, counted %t; want %s", line, got, s.Options.CountScaleup, want)
		}
		if f := s.Space[0].Family; f.Param(topology.ParamScaleup) < 0 || len(s.Space[0].Domains) != len(f.Params) {
			t.Errorf("%s: fattree has no parameter for it", line)
		}
	}
	if s, text := load(`scaleup = [false, true]`, "[cost]\nscaleup = false\n"); s == nil || s.Options.CountScaleup {
		t.Errorf("[cost] scaleup = false: %s", text)
	}
	if s, text := load(`scaleup = { switches = 2 }`, "[cost]\nscaleup = true\n"); s == nil || !s.Options.CountScaleup || s.Scaleups != nil {
		t.Errorf("[cost] scaleup = true: %s", text)
	}
	for line, want := range map[string]string{
		`scaleup = []`:                                       "no scale-up domain is named",
		`scaleup = { domain = [] }`:                          "no value is left",
		`scaleup = { domain = { min = 9, max = 8 } }`:        "the range is empty",
		`scaleup = { domain = { min = 2, max = 99 } }`:       "98 scale-up domains; a search takes at most 64",
		`scaleup = { domain = { min = 2 } }`:                 "needs min and max",
		`scaleup = { domain = 8, levels = 2, box = [3, 5] }`: "boxes of 3 endpoints",
		`scaleup = { domain = [200, 400], switches = 2 }`:    "the price list has 64 ports of 400 Gb/s at most",
		`scaleup = [{ domain = 8, switches = 2 }, 7]`:        "true or false, a table",
		`scaleup = { domain = [8, 9000000], switches = 2 }`:  "above the greatest",
	} {
		if s, text := load(line, ""); s != nil || !strings.Contains(text, want) {
			t.Errorf("%s: %q, want %q", line, text, want)
		}
	}
}
