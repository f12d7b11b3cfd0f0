package memory

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"
	"testing/fstest"
)

// TestSystem: the least limit of several wins, in both versions of control groups, in a container that
// sees only its own root, and where nothing can be read.
func TestSystem(t *testing.T) {
	const meminfo = "MemTotal:       24684096 kB\nMemFree:        100 kB\n"
	const physical = 24684096 << 10
	for _, c := range []struct {
		name   string
		files  map[string]string
		space  int64
		want   int64
		source string
	}{
		{"nothing", nil, 0, math.MaxInt64, "no limit known"},
		{"machine", map[string]string{"proc/meminfo": meminfo}, 0, physical, "physical memory"},
		{"v2, of the group around", map[string]string{"proc/meminfo": meminfo, "proc/self/cgroup": "0::/a/b\n",
			"sys/fs/cgroup/a/b/memory.max": "max\n", "sys/fs/cgroup/a/memory.max": "1000000000\n"}, 0, 1000000000, "limit of the control group"},
		{"v2, name of the host", map[string]string{"proc/meminfo": meminfo, "proc/self/cgroup": "0::/kubepods/pod1\n",
			"sys/fs/cgroup/memory.max": "2000000000\n"}, 0, 2000000000, "limit of the control group"},
		{"v1", map[string]string{"proc/meminfo": meminfo, "proc/self/cgroup": "8:pids:/\n4:memory:/x\n0::/\n",
			"sys/fs/cgroup/memory/memory.limit_in_bytes": "9223372036854771712\n", "sys/fs/cgroup/memory/x/memory.limit_in_bytes": "3000000000\n"}, 0, 3000000000, "limit of the control group"},
		{"v1 without a limit", map[string]string{"proc/meminfo": meminfo, "proc/self/cgroup": "4:memory:/x\n",
			"sys/fs/cgroup/memory/memory.limit_in_bytes": "9223372036854771712\n"}, 0, physical, "physical memory"},
		{"ulimit", map[string]string{"proc/meminfo": meminfo}, 5e9, 5e9, "limit of the address space, ulimit -v"},
		{"garbage", map[string]string{"proc/meminfo": "MemTotal: lots kB\n", "proc/self/cgroup": "x\n"}, 0, math.MaxInt64, "no limit known"},
	} {
		root := make(fstest.MapFS)
		for name, text := range c.files {
			root[name] = &fstest.MapFile{Data: []byte(text)}
		}
		if n, source := system(root, c.space); n != c.want || source != c.source {
			t.Errorf("%s: limit %d by %q, want %d by %q", c.name, n, source, c.want, c.source)
		}
	}
}

// TestRequire: a need beyond the limit, beyond integers or of no number is refused with both figures.
func TestRequire(t *testing.T) {
	n, source := Limit()
	if n <= 0 || source == "" {
		t.Fatalf("Limit() = %d, %q", n, source)
	}
	if err := Require("nothing", 0); err != nil {
		t.Error(err)
	}
	for _, bytes := range []float64{1e30, math.Inf(1), math.NaN()} {
		var e *Error
		if err := Require("a network", bytes); !errors.As(err, &e) || e.Limit != n {
			t.Errorf("Require(%g) = %v, want an error with the limit %d", bytes, err, n)
		}
	}
	e := &Error{What: "a simulation of x", Bytes: 31234567890123, Limit: 25276514304, Source: "physical memory"}
	if want := "a simulation of x needs about 31.2 TB of memory, and this process may use 25.3 GB (physical memory; GOMEMLIMIT sets another limit)"; !strings.Contains(e.Error(), want) {
		t.Errorf("%q, want %q", e, want)
	}
}

// TestCatch: a need of memory is an error, also where it comes inside another; what is none goes on.
func TestCatch(t *testing.T) {
	run := func(v any) (out any, err error) {
		defer func() { out = recover() }()
		defer Catch(&err)
		if v != nil {
			panic(v)
		}
		return nil, nil
	}
	need := &Error{What: "x"}
	if out, err := run(fmt.Errorf("in a worker: %w", need)); !errors.Is(err, need) || out != nil {
		t.Errorf("%v, %v", err, out)
	}
	for _, v := range []any{nil, "a fault", errors.New("another")} {
		if out, err := run(v); err != nil || out != v {
			t.Errorf("panic(%v): %v, %v", v, err, out)
		}
	}
}
