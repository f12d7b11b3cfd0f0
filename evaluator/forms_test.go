package evaluator

import (
	"slices"
	"strings"
	"testing"

	"toposearch/catalog"
	"toposearch/evaluator/metric"
)

// TestForms: that a module does not go into the cage of a switch or card is said; the built-in list, whose parts of a rate are of one form, says nothing.
func TestForms(t *testing.T) {
	notes := func(c *catalog.Catalogue) string {
		e := newEvaluator(t, Options{BandwidthGbps: 400, Catalog: c})
		return strings.Join(evaluate(t, e, parse(t, "fattree(k=16,l=2)"), Request{Keys: []metric.Key{metric.Cost}}).Notes, "\n")
	}
	if said := notes(catalog.Builtin()); strings.Contains(said, "whatever their form") {
		t.Errorf("the built-in list: %s", said)
	}
	c := *catalog.Builtin()
	c.Parts = slices.Clone(c.Parts)
	for i := range c.Parts {
		if p := &c.Parts[i]; p.Kind == catalog.KindSwitch && p.RateGbps == 400 {
			p.FormFactor = "OSFP"
		}
	}
	said := notes(&c)
	if !strings.Contains(said, "DAC-400-2 is QSFP112, and the cages of SW-16x400 are OSFP") || strings.Contains(said, "NIC-1x400") {
		t.Errorf("OSFP switches with QSFP112 cables: %s", said)
	}
}
