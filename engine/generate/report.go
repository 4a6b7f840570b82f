package generate

// Report describes how a model was made.
type Report struct {
	Model         string               `json:"model"`
	Datasets      int                  `json:"datasets"`
	Fields        int                  `json:"fields"`
	Metrics       int                  `json:"metrics"`
	Keys          []KeyReport          `json:"keys"`
	Relationships []RelationshipReport `json:"relationships"`
	Notes         []string             `json:"notes"`
}

// KeyReport is the primary key of one dataset. How is "constraint", "proven" or "none".
type KeyReport struct {
	Dataset string   `json:"dataset"`
	Columns []string `json:"columns"`
	How     string   `json:"how"`
	// RowsRead is how many rows the proof has read; 0 where none was needed.
	RowsRead int64 `json:"rows_read"`
	// Complete reports whether these are all rows of the table.
	Complete bool `json:"complete"`
}

// RelationshipReport is one relationship. How is "constraint" or "inferred".
type RelationshipReport struct {
	Name        string   `json:"name"`
	From        string   `json:"from"`
	To          string   `json:"to"`
	FromColumns []string `json:"from_columns"`
	ToColumns   []string `json:"to_columns"`
	How         string   `json:"how"`
	// Values is how many values the proof has looked for, Unmatched how many of them
	// are missing.
	Values    int64 `json:"values"`
	Unmatched int64 `json:"unmatched"`
	Complete  bool  `json:"complete"`
	// Written is false for a relationship that is only a comment of the model.
	Written bool `json:"written"`
}

// CountWrittenRelationships counts the relationships that the model has.
func (r *Report) CountWrittenRelationships() int {
	n := 0
	for _, rel := range r.Relationships {
		if rel.Written {
			n++
		}
	}
	return n
}

const (
	declaredByConstraint = "constraint"
	keyProven            = "proven"
	relationshipInferred = "inferred"
	keyMissing           = "none"
)
