package engine

import (
	"encoding/json"

	"github.com/semlayer/semlayer/planner/planerr"
)

// ResultEnd is what a result holds besides its rows, in the order in which JSON has it after them. An Arrow stream has its members in the
// metadata of the schema, and MCP those of a result that it cuts. A member that a result does not have is nil or "". The descriptions are
// those of the OpenAPI document.
type ResultEnd struct {
	ResolvedTimeRange *ResolvedTimeRange     `json:"resolved_time_range,omitempty" description:"The bounds of a relative time_range; for time_ranges an object by name. Absent if no range is relative."`
	ResolvedCompare   []ResolvedCompare      `json:"resolved_compare,omitempty" description:"The earlier ranges of compare with align, or of a list; absent otherwise."`
	Warnings          []planerr.QueryWarning `json:"warnings,omitempty" description:"Warnings about the result; absent without one."`
	Saved             string                 `json:"saved,omitempty" description:"The saved query that the request uses; absent if it uses none."`
	Rollups           []RollupUse            `json:"rollups,omitempty" description:"What each branch of a metric query reads; absent if the model has no rollups, or the request excludes them."`
	View              *ViewUse               `json:"view,omitempty" description:"The view that the query is in, with what of it acts by default; absent for a query of the whole model."`
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
