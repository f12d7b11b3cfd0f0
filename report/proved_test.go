package report

import (
	"testing"

	"toposearch/objectives"
	"toposearch/search"
	"toposearch/study"
)

// TestProvedText: the reference has units in the currency of the run, and the family that holds the proof up most comes first.
func TestProvedText(t *testing.T) {
	st := &study.Study{}
	for _, name := range []string{"cost", "latency"} {
		o, err := objectives.New(name)
		if err != nil {
			t.Fatal(err)
		}
		st.Objectives = append(st.Objectives, o)
	}
	p := &search.Proof{Proved: 0.4567, Families: []string{"dragonfly", "torus"}, Alone: map[string]float64{"dragonfly": 0.9, "torus": 0.5},
		Reference: map[string]float64{"cost": 370722452.8, "latency": 62538.6}}
	d := &Data{Currency: "EUR"}
	const want = "At least 45.6 % of the best hypervolume is proved: what is open in torus (50 % if nothing else were open), dragonfly (90 % if " +
		"nothing else were open) could add no more (measured from cost 370.7 MEUR, latency 62,539 ns). To prove more, narrow the " +
		"parameters of the first of these or leave it out, or search longer."
	if got := d.provedText(p, st); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}
