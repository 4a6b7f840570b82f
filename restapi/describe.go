package restapi

import (
	"context"
	"strings"

	"github.com/gofiber/fiber/v2"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/restapi/internal/openapi"
	"github.com/semlayer/semlayer/restapi/internal/static"
)

const documentPath = "/openapi.json"

// description is the document of the interface as it is served.
type description struct {
	file static.File
	err  error
}

// describe writes the document of a server at a path. It asks the model for examples,
// which takes longer than a start should, and so is left to the first who wants it.
func (s *Server) describe(path string) description {
	ctx, cancel := context.WithTimeout(context.Background(), s.config.RequestTimeout)
	defer cancel()
	version := s.service.Capabilities().EngineVersion
	if version == "" {
		version = "dev"
	}
	text, err := openapi.Document{
		Title:       "semlayer",
		Version:     version,
		Server:      path,
		Description: s.about(),
		Secured:     len(s.config.Tokens) > 0,
		Tags:        groups(),
		Operations:  s.operations(routes(), examplesOf(ctx, s.service)),
		Codes:       allCodes(),
	}.JSON()
	return description{file: static.New(documentPath, fiber.MIMEApplicationJSON, text), err: err}
}

// about is what is true of all operations.
func (s *Server) about() string {
	if s.config.MCP == nil {
		return general
	}
	return general + "\n\nPOST /mcp takes the JSON-RPC messages of the Model Context Protocol, whose tools describe themselves."
}

const general = `A semantic layer: a model says what the metrics are, a query says which of them to look at, and the answer is SQL or rows.

Every failure has the body of ErrorBody: a path that does not exist (404), a method that a path does not take (405) and a head that is too long (431) as well, with the code bad_request. Codes are stable, messages are not.

Answers are JSON without line breaks. Requests are JSON objects; a key that stands twice is refused.`

// allCodes are all codes that a failure can have, each once.
func allCodes() []openapi.Code {
	var out []openapi.Code
	seen := map[string]bool{}
	add := func(name, when string) {
		if !seen[name] {
			seen[name] = true
			out = append(out, openapi.Code{Name: name, Status: Status(name), When: when})
		}
	}
	for _, c := range Codes() {
		if c.Code != CodeClientGone { // which no client receives
			add(c.Code, c.When)
		}
	}
	for _, c := range engine.Codes() {
		if c.Stage != engine.StageValidate && c.Severity == "error" && c.Retired == "" {
			add(c.Code, c.When)
		}
	}
	return out
}

func document(s *Server, c *fiber.Ctx, r route) error {
	work := func(context.Context) (description, error) {
		describe := s.described
		if m, ok := c.Context().Conn().(*mountedConn); ok {
			describe = m.mount.described
		}
		d := describe()
		return d, d.err
	}
	d, err := within(exchangeOf(c.Context()).ctx, s.budget(r), work, func(description) {})
	if err != nil {
		return err
	}
	return sendFile(c, d.file)
}

// unchanged sets the validator of an answer, and answers 304 where the client
// says that it has it.
func unchanged(c *fiber.Ctx, etag string) bool {
	c.Set(fiber.HeaderETag, etag)
	for held := range strings.SplitSeq(c.Get(fiber.HeaderIfNoneMatch), ",") {
		held = strings.TrimSpace(held)
		if held == "*" || strings.TrimPrefix(held, "W/") == etag {
			c.Status(fiber.StatusNotModified)
			return true
		}
	}
	return false
}
