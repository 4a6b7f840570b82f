package restapi

import (
	"slices"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/restapi/internal/openapi"
)

// openAPIOperation is what the document of the interface holds of a route beyond
// its line in the table.
type openAPIOperation struct {
	id          string // the name of the operation in generated code
	group       openAPIOperationGroup
	description string // what the summary leaves open
	// requestType is a value of the type that the body has, nil for none.
	requestType any
	// responseType is a value of the type that a success has; media is that of a success
	// that is not JSON.
	responseType   any
	media          string
	otherResponses []openapi.Response
	// streams: the client may have an Arrow stream instead.
	streams    bool
	parameters func(requestExamples) []openapi.Parameter
	// codes are the codes that the verb of the engine can end with.
	codes   []string
	example func(requestExamples) []openapi.Example
}

// openAPIOperationGroup is a heading of the document.
type openAPIOperationGroup string

const (
	openAPIOperationGroupServer  openAPIOperationGroup = "server"
	openAPIOperationGroupModel   openAPIOperationGroup = "model"
	openAPIOperationGroupMetrics openAPIOperationGroup = "metrics"
	openAPIOperationGroupRows    openAPIOperationGroup = "rows"
	openAPIOperationGroupSQL     openAPIOperationGroup = "sql"
)

func openAPITags() []openapi.Tag {
	return []openapi.Tag{
		{Name: string(openAPIOperationGroupMetrics), Description: "Metrics, grouped and filtered: one row for each group."},
		{Name: string(openAPIOperationGroupRows), Description: "Detail queries: one row for each row of a dataset."},
		{Name: string(openAPIOperationGroupSQL), Description: "Statements in SQL over the datasets and metrics of the model."},
		{Name: string(openAPIOperationGroupModel), Description: "The metrics and dimensions of the model."},
		{Name: string(openAPIOperationGroupServer), Description: "The state of the server, and its description."},
	}
}

// errorCodesOfStages returns the error codes of the stages that a query goes through, without those
// that only other kinds of queries raise.
func errorCodesOfStages(never []string, stages ...string) []string {
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
	attributionOnlyErrorCodes = []string{"dimensions_required", "denominator_nonpositive"}
	detailOnlyErrorCodes      = []string{"unknown_dataset", "detail_fanout", "metric_in_detail_query"}
)

// allErrorCodes returns all codes that a failure can have, each once.
func allErrorCodes() []openapi.CodeDescription {
	var out []openapi.CodeDescription
	seen := map[string]bool{}
	add := func(name, when string) {
		if !seen[name] {
			seen[name] = true
			out = append(out, openapi.CodeDescription{Name: name, Status: StatusOfCode(name), When: when})
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
