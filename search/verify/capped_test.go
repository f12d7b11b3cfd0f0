package verify

import (
	"testing"

	"toposearch/topology/family/familytest"
)

// Where direct ways carry more than endpoints send (here twice as much and more of the worst permutation), VCs and buffers leave what they do of what is sent: of a channel that would be full at load 4.6
// they took 0.215 to be left, as no load above 1 is looked at, and 1 is simulated.
func TestExpectedOfMoreThanIsSent(t *testing.T) {
	p := problem("")
	l, _, err := prepare(t.Context(), p, familytest.Parse(t, "dragonflyplus(l=3,m=5,p=1,h=10,g=6)"), "worst", "par")
	if err != nil {
		t.Fatal(err)
	}
	if l.Alone < 2 || l.Predicted != 1 || l.Expected < 0.9 || l.Expected > 1 {
		t.Errorf("direct ways carry %.3f, predicted %.3f, expected %.3f (%.3f left)", l.Alone, l.Predicted, l.Expected, l.Left)
	}
}
