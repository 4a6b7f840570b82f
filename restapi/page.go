package restapi

import (
	"context"
	"sync"

	"github.com/gofiber/fiber/v2"

	"github.com/semlayer/semlayer/restapi/internal/docs"
	"github.com/semlayer/semlayer/restapi/internal/explorer"
	"github.com/semlayer/semlayer/restapi/internal/static"
)

const (
	documentPath = "/openapi.json"
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
	return sendFile(c, f)
}

// document sends the document of the interface, which the first request waits for.
func document(s *Server, c *fiber.Ctx, r route) error {
	prefix := prefixOf(c.Context().Conn())
	work := func(context.Context) (static.File, error) { return s.documents.file(prefix) }
	f, err := within(exchangeOf(c.Context()).ctx, s.config.budget(r), work, func(static.File) {})
	if err != nil {
		return err
	}
	return sendFile(c, f)
}

// documents are the documents of the interface, one for each prefix that the server is
// mounted at. Each is made once.
type documents struct {
	write func(prefix string) (static.File, error)
	made  sync.Map // func() (static.File, error) by prefix
}

func (d *documents) file(prefix string) (static.File, error) {
	held, _ := d.made.LoadOrStore(prefix, sync.OnceValues(func() (static.File, error) { return d.write(prefix) }))
	once, _ := held.(func() (static.File, error))
	return once()
}
