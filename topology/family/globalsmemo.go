package family

import "toposearch/internal/memo"

// globalsKey names links between groups of switches with h global ports each, whatever endpoints these have.
type globalsKey struct {
	globals
	ports int
}

// globalsKept is what is kept of them: of 16,384 endpoints a search asks for 8,000 and three times for each, 100 bytes.
const globalsKept = 1 << 14

var (
	dragonflyWalked = &memo.Memo[globalsKey, lglWalk]{Places: globalsKept}
	dragonflyNear   = &memo.Memo[globalsKey, lglNear]{Places: globalsKept}
)
