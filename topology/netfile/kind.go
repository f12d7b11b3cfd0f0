package netfile

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"toposearch/topology"
)

// Formats of cables say what a device is beside its name by words: endpoint, or what follows here, and the name of its class of
// switches; and of a cable its class and medium. Graphs whose cables say none of it have the classes that follow from where endpoints hang.
const (
	kindEndpoint = "endpoint"
	kindSwitch   = "switch"
	sharesBox    = "shares_box=" // behind it, how many in order may share boxes
)

// kindWord is a word of a switch, with the flag that it sets.
type kindWord struct {
	word string
	flag func(*topology.SwitchClass) *bool
}

var kindWords = []kindWord{
	{"embedded", func(c *topology.SwitchClass) *bool { return &c.Embedded }},
	{"relay", func(c *topology.SwitchClass) *bool { return &c.Relay }},
	{"on_chip", func(c *topology.SwitchClass) *bool { return &c.OnChip }},
	{"stands_in", func(c *topology.SwitchClass) *bool { return &c.StandsIn }},
}

// Kind is the words of a switch of a class, of which so many in order may share boxes: "switch", or
// "embedded on_chip" of a forwarding part whose ports are on the chip.
func Kind(c *topology.SwitchClass, together int64) string {
	var words []string
	for _, k := range kindWords {
		if *k.flag(c) {
			words = append(words, k.word)
		}
	}
	if c.SharesBox {
		words = append(words, sharesBox+strconv.FormatInt(max(together, 1), 10))
	}
	if len(words) == 0 {
		return kindSwitch
	}
	return strings.Join(words, " ")
}

// setKind reads the words of a kind into a device; without any its name decides.
func (d *device) setKind(words string) error {
	d.endpoint = IsEndpoint(d.shown())
	if words == kindEndpoint || words == "" {
		d.endpoint = d.endpoint || words != ""
		return nil
	}
	d.endpoint = false
	for _, w := range strings.Fields(words) {
		n, shares := strings.CutPrefix(w, sharesBox)
		i := slices.IndexFunc(kindWords, func(k kindWord) bool { return k.word == w })
		switch {
		case i >= 0:
			*kindWords[i].flag(&d.flags) = true
		case shares:
			k, err := strconv.Atoi(n)
			if err != nil || k < 1 || k > maxSwitches {
				return fmt.Errorf("%s is no number of switches that share boxes", strconv.Quote(n))
			}
			d.flags.SharesBox, d.together = true, int64(k)
		case w != kindSwitch:
			return fmt.Errorf("%s is no kind of device; there are endpoint, switch, and of switches embedded, relay, on_chip, stands_in and %sN", strconv.Quote(w), sharesBox)
		}
	}
	if (d.flags.Relay || d.flags.OnChip || d.flags.StandsIn) && !d.flags.Embedded {
		return fmt.Errorf("what relays, is on a chip or stands in is embedded, too: %s", strconv.Quote(words))
	}
	return nil
}

// Medium says what links of a class are made of: "board" of traces, "pcb" or "backplane" where that is known, "ocs/16/1" of cables over
// optical circuit switches in 16 groups, which classes of the same number, 1, share; "" if nothing is known.
func Medium(class int, place *topology.Placement, media []topology.LinkMedium) string {
	var words []string
	if place != nil && slices.Contains(place.Boards, class) {
		words = append(words, mediumBoard)
	}
	for i, m := range media {
		switch {
		case !slices.Contains(m.Classes, class):
		case m.Groups > 0:
			words = append(words, fmt.Sprintf("%s/%d/%d", m.Medium, m.Groups, i+1))
		default:
			words = append(words, m.Medium)
		}
	}
	return strings.Join(words, " ")
}

const mediumBoard = "board"

var mediumWord = regexp.MustCompile(`^(?:(pcb|backplane)|(ocs)/([1-9]\d{0,6})/([1-9]))$`)
