// Package report writes what a person reads of a run: one HTML page that loads nothing, the same
// for a terminal, tables for a spreadsheet, and for a design the files that it is bought and
// wired from.
//
// Everything starts from Data, a plain value with all that a page shows; Load fills it from a run
// directory. WriteHTML, WriteText, WriteCSV, WriteJSON and WriteXLSX turn it into bytes, the same
// bytes for the same Data. WriteDesign writes the folder of one design. Figures are rounded in one
// place (number.go), so that terminal and page never disagree.
package report
