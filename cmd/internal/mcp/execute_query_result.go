package mcp

import (
	"fmt"
	"net/url"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/semlayer/semlayer/engine"
)

// profileAnswer is the structured content of a call of execute_query.
type profileAnswer struct {
	ContractVersion string                `json:"contract_version"`
	Status          string                `json:"status"` // success or error
	DataSourceID    string                `json:"data_source_id,omitempty"`
	Model           *profileModel         `json:"model,omitempty"`
	Preview         *profilePreview       `json:"preview,omitempty"`
	Result          *profileResult        `json:"result,omitempty"`
	Error           *profileError         `json:"error,omitempty"`
	Diagnostics     profileDiagnostics    `json:"diagnostics"`
	Suggestions     []profileSuggestion   `json:"suggestions"`
	Alternatives    []profileAlternatives `json:"filter_value_alternatives"`
	Extensions      map[string]any        `json:"extensions,omitempty"`
}

type profileModel struct {
	ID       string `json:"id"`
	Revision string `json:"revision"`
}

type profileColumn struct {
	Name     string `json:"name"`
	Datatype string `json:"datatype,omitempty"` // "" where it is not known
}

type profilePreview struct {
	Columns   []profileColumn `json:"columns"`
	Rows      [][]any         `json:"rows"`
	RowCount  int             `json:"row_count"`
	HasMore   bool            `json:"has_more"`
	Selection string          `json:"selection"`
}

type profileResult struct {
	RowCount     int               `json:"row_count"`
	Completeness string            `json:"completeness"` // complete or truncated
	Resources    []profileResource `json:"resources"`
}

type profileResource struct {
	URI             string `json:"uri"`
	Name            string `json:"name"`
	Format          string `json:"format"`
	MIMEType        string `json:"mime_type"`
	CSVNullValue    string `json:"csv_null_value"`
	CSVEscapePrefix string `json:"csv_escape_prefix"`
}

type profileError struct {
	Code       string         `json:"code"`
	Message    string         `json:"message"`
	Retryable  bool           `json:"retryable"`
	Extensions map[string]any `json:"extensions,omitempty"`
}

type profileDiagnostics struct {
	State   string `json:"state"` // completed, partial, unavailable or not_applicable
	Message string `json:"message,omitempty"`
}

type profileSuggestion struct {
	Kind        string             `json:"kind"` // name, query, filter, limit or diagnostic
	Message     string             `json:"message"`
	Replacement *engine.OssieQuery `json:"replacement_query,omitempty"`
}

type profileAlternatives struct {
	Field          string `json:"field"`
	RequestedValue any    `json:"requested_value"`
	Values         []any  `json:"values"`
	Match          string `json:"match"` // exact, fuzzy or unknown
	Complete       bool   `json:"complete"`
}

// executeQueryResult is the result of a query: a line of Markdown, the rows as CSV, and the facts about both.
func (s *server) executeQueryResult(dataSourceID string, r *engine.OssieResult, table *resultTable, csv string) *sdk.CallToolResult {
	completeness := "complete"
	if r.Truncated {
		completeness = "truncated"
	}
	model := s.profileModel()
	name := model.ID + ".csv"
	uri := "file:///" + url.PathEscape(name)
	columns := table.profileColumns()
	out := profileAnswer{
		ContractVersion: engine.OssieVersion, Status: "success", DataSourceID: dataSourceID, Model: model,
		Preview: table.newPreview(columns),
		Result: &profileResult{
			RowCount: len(table.rows), Completeness: completeness,
			Resources: []profileResource{{URI: uri, Name: name, Format: "csv", MIMEType: "text/csv", CSVNullValue: csvNull, CSVEscapePrefix: csvEscape}},
		},
		Diagnostics: profileDiagnostics{State: "not_applicable"}, Suggestions: []profileSuggestion{}, Alternatives: []profileAlternatives{},
	}
	text := fmt.Sprintf("**success**: row count %d, of model %s, revision %s; %s. Data: %s.", len(table.rows), oneLine(model.ID), model.Revision, completeness, oneLine(name))
	text += out.addWarnings(r.Warnings)
	return &sdk.CallToolResult{
		Content: []sdk.Content{
			&sdk.TextContent{Text: text},
			&sdk.EmbeddedResource{Resource: &sdk.ResourceContents{
				URI: uri, MIMEType: "text/csv", Text: csv,
				Meta: sdk.Meta{executeQueryMeta: map[string]any{
					"columns": columns, "row_count": len(table.rows), "completeness": completeness, "csv_null_value": csvNull, "csv_escape_prefix": csvEscape,
				}},
			}},
		},
		StructuredContent: out,
	}
}

// newPreview shows the first rows: few, and fewer where their values are long.
func (t *resultTable) newPreview(columns []profileColumn) *profilePreview {
	n := min(len(t.rows), executeQueryPreviewRows)
	rows := t.preview(n)
	for ; n > 0; n-- {
		if text, err := engine.MarshalWireJSON(rows[:n]); err == nil && len(text) <= maxDuplicatedResultBytes {
			break
		}
	}
	return &profilePreview{Columns: columns, Rows: rows[:n], RowCount: n, HasMore: len(t.rows) > n, Selection: "first_rows"}
}

// addWarnings adds the warnings of a result, and returns their text. A filter value that no row has becomes alternatives
// to it.
func (a *profileAnswer) addWarnings(warnings []engine.QueryWarning) (text string) {
	for _, w := range warnings {
		text += "\n" + oneLine(w.Message)
		a.Diagnostics.State = "completed"
		if w.Code != "filter_matched_nothing" {
			a.Suggestions = append(a.Suggestions, profileSuggestion{Kind: "diagnostic", Message: w.Message})
			continue
		}
		near := profileAlternatives{Field: w.Field, RequestedValue: w.Value, Values: []any{}, Match: "fuzzy"}
		for _, value := range w.Near {
			near.Values = append(near.Values, value)
		}
		a.Alternatives = append(a.Alternatives, near)
	}
	return text
}
