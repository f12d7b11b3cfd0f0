package growth

import "testing"

// Old servers stay whole, all their endpoints in one new server that holds no others, whatever the networks; where endpoints are alone as many cables are kept or more, and where servers
// stay whole by themselves as many.
func TestServersStayWhole(t *testing.T) {
	split := 0
	for _, c := range [][2]string{
		{"fattree(k=8,l=2,pods=4)", "fattree(k=8,l=2)"}, {"fattree(k=8,l=2)", "dragonfly(p=2,a=4,h=2)"}, {"dragonfly(p=1,a=4,h=2)", "dragonfly(p=2,a=4,h=2)"},
		{"slimfly(q=5,p=3)", "slimfly(q=5,p=4)"}, {"torus(k1=5,k2=4)", "torus(k1=5,k2=5)"}, {"torus(k1=5,k2=4)", "torus(k1=5,k2=4)"}, {"railonly(k=8,g=4,leaves=2)", "railonly(k=8,g=4,leaves=4)"},
		{"jellyfish(n=10,r=4,p=2)", "jellyfish(n=14,r=4,p=2)"}, {"zcube(n=4,k=2)", "zcube(n=6,k=2)"}, {"bcube(n=3,l=2)", "bcube(n=4,l=2)"},
	} {
		old, to := plain(t, c[0]), plain(t, c[1])
		alone := Kept(old, to, Find(old, to, all), all)
		for _, per := range []int{3, 4, 8} {
			old.PerServer, to.PerServer = 1, 1
			m := &matcher{old: old, to: to, rules: all}
			x := Find(old, to, all)
			old.PerServer, to.PerServer = per, per
			free := m.intact(x)
			if !free {
				split++
			}
			x = Find(old, to, all)
			if !m.intact(x) {
				t.Errorf("%s to %s, servers of %d: one comes apart", c[0], c[1], per)
			}
			for u := len(old.Boxes); u < old.vertices(); u++ {
				if v := x.New[u]; v < 0 || x.Old[v] != int32(u) {
					t.Errorf("%s to %s, servers of %d: %s becomes vertex %d", c[0], c[1], per, old.Name(int32(u)), v)
				}
			}
			if k := Kept(old, to, x, all); k > alone || free && k < alone {
				t.Errorf("%s to %s, servers of %d: %d cables stay, of endpoints alone %d (servers whole: %v)", c[0], c[1], per, k, alone, free)
			}
		}
		old.PerServer, to.PerServer = 0, 0
	}
	if split < 5 {
		t.Errorf("endpoints alone split servers in %d cases", split)
	}
}
