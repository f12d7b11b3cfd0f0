package catalog

import "testing"

func prepared(t *testing.T, text string) *Index {
	t.Helper()
	c, l := Read("parts.csv", []byte(text), LoadOptions{Decimal: '.'})
	if err := l.Err(); err != nil {
		t.Fatal(err)
	}
	x, err := c.Prepare(SwitchLimits{}, Reach{}, Currency{Code: "USD"})
	if err != nil {
		t.Fatal(err)
	}
	return x
}

// TestSplitNIC: one port of 400 Gb/s that may be split serves two planes of 200, if no card has two such
// ports; four need two cards of either.
func TestSplitNIC(t *testing.T) {
	const head = "part_no,kind,rate_gbps,ports,breakouts,power_w,unit_price,currency\n"
	split := "N-400,nic,400,1,1x400;2x200,20,900.00,USD\n"
	for _, c := range []struct {
		rows  string
		ports int
		part  string
		cards int
	}{
		{split, 2, "N-400", 1},
		{split, 4, "N-400", 2},
		{split + "N-2x200,nic,200,2,,20,1000.00,USD\n", 2, "N-2x200", 1}, // whole ports first, dearer or not
		{split + "N-200,nic,200,1,,20,100.00,USD\n", 2, "N-400", 1},      // fewer cards first
		{split + "N-200,nic,200,1,,20,100.00,USD\n", 1, "N-200", 1},
	} {
		p, n, ok := prepared(t, head+c.rows).ChooseNIC(200, c.ports)
		if !ok || p.PartNo != c.part || n != c.cards {
			t.Errorf("%q, %d ports: %v, %d cards, %v; want %d of %s", c.rows, c.ports, p, n, ok, c.cards, c.part)
		}
	}
	if _, _, ok := prepared(t, head+split).ChooseNIC(100, 1); ok {
		t.Error("a NIC offers 100 Gb/s, which is not among its breakouts")
	}
}

func TestTracesAndCircuits(t *testing.T) {
	x := prepared(t, `part_no,kind,rate_gbps,ports,medium,unit_price,currency,approved
T1,trace,100,,pcb,2.00,USD,yes
T2,pcb trace,400,,board,1.00,USD,yes
T3,trace,400,,pcb,0.50,USD,no
B1,backplane,100,,,5.00,USD,yes
O1,ocs,,136,,90000.00,USD,yes
O2,optical circuit switch,,64,,40000.00,USD,yes
`)
	for _, c := range []struct {
		medium string
		gbps   float64
		want   string
	}{{"pcb", 100, "T1"}, {"pcb", 99.5, "T1"}, {"pcb", 200, "T2"}, {"pcb", 401, ""}, {"backplane", 50, "B1"}} {
		p, ok := x.ChooseTrace(c.medium, c.gbps, 1)
		if ok != (c.want != "") || ok && p.PartNo != c.want {
			t.Errorf("%s at %g Gb/s: %v, want %q", c.medium, c.gbps, p, c.want)
		}
	}
	for ports, want := range map[int64]struct {
		part  string
		count int64
	}{64: {"O2", 1}, 128: {"O2", 2}, 130: {"O1", 1}, 192: {"O2", 3}, 272: {"O1", 2}} {
		if p, n, ok := x.ChooseCircuit(ports, 1); !ok || p.PartNo != want.part || n != want.count {
			t.Errorf("%d ports: %d of %v, want %d of %s", ports, n, p, want.count, want.part)
		}
	}
	for _, row := range []string{"T,trace,100,,dac,1.00,USD,yes", "T,trace,,,pcb,1.00,USD,yes", "O,ocs,,,,1.00,USD,yes"} {
		if _, l := Read("parts.csv", []byte("part_no,kind,rate_gbps,ports,medium,unit_price,currency,approved\n"+row+"\n"), LoadOptions{Decimal: '.'}); l.Err() == nil {
			t.Errorf("%s: no error", row)
		}
	}
}
