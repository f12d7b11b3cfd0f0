//go:build !simcheck

package simcore

const checking = false
