package study

import (
	"strings"

	"toposearch/catalog"
	"toposearch/internal/tomlfile"
	"toposearch/internal/unit"
)

func currency(v *tomlfile.Value) string {
	c, ok := v.Text()
	if !ok {
		return ""
	}
	c = strings.ToUpper(c)
	if _, known := unit.MinorDigits(c); !known {
		v.Errorf("there is no currency %q\nwrite its ISO 4217 code: USD, EUR, GBP, ...", c)
	}
	return c
}

// cost reads what counts as cost, in which currency and at which rates.
func (ld *loader) cost(t *tomlfile.Table) {
	ld.s.Currency.Code = "USD"
	if t == nil {
		return
	}
	if v := t.Take("nics"); v != nil {
		ld.s.Options.CountNICs, _ = v.Truth()
	}
	if v := t.Take("scaleup"); v != nil {
		if _, ok := v.Truth(); ok {
			ld.countScaleup = v
		}
	}
	if v := t.Take("currency"); v != nil {
		if c := currency(v); c != "" {
			ld.s.Currency.Code = c
		}
	}
	if r := t.Sub("rates"); r != nil {
		ld.s.Currency.Rates = map[string]catalog.Rate{}
		for _, e := range r.Entries {
			v := r.Take(e.Key)
			code := strings.ToUpper(e.Key)
			if _, ok := unit.MinorDigits(code); !ok {
				e.Errorf("there is no currency %q", e.Key)
				continue
			}
			if v.Kind != tomlfile.Float && v.Kind != tomlfile.Int && v.Kind != tomlfile.String {
				v.Is(tomlfile.Float)
				continue
			}
			rate, err := catalog.ParseRate(strings.Trim(v.Raw, `"' `))
			if err != nil {
				v.Errorf("%v\nwrite what one %s is worth in %s as a decimal number above 0", err, code, ld.s.Currency.Code)
				continue
			}
			if code == ld.s.Currency.Code && rate != 1_000_000_000 {
				v.Errorf("costs are in %s: one is worth one\nleave it out, or say with currency = ... in which currency costs are", code)
				continue
			}
			if _, twice := ld.s.Currency.Rates[code]; twice {
				e.Errorf("%s has a rate twice\nleave one of the two out", code)
			}
			ld.s.Currency.Rates[code] = rate
		}
	}
	t.Done(map[string]string{"nic": "nics", "rate": "rates"})
}

// latency reads the constants of the zero-load model.
func (ld *loader) latency(t *tomlfile.Table) {
	if t == nil {
		return
	}
	m := &ld.s.Options.Latency
	ns := func(key string, to *float64, zero bool) {
		v := t.Take(key)
		if v != nil && v.Kind == tomlfile.String {
			v.Str = strings.TrimSuffix(v.Str, "/m")
		}
		if x, ok := v.Quantity(unit.KindLatency); ok && x == 0 && !zero {
			v.Errorf("%s must be above 0", key)
		} else if ok {
			*to = x
		}
	}
	ns("switch", &m.SwitchNs, false)
	ns("relay", &m.RelayNs, false)
	ns("nic", &m.NICNs, true)
	ns("cable", &m.CableNsPerM, false)
	if v := t.Take("mtu"); v != nil {
		if x, ok := v.Quantity(unit.KindBytes); ok && (x < 1 || x > 1<<20) {
			v.Errorf("an MTU is between 1 B and 1 MB")
		} else if ok {
			m.MTUBytes = int(x)
		}
	}
	t.Done(map[string]string{"switch_ns": "switch", "cable_per_m": "cable", "endpoint": "relay"})
}
