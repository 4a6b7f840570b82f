package restapi

import (
	"context"
	"sync"

	"github.com/gofiber/fiber/v2"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/restapi/internal/docs"
	"github.com/semlayer/semlayer/restapi/internal/explorer"
	"github.com/semlayer/semlayer/restapi/internal/static"
)

const (
	documentPath = "/openapi.json"
	docsPath     = "/docs"
	schemaPath   = "/schema/model.json"
	explorerPath = "/"
)

// staticRoutes returns the routes of the explorer and of the files that the pages load.
// They are not part of the interface, and so not in its table; the page at /docs and the
// schema of model files are.
func staticRoutes(files map[string]static.File) []route {
	out := []route{{method: fiber.MethodGet, path: docsPath + "/", public: true, handle: serveStatic}}
	for path := range files {
		if path != docsPath && path != schemaPath {
			out = append(out, route{method: fiber.MethodGet, path: path, public: true, handle: serveStatic})
		}
	}
	return out
}

// staticFiles are the files of the pages by their paths.
func staticFiles(c Config) (map[string]static.File, error) {
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
	schema, err := engine.Schema(engine.SchemaModel)
	if err != nil {
		return nil, err
	}
	files = append(files, static.New(schemaPath, fiber.MIMEApplicationJSON, schema))
	out := map[string]static.File{}
	for _, f := range files {
		out[f.Path] = f
	}
	return out, nil
}

// serveStatic sends a file of a page, compressed where the client takes that.
func serveStatic(s *Server, c *fiber.Ctx, r route) error {
	if c.Path() == docsPath+"/" {
		// What the page loads it names relative to its own path.
		return c.Redirect(".."+docsPath, fiber.StatusPermanentRedirect)
	}
	f := s.files[r.path]
	if r.path == explorerPath {
		c.Vary(headerFetchSite)
		if openedFromOtherSite(c) {
			f = s.guardedExplorer
		}
	}
	h := &c.Response().Header
	h.Set(fiber.HeaderContentSecurityPolicy, static.Policy)
	h.Set(fiber.HeaderReferrerPolicy, "no-referrer")
	h.Set("Cross-Origin-Opener-Policy", "same-origin") // who opened the page cannot change its address
	h.Set(fiber.HeaderCacheControl, "no-cache")        // to be kept, and asked about
	return sendFile(c, f)
}

// serveSchema sends the schema of model files. It holds nothing of the model that is served.
func serveSchema(s *Server, c *fiber.Ctx, r route) error { return sendFile(c, s.files[r.path]) }

// serveDocument sends the document of the interface, which the first request waits for.
func serveDocument(s *Server, c *fiber.Ctx, r route) error {
	prefix := prefixOf(c.Context().Conn())
	work := func(context.Context) (static.File, error) { return s.documents.file(prefix) }
	f, err := runWithin(requestRecordOf(c.Context()).ctx, s.config.budget(r), work, func(static.File) {})
	if err != nil {
		return err
	}
	return sendFile(c, f)
}

// documents are the documents of the interface, one for each prefix that the server is
// mounted at. Each is made once.
type documents struct {
	write    func(prefix string) (static.File, error)
	byPrefix sync.Map // func() (static.File, error) by prefix
}

func (d *documents) file(prefix string) (static.File, error) {
	held, _ := d.byPrefix.LoadOrStore(prefix, sync.OnceValues(func() (static.File, error) { return d.write(prefix) }))
	once, _ := held.(func() (static.File, error))
	return once()
}
