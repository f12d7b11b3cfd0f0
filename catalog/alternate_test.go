package catalog

import (
	"strings"
	"testing"
)

// TestAlternates names by hand what would do in place of each part of a small list.
func TestAlternates(t *testing.T) {
	const list = `part_no,kind,form_factor,rate_gbps,ports,breakouts,length_m,reach_m,medium,power_w,unit_price,currency,lead_time,approved
S32,switch,OSFP,400,32,,,,,900,30000,USD,20 weeks,yes
S64,switch,OSFP,400,64,,,,,1500,50000,USD,20 weeks,yes
S64B,switch,OSFP,400,64,,,,,1500,48000,USD,30 weeks,yes
S64Q,switch,QSFP,400,64,,,,,1500,45000,USD,30 weeks,yes
S64X,switch,OSFP,800,64,,,,,1500,45000,USD,30 weeks,yes
S64N,switch,OSFP,400,64,,,,,1500,45000,USD,30 weeks,no
D2,cable,OSFP,400,,,2,2,dac-passive,0,300,USD,8 weeks,yes
D3,cable,OSFP,400,,,3,3,dac-passive,0,350,USD,8 weeks,yes
A5,cable,OSFP,400,,,5,5,aoc,8,900,USD,8 weeks,yes
A2,cable,OSFP,200,,,2,2,aoc,8,100,USD,8 weeks,yes
T50,transceiver,OSFP,400,,,,50,mmf-om4,9,900,USD,20 weeks,yes
T100,transceiver,OSFP,400,,,,100,mmf-om4,9,950,USD,10 weeks,yes
TS,transceiver,OSFP,400,,,,500,smf-os2,9,800,USD,10 weeks,yes
F10,fibre,MPO,,,,10,,mmf-om4,0,60,USD,3 weeks,yes
F20,fibre,MPO,,,,20,,mmf-om4,0,70,USD,3 weeks,yes
FS,fibre,MPO,,,,20,,smf-os2,0,50,USD,3 weeks,yes
`
	x := prepared(t, list)
	for part, want := range map[string]string{
		"S32": "S64B S64", "S64": "S64B", "S64B": "S64", "S64X": "",
		"D2": "D3 A5", "D3": "A5", "A5": "", "A2": "",
		"T50": "T100", "T100": "", "TS": "", "F10": "F20", "F20": "", "FS": "",
	} {
		var got []string
		for _, p := range x.Alternates(x.Catalogue().Part(part)) {
			got = append(got, p.PartNo)
		}
		if s := strings.Join(got, " "); s != want {
			t.Errorf("in place of %s: %q, want %q", part, s, want)
		}
	}
}
