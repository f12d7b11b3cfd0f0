package report

import "embed"

// The page's parts. ECharts 6.1.0 (Apache-2.0) is the file of the npm package, unchanged; see
// assets/echarts/SOURCE.md.
//
//go:embed assets/*.html assets/*.css assets/*.js assets/echarts/echarts.min.js
var assets embed.FS

// echartsSHA256 is the hash of assets/echarts/echarts.min.js as published; a test compares.
const echartsSHA256 = "b66b25aeb4df84e33199dc21694014d336d222cbd9deb0e5a7c14bd6aa0d0fd0"

// scripts in the order in which the page runs them.
var scripts = []string{"echarts/echarts.min.js", "where.js", "model.js", "charts.js", "table.js"}

// liveScript stands before the others on a page that is served: its buttons work while these are loaded.
const liveScript = "live.js"

func asset(name string) string {
	b, err := assets.ReadFile("assets/" + name)
	if err != nil {
		panic("report: " + err.Error()) // it is embedded
	}
	return string(b)
}
