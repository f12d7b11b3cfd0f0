package main

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"

	"toposearch/evaluator"
)

// version is set by release builds with -X main.version=...; otherwise the build information says.
var version string

// development is a build without a version or a revision, such as go run makes.
const development = "development build"

// programVersion says what is known of this build, honestly.
func programVersion() string {
	if version != "" {
		return version
	}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return development
	}
	v := info.Main.Version
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" {
			v += " " + s.Value
		}
		if s.Key == "vcs.modified" && s.Value == "true" {
			v += " modified"
		}
	}
	if v == "" || v == "(devel)" {
		return development
	}
	return v
}

func (a *app) versionCmd() *cobra.Command {
	return &cobra.Command{
		Use: "version", Short: "Version, evaluator version, Go and platform", Args: cobra.NoArgs,
		Example: "  toposearch version --json",
		RunE: func(*cobra.Command, []string) error {
			if a.json {
				return printJSON(a.out, map[string]string{"schema": "toposearch.version/1", "version": programVersion(),
					"evaluator": evaluator.Version, "go": runtime.Version(), "platform": runtime.GOOS + "/" + runtime.GOARCH})
			}
			fmt.Fprintf(a.out, "toposearch %s, evaluator %s, %s %s/%s\n", programVersion(), evaluator.Version, runtime.Version(), runtime.GOOS, runtime.GOARCH)
			return nil
		},
	}
}
