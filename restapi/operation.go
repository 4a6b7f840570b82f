package restapi

import (
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gofiber/fiber/v2"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/restapi/internal/openapi"
)

// operation is what the document of the interface tells about a route beyond
// its line in the table.
type operation struct {
	id    string // the name of the operation in generated code
	group group
	text  string // what the summary leaves open
	// reads is a value of the type that the body has, nil for none.
	reads any
	// answers is a value of the type that a success has; media is that of a
	// success that is no JSON.
	answers any
	media   string
	also    []openapi.Answer
	// streams: the client may have an Arrow stream instead.
	streams    bool
	parameters func(examples) []openapi.Parameter
	// refuses are the codes that the verb of the engine can end with.
	refuses []string
	example func(examples) []openapi.Example
}

// group is a heading of the document.
type group string

const (
	probing   group = "server"
	looking   group = "model"
	measuring group = "metrics"
	selecting group = "rows"
)

func groups() []openapi.Tag {
	return []openapi.Tag{
		{Name: string(measuring), Description: "Metrics, grouped and filtered: one row for each group."},
		{Name: string(selecting), Description: "Detail queries: one row for each row of a dataset."},
		{Name: string(looking), Description: "What there is to ask for."},
		{Name: string(probing), Description: "How the server is, and what describes it."},
	}
}

// refusals are the codes of the stages that a query goes through, less those
// that only other kinds of queries meet.
func refusals(never []string, stages ...string) []string {
	var out []string
	for _, c := range engine.Codes() {
		if slices.Contains(stages, c.Stage) && c.Severity == "error" && c.Retired == "" && !slices.Contains(never, c.Code) {
			out = append(out, c.Code)
		}
	}
	return out
}

// The codes that one kind of query alone meets.
var (
	ofAttributions = []string{"dimensions_required", "denominator_nonpositive"}
	ofDetails      = []string{"unknown_dataset", "detail_fanout", "metric_in_detail_query"}
)

// operations is the table of routes as the document has it.
func (s *Server) operations(table []route, x examples) []openapi.Operation {
	var out []openapi.Operation
	for _, r := range table {
		o := openapi.Operation{
			ID: r.says.id, Method: r.method, Path: r.path, Tag: string(r.says.group),
			Summary: r.summary, Description: r.says.text, Open: r.open,
			Body:     r.says.reads,
			Answers:  append(s.successes(r), r.says.also...),
			Failures: s.failures(r),
		}
		if r.says.parameters != nil {
			o.Parameters = r.says.parameters(x)
		}
		if r.says.example != nil {
			o.Examples = r.says.example(x)
		}
		out = append(out, o)
	}
	return out
}

var requestIDHeader = openapi.Header{Name: headerRequestID, Description: "The id of the request, yours if you send a plain one."}

var queryIDHeader = openapi.Header{Name: headerQueryID, Description: "The id of the query, under which the server's log and the warehouse know it."}

// headers are those of a success of a route. A failure has the second where the query
// could be read.
func (r route) headers() []openapi.Header {
	if g := r.says.group; g == measuring || g == selecting {
		return []openapi.Header{requestIDHeader, queryIDHeader}
	}
	return []openapi.Header{requestIDHeader}
}

func (s *Server) successes(r route) []openapi.Answer {
	answer := openapi.Answer{
		Status: http.StatusOK, Description: "The answer.", Type: r.says.answers, Media: r.says.media,
		Headers: r.headers(),
	}
	if r.says.streams {
		answer.Description = "The rows: JSON, or an Arrow IPC stream where Accept names its media type. " +
			"The schema of the stream has dialect and sql in its metadata. A failure in the middle of it ends the body early, without the end-of-stream marker."
		answer.Media, answer.Binary = engine.ArrowStreamType, true
	}
	return []openapi.Answer{answer}
}

// failures are the statuses that a route can answer with, each with its codes.
func (s *Server) failures(r route) []openapi.Failure {
	byStatus := map[int][]string{}
	add := func(status int, codes ...string) {
		for _, c := range codes {
			if !slices.Contains(byStatus[status], c) {
				byStatus[status] = append(byStatus[status], c)
			}
		}
	}
	add(fiber.StatusBadRequest, CodeBadRequest)
	add(fiber.StatusInternalServerError, CodeInternal)
	for _, c := range r.says.refuses {
		add(Status(c), c)
	}
	if !r.open {
		add(fiber.StatusGatewayTimeout, CodeTimeout)
		if len(s.config.Tokens) > 0 {
			add(fiber.StatusUnauthorized, CodeUnauthorized)
		}
	}
	if r.says.reads != nil {
		add(fiber.StatusRequestEntityTooLarge, CodeBadRequest)
	}
	if r.executes || len(s.config.Tokens) == 0 && !slices.Contains(probePaths, r.path) {
		add(fiber.StatusForbidden, CodeForbidden)
	}
	if r.executes {
		add(fiber.StatusTooManyRequests, CodeBusy)
	}
	known := map[string]openapi.Code{}
	for _, c := range allCodes() {
		known[c.Name] = c
	}
	var out []openapi.Failure
	for status, codes := range byStatus {
		f := openapi.Failure{Status: status, Description: s.meaning(status, r), Headers: []openapi.Header{requestIDHeader}}
		for _, c := range codes {
			f.Codes = append(f.Codes, known[c])
		}
		switch status {
		case fiber.StatusTooManyRequests:
			f.Headers = append(f.Headers, openapi.Header{Name: fiber.HeaderRetryAfter, Description: "Seconds to wait before the next try."})
		case fiber.StatusUnauthorized:
			f.Headers = append(f.Headers, openapi.Header{Name: fiber.HeaderWWWAuthenticate, Description: "The scheme, Bearer."})
		}
		out = append(out, f)
	}
	slices.SortFunc(out, func(a, b openapi.Failure) int { return a.Status - b.Status })
	return out
}

// meaningForbidden returns why a route of this server may be forbidden.
func (s *Server) meaningForbidden(r route) string {
	var why []string
	if r.executes {
		why = append(why, "The server only compiles: it was started with --disable-execute.")
	}
	if len(s.config.Tokens) == 0 {
		why = append(why, "A web page of another site sent the request: the server has no token, and --cors-origins does not list the page's origin.")
	}
	return strings.Join(why, " Or: ")
}

// meaning says what a status means on a route.
func (s *Server) meaning(status int, r route) string {
	switch status {
	case fiber.StatusBadRequest:
		return "The request is wrong: its error says how, and often what would be right."
	case fiber.StatusUnauthorized:
		return "The bearer token is missing or wrong."
	case fiber.StatusForbidden:
		return s.meaningForbidden(r)
	case fiber.StatusRequestEntityTooLarge:
		return "The body is longer than " + strconv.Itoa(s.config.MaxBodyBytes) + " bytes."
	case fiber.StatusTooManyRequests:
		return "All execution slots are taken. Retry-After says when to come back."
	case fiber.StatusNotImplemented:
		return "The model allows what the query asks for, and the engine does not do it."
	case fiber.StatusBadGateway:
		return "The warehouse cannot be reached, or refuses or fails."
	case fiber.StatusGatewayTimeout:
		return "There was no answer within " + s.budget(r).Round(time.Millisecond).String() + "."
	}
	return "A defect. Its message has the id of the request, under which the log tells more."
}
