package simulate

import (
	"bytes"
	"encoding/csv"
	"encoding/xml"
	"io"
	"strings"
	"testing"

	"toposearch/simcore"
	"toposearch/topology"
)

// Every channel is a cell of its own while the switches are few; names are escaped; the file is XML.
func TestHeatSVG(t *testing.T) {
	var cs []simcore.ChannelUse
	for i := range 5 {
		cs = append(cs, simcore.ChannelUse{Class: "local", From: "a<b", To: "c", FromID: topology.SwitchID(i), ToID: topology.SwitchID((i + 1) % 5), Utilisation: float64(i) / 4})
	}
	var b bytes.Buffer
	if err := HeatSVG(&b, "x & y", HeatPoint{0.5, cs}); err != nil {
		t.Fatal(err)
	}
	text := b.String()
	d := xml.NewDecoder(strings.NewReader(text))
	for {
		if _, err := d.Token(); err == io.EOF {
			break
		} else if err != nil {
			t.Fatal(err)
		}
	}
	if n := strings.Count(text, "<title>"); n != 5 {
		t.Errorf("%d cells, want 5", n)
	}
	// Idle and full are the ends of the scale.
	for _, want := range []string{"#fff7cc", "#6e0114", "x &amp; y", "a&lt;b to c (local): 100.0 %"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q", want)
		}
	}
}

// 400 switches are drawn in blocks of 3; a cell shows the busiest channel.
func TestHeatBlocks(t *testing.T) {
	cs := []simcore.ChannelUse{{FromID: 396, ToID: 0, Utilisation: 0.2, From: "x"}, {FromID: 398, ToID: 2, Utilisation: 0.7, From: "y"},
		{FromID: 0, ToID: 3, Utilisation: 0.1}}
	cells := heatMatrix(cs, 3, 134)
	if len(cells) != 2 || cells[1].n != 2 || cells[1].most != 0.7 || cells[1].worst.From != "y" || cells[1].row != 132 {
		t.Errorf("cells %+v", cells)
	}
}

func TestHeatCSV(t *testing.T) {
	var b bytes.Buffer
	if err := HeatCSV(&b, []HeatPoint{{0.25, []simcore.ChannelUse{{Class: "local", From: "a", To: "b", FromID: 1, ToID: 2, Flits: 7, Utilisation: 0.125}}}}); err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(&b).ReadAll()
	if err != nil || len(rows) != 2 || strings.Join(rows[1], " ") != "0.25 a b 1 2 local 7 0.125" {
		t.Errorf("%v %v", rows, err)
	}
}
