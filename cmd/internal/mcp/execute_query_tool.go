package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"strings"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/semlayer/semlayer/engine"
)

const (
	executeQueryToolName = "execute_query"
	// executeQueryMetaKey is the key of the profile's metadata of a CSV resource.
	executeQueryMetaKey = "org.apache.ossie/execute_query"
	// executeQueryPreviewRows is the most rows that structured content repeats.
	executeQueryPreviewRows = 5
)

// newExecuteQueryTool returns the tool of the execute_query profile of Apache Ossie.
func (s *server) newExecuteQueryTool() tool {
	return tool{
		name: executeQueryToolName, executes: true, call: s.executeQuery, fail: s.executeQueryFailure,
		schema: argumentsSchema(
			toolArgument{"data_source_id", jsonTypeString, ""},
			toolArgument{"query", jsonTypeObject, "dimensions, measures, fields, where, having, order_by, limit"},
		),
		text: "Apache Ossie execute_query profile, draft 0.4.",
	}
}

// ossieProfileInstruction returns the sentence about the profile in the instructions.
func ossieProfileInstruction(dataSourceID string) string {
	return "execute_query takes a query of the Apache Ossie profile with data_source_id " + dataSourceID + ".\n"
}

func (s *server) executeQuery(ctx context.Context, arguments json.RawMessage) (toolResult, error) {
	a, err := engine.DecodeOssieArguments(arguments)
	if err != nil {
		return toolResult{}, err
	}
	if id := s.service.DataSourceID(); a.DataSourceID != id {
		return toolResult{}, &engine.OssieError{
			Code: "SOURCE_UNAVAILABLE", Message: "this server does not serve the data source " + cutTextAtBytes(a.DataSourceID, modelNameBudget),
			Candidates: []string{id},
		}
	}
	result, err := s.service.ExecuteOssieQuery(ctx, &a.Query, s.soleRequiredConnection())
	if err != nil {
		return toolResult{}, err
	}
	table, err := readResultTable(result)
	if err != nil {
		return toolResult{}, err
	}
	csv := table.csv()
	if len(csv) > s.limits.bytes {
		return toolResult{}, &engine.OssieError{
			Code:    "RESOURCE_LIMIT",
			Message: "the result is larger than this server sends; group by fewer or coarser dimensions, filter with where, or set limit",
		}
	}
	return toolResult{whole: s.executeQueryResult(a.DataSourceID, result, table, csv)}, nil
}

// soleRequiredConnection returns the connection of a query where every query must name one and one is available; else "".
func (s *server) soleRequiredConnection() string {
	if !s.config.NamedConnections {
		return ""
	}
	name := ""
	for _, c := range s.service.Connections() {
		if !c.Available {
			continue
		}
		if name != "" {
			return ""
		}
		name = c.Name
	}
	return name
}

// executeQueryFailure returns a failed call in the form of the profile.
func (s *server) executeQueryFailure(arguments json.RawMessage, err error) *sdk.CallToolResult {
	var refused *engine.OssieError
	if !errors.As(err, &refused) {
		refused = engine.OssieErrorOf(s.codedError(executeQueryToolName, err))
	}
	read, _ := engine.DecodeOssieArguments(arguments)
	out := executeQueryAnswer{
		ContractVersion: engine.OssieVersion, Status: "error", DataSourceID: read.DataSourceID,
		Error:       &executeQueryError{Code: refused.Code, Message: refused.Message, Retryable: refused.Retryable()},
		Diagnostics: executeQueryDiagnosticsState{State: "not_applicable"}, Suggestions: []executeQuerySuggestion{}, Alternatives: []executeQueryFilterValueAlternatives{},
	}
	if read.DataSourceID == s.service.DataSourceID() {
		out.Model = s.newExecuteQueryResultModelID()
	}
	own := map[string]any{}
	for key, value := range map[string]string{"code": refused.OwnCode, "capability": refused.Capability} {
		if value != "" {
			own[key] = value
		}
	}
	if len(refused.Candidates) > 0 {
		own["candidates"] = refused.Candidates[:min(len(refused.Candidates), maxNameCandidates)]
		out.Suggestions = append(out.Suggestions, executeQuerySuggestion{Kind: "name", Message: "known names: " + joinNamesWithinBudget(refused.Candidates, metricNamesBudget)})
	}
	if len(own) > 0 {
		out.Error.Extensions = map[string]any{"semlayer": own}
	}
	if refused.Advice != "" {
		out.Suggestions = append(out.Suggestions, executeQuerySuggestion{Kind: "diagnostic", Message: refused.Advice})
	}
	if refused.Replacement != nil {
		out.Suggestions = append(out.Suggestions, executeQuerySuggestion{Kind: "query", Message: "this query compiles, or fails for another reason", Replacement: refused.Replacement})
	}
	if len(out.Suggestions) > 0 {
		out.Diagnostics.State = "completed"
	}
	text := "**error** " + refused.Code + ": " + replaceLineBreaks(refused.Message)
	for _, more := range out.Suggestions {
		text += "\n" + replaceLineBreaks(more.Message)
		if more.Replacement != nil {
			if query, err := engine.MarshalWireJSON(more.Replacement); err == nil {
				text += ": `" + string(query) + "`"
			}
		}
	}
	return &sdk.CallToolResult{IsError: true, Content: []sdk.Content{&sdk.TextContent{Text: text}}, StructuredContent: out}
}

func (s *server) newExecuteQueryResultModelID() *executeQueryResultModelID {
	model := s.service.Model()
	return &executeQueryResultModelID{ID: model.Name, Revision: model.Revision}
}

// replaceLineBreaks returns a text without line breaks.
func replaceLineBreaks(text string) string { return strings.Join(strings.Fields(text), " ") }
