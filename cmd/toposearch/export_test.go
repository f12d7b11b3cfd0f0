package main

// Run is the whole program for the black-box tests of package main_test: one command line, its
// streams, its exit status.
var Run = execute
