package main

// filesText explains the files of a run to those who order, mount and lay from them.
const filesText = `A run leaves a folder (runs/NAME-001, or --out):

report.html             the report, one file that loads nothing from anywhere
front.json              the front with every figure, bounds and method; its last
                        member, sha256, is that of all bytes before the comma
                        in front of it
journal.jsonl           every design that was evaluated, before any limit; a
                        line ends in "p", the CRC-32C of the line before it, and
                        "c", its own: of all before the comma in front of "c"
journal-N.jsonl         one set aside: of a smaller budget, or damaged; what is
                        whole in it is not computed again
savepoint.bin           while a search runs, what it knows besides its journal,
                        each minute or, where it is large, less often: resume
                        goes on from there. Without it resume ends with the same
                        bytes, and takes longer
manifest.json           program, seed, command and inputs with their SHA-256
inputs/                 copies of what was read
designs/NAME/           for the picks and finalists, at most 20:

bom.csv                 what to order, a line per part
    part_no, kind, vendor, description
    quantity            pieces that the design needs
    order_quantity      the same, rounded up to minimum order and pack, or to
                        a later price break where that costs less
    unit_price, currency  at the price break of the ordered quantity; empty
                        where the price list has no price
    extended_price      unit_price x order_quantity
    lead_time_weeks     0 where all that are ordered are in stock
    used_in             classes of links or switches
    price_derived       yes: continued along a law, not quoted
    valid_until         of the price
    spares              pieces to keep, in no cost: as many as last, at 95 %,
                        until replacements come (failures in the part's lead
                        time, at least two weeks), or the share of the quantity
                        that [procurement] spares asks for
    order_with_spares, extended_price_with_spares  with them
    alternates          the cheapest parts on the list that would do, with what
                        the quantity costs more or less, and their weeks where
                        these differ

racks.csv               what stands where, a line per server or switch
    rack                R03-P07 is place 7 of row 3; B2- before it: building 2
    building, row, place  the same as numbers
    position            boxes of a rack counted from 1 at the bottom; not height
                        units, which price lists do not give
    device              a switch by class and number (leaf-3; ocs-0 is an
                        optical circuit switch), or server. Switches that share
                        a box have a line each, with the same position
    part_no             of a switch
    first_endpoint, last_endpoint  of a server: fewer than it holds
                        where the plan divides it between two racks, which the
                        notes of the design say

cables.csv              what to lay, a line per cable
    cable               number, from 1
    link                class of the link
    from_device, from_rack, from_position, and the same with to_
    from_port, to_port  links of the device, counted from 1
    from_socket, to_socket  the same as on the front of the box: 17 is physical
                        port 17 of a switch, 17/2 the second part of port 17
                        where it is split, 3.1 port 1 of the third endpoint of
                        a server
    laid_m, bought_m    length with rise and slack; stock length of the part
    medium, part_no     of the cable or fibre
    transceiver_part_no  of the modules at its ends; empty for cables that have
                        their own. Modules for two ports serve two lines
    label               for both ends: rack-position:socket > rack-position:
                        socket. No two cables have the same
    colour              of labels or jackets: one for each class of links, in
                        the order of TIA-598
    bundle              the two racks; empty within a rack
    tray                R01/P02-P07: along row 1 from place 2 to 7; P07/R01-R03:
                        across the rows at place 7; B1-B2: to building 2
    install_step        of install.csv

install.csv             what is done in which order, a line for each row or pair
                        of rows: step, work, from, to, what, number, laid_m,
                        colour. Racks, switches, servers, then cables, the
                        longest ways first
order.xlsx              bom.csv with its sum, and the other lists as far as they
                        have at most 10,000 lines, as sheets
growth.csv              where the study has [growth]: what becomes of each cable
                        of the network that runs and of the new one: keep, move
                        one end, move, buy, remove; cables numbered as in
                        cables.csv of either design. Where an end stays, its old
                        name stands in old_from if the new one does in from, in
                        old_to if it does in to
growth_bom.csv          what is bought beside what that network leaves
racks.svg               what stands in each kind of rack, from the bottom up
summary.html            of a run: what a decision rests on, on one page

floor.svg               the floor plan, to scale
network.json            the network, for file: designs and other tools; read
                        again it has the same parts, cables and figures
omitted.txt             which of these files a design is too large for: lists of
                        more than 20 million lines, drawings of more than
                        100,000 racks, or what the memory does not hold

plots/                  with "toposearch report RUN --plots": figures for papers
                        and slides, each as .svg, .pdf and .png (300 dpi)
    front-X-Y           two objectives against each other, the picks named
    front               all pairs of three objectives or more
    simulated-NAME      latency and accepted load over offered load of a
                        finalist, with what was predicted
    progress            designs of the front found over designs evaluated

CSV files are RFC 4180 in UTF-8: commas between cells, a point before decimals,
no thousands separators, texts that a spreadsheet would take for a formula with
a ' before them. A spreadsheet whose locale has decimal commas reads them right
through its import dialogue (separator comma, language English), or take
"toposearch report RUN --format xlsx", where numbers are numbers.`
