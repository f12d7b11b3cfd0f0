package foreign

import (
	"bufio"
	"fmt"
	"io"
	"strings"
)

// mostNodes of containerlab: beyond a few thousand containers no machine plays the network.
const mostNodes = 4096

// Containerlab writes a topology of containerlab: a container for each device, a virtual cable for each link. Switches and endpoints
// are Linux containers, to be given the kinds and images of one's own.
func (f *Fabric) Containerlab(out io.Writer) error {
	const format = "containerlab"
	if err := f.bothWays(format); err != nil {
		return err
	}
	if f.devices() > mostNodes {
		return f.refusal(format, "it has %d devices, each a container; at most %d are written", f.devices(), mostNodes)
	}
	w := bufio.NewWriter(out)
	fmt.Fprintf(w, "# %s\nname: %s\ntopology:\n  kinds:\n    linux:\n      image: alpine:latest\n  nodes:\n", f.n.Design, strings.ToLower(plain(f.n.Design)))
	for d := range f.devices() {
		group := "endpoint"
		if !f.isEndpoint(d) {
			group = f.class(d).Name
		}
		fmt.Fprintf(w, "    %s: {kind: linux, group: %q}\n", f.name(d), group)
	}
	fmt.Fprintln(w, "  links:")
	err := f.cables(func(c cable) error { // eth0 is the container's own
		_, err := fmt.Fprintf(w, "    - endpoints: [\"%s:eth%d\", \"%s:eth%d\"]\n", f.name(c.a), c.portA, f.name(c.b), c.portB)
		return err
	})
	return first(err, w.Flush())
}
