package catalog

import "testing"

func TestPlugs(t *testing.T) {
	for _, c := range []struct {
		cage, plug string
		want       bool
	}{
		{"QSFP112", "QSFP112", true}, {"QSFP112", "QSFP28", true}, {"QSFP-DD", "QSFP56", true}, {"QSFP56", "QSFP-DD", false}, {"QSFP-DD800", "qsfp-dd", true},
		{"OSFP", "QSFP-DD", false}, {"OSFP", "QSFP112", false}, {"QSFP112", "OSFP", false}, {"OSFP224", "OSFP", true}, {"OSFP", "OSFP-RHS", true},
		{"OSFP", "OSFP to 2xQSFP112", true}, {"QSFP112", "OSFP to 2xQSFP112", true}, {"SFP28", "OSFP to 2xQSFP112", false}, {"QSFPDD", "QSFP-DD", true},
		{"", "OSFP", true}, {"OSFP", "", true}, {"LC", "OSFP", true}, {"SFP+", "SFP28", true}, {"SFP28", "QSFP28", false}, {"SFP-DD", "SFP28", true}, {"4xSFP28", "SFP28", true},
	} {
		if got := Plugs(c.cage, c.plug); got != c.want {
			t.Errorf("%q in a cage %q: %v", c.plug, c.cage, got)
		}
	}
}
