package report

import (
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"html/template"
	"io"
	"strings"
	"sync"

	"toposearch/diag"
	"toposearch/report/draw"
)

var pageTemplate = sync.OnceValue(func() *template.Template {
	return template.Must(template.New("page.html").Funcs(template.FuncMap{"breakable": breakable}).ParseFS(assets, "assets/*.html"))
})

// breakable lets the name of a design wrap after its commas.
func breakable(name string) template.HTML {
	return template.HTML(strings.ReplaceAll(template.HTMLEscapeString(draw.Clean(name)), ",", ",<wbr>"))
}

// WriteHTML writes the report as one page that loads nothing from anywhere: styles, scripts and
// data are inside it, and its content security policy forbids the rest. Without scripts, and on
// paper, it shows the same figures with static charts.
func WriteHTML(w io.Writer, d *Data) error { return newPage(d, nil).write(w, "page.html") }

// newPage prepares the page of a run; live is nil unless somebody serves it.
func newPage(d *Data, live *Live) *page {
	d, picks := thinned(d, Picks(d), mostOnPage)
	p := &page{Data: d, Live: live, Style: template.CSS(asset("app.css") + draw.Rules), picks: picks, styles: newStyles(d), detailOf: map[int]string{}}
	p.policy()
	if p.SoFar() { // families keep their colours while the front grows
		p.styles = append(styles(nil), d.Families...)
	}
	for i, det := range d.Details {
		p.detailOf[det.Point] = fmt.Sprintf("d-%d", i+1)
	}
	p.head()
	p.cards()
	p.incumbents()
	p.front()
	p.details()
	p.sensitivity()
	p.rejected()
	p.run()
	if live != nil {
		p.live()
	}
	return p
}

// policy puts the scripts in place, and allows them and nothing else. A page that is served loads ECharts, which is most of it,
// by its address, so that browsers keep it, and gets what is new from where it came.
func (p *page) policy() {
	var hashes []string
	for i, name := range scripts {
		s := asset(name)
		sum := sha256.Sum256([]byte(s))
		hash := "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
		hashes = append(hashes, "'"+hash+"'")
		if i == 0 && p.Live != nil {
			p.EChartsHash = hash
			continue
		}
		p.Scripts = append(p.Scripts, template.JS(s))
	}
	connect := ""
	if p.Live != nil {
		s := asset(liveScript)
		sum := sha256.Sum256([]byte(s))
		hashes = append(hashes, "'sha256-"+base64.StdEncoding.EncodeToString(sum[:])+"'")
		p.LiveScript, connect = template.JS(s), "; connect-src 'self'"
	}
	p.CSP = "default-src 'none'; script-src " + strings.Join(hashes, " ") +
		"; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'" + connect
}

// EChartsPath is where a served page loads ECharts from, and ECharts is what it loads.
const EChartsPath = "/assets/echarts-6.1.0.min.js"

// ECharts is the script at EChartsPath.
func ECharts() string { return asset(scripts[0]) }

func (p *page) write(w io.Writer, form string) error {
	js, err := payload(p)
	if err != nil {
		return fmt.Errorf("report: %w", err)
	}
	p.JSON = template.JS(js)
	var text strings.Builder
	if err := pageTemplate().ExecuteTemplate(&text, form, p); err != nil {
		return fmt.Errorf("report: cannot make the page: %w", err)
	}
	// No name turns the direction of writing around, or has characters that are not seen. The page and its
	// scripts hold none of their own.
	if _, err := io.WriteString(w, diag.Visible(text.String())); err != nil {
		return fmt.Errorf("report: cannot write the page: %w", err)
	}
	return nil
}
