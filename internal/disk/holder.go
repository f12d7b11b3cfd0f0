package disk

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
)

// Holder is the process that holds the lock of a file, as the system tells (Linux: /proc/locks, proc(5)); ok is false if nobody does,
// or where it cannot be told: on other systems, of processes of other machines, and of those of others that may not be looked into.
func Holder(path string) (pid int, ok bool) {
	info, err := os.Stat(path)
	if err != nil {
		return 0, false
	}
	st, isUnix := info.Sys().(*syscall.Stat_t)
	list, err := os.ReadFile("/proc/locks")
	if err != nil || !isUnix {
		return 0, false
	}
	// 1: FLOCK  ADVISORY  WRITE 4711 08:01:131 0 EOF; numbers of devices are not those of stat on every file system, so that the file
	// is looked for among those that the process has open.
	tail := fmt.Sprintf(":%d", st.Ino)
	for line := range strings.Lines(string(list)) {
		f := strings.Fields(line)
		if len(f) < 6 || f[1] != "FLOCK" || !strings.HasSuffix(f[5], tail) {
			continue
		}
		if pid, err := strconv.Atoi(f[4]); err == nil && pid > 0 && hasOpen(pid, info) {
			return pid, true
		}
	}
	return 0, false
}

// hasOpen reports whether a process has a file open.
func hasOpen(pid int, file os.FileInfo) bool {
	open, err := filepath.Glob(fmt.Sprintf("/proc/%d/fd/*", pid))
	if err != nil {
		return false
	}
	for _, fd := range open {
		if info, err := os.Stat(fd); err == nil && os.SameFile(info, file) {
			return true
		}
	}
	return false
}
