package tooltest

import (
	"context"
	"os"
	"os/exec"
	"syscall"
	"testing"
	"time"
)

// Chromium is a command of headless Chromium with a new profile, or the end of the test where there is none. When the context or the test
// ends, all its processes are killed; they write into the profile until then, so that it is removed once they are gone, with patience.
func Chromium(t testing.TB, ctx context.Context, args ...string) *exec.Cmd {
	t.Helper()
	bin := Need(t, "chromium")
	profile, err := os.MkdirTemp("", "chromium-")
	if err != nil {
		t.Fatal(err)
	}
	c := exec.CommandContext(ctx, bin, append([]string{"--headless=new", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
		"--disable-background-networking", "--disable-component-update", "--disable-sync", "--user-data-dir=" + profile, "--window-size=1280,1600"}, args...)...)
	c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	kill := func() error { return syscall.Kill(-c.Process.Pid, syscall.SIGKILL) }
	c.Cancel = kill
	c.WaitDelay = 10 * time.Second // those that left the group may hold the output open
	t.Cleanup(func() {
		if c.Process != nil {
			kill()
			if c.ProcessState == nil {
				c.Wait()
			}
		}
		for range 100 { // ten seconds: killed processes are gone within one
			if err = os.RemoveAll(profile); err == nil {
				return
			}
			time.Sleep(100 * time.Millisecond)
		}
		t.Logf("left behind: %v", err)
	})
	return c
}
