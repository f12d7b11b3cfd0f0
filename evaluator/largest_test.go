package evaluator

import (
	"context"
	"flag"
	"os"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"toposearch/internal/stream"
	"toposearch/topology"
)

var largest = flag.Bool("largest", false, "evaluate the largest members of all families at levels 0 to 2, minutes, and print what they take")

// What an evaluation of the largest member of a family may take: time of a core, and memory of the process, which
// may have as much garbage as it has in use.
const (
	largestMostS  = 10
	largestMostMB = 4 << 30 / 1e6
)

// TestLargest: the largest designs of every family are evaluated, or refused with a reason, in bounded time and
// memory: those of most endpoints, and those of most for which there are switches on sale, so that all is computed.
func TestLargest(t *testing.T) {
	if !*largest {
		t.Skip("takes minutes: go test ./evaluator -run TestLargest -largest -v")
	}
	for _, f := range families() {
		for _, sold := range []bool{false, true} {
			d, s := largestOf(f, sold)
			if d.Family == nil {
				continue // hpn has no switches of 64 ports
			}
			for level := range 3 {
				e := newEvaluator(t, Options{BandwidthGbps: 400})
				before := cpuSeconds(t)
				resetPeak()
				r, err := e.Evaluate(context.Background(), d, Request{Level: level})
				took, peak := cpuSeconds(t)-before, peakMB()
				if err != nil {
					t.Errorf("%s: %v", d, err)
					continue
				}
				have, refused := 0, 0
				for k := range r.Have {
					if r.Have[k] {
						have++
					}
				}
				for _, why := range r.Absent {
					if strings.Contains(why, "memory") {
						refused++
					}
				}
				t.Logf("%-60s %d endpoints, %d links: level %d, %d metrics, %d refused for memory, %.2f s, %.0f MB", d, s.Endpoints, s.SwitchLinks()+s.EndpointLinks(), level, have, refused, took, peak)
				if took > largestMostS || peak > largestMostMB {
					t.Errorf("%s at level %d takes %.1f s and %.0f MB", d, level, took, peak)
				}
			}
		}
	}
}

// largestOf draws the design of most endpoints: of all, or of those whose switches have at most 64 ports and that
// have 200 million links at most, which are laid in some seconds.
func largestOf(f *topology.Family, sold bool) (best topology.Design, size topology.Size) {
	rng := stream.New(1, "largest "+f.Name)
	v := make([]int, len(f.Params))
	var s topology.Size
	for range 30_000 {
		extremeTuple(f, rng, v)
		if f.Size(v, &s) != nil || s.Endpoints <= size.Endpoints || sold && (s.Radix() > 64 || s.SwitchLinks()+s.EndpointLinks() > 200e6) {
			continue
		}
		best, size = topology.Design{Family: f, V: slices.Clone(v)}, s
	}
	return best, size
}

func cpuSeconds(t *testing.T) float64 {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		t.Fatal(err)
	}
	return float64(u.Utime.Sec+u.Stime.Sec) + float64(u.Utime.Usec+u.Stime.Usec)/1e6
}

// resetPeak and peakMB ask Linux for the most memory that the process has had; elsewhere it is 0.
func resetPeak() { _ = os.WriteFile("/proc/self/clear_refs", []byte("5"), 0o200) }

func peakMB() float64 {
	text, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0
	}
	_, after, _ := strings.Cut(string(text), "VmHWM:")
	kb, _, _ := strings.Cut(strings.TrimSpace(after), " ")
	n, _ := strconv.ParseFloat(kb, 64)
	return n / 1e3
}
