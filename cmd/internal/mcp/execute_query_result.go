package mcp

import (
	"fmt"
	"net/url"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/planner/planerr"
)

// executeQueryAnswer is the structured content of a call of execute_query.
type executeQueryAnswer struct {
	ContractVersion string                                `json:"contract_version"`
	Status          string                                `json:"status"` // success or error
	DataSourceID    string                                `json:"data_source_id,omitempty"`
	Model           *executeQueryResultModelID            `json:"model,omitempty"`
	Preview         *executeQueryPreview                  `json:"preview,omitempty"`
	Result          *executeQueryResultSummary            `json:"result,omitempty"`
	Error           *executeQueryError                    `json:"error,omitempty"`
	Diagnostics     executeQueryDiagnosticsState          `json:"diagnostics"`
	Suggestions     []executeQuerySuggestion              `json:"suggestions"`
	Alternatives    []executeQueryFilterValueAlternatives `json:"filter_value_alternatives"`
	Extensions      map[string]any                        `json:"extensions,omitempty"`
}

type executeQueryResultModelID struct {
	ID       string `json:"id"`
	Revision string `json:"revision"`
}

type executeQueryColumn struct {
	Name     string `json:"name"`
	Datatype string `json:"datatype,omitempty"` // "" where it is not known
}

type executeQueryPreview struct {
	Columns   []executeQueryColumn `json:"columns"`
	Rows      [][]any              `json:"rows"`
	RowCount  int                  `json:"row_count"`
	HasMore   bool                 `json:"has_more"`
	Selection string               `json:"selection"`
}

type executeQueryResultSummary struct {
	RowCount     int                               `json:"row_count"`
	Completeness string                            `json:"completeness"` // complete or truncated
	Resources    []executeQueryCSVResourceMetadata `json:"resources"`
}

// executeQueryCSVResourceMetadata describes the CSV resource, which holds the rows.
type executeQueryCSVResourceMetadata struct {
	URI             string `json:"uri"`
	Name            string `json:"name"`
	Format          string `json:"format"`
	MIMEType        string `json:"mime_type"`
	CSVNullValue    string `json:"csv_null_value"`
	CSVEscapePrefix string `json:"csv_escape_prefix"`
}

type executeQueryError struct {
	Code       string         `json:"code"`
	Message    string         `json:"message"`
	Retryable  bool           `json:"retryable"`
	Extensions map[string]any `json:"extensions,omitempty"`
}

type executeQueryDiagnosticsState struct {
	State   string `json:"state"` // completed, partial, unavailable or not_applicable
	Message string `json:"message,omitempty"`
}

type executeQuerySuggestion struct {
	Kind        string             `json:"kind"` // name, query, filter, limit or diagnostic
	Message     string             `json:"message"`
	Replacement *engine.OssieQuery `json:"replacement_query,omitempty"`
}

type executeQueryFilterValueAlternatives struct {
	Field          string `json:"field"`
	RequestedValue any    `json:"requested_value"`
	Values         []any  `json:"values"`
	Match          string `json:"match"` // exact, fuzzy or unknown
	Complete       bool   `json:"complete"`
}

// executeQueryResult returns the result of a query: a line of Markdown, the rows as CSV, and the facts about both.
func (s *server) executeQueryResult(dataSourceID string, r *engine.OssieResult, table *resultTable, csv string) *sdk.CallToolResult {
	completeness := "complete"
	if r.Truncated {
		completeness = "truncated"
	}
	model := s.newExecuteQueryResultModelID()
	name := model.ID + ".csv"
	uri := "file:///" + url.PathEscape(name)
	columns := table.executeQueryColumns()
	out := executeQueryAnswer{
		ContractVersion: engine.OssieVersion, Status: "success", DataSourceID: dataSourceID, Model: model,
		Preview: table.newPreview(columns),
		Result: &executeQueryResultSummary{
			RowCount: len(table.rows), Completeness: completeness,
			Resources: []executeQueryCSVResourceMetadata{{URI: uri, Name: name, Format: "csv", MIMEType: "text/csv", CSVNullValue: csvNull, CSVEscapePrefix: csvLeadingBackslashEscape}},
		},
		Diagnostics: executeQueryDiagnosticsState{State: "not_applicable"}, Suggestions: []executeQuerySuggestion{}, Alternatives: []executeQueryFilterValueAlternatives{},
	}
	text := fmt.Sprintf("**success**: row count %d, of model %s, revision %s; %s. Data: %s.", len(table.rows), replaceLineBreaks(model.ID), model.Revision, completeness, replaceLineBreaks(name))
	text += out.addWarnings(r.Warnings)
	return &sdk.CallToolResult{
		Content: []sdk.Content{
			&sdk.TextContent{Text: text},
			&sdk.EmbeddedResource{Resource: &sdk.ResourceContents{
				URI: uri, MIMEType: "text/csv", Text: csv,
				Meta: sdk.Meta{executeQueryMetaKey: map[string]any{
					"columns": columns, "row_count": len(table.rows), "completeness": completeness, "csv_null_value": csvNull, "csv_escape_prefix": csvLeadingBackslashEscape,
				}},
			}},
		},
		StructuredContent: out,
	}
}

// newPreview shows the first rows: few, and fewer where their values are long.
func (t *resultTable) newPreview(columns []executeQueryColumn) *executeQueryPreview {
	n := min(len(t.rows), executeQueryPreviewRows)
	rows := t.previewRows(n)
	for ; n > 0; n-- {
		if text, err := engine.MarshalWireJSON(rows[:n]); err == nil && len(text) <= maxDuplicatedResultBytes {
			break
		}
	}
	return &executeQueryPreview{Columns: columns, Rows: rows[:n], RowCount: n, HasMore: len(t.rows) > n, Selection: "first_rows"}
}

// addWarnings adds the warnings of a result, and returns their text. A filter value that no row has becomes alternatives
// to it.
func (a *executeQueryAnswer) addWarnings(warnings []planerr.QueryWarning) (text string) {
	for _, w := range warnings {
		text += "\n" + replaceLineBreaks(w.Message)
		a.Diagnostics.State = "completed"
		if w.Code != "filter_matched_nothing" {
			a.Suggestions = append(a.Suggestions, executeQuerySuggestion{Kind: "diagnostic", Message: w.Message})
			continue
		}
		near := executeQueryFilterValueAlternatives{Field: w.Field, RequestedValue: w.Value, Values: []any{}, Match: "fuzzy"}
		for _, value := range w.Near {
			near.Values = append(near.Values, value)
		}
		a.Alternatives = append(a.Alternatives, near)
	}
	return text
}
