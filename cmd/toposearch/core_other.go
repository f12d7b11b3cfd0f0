//go:build !unix

package main

func noCoreFile() {} // an abort writes none
