// Package survey says what a family of topologies is like: the rules that join its parameters, a small instance
// that shows it and the drawing of that, how much uniform traffic the links of a size can carry at most, and values
// drawn at random.
package survey
