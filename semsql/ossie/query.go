package ossie

// Version is the version of the profile that the package translates.
const Version = "0.4-draft"

// Arguments are those of a call of execute_query.
type Arguments struct {
	DataSourceID string
	Query        Query
}

// Query is a query of the profile. A nil list is an absent clause.
type Query struct {
	Dimensions []string   `json:"dimensions,omitempty"`
	Measures   []string   `json:"measures,omitempty"`
	Fields     []string   `json:"fields,omitempty"`
	Where      []string   `json:"where,omitempty"`  // conditions on rows, all of which hold
	Having     []string   `json:"having,omitempty"` // conditions on measures, all of which hold
	OrderBy    []OrderKey `json:"order_by,omitempty"`
	Limit      *int64     `json:"limit,omitempty"` // 0 or more
}

// OrderKey is one item of order_by.
type OrderKey struct {
	Field     string `json:"field"`
	Direction string `json:"direction,omitempty"` // ASC or DESC; "" is ASC
	Nulls     string `json:"nulls,omitempty"`     // FIRST or LAST; "" is LAST for ASC and FIRST for DESC
}

// The words of order_by.
const (
	ascending  = "ASC"
	descending = "DESC"
	nullsFirst = "FIRST"
	nullsLast  = "LAST"
)

// isScalar reports whether the query has fields: its rows are those of a dataset.
func (q *Query) isScalar() bool { return q.Fields != nil }
