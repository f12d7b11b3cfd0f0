// Package script makes scripts of collectives for the simulators: of several groups, of jobs, beside and after each other.
package script
