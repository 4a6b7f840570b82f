package restapi

import (
	"strings"

	"github.com/gofiber/fiber/v2"

	"github.com/semlayer/semlayer/restapi/internal/docs"
	"github.com/semlayer/semlayer/restapi/internal/explorer"
	"github.com/semlayer/semlayer/restapi/internal/static"
)

const (
	docsPath     = "/docs"
	explorerPath = "/"
)

// pages are the routes of what the pages load, and the explorer. They are no part
// of the interface, and so not in its table; the page at /docs itself is.
func pages(files map[string]static.File) []route {
	out := []route{{method: fiber.MethodGet, path: docsPath + "/", open: true, handle: page}}
	for path := range files {
		if path != docsPath {
			out = append(out, route{method: fiber.MethodGet, path: path, open: true, handle: page})
		}
	}
	return out
}

// pageFiles are the files of the pages by their paths.
func pageFiles(c Config) (map[string]static.File, error) {
	files, err := docs.Files()
	if err != nil {
		return nil, err
	}
	if !c.NoExplorer {
		more, err := explorer.Files()
		if err != nil {
			return nil, err
		}
		files = append(files, more...)
	}
	out := map[string]static.File{}
	for _, f := range files {
		out[f.Path] = f
	}
	return out, nil
}

// page sends a file of a page, compressed where the client takes that.
func page(s *Server, c *fiber.Ctx, r route) error {
	if c.Path() == docsPath+"/" {
		// What the page loads it names relative to its own path.
		return c.Redirect(".."+docsPath, fiber.StatusPermanentRedirect)
	}
	f := s.files[r.path]
	if r.path == explorerPath {
		c.Vary(headerFetchSite)
		if openedElsewhere(c) {
			f = s.held
		}
	}
	h := &c.Response().Header
	h.Set(fiber.HeaderContentSecurityPolicy, static.Policy)
	h.Set(fiber.HeaderReferrerPolicy, "no-referrer")
	h.Set("Cross-Origin-Opener-Policy", "same-origin") // who opened the page cannot change its address
	h.Set(fiber.HeaderCacheControl, "no-cache")        // to be kept, and asked about
	etag, packed := f.ETag, false
	if f.Compressible() {
		c.Vary(fiber.HeaderAcceptEncoding)
		if packed = takesGzip(c); packed {
			etag = f.PackedETag
		}
	}
	if unchanged(c, etag) {
		return nil
	}
	h.SetContentType(f.ContentType)
	if packed {
		h.Set(fiber.HeaderContentEncoding, "gzip")
		c.Response().SetBodyRaw(f.Packed())
		return nil
	}
	content, err := f.Plain()
	if err != nil {
		return err
	}
	c.Response().SetBodyRaw(content)
	return nil
}

// takesGzip reports whether a client says that it can unpack gzip.
func takesGzip(c *fiber.Ctx) bool {
	for part := range strings.SplitSeq(c.Get(fiber.HeaderAcceptEncoding), ",") {
		coding, parameters, _ := strings.Cut(part, ";")
		if strings.EqualFold(strings.TrimSpace(coding), "gzip") && quality(parameters) > 0 {
			return true
		}
	}
	return false
}
