package floor

import (
	"strings"
	"testing"

	"toposearch/topology/family/familytest"
)

// TestOwnRacks: a rack of ubmesh has 64 NPUs and 48 switches, whatever is usual; 128 of them, and the
// 64 HRSs of eight pods in four central racks of 16. A cube of tpuocs is a rack. What the site says a rack holds
// or draws divides them, and the plan says so.
func TestOwnRacks(t *testing.T) {
	for _, c := range []struct {
		design string
		site   Site
		racks  int64
		says   string
	}{
		{"ubmesh(z=4,w=4,pods=8)", Site{}, 128 + 4, "64 endpoints and 48 switches in each"},
		{"ubmesh(z=4,w=4)", Site{}, 16, "64 endpoints and 48 switches in each"},
		{"ubmesh(z=4,w=4)", Site{RackSwitches: 48, RackServers: 8}, 16, "64 endpoints and 48 switches in each"},
		{"ubmesh(z=4,w=4)", Site{RackSwitches: 32}, 16 * 2, "divided: the site has rack_switches = 32"},
		{"ubmesh(z=4,w=4)", Site{RackServers: 4}, 16 * (2 + 3), "divided: the site has rack_servers = 4"},
		{"ubmesh(z=4,w=4)", Site{RackPowerW: 30e3, EndpointPowerW: 500}, 16 * (2 + 3), "divided: the site has rack_power = 30 kW"},
	} {
		site := c.site
		m := marketOf(t, &site)
		d := familytest.Parse(t, c.design)
		s, err := NewSchedule(m, &site, 8, d)
		if err != nil {
			t.Fatal(err)
		}
		if got := s.floor.Racks(); got != c.racks {
			t.Errorf("%s, %+v: %d racks, want %d", c.design, c.site, got, c.racks)
		}
		if note := s.floor.Summary().Note; !strings.Contains(note, c.says) {
			t.Errorf("%s: the plan says %q, want %q", c.design, note, c.says)
		}
	}
}
