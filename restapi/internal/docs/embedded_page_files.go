package docs

import (
	"embed"

	"github.com/semlayer/semlayer/restapi/internal/static"
)

//go:embed page.html page.css page.js swagger-ui/*
var embeddedFiles embed.FS

// Files lists the files, the page first.
func Files() ([]static.File, error) {
	var out []static.File
	for _, f := range []struct{ name, path, contentType string }{
		{"page.html", "/docs", static.TypeHTML},
		{"page.css", "/docs/page.css", static.TypeCSS},
		{"page.js", "/docs/page.js", static.TypeJavaScript},
		{"swagger-ui/swagger-ui.css.gz", "/docs/swagger-ui.css", static.TypeCSS},
		{"swagger-ui/swagger-ui-bundle.js.gz", "/docs/swagger-ui-bundle.js", static.TypeJavaScript},
		{"swagger-ui/swagger-ui-bundle.js.LICENSE.txt", "/docs/swagger-ui-bundle.js.LICENSE.txt", static.TypeText},
		{"swagger-ui/LICENSE", "/docs/LICENSE", static.TypeText},
		{"swagger-ui/NOTICE", "/docs/NOTICE", static.TypeText},
	} {
		content, err := embeddedFiles.ReadFile(f.name)
		if err != nil {
			return nil, err
		}
		out = append(out, static.NewFile(f.path, f.contentType, content))
	}
	return out, nil
}
