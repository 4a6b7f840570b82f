package explorer

import (
	"bytes"
	"embed"
	"errors"
	"fmt"
	"html"
	"strings"

	"github.com/semlayer/semlayer/restapi/internal/static"
)

//go:embed dist
var embeddedFiles embed.FS

// The tag that begins the page, and what it becomes where a link of another site has
// opened the page: the page then asks before it sends the query of its address.
const (
	htmlOpeningTag                 = `<html lang="en">`
	htmlOpeningTagForCrossSiteLink = `<html lang="en" data-opened="elsewhere">`
	// embedOriginsAttribute has the origins whose pages may have the page in a frame and hand it a token.
	embedOriginsAttribute = ` data-embed-origins="`
)

// PageForCrossSiteLink returns the page as a link of another site opens it.
func PageForCrossSiteLink(embedOrigins []string) (static.File, error) {
	page, err := embeddedFiles.ReadFile("dist/index.html")
	if err != nil {
		return static.File{}, fmt.Errorf("the explorer is not embedded: %w", err)
	}
	held := bytes.Replace(page, []byte(htmlOpeningTag), []byte(htmlOpeningTagForCrossSiteLink), 1)
	if bytes.Equal(held, page) {
		return static.File{}, errors.New("the page of the explorer does not begin with " + htmlOpeningTag)
	}
	return static.NewFile("/", static.TypeHTML, withEmbedOrigins(held, embedOrigins)), nil
}

// withEmbedOrigins writes the origins into the tag that begins the page.
func withEmbedOrigins(page []byte, origins []string) []byte {
	if len(origins) == 0 {
		return page
	}
	begin := []byte("<html")
	return bytes.Replace(page, begin, append(begin, embedOriginsAttribute+html.EscapeString(strings.Join(origins, " "))+`"`...), 1)
}

// Files lists the files of the page under the paths that it requests: the
// document at /, everything else under /explorer/.
func Files(embedOrigins []string) ([]static.File, error) {
	var out []static.File
	for _, f := range []struct{ name, path, contentType string }{
		{"index.html", "/", static.TypeHTML},
		{"app.js.gz", "/explorer/app.js", static.TypeJavaScript},
		{"style.css.gz", "/explorer/style.css", static.TypeCSS},
		{"icon.svg", "/explorer/icon.svg", static.TypeSVG},
		{"LICENSES.txt", "/explorer/LICENSES.txt", static.TypeText},
	} {
		stored, err := embeddedFiles.ReadFile("dist/" + f.name)
		if err != nil {
			return nil, fmt.Errorf("the explorer is not embedded: %w", err)
		}
		if f.path == "/" {
			stored = withEmbedOrigins(stored, embedOrigins)
		}
		out = append(out, static.NewFile(f.path, f.contentType, stored))
	}
	return out, nil
}
