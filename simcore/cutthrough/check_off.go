//go:build !simcheck

package cutthrough

// checking is on under the build tag simcheck, as in package simcore.
const checking = false
