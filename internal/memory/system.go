package memory

import (
	"io/fs"
	"math"
	"path"
	"strconv"
	"strings"
)

// system is the least of the limits that the kernel shows below root ("/" but for tests) and of that of
// the address space (0: none).
func system(root fs.FS, space int64) (bytes int64, source string) {
	bytes, source = math.MaxInt64, "no limit known"
	take := func(n int64, what string) {
		if n > 0 && n < bytes {
			bytes, source = n, what
		}
	}
	take(physical(root), "physical memory")
	take(controlGroups(root), "limit of the control group")
	take(space, "limit of the address space, ulimit -v")
	return bytes, source
}

// physical is MemTotal of /proc/meminfo, or 0. What is free at the moment is not asked: results would
// depend on the moment.
func physical(root fs.FS) int64 {
	text, err := fs.ReadFile(root, "proc/meminfo")
	if err != nil {
		return 0
	}
	for line := range strings.Lines(string(text)) {
		if f := strings.Fields(line); len(f) == 3 && f[0] == "MemTotal:" && f[2] == "kB" {
			if n, ok := number(f[1]); ok {
				return n << 10
			}
		}
	}
	return 0
}

// controlGroups is the least limit of the process's control groups and those around them, or 0.
// /proc/self/cgroup names the group: "0::/a/b" in version 2, "4:memory:/a/b" in version 1 (cgroups(7)).
// In a container the names may be those outside it, of which only the root can be seen: every
// group from the named one up to the root is asked, and those that are not there say nothing.
func controlGroups(root fs.FS) (least int64) {
	text, err := fs.ReadFile(root, "proc/self/cgroup")
	if err != nil {
		return 0
	}
	for line := range strings.Lines(string(text)) {
		f := strings.SplitN(strings.TrimSpace(line), ":", 3)
		if len(f) < 3 {
			continue
		}
		mounts, file := []string{"sys/fs/cgroup", "sys/fs/cgroup/unified"}, "memory.max"
		if f[1] != "" {
			mounts, file = []string{"sys/fs/cgroup/memory"}, "memory.limit_in_bytes"
			if f[1] != "memory" {
				continue
			}
		}
		for _, mount := range mounts {
			for group := path.Clean("/" + f[2]); ; group = path.Dir(group) {
				text, err := fs.ReadFile(root, path.Join(mount, group, file))
				if n, ok := number(string(text)); err == nil && ok && (least == 0 || n < least) {
					least = n
				}
				if group == "/" {
					break
				}
			}
		}
	}
	return least
}

// number reads a count of bytes from the text of a file of the kernel; "max" and what else is no
// number is no limit.
func number(text string) (int64, bool) {
	n, err := strconv.ParseInt(strings.TrimSpace(text), 10, 64)
	return n, err == nil && n > 0
}
