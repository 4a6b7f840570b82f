package engine

import (
	"encoding/json"

	"github.com/semlayer/semlayer/planner/planerr"
)

// ResultEnd is what a result holds besides its rows, in the order in which JSON has it after them. An Arrow stream has its members in the
// metadata of the schema, and MCP those of a result that it cuts.
type ResultEnd struct {
	// ResolvedTimeRange holds the bounds of relative ranges; nil without one.
	ResolvedTimeRange *ResolvedTimeRange `json:"resolved_time_range,omitempty"`
	// ResolvedCompare holds the earlier ranges of compare with align, or of a list.
	ResolvedCompare []ResolvedCompare `json:"resolved_compare,omitempty"`
	// Warnings are findings that the caller should know about the result.
	Warnings []planerr.QueryWarning `json:"warnings,omitempty"`
	// Saved is the saved query that the query uses; "" where it uses none.
	Saved string `json:"saved,omitempty"`
	// Rollups is what each branch of a metric query reads; nil where the model has no rollups, or the query excludes them.
	Rollups []RollupUse `json:"rollups,omitempty"`
	// View is the view that the query is in, with what of it acts by default; nil for a query of the whole model.
	View *ViewUse `json:"view,omitempty"`
}

// ReservedNames are members that a surface adds to a response: those of a result that MCP cuts. No key of a query and no member of a
// result may have such a name.
var ReservedNames = []string{"rows_shown", "note"}

// addToMetadata adds the members that are given: a text as it is, and any other value as JSON.
func (e ResultEnd) addToMetadata(to map[string]string) error {
	text, err := MarshalWireJSON(e)
	if err != nil {
		return err
	}
	var members map[string]json.RawMessage
	if err := json.Unmarshal(text, &members); err != nil {
		return err
	}
	for name, value := range members {
		var word string
		if json.Unmarshal(value, &word) != nil {
			word = string(value)
		}
		to[name] = word
	}
	return nil
}
