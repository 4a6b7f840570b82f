package explorer

import (
	"embed"
	"fmt"

	"github.com/semlayer/semlayer/restapi/internal/static"
)

//go:embed dist
var dist embed.FS

// Files lists the files of the page under the paths that it asks for: the
// document at /, everything else under /explorer/.
func Files() ([]static.File, error) {
	var out []static.File
	for _, f := range []struct{ name, path, contentType string }{
		{"index.html", "/", static.HTML},
		{"app.js.gz", "/explorer/app.js", static.JavaScript},
		{"style.css.gz", "/explorer/style.css", static.Stylesheet},
		{"icon.svg", "/explorer/icon.svg", static.SVG},
		{"LICENSES.txt", "/explorer/LICENSES.txt", static.Text},
	} {
		stored, err := dist.ReadFile("dist/" + f.name)
		if err != nil {
			return nil, fmt.Errorf("the explorer is not embedded: %w", err)
		}
		out = append(out, static.New(f.path, f.contentType, stored))
	}
	return out, nil
}
