package main

import (
	"fmt"
	"strings"

	"toposearch/catalog"
)

// catalogHelp is catalogText with the failure rates that are assumed.
func catalogHelp() string {
	var b strings.Builder
	b.WriteString(catalogText + "\n\nFailures of one part a year where the list says none, and who counted them:\n\n")
	for _, f := range catalog.Failures() {
		b.WriteString(wrap(fmt.Sprintf("%s %.2g: %s", f.Kind, f.PerYear, f.Source), 80, "  "))
	}
	b.WriteString(wrap("fibre, trace, rack 0: no part that ages, or known to the owner alone", 80, "  "))
	return strings.TrimRight(b.String(), "\n")
}

// catalogText explains price lists to those who get them from suppliers.
const catalogText = `A price list is CSV or XLSX, with a row of column heads among the first 50 rows.
Which column is which is found out from its head, in English, German or French
("P/N", "List price (EUR)", "Lieferzeit in Wochen", "Prix unitaire HT"), also
where two rows are the head ("Price" over "list" and "net"). A column that is
not known is ignored, with a warning, unless it is named (below).

    toposearch catalog import LIST...   what was understood, and --out writes it
    toposearch catalog diff OLD NEW     parts added, gone and changed, prices

part_no         unique; text, since a spreadsheet drops leading zeros
kind            switch, nic, cable (both ends attached), transceiver, fibre,
                trace (of a board), ocs (optical circuit switch),
                scaleup_switch and scaleup_cable (inside scale-up domains: ports
                and rate_gbps of a port; rate_gbps and length_m; counted where
                [endpoints] scaleup of a study names several domains, or with
                [cost] scaleup = true); and around the network accelerator,
                cpu (of a server), rack; without the column, the name of the
                sheet: Switches, Cables, ...
vendor, description, source, note   as they are
form_factor     of a cage, cable or module, QSFP112 or "OSFP to QSFP112"; parts
                are chosen whatever it is, and where one does not fit its cage a
                note of the design says so
rate_gbps       of a port of a switch or nic; of the whole cable or module: 800
                for a twin-port 2 x 400G
lanes           of that rate
ports           of a switch or nic; links that one cable, module or fibre serves
breakouts       of a switch: all modes of all ports, 64x400;128x200; of a cable
                or fibre: 2x400 where it splits one cage into two, from a switch
                to endpoints (between switches each single end would take a
                whole cage). Without it, what serves two links joins the same
                two boxes with both
length_m        of a cable or fibre: the stock length
reach_m         of a transceiver; of a cable, its length if nothing is said
medium          dac-passive, dac-active, aoc, mmf-om3 to -om5, smf-os2, ...
power_w         of a switch at full load; of one module or cable end, of a
                splitter cable of the end in the one cage
power_typ_w     as information
power_split_w   of each split end of a splitter cable; without it they draw
                together as much as the end in the cage, which is within an
                eighth of what makers say of theirs
latency_ns      of a switch; buffer: its packet buffer, "64 MB"
reduction       of a switch that adds what passes it (SHARP): Gb/s of a port;
                all-reduces of step_time go through it on trees
unit_price      empty, "tbd" or "on request": unpriced, never 0
currency        ISO 4217, or in the head of the price, or the sign in its cells;
                several currencies need rates in [cost] of the study, and each
                piece is converted to whole cents
price_breaks    100:195.00;1000:172.50, from that quantity on, in any order; the
                quantity is the total of the part in a design, and parts are
                chosen together at the prices of these totals; more are ordered
                than needed where a later break makes that cheaper, unless only
                the smaller order is in stock
moq, pack       minimum order; pieces of a pack
lead_time       "26 weeks", "180 days", "stock", or a number under a head with
                the unit: Lead time (weeks)
valid_from, valid_until, end_of_life   2026-12-31; held against as_of of the
                study: what is past is a warning, and chosen all the same
stock           pieces ready; an order within it has no lead time, one beyond is
                of another part where procurement.lead_time asks for that
approved        no: not taken
afr             failures of one a year (0.02 or 2%), of any cause that takes it
                out of service; where it is empty what is usual for the kind,
                as listed below; [availability] afr of a study says other rates
                by kind
weight_kg       weight
derived         yes: a price that is not quoted; reports say so

Units may stand in cells ("1.5 kW"), in heads (Length (cm)) or in a row below
the head. CSV may be separated by commas, semicolons, tabs or bars, in UTF-8 or
UTF-16, with any line ends; Western European text that is not is taken for
Windows-1252, with a warning. Other columns, encodings and an uncertain decimal
mark are said in the study, or by flags of catalog import and diff:

    [catalog]
    files = ["list.xlsx"]
    decimal = ","
    encoding = "windows-1252"
    currency = "EUR"
    as_of = 2026-11-01
    [catalog.columns]               # the column, and its head in the list
    unit_price = "Preis netto"      # of two rows, both with a blank between
    power_w = { head = "P max", unit = "kW" }

What is declared comes before what is known, and must stand in one of the lists.
Of a workbook every sheet with such heads is read, but not hidden ones, which
are told; "prices.xlsx#Switches" is one of them, hidden or not. Values of
formulas are those that were stored. Rows of titles, notes and totals are left
out, told once; cells that are merged over rows hold for each of them, but
prices and part numbers must stand by themselves. A part number with a character
that is not seen is refused; in remarks a blank takes its place.

Values that are read, and hardly meant so, are warnings: watts, lengths, rates
and lead times several times what is on sale (a switch of 1,580 kW), prices a
hundred times those of the kind, part numbers that a spreadsheet shortened
(9.80012E+14), prices that expired by as_of.

A file has at most 32 MiB, a list 100,000 rows of 512 cells (2 million in all),
a cell 32,767 bytes; a workbook, which takes far more memory, 250,000 cells and
64 MiB unpacked. Larger lists: keep the rows of the kinds above, as CSV.`
