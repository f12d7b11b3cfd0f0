package main

import (
	"io"

	"github.com/spf13/cobra"

	"toposearch/catalog"
	"toposearch/diag"
	"toposearch/internal/disk"
)

func (a *app) catalogImportCmd() *cobra.Command {
	var f listFlags
	var out string
	c := &cobra.Command{
		Use:   "import FILE...",
		Short: "Read suppliers' price lists, and say what was understood",
		Long: `Reads price lists, CSV or XLSX, and prints what was understood of each sheet:
the rows of its head, which column is which and in which unit, currencies, rows
that are no parts, and values that are read and doubted. A column under a head
that is not known is named with --column FIELD=HEAD. Prices are held against
--as-of. --out writes what was read as one list with the heads of
toposearch help catalog, which reads as the same parts.

Exit status 2 if there is an error; then nothing is written.`,
		Example: `  toposearch catalog import prices.xlsx --out parts.csv
  toposearch catalog import 'prices.xlsx#Optics' --column 'unit_price=Preis A'
  toposearch catalog import --study study.toml --json`,
		RunE: func(c *cobra.Command, files []string) error {
			own, opt, list, err := f.options()
			if err != nil {
				return err
			}
			if list.HasErrors() {
				return a.refuse(list)
			}
			if len(files) == 0 {
				files = own
			}
			if len(files) == 0 {
				return usagef("name a price list, CSV or XLSX, or a study that names one: --study study.toml")
			}
			doc := importDoc{Schema: "toposearch.catalog-import/1", AsOf: opt.AsOf, Sheets: []catalog.Sheet{}, Diagnostics: diag.List{}}
			opt.Tell = func(s catalog.Sheet) { doc.Sheets = append(doc.Sheets, s) }
			cat, list := catalog.LoadWith(opt, files...)
			doc.Valid, doc.Diagnostics = cat != nil, append(doc.Diagnostics, list...)
			if cat != nil {
				doc.Parts = len(cat.Parts)
				if out != "" {
					if err := disk.Write(out, func(w io.Writer) error { return catalog.WriteCSV(w, cat.Parts) }); err != nil {
						return err
					}
					doc.Out = out
				}
			}
			if a.json {
				err = printJSON(a.out, doc)
			} else {
				a.printImport(&doc)
			}
			if err != nil {
				return err
			}
			if cat == nil {
				return &exitError{exitUsage, nil}
			}
			return nil
		},
	}
	f.add(c)
	c.Flags().StringVarP(&out, "out", "o", "", "CSV file to write, as it was understood")
	return c
}
