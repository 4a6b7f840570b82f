package openapi

import "github.com/swaggest/jsonschema-go"

// CompatibleQuery is the body of a request for compatible items: a metric query that may lack metrics.
type CompatibleQuery struct {
	MetricQuery
	Search string `json:"search,omitempty" minLength:"1" maxLength:"500" description:"Only items whose names, synonyms, labels or descriptions match."`
	Limit  int64  `json:"limit,omitempty" minimum:"1" maximum:"1000" default:"100" description:"The most items of each list."`
	Offset int64  `json:"offset,omitempty" minimum:"0" default:"0" description:"The number of items of each list to skip."`
}

// PrepareJSONSchema requires no key: each query without metrics accepts something.
func (CompatibleQuery) PrepareJSONSchema(s *jsonschema.Schema) error {
	s.WithDescription("A metric query, which may lack metrics. A key that is not listed is refused with the code unknown_query_key.")
	return nil
}
