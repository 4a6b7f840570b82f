package restapi

import (
	"context"
	"strings"
	"sync"

	"github.com/gofiber/fiber/v2"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/restapi/internal/docs"
	"github.com/semlayer/semlayer/restapi/internal/explorer"
	"github.com/semlayer/semlayer/restapi/internal/static"
)

const (
	openAPIPath     = "/openapi.json"
	openAPI30Path   = "/openapi-3.0.json"
	docsPath        = "/docs"
	modelSchemaPath = "/schema/model.json"
	explorerPath    = "/"
)

// staticRoutes returns the routes of the explorer and of the files that the pages load.
// They are not part of the interface, and so not in its table; the page at /docs and the
// schema of model files are.
func staticRoutes(files map[string]static.File) []route {
	out := []route{{method: fiber.MethodGet, path: docsPath + "/", public: true, handle: serveStaticFile}}
	for path := range files {
		if path != docsPath && path != modelSchemaPath {
			out = append(out, route{method: fiber.MethodGet, path: path, public: true, modelless: isExplorerPath(path), handle: serveStaticFile})
		}
	}
	return out
}

// staticFiles returns the files of the pages by their paths.
func staticFiles(c Config) (map[string]static.File, error) {
	files, err := docs.Files()
	if err != nil {
		return nil, err
	}
	if !c.NoExplorer {
		more, err := explorer.Files(c.EmbedOrigins)
		if err != nil {
			return nil, err
		}
		files = append(files, more...)
	}
	schema, err := engine.FileSchema(engine.SchemaModel)
	if err != nil {
		return nil, err
	}
	files = append(files, static.NewFile(modelSchemaPath, fiber.MIMEApplicationJSON, schema))
	out := map[string]static.File{}
	for _, f := range files {
		out[f.Path] = f
	}
	return out, nil
}

// isExplorerPath reports whether a file belongs to the explorer. A server without a default
// model has it at / to list the models.
func isExplorerPath(path string) bool { return !strings.HasPrefix(path, docsPath+"/") }

// serveStaticFile sends a file of a page, compressed where the client takes that.
func serveStaticFile(s *Server, c *fiber.Ctx, r route) error {
	if requestRecordOf(c.Context()).choice.bare && r.path == explorerPath {
		// The page names its files relative to a path with a slash.
		return c.Redirect(requestRecordOf(c.Context()).choice.name+"/", fiber.StatusPermanentRedirect)
	}
	if c.Path() == docsPath+"/" {
		// What the page loads it names relative to its own path.
		return c.Redirect(".."+docsPath, fiber.StatusPermanentRedirect)
	}
	f, policy := s.files[r.path], static.ContentSecurityPolicy
	if r.path == explorerPath {
		c.Vary(headerFetchSite)
		embeds := s.config.EmbedOrigins
		if len(embeds) > 0 {
			policy = static.ContentSecurityPolicyWithin(embeds)
			c.Vary(headerFetchDest, fiber.HeaderReferer)
		}
		if isNavigationFromOtherSite(c) && !isFrameOf(c, embeds) {
			f = s.guardedExplorer
		}
	}
	h := &c.Response().Header
	h.Set(fiber.HeaderContentSecurityPolicy, policy)
	h.Set(fiber.HeaderReferrerPolicy, "no-referrer")
	h.Set("Cross-Origin-Opener-Policy", "same-origin") // who opened the page cannot change its address
	h.Set(fiber.HeaderCacheControl, "no-cache")        // to be kept, and asked about
	return sendFileOrNotModified(c, f)
}

// serveModelSchema sends the schema of model files. It holds nothing of the model that is served.
func serveModelSchema(s *Server, c *fiber.Ctx, r route) error {
	return sendFileOrNotModified(c, s.files[r.path])
}

// serveOpenAPIDocument sends the document of the interface, which the first request waits for.
func serveOpenAPIDocument(s *Server, c *fiber.Ctx, r route) error {
	x := requestRecordOf(c.Context())
	at, model := documentChoice{mount: mountPrefixOf(c.Context().Conn()), model: x.choice.pathPrefix(), version30: r.path == openAPI30Path}, x.choice.model
	if at.invented = s.hasRoles(); at.invented && x.choice.name != "" {
		list := s.models.Load().list
		if len(list) == 0 {
			return s.unknownModelError(c, x.choice.name)
		}
		at.mount, at.model, model = "", pathOfDocument, list[0]
	}
	work := func(context.Context) (static.File, error) { return model.documents.documentFile(at) }
	f, err := runWithTimeout(x.ctx, s.config.timeBudgetOfRoute(r), work, func(static.File) {})
	if err != nil {
		return err
	}
	return sendFileOrNotModified(c, f)
}

// documentChoice chooses a document: by the path that the server is mounted at, and the path of the model below it, of which either may
// be empty, by the version of OpenAPI, and by whether its examples have invented names.
type documentChoice struct {
	mount, model        string
	version30, invented bool
}

// pathOfDocument is the address of a model relative to that of its document: the same for every model.
const pathOfDocument = "."

// openAPIDocuments are the documents of the interface, in each version one for each address that the server is
// mounted at. Each is made once.
type openAPIDocuments struct {
	write    func(documentChoice) (static.File, error)
	byChoice sync.Map // func() (static.File, error) by documentChoice
}

func (d *openAPIDocuments) documentFile(at documentChoice) (static.File, error) {
	held, _ := d.byChoice.LoadOrStore(at, sync.OnceValues(func() (static.File, error) { return d.write(at) }))
	once, _ := held.(func() (static.File, error))
	return once()
}
