package topology

import (
	"fmt"
	"testing"
)

// plainReset is Reset without its shortcut.
func plainReset(s *Size, f *Family) {
	*s = Size{Family: f}
	for i := range s.Lanes {
		s.Lanes[i] = 1
	}
}

// counted is a family of so many classes whose counts are all in use.
func counted(switches, links int) *Family {
	return &Family{Name: fmt.Sprintf("f%d_%d", switches, links),
		SwitchClasses: make([]SwitchClass, switches), LinkClasses: make([]LinkClass, links),
		Count: func(v []int, s *Size) {
			s.Endpoints, s.EndpointPorts, s.EndpointLanes = 5, 6, 7
			for i := range switches {
				s.Switch[i].Count = int64(v[0])
				for c := range links {
					s.Switch[i].Ports[c] = int32(v[0] + c)
				}
			}
			for c := range links {
				s.Link[c], s.Lanes[c] = int64(v[0]), 4
			}
			if v[0]%2 == 0 {
				_ = s.Fail("x", v[0], "x is odd", 1)
			}
		}}
}

// A size that is used again for one family after another is as clear as a new one.
func TestResetClearsAll(t *testing.T) {
	fs := []*Family{counted(1, 1), counted(MaxClasses, MaxClasses), counted(0, 0), counted(3, 2), nil, counted(2, 16), counted(2, 16)}
	for i, first := range fs {
		for j, then := range fs {
			for k, last := range fs {
				var got, want Size
				for n, f := range []*Family{first, then} {
					got.Reset(f)
					if f != nil {
						f.Count([]int{n + 3}, &got)
					}
				}
				got.Reset(last)
				plainReset(&want, last)
				if got != want {
					t.Fatalf("families %d, %d, %d: got %+v, want %+v", i, j, k, got, want)
				}
			}
		}
	}
}

func BenchmarkReset(b *testing.B) {
	f := counted(2, 4)
	var s Size
	for name, reset := range map[string]func(*Family){"all": func(f *Family) { plainReset(&s, f) }, "used": s.Reset} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				reset(f)
			}
		})
	}
}
