package study

import (
	"io/fs"
	"math"
	"strings"
	"testing"

	"toposearch/diag"
	"toposearch/evaluator/metric"
)

// over loads a study with two constraint files and a price list, and [what_if] behind it.
func over(text string) (*Study, diag.List) {
	files := map[string]string{
		"study.toml": "constraints = [\"a.toml\", \"b.toml\"]\ncatalog = \"parts.csv\"\n[endpoints]\ncount = 64\nbandwidth = \"400 Gb/s\"\n[[objective]]\nmetric = \"cost\"\n" + text,
		"a.toml":     "[building]\npower = \"2 MW\"\nendpoint_power = \"1 kW\"\nracks = { min = 2, max = 9 }\n[switch]\nports = 64\n",
		"b.toml":     "[building]\npower = \"1 MW\"\n[limits]\nbuilding_power = { max = \"3 MW\" }\n[cable]\nreach = { max = \"30 m\", copper = \"3 m\" }\n",
		"parts.csv":  someParts,
	}
	return LoadFrom("study.toml", func(name string) ([]byte, error) {
		if text, ok := files[name]; ok {
			return []byte(text), nil
		}
		return nil, fs.ErrNotExist
	})
}

// What [what_if] says stands in the place of all limits on the same side of the metric, looser or stricter, and leaves the others.
func TestWhatIfLimits(t *testing.T) {
	bound := func(s *Study, k metric.Key, max bool) float64 {
		for _, l := range s.Constraints.Limits {
			if l.Key == k && l.Max == max {
				return l.Bound
			}
		}
		return math.NaN()
	}
	for _, c := range []struct {
		text  string
		check func(s *Study) bool
	}{
		{"", func(s *Study) bool { return bound(s, metric.BuildingPower, true) == 1e6 }},
		{"[what_if.limits]\nbuilding.power = \"1.5 MW\"\n", func(s *Study) bool { return bound(s, metric.BuildingPower, true) == 1.5e6 }},
		{"[what_if]\nlimits = { building.power = \"1 kW\" }\n", func(s *Study) bool { return bound(s, metric.BuildingPower, true) == 1e3 }},
		{"[what_if.limits.building]\nracks = { max = 5 }\n", func(s *Study) bool { return bound(s, metric.Racks, true) == 5 && bound(s, metric.Racks, false) == 2 }},
		{"[what_if.limits]\nbuilding.power = \"none\"\n", func(s *Study) bool { return bound(s, metric.BuildingPower, true) == 3e6 }},
		{"[what_if.limits]\nswitch.ports = 32\n", func(s *Study) bool {
			return bound(s, metric.PhysicalPorts, true) == 32 && s.Options.Site.MaxSwitchPorts == 32
		}},
		{"[what_if.limits]\nswitch.ports = 128\n", func(s *Study) bool { return s.Options.Site.MaxSwitchPorts == 128 }},
		{"[what_if.limits]\nswitch.ports = \"None\"\n", func(s *Study) bool {
			return math.IsNaN(bound(s, metric.PhysicalPorts, true)) && s.Options.Site.MaxSwitchPorts == 0
		}},
		{"[what_if.limits]\ncable.reach.max = \"90 m\"\n", func(s *Study) bool { return s.Options.Site.ReachM == 90 && s.Options.Site.MediumReachM["copper"] == 3 }},
	} {
		s, l := over(c.text)
		if l.HasErrors() {
			// switches of 64 ports alone are on the list
			if !strings.Contains(c.text, "ports = 32") {
				t.Errorf("%q: %v", c.text, l.Err())
			}
			continue
		}
		if !c.check(s) {
			t.Errorf("%q: limits %+v, site %+v", c.text, s.Constraints.Limits, s.Options.Site)
		}
	}
}

// Prices change by exact decimal arithmetic, half a cent up, and the list that others use stays as it is.
func TestWhatIfPrices(t *testing.T) {
	price := func(s *Study, no string) float64 { return float64(s.Catalogue.Part(no).UnitPrice) / 100 }
	s, l := over("[what_if.prices]\nAOC-400 = \"1130 USD\"\nswitch = \"-12.345 %\"\nDAC-400 = \"+0.0025%\"\n")
	if l.HasErrors() {
		t.Fatal(l.Err())
	}
	// 40,000 x 0.87655 = 35,062; 200 x 1.000025 = 200.005, which is 200.01.
	if a, b, c := price(s, "AOC-400"), price(s, "SW-64x400"), price(s, "DAC-400"); a != 1130 || b != 35062 || c != 200.01 {
		t.Errorf("prices %v, %v, %v", a, b, c)
	}
	if s.Options.Catalog != s.Catalogue || !strings.Contains(s.Catalogue.Name, "what if: AOC-400 1130 USD") {
		t.Errorf("the evaluation uses another list; its name is %q", s.Catalogue.Name)
	}
	if s, _ := over(""); price(s, "AOC-400") != 900 {
		t.Error("the list was changed")
	}
}

// Wrong changes are told with what to write.
func TestWhatIfWrong(t *testing.T) {
	for text, want := range map[string]string{
		"[what_if]\nlimit = {}\n":                             "did you mean \"limits\"?",
		"[what_if.limits]\nbuilding.powr = \"1 MW\"\n":        "did you mean \"power\"?",
		"[what_if.limits]\nbuilding.power = 3\n":              "has no unit",
		"[what_if.limits]\nprocurement.cost = \"none\"\n":     "there is no procurement.cost that could be lifted",
		"[what_if.prices]\nAOC-4OO = \"1 USD\"\n":             "AOC-400",
		"[what_if.prices]\nswitch = \"-100 %\"\n":             "above -100 %",
		"[what_if.prices]\nswitch = \"ten %\"\n":              "not a number",
		"[what_if.prices]\nswitch = \"3 EUR\"\n":              "no rate for EUR",
		"[what_if.prices]\nswitch = \"12\"\n":                 "currency",
		"[what_if.prices]\nswitch = 12\n":                     "expected a text",
		"[what_if.limits]\nbuilding.racks = { max = 1 }\n":    "nothing can meet both",
		"[what_if.limits]\nlimits.uniform_throughput = 0.4\n": "the least or the most",
	} {
		_, l := over(text)
		var all strings.Builder
		for _, d := range l {
			if d.Severity == diag.Error {
				all.WriteString(d.Summary + " " + d.Detail + "\n")
			}
		}
		if !strings.Contains(all.String(), want) {
			t.Errorf("%q: %q, want %q", text, all.String(), want)
		}
	}
}
