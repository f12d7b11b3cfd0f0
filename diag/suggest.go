package diag

import (
	"fmt"
	"strings"
)

// maxListed is how many names are listed where none is near.
const maxListed = 12

// Suggest is the remedy for a name that does not exist: `did you mean "x"?` for the nearest of
// names within two edits, by prefix or by word, the names themselves if they are few, else "". Ties go to
// the first.
func Suggest(got string, names []string) string {
	if n := Nearest(got, names); n != "" {
		return fmt.Sprintf("did you mean %q?", n)
	}
	if len(names) > 0 && len(names) <= maxListed {
		return "one of " + strings.Join(names, ", ")
	}
	return ""
}

// Nearest is the name within two edits of got, or that begins with it or has it among its words, case aside; "" if there is
// none. Names of one or two letters are near only if they differ in case: two edits make any of
// them any other.
func Nearest(got string, names []string) string {
	low := strings.ToLower(got)
	best, least := "", 3
	for _, n := range names {
		name := strings.ToLower(n)
		d := edits(low, name)
		part := len(low) > 2 && (strings.HasPrefix(name, low) || strings.Contains("_"+name+"_", "_"+low+"_"))
		if part {
			d = min(d, 2)
		}
		if d == 2 && len(low) == 3 && !part {
			continue // "foo" is not "oft"
		}
		if d < least && (d == 0 || len(low) > 2 && d < len(n)) {
			best, least = n, d
		}
	}
	return best
}

// edits is the number of insertions, deletions, replacements and swaps of neighbours that turn a
// into b (optimal string alignment).
func edits(a, b string) int {
	if len(a) > len(b)+2 || len(b) > len(a)+2 {
		return 3 // far enough
	}
	before, last, row := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range last {
		last[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row[0] = i
		for j := 1; j <= len(b); j++ {
			replace := last[j-1]
			if a[i-1] != b[j-1] {
				replace++
			}
			row[j] = min(last[j]+1, row[j-1]+1, replace)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, last, row = last, row, before
	}
	return last[len(b)]
}

// Hint is Suggest as the end of a sentence: it begins with "; ", or is empty.
func Hint(got string, names []string) string {
	if s := Suggest(got, names); s != "" {
		return "; " + s
	}
	return ""
}
