// Package report writes what a person reads of a run: one HTML page that loads nothing, the same
// for a terminal, tables for a spreadsheet, and figures for papers.
//
// Everything starts from Data, a plain value with all that a page shows; Load fills it from a run
// directory. WriteHTML, WriteText, WriteCSV, WriteJSON and WriteXLSX turn it into bytes, the same
// bytes for the same Data; Plots draws it. WriteRun puts the page into the run directory, with a folder
// for each design shown in full, which package plan writes. Figures are rounded in one place, package
// number, so that terminal and page never disagree.
package report
