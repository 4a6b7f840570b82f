package draft

// View is a named part of the model: its metrics and fields by their names, and the conditions of the queries in it.
type View struct {
	Name        string            `json:"name"`
	Label       string            `json:"label,omitempty"`
	Description string            `json:"description,omitempty"`
	Context     AIContext         `json:"ai_context,omitzero"`
	Metrics     []string          `json:"metrics,omitzero"` // nil: all; also of the other lists of names
	Fields      []string          `json:"fields,omitzero"`
	Joins       []string          `json:"joins,omitzero"`
	Where       string            `json:"where,omitempty"`
	Filters     []string          `json:"filters,omitempty"`
	Labels      map[string]string `json:"labels,omitempty"`
	Folders     []ViewFolder      `json:"folders,omitempty"`
	Hierarchies []ViewHierarchy   `json:"hierarchies,omitempty"`
}

// ViewFolder is a folder of members of a view.
type ViewFolder struct {
	Name    string       `json:"name"`
	Items   []string     `json:"items"`
	Folders []ViewFolder `json:"folders,omitempty"`
}

// ViewHierarchy is an order of fields from coarse to fine.
type ViewHierarchy struct {
	Name   string   `json:"name"`
	Levels []string `json:"levels"`
}

// MarshalJSON writes the context of an object that is in a payload.
func (c AIContext) MarshalJSON() ([]byte, error) {
	out := map[string]any{}
	for _, e := range append([]AIContextKeyValue{
		{Key: "instructions", Value: c.Instructions}, {Key: "synonyms", Values: c.Synonyms}, {Key: "examples", Values: c.Examples},
	}, c.Other...) {
		switch {
		case e.Values != nil:
			out[e.Key] = e.Values
		case e.Value != "":
			out[e.Key] = e.Value
		}
	}
	return []byte(encodeJSONText(out)), nil
}
