// Package foreign writes networks in the formats of other tools: what routes, plots, partitions, simulates, documents or
// plays them. Formats lists them. A Fabric is a network as devices and cables; each format writes it, whole and as it is, or
// refuses with the reason: what a format cannot express (several ports of an endpoint, parallel links, links that go one way,
// rates) is never dropped in silence. Where a format has no place for something that changes no network, such as names, its
// entry in Formats says so. Only graphml, node-link and
// dot say which switches are the forwarding parts of endpoints; in other formats these are switches like others. Package netfile reads back what it can: ibnetdiscover, NetBox, GraphML, anynet, edge lists.
package foreign
