package foreign

import "io"

// File is a file of a format.
type File struct {
	Name  string // "" if it is the only one: it takes any name
	Write func(f *Fabric, out io.Writer, o Times) error
}

// Format is one that networks are written in.
type Format struct {
	Name  string
	Doc   string // what reads it, and what it leaves out
	Files []File
}

// Formats are all formats, by name.
func Formats() []Format {
	one := func(write func(*Fabric, io.Writer) error) []File {
		return []File{{Write: func(f *Fabric, out io.Writer, _ Times) error { return write(f, out) }}}
	}
	timed := func(write func(*Fabric, io.Writer, Times) error) []File { return []File{{Write: write}} }
	netbox := []File{}
	for _, x := range []struct {
		name  string
		write func(*Fabric, io.Writer) error
	}{{"cables.csv", (*Fabric).NetBoxCables}, {"sites.csv", (*Fabric).NetBoxSites}, {"manufacturers.csv", (*Fabric).NetBoxMakers}, {"device-roles.csv", (*Fabric).NetBoxRoles},
		{"device-types.csv", (*Fabric).NetBoxTypes}, {"devices.csv", (*Fabric).NetBoxDevices}, {"interfaces.csv", (*Fabric).NetBoxInterfaces}} {
		netbox = append(netbox, File{x.name, func(f *Fabric, out io.Writer, _ Times) error { return x.write(f, out) }})
	}
	return []Format{
		{"anynet", "BookSim2's topology anynet; no names, no rates", one((*Fabric).Anynet)},
		{"astra-sim", "ASTRA-sim, analytical; products of rings and full meshes", timed((*Fabric).AstraSim)},
		{"containerlab", "containers and virtual cables; no rates", one((*Fabric).Containerlab)},
		{"csv", "edge list with ports and rates, read by file:", one((*Fabric).CSV)},
		{"dot", "graphviz", one((*Fabric).DOT)},
		{"edges", "Graph Golf's edge list of switches; no names, no rates", one((*Fabric).Edges)},
		{"graphml", "networkx, Gephi, yEd and others", one((*Fabric).GraphML)},
		{"htsim", "htsim's .topo; fat trees of two or three tiers", timed((*Fabric).HTSim)},
		{"ibnetdiscover", "InfiniBand's discovery, ibsim", one((*Fabric).IBNet)},
		{"metis", "gpmetis; rates as weights, no names", one((*Fabric).METIS)},
		{"netbox", "NetBox's import forms: devices, interfaces, cables; a folder", netbox},
		{"node-link", "JSON of networkx: node_link_graph(data, edges=\"links\")", one((*Fabric).NodeLink)},
		{"simai", "SimAI's ns-3 backend; endpoints that do not forward", timed((*Fabric).SimAI)},
	}
}
