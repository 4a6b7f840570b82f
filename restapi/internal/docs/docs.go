package docs

import (
	"embed"

	"github.com/semlayer/semlayer/restapi/internal/static"
)

//go:embed page.html page.css page.js swagger-ui/*
var stored embed.FS

// Files lists the files, the page first.
func Files() ([]static.File, error) {
	var out []static.File
	for _, f := range []struct{ name, path, contentType string }{
		{"page.html", "/docs", static.HTML},
		{"page.css", "/docs/page.css", static.Stylesheet},
		{"page.js", "/docs/page.js", static.JavaScript},
		{"swagger-ui/swagger-ui.css.gz", "/docs/swagger-ui.css", static.Stylesheet},
		{"swagger-ui/swagger-ui-bundle.js.gz", "/docs/swagger-ui-bundle.js", static.JavaScript},
		{"swagger-ui/swagger-ui-bundle.js.LICENSE.txt", "/docs/swagger-ui-bundle.js.LICENSE.txt", static.Text},
		{"swagger-ui/LICENSE", "/docs/LICENSE", static.Text},
		{"swagger-ui/NOTICE", "/docs/NOTICE", static.Text},
	} {
		content, err := stored.ReadFile(f.name)
		if err != nil {
			return nil, err
		}
		out = append(out, static.New(f.path, f.contentType, content))
	}
	return out, nil
}
