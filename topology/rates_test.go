package topology

import (
	"math"
	"testing"
)

// Lanes are in the ratio of the rates, in the smallest whole numbers that are.
func TestWithRates(t *testing.T) {
	third := 400.0 / 3
	for _, c := range []struct {
		classes  []float64
		endpoint float64
		want     []int32
		end      int32
	}{
		{[]float64{400, 200}, 400, []int32{2, 1}, 2},
		{[]float64{200, third}, 400, []int32{3, 2}, 6},
		{[]float64{100, 200, 36.363636363636363}, 400, []int32{11, 22, 4}, 44},
		{[]float64{800, 3600}, 412.5, []int32{64, 288}, 33},
	} {
		n := (&Network{Design: "x", EndpointLanes: 1}).WithRates(c.classes, c.endpoint)
		for i, w := range c.want {
			if n.Lanes[i] != w || n.EndpointLanes != c.end {
				t.Errorf("%v of %g: lanes %v of %d, want %v of %d", c.classes, c.endpoint, n.Lanes[:len(c.want)], n.EndpointLanes, c.want, c.end)
				break
			}
		}
	}
	odd := []float64{math.Pi * 100, math.E * 77}
	if n := (&Network{}).WithRates(odd, 400); math.Abs(float64(n.Lanes[0])/float64(n.Lanes[1])/(odd[0]/odd[1])-1) > 1e-6 {
		t.Errorf("rates without a common measure: lanes %v", n.Lanes[:2])
	}
}
