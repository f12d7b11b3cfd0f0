package catalog

// foreignHeads are the heads of German and French price lists, as headKey leaves them. Prices with tax ("brutto",
// "TTC") are no unit prices and are left out.
var foreignHeads = map[column][]string{
	colPartNo: {"artikel", "artikel_nummer", "artikelnr", "art_nr", "teilenummer", "teile_nr", "bestellnummer", "bestell_nr", "materialnummer", "material_nr",
		"sachnummer", "hersteller_nr", "herstellernummer", "produktnummer", "ref", "ref_article", "reference_article", "reference_produit",
		"reference_fabricant", "reference_constructeur", "reference_fournisseur", "code_article", "code_produit", "numero_d_article", "numero_article", "n_article", "no_article"},
	colKind:   {"typ", "art", "kategorie", "produktart", "produkttyp", "produktkategorie", "geratetyp", "categorie", "type_de_produit", "type_produit", "famille"},
	colVendor: {"hersteller", "lieferant", "marke", "fabricant", "fournisseur", "marque", "constructeur"},
	colDescription: {"beschreibung", "bezeichnung", "produkt", "produktbezeichnung", "produktname", "artikelbezeichnung", "artikelbeschreibung",
		"designation", "libelle", "produit", "intitule"},
	colFormFactor: {"bauform", "formfaktor", "steckverbinder", "stecker", "connecteur", "facteur_de_forme", "format"},
	colRate: {"datenrate", "geschwindigkeit", "bandbreite", "portgeschwindigkeit", "ubertragungsrate", "portrate", "debit", "vitesse", "bande_passante",
		"debit_par_port", "vitesse_par_port"},
	colLanes:  {"voies"},
	colPorts:  {"anzahl_ports", "portanzahl", "portzahl", "anzahl_der_ports", "nombre_de_ports", "nb_ports", "nb_de_ports", "nbre_de_ports"},
	colLength: {"lange", "kabellange", "leitungslange", "longueur", "longueur_cable", "longueur_du_cable", "longueur_de_cable"},
	colReach:  {"reichweite", "max_reichweite", "maximale_reichweite", "portee", "portee_max", "portee_maximale", "distance_max", "distance_maximale"},
	colMedium: {"kabeltyp", "kabelart", "fasertyp", "faserart", "ubertragungsmedium", "type_de_cable", "type_cable", "type_de_fibre", "type_fibre"},
	colPower: {"leistung", "leistungsaufnahme", "max_leistung", "leistung_max", "leistungsaufnahme_max", "max_leistungsaufnahme", "maximale_leistungsaufnahme",
		"stromverbrauch", "verbrauch", "verlustleistung", "puissance", "puissance_max", "puissance_maximale", "consommation", "consommation_max",
		"consommation_maximale", "consommation_electrique"},
	colPowerTyp: {"typische_leistung", "leistung_typ", "leistung_typisch", "typ_leistung", "leistungsaufnahme_typ", "leistungsaufnahme_typisch",
		"typische_leistungsaufnahme", "puissance_typ", "puissance_typique", "consommation_typ", "consommation_typique"},
	colLatency: {"latenz", "latence"},
	colBuffer:  {"puffer", "paketpuffer", "tampon", "memoire_tampon"},
	colPrice: {"preis_netto", "netto_preis", "nettoeinzelpreis", "netto_einzelpreis", "einzelpreis_netto", "stuckpreis_netto", "preis_pro_stuck", "preis_je_stuck",
		"listenpreis", "preis_liste", "listenpreis_netto", "verkaufspreis", "vk_preis", "ep", "prix", "prix_unitaire", "prix_unitaire_ht", "prix_unitaire_net", "prix_unitaire_net_ht",
		"prix_net", "prix_net_ht", "prix_ht", "prix_public", "prix_public_ht", "prix_liste", "prix_catalogue", "tarif", "tarif_ht", "pu", "pu_ht", "p_u_ht"},
	colCurrency: {"devise", "monnaie", "waehrung"},
	colBreaks:   {"staffelpreis", "staffelpreise", "preisstaffel", "mengenstaffel", "mengenpreise", "prix_degressif", "prix_degressifs", "prix_par_quantite", "paliers"},
	colMOQ: {"mindestbestellmenge", "mindestmenge", "mindestabnahme", "mindestabnahmemenge", "quantite_minimale", "quantite_min", "qte_min", "qte_minimale",
		"quantite_minimale_de_commande", "minimum_de_commande"},
	colPack: {"verpackungseinheit", "vpe", "ve", "packungsgrosse", "gebinde", "conditionnement", "colisage", "unite_de_conditionnement"},
	colLead: {"lieferzeit", "lieferfrist", "liefertermin", "verfugbarkeit", "delai", "delai_de_livraison", "delai_livraison", "delai_d_approvisionnement", "disponibilite"},
	colFrom: {"gultig_ab", "gultig_von", "preis_gultig_ab", "valable_du", "valable_a_partir_du", "valable_des_le", "valide_du", "date_d_effet", "date_de_debut"},
	colUntil: {"gultig_bis", "preis_gultig_bis", "gultigkeit", "preisbindung_bis", "bindefrist", "valable_jusqu_au", "valable_jusqu_a", "valide_jusqu_au", "validite",
		"fin_de_validite", "date_de_fin", "date_d_expiration"},
	colEOL:      {"abkundigung", "abgekundigt", "abgekundigt_zum", "auslauf", "auslaufdatum", "fin_de_vie", "fin_de_commercialisation", "arret_de_commercialisation"},
	colStock:    {"bestand", "lagerbestand", "lagermenge", "verfugbare_menge", "en_stock", "stock_disponible", "quantite_disponible", "qte_en_stock"},
	colApproved: {"freigegeben", "zugelassen", "freigabe", "approuve", "homologue", "valide"},
	colAFR:      {"ausfallrate", "jahrliche_ausfallrate", "taux_de_defaillance", "taux_de_panne", "taux_de_panne_annuel"},
	colWeight:   {"gewicht", "masse", "poids"},
	colSource:   {"quelle", "lien"},
	colNote:     {"bemerkung", "bemerkungen", "anmerkung", "anmerkungen", "hinweis", "hinweise", "notiz", "kommentar", "remarque", "remarques", "commentaire", "commentaires", "observations"},
}

