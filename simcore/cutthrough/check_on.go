//go:build simcheck

package cutthrough

const checking = true
