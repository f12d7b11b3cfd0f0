package main

import (
	"slices"
	"testing"

	"toposearch/diag"
	"toposearch/simcore/flit"
	"toposearch/simcore/route"
	"toposearch/simulate"
)

// FuzzFlags: what flags of simulate say is within the range that their help gives, settings that are accepted
// make a configuration that is valid or refused by name, and names of what fails are those of switches, links
// and endpoints that there are. A refusal quotes what was written.
func FuzzFlags(f *testing.F) {
	for _, s := range [][4]string{
		{"0.1,0.5", "1%", "leaf[3]-spine[0]", "vc_allocator=islip(2)"}, {"1e-9", "3", "endpoint[7]-leaf[0]", "internal_speedup=2"},
		{"NaN", "-1", "spine[1]", "shared_flits=99999999999"}, {"0x1p-1,", "100.5%", "0-8", "speculative=maybe"}, {"inf", "1e400%", "--", "="}, {"0", "0", "0", "\x7f"}, {"0", "0", "0\r-0", "0"},
	} {
		f.Add(s[0], s[1], s[2], s[3])
	}
	d, err := (&app{}).parseDesigns([]string{"fattree(k=4,l=2)"})
	if err != nil {
		f.Fatal(err)
	}
	n, err := d[0].Build()
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, load, share, name, setting string) {
		var faults []error
		loads, err := parseLoads(load)
		if faults = append(faults, err); err == nil && (len(loads) == 0 || slices.ContainsFunc(loads, func(x float64) bool { return !(x > 0 && x <= 1) })) {
			t.Errorf("--load %q is %v", load, loads)
		}
		x, err := parseShare("precision", share)
		if faults = append(faults, err); err == nil && !(x > 0 && x < 1) {
			t.Errorf("--precision %q is %v", share, x)
		}
		fails := failFlags{links: share, named: []string{name}, seed: 1}
		out, err := fails.failures(n)
		if faults = append(faults, err); err == nil {
			for _, s := range out.Switches {
				if s < 0 || int(s) >= n.Switches() {
					t.Errorf("--fail %q is switch %d of %d", name, s, n.Switches())
				}
			}
			if !slices.IsSorted(out.Links) || len(slices.Compact(slices.Clone(out.Links))) != len(out.Links) || len(out.Links) > len(n.Cables())+n.Endpoints() {
				t.Errorf("--fail %q --fail-links %q: links %v", name, share, out.Links)
			}
		}
		cfg := flit.DefaultConfig()
		faults = append(faults, simulate.Set(&cfg, new(route.Tuning), setting))
		if faults[len(faults)-1] == nil {
			faults = append(faults, cfg.Validate())
		}
		for _, err := range faults {
			if err == nil {
				continue
			}
			if c, i := diag.FirstHidden(joinLines(err.Error())); i >= 0 {
				t.Errorf("%q %q %q %q: the error holds %U: %q", load, share, name, setting, c, err)
			}
		}
	})
}

// joinLines takes the line breaks out of an error that has several findings.
func joinLines(s string) string {
	return string(slices.DeleteFunc([]rune(s), func(r rune) bool { return r == '\n' }))
}