// foreignKinds are German and French words for kinds of parts, in lower case.
var foreignKinds = map[string]string{
	"switche": KindSwitch, "netzwerkswitch": KindSwitch, "netzwerk-switch": KindSwitch, "ethernet-switch": KindSwitch, "infiniband-switch": KindSwitch, "commutateur": KindSwitch, "commutateurs": KindSwitch,
	"netzwerkkarte": KindNIC, "netzwerkkarten": KindNIC, "netzwerkadapter": KindNIC, "carte réseau": KindNIC, "cartes réseau": KindNIC, "adaptateur réseau": KindNIC,
	"kabel": KindCable, "dac-kabel": KindCable, "aoc-kabel": KindCable, "kupferkabel": KindCable, "câble": KindCable, "câbles": KindCable, "câble dac": KindCable, "câble aoc": KindCable, "câble cuivre": KindCable,
	"optik": KindTransceiver, "optiken": KindTransceiver, "modul": KindTransceiver, "module optique": KindTransceiver, "modules optiques": KindTransceiver, "émetteur-récepteur": KindTransceiver, "émetteurs-récepteurs": KindTransceiver,
	"faser": KindFibre, "fasern": KindFibre, "glasfaser": KindFibre, "glasfaserkabel": KindFibre, "lwl": KindFibre, "lwl-kabel": KindFibre, "patchkabel": KindFibre, "fibre optique": KindFibre, "fibres optiques": KindFibre, "jarretière": KindFibre, "jarretières": KindFibre, "jarretière optique": KindFibre,
	"schrank": KindRack, "schränke": KindRack, "baie": KindRack, "baies": KindRack,
	"beschleuniger": KindAccelerator, "accélérateur": KindAccelerator, "accélérateurs": KindAccelerator,
	"prozessor": KindCPU, "prozessoren": KindCPU, "processeur": KindCPU, "processeurs": KindCPU,
}

// foreignUnits are German and French words for the units of lead times, in lower case.
var foreignUnits = map[string]string{"woche": "weeks", "wochen": "weeks", "wo.": "weeks", "tag": "days", "tage": "days", "tagen": "days", "monat": "months", "monate": "months",
	"monaten": "months", "semaine": "weeks", "semaines": "weeks", "sem.": "weeks", "jour": "days", "jours": "days", "mois": "months", "weeks": "weeks", "days": "days", "months": "months"}
