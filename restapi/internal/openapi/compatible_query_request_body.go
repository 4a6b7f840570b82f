package openapi

import "github.com/swaggest/jsonschema-go"

// CompatibleQuery is the body of a request for compatible items: a metric query that may lack metrics.
type CompatibleQuery struct {
	MetricQuery
	Search string `json:"search,omitempty" minLength:"1" maxLength:"500" description:"Only items whose names, synonyms, labels or descriptions match."`
	Limit  int64  `json:"limit,omitempty" minimum:"1" maximum:"1000" description:"The maximum number of items of each list; by default 100."`
	Offset int64  `json:"offset,omitempty" minimum:"0" description:"The number of items of each list to skip; by default 0."`
}

// PrepareJSONSchema requires no key: each query without metrics accepts something. No key has a default, because
// generators of clients then demand a value.
func (CompatibleQuery) PrepareJSONSchema(s *jsonschema.Schema) error {
	s.WithDescription("A metric query, which need not have metrics. An unknown key is the error unknown_query_key.")
	for _, property := range s.Properties {
		if property.TypeObject != nil {
			property.TypeObject.Default = nil
		}
	}
	return nil
}
