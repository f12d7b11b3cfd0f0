package searchtest

import (
	"fmt"
	"hash/crc32"
	"regexp"
	"strings"
)

var sealed = regexp.MustCompile(`(?m),"p":"[0-9a-f]{8}","c":"[0-9a-f]{8}"\}$`)

// Bare is a journal without the checksums of its lines.
func Bare(journal string) string { return sealed.ReplaceAllString(journal, "}") }

// Resealed gives every line of a journal the checksums that it would have been written with: of the line
// before, then its own. It is the plain twin of what package run writes.
func Resealed(journal string) string {
	var out strings.Builder
	sum := uint32(0)
	for line := range strings.Lines(Bare(journal)) {
		line = fmt.Sprintf(`%s,"p":"%08x"`, strings.TrimSuffix(line, "}\n"), sum)
		sum = crc32.Checksum([]byte(line), crc32.MakeTable(crc32.Castagnoli))
		fmt.Fprintf(&out, "%s,\"c\":\"%08x\"}\n", line, sum)
	}
	return out.String()
}
