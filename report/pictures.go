package report

import (
	"context"
	"errors"
	"fmt"

	"toposearch/evaluator"
	"toposearch/report/picture"
	"toposearch/topology"
)

// Picture is a drawing of a design as SVG without a style: the page has draw.Rules.
type Picture struct {
	Title, About string
	SVG          string
}

// pictureKinds are those of a page, which has a floor plan besides.
var pictureKinds = []struct{ kind, title, about string }{
	{picture.Network, "Network", "Switches by class, in blocks where the construction has them; a number in a circle is a bundle of links, listed below."},
	{picture.Graph, "All switches and links", ""},
	{picture.Heat, "Load of the links", ""},
	{picture.Racks, "Elevations of the racks", ""},
	{picture.Cables, "Cables in their trays", "Every cable along the row of the rack with the lower number, then across: the way that its length assumes."},
}

// mostPicture bounds the bytes of a picture on a page, on which there may be twenty of a kind; export writes larger ones.
const mostPicture = 60_000

// pictureNs bounds, by the cost model, what loads of links may take for a page.
const pictureNs = 1e8

// pictures draws a design. Why one is missing that it should have is a note.
func pictures(ctx context.Context, ev *evaluator.Evaluator, d topology.Design, p *evaluator.Plan) (out []Picture, notes []string, err error) {
	src := picture.Of(ev, d, p, pictureNs)
	for _, k := range pictureKinds {
		svg, err := picture.Draw(ctx, k.kind, src, true)
		switch {
		case ctx.Err() != nil:
			return nil, nil, ctx.Err()
		case errors.Is(err, picture.ErrNone):
		case err != nil:
			notes = append(notes, fmt.Sprintf("there is no picture %q: %v", k.kind, err))
		case len(svg) <= mostPicture:
			out = append(out, Picture{k.title, k.about, svg})
		}
	}
	return out, notes, nil
}
