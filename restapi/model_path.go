package restapi

import (
	"bytes"
	"slices"
	"strings"

	"github.com/gofiber/fiber/v2"
	"github.com/valyala/fasthttp"

	"github.com/semlayer/semlayer/engine"
)

// modelPathPrefix is what the paths of several models begin with.
const modelPathPrefix = "/m/"

// maxModelCandidates bounds the names in an error about an unknown model.
const maxModelCandidates = 20

// chosenModel is the model that a request uses from its start to its end.
type chosenModel struct {
	model *servedModel // nil where the path names none that is served
	name  string       // in the path; "" for a path without /m/NAME
	bare  bool         // the path is /m/NAME without the slash at its end
}

// chooseModel finds the model of a request by its path and takes /m/NAME away from it, so
// that all that follows reads the path of the interface alone.
func (s *Server) chooseModel(c *fasthttp.RequestCtx) chosenModel {
	name, rest, named := "", "", false
	if s.labels.several {
		name, rest, named = cutModelNameOfPath(c.URI().PathOriginal())
	}
	choice := chosenModel{name: name, bare: named && rest == ""}
	for {
		set := s.models.Load()
		choice.model = set.fallback
		if named {
			choice.model = set.byName[name]
		}
		if choice.model == nil || choice.model.acquireForRequest() {
			break
		}
	}
	if named {
		if rest == "" {
			rest = "/"
		}
		c.URI().SetPath(rest) // not the URI as a whole: the rest may begin with two slashes, as one of another host does
	}
	return choice
}

// cutModelNameOfPath cuts a path below /m/ into the name of a model and the path of the interface.
func cutModelNameOfPath(path []byte) (name, rest string, ok bool) {
	below, ok := bytes.CutPrefix(path, []byte(modelPathPrefix))
	if !ok {
		return "", "", false
	}
	at := bytes.IndexByte(below, '/')
	if at < 0 {
		at = len(below)
	}
	if !modelNamePattern.Match(below[:at]) {
		return "", "", false
	}
	return string(below[:at]), string(below[at:]), true
}

// pathPrefix returns the path of the model before the path of the interface, "" for none.
func (m chosenModel) pathPrefix() string {
	if m.name == "" {
		return ""
	}
	return strings.TrimSuffix(modelPathPrefix, "/") + "/" + m.name
}

// modelOfRequest returns the model of a request. It is nil on a route of the process alone.
func modelOfRequest(c *fiber.Ctx) *servedModel { return requestRecordOf(c.Context()).choice.model }

// serviceOfRequestedModel returns the service of the model of a request, as its caller sees it.
func serviceOfRequestedModel(c *fiber.Ctx) Service { return requestRecordOf(c.Context()).service }

// requireModel rejects a path below /m/NAME where NAME is not served.
func (s *Server) requireModel(c *fiber.Ctx) error {
	if choice := requestRecordOf(c.Context()).choice; choice.name != "" && choice.model == nil && !s.hidesModels(c.Path()) {
		return s.unknownModelError(c, choice.name)
	}
	return c.Next()
}

// hasRoles reports whether rights decide what a caller sees of any model.
func (s *Server) hasRoles() bool {
	file := s.identities.Policies()
	return file != nil && file.HasRoles()
}

// hidesModels reports whether a path below /m/NAME answers the same for every NAME: with roles a caller without a token must not
// learn which models there are.
func (s *Server) hidesModels(path string) bool { return s.publicPaths[path] && s.hasRoles() }

// UnknownModelError is the error of a path whose model is not served.
type UnknownModelError struct {
	Code       string   `json:"code"`
	Message    string   `json:"message"`
	Candidates []string `json:"candidates,omitempty"`
}

// Error returns the code and the message.
func (e *UnknownModelError) Error() string { return e.Code + ": " + e.Message }

// ErrorCode returns the stable code.
func (e *UnknownModelError) ErrorCode() string { return e.Code }

// unknownModelError returns the error of a request without a model. It names the models to a client
// that may see them, which one without a token may not.
func (s *Server) unknownModelError(c *fiber.Ctx, name string) error {
	err := &UnknownModelError{Code: CodeUnknownModel, Message: "this server has no default model: the models are at /m/NAME/, and GET /v1/models lists them"}
	if name != "" {
		err.Message = "unknown model " + truncateForMessage(name)
	}
	x := requestRecordOf(c.Context())
	if !x.caller.Known && !s.identities.IsOpen() {
		return err
	}
	err.Candidates = slices.DeleteFunc(s.models.Load().modelNames(), func(name string) bool { return !x.reaches(name) })
	if name != "" {
		err.Candidates = engine.NearestNames(name, err.Candidates, maxModelCandidates)
	}
	err.Candidates = err.Candidates[:min(len(err.Candidates), maxModelCandidates)]
	return err
}
