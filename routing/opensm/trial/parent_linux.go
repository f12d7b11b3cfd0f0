package trial

import (
	"os/exec"
	"syscall"
)

// dieWithParent has the system end a program should this one be killed.
func dieWithParent(c *exec.Cmd) { c.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL} }
