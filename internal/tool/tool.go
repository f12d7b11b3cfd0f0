// Package tool finds the foreign programs that results are compared with: graphviz, gpmetis, ibsim, OpenSM, Chromium.
package tool

import (
	"fmt"
	"os/exec"
	"path/filepath"
)

// packages are Debian's, by program; .ci/tools installs them.
var packages = map[string]string{
	"chromium": "chromium", "dot": "graphviz", "gc": "graphviz", "gvpr": "graphviz", "gpmetis": "metis", "graphchk": "metis", "ibsim": "ibsim-utils", "opensm": "opensm",
	"ibnetdiscover": "infiniband-diags", "ibdmchk": "ibutils",
}

// Package is Debian's package of a program, "" if none is known.
func Package(name string) string { return packages[name] }

// Find gives the path of a program, also of those that live where only root looks.
func Find(name string) (string, error) {
	if path, err := exec.LookPath(name); err == nil {
		return path, nil
	}
	for _, dir := range []string{"/usr/sbin", "/sbin"} {
		if path, err := exec.LookPath(filepath.Join(dir, name)); err == nil {
			return path, nil
		}
	}
	return "", fmt.Errorf("there is no %s; apt-get install %s", name, packages[name])
}
