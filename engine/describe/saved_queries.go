package describe

import (
	"slices"

	"github.com/semlayer/semlayer/modelspec/catalog"
)

// SavedQuery describes a query that the model holds under a name.
type SavedQuery struct {
	Name        string   `json:"name"`
	Kind        string   `json:"kind"` // query, select or attribute
	Description string   `json:"description,omitempty"`
	Questions   []string `json:"questions,omitempty"`
	// Params describes the parameters by name.
	Params     map[string]ParamSchema  `json:"params,omitempty"`
	Metrics    []string                `json:"metrics,omitempty"`    // that the body names
	Dimensions []string                `json:"dimensions,omitempty"` // the fields of group_by
	Verified   *SavedQueryVerification `json:"verified,omitempty"`
	Home       bool                    `json:"home,omitempty"`  // a page of the model shows the result first
	Chart      string                  `json:"chart,omitempty"` // line, bar, area, table or number
	// Ordered reports whether the body has order_by.
	Ordered bool `json:"-"`
}

// SavedQueryVerification names who checked a saved query, and the date.
type SavedQueryVerification = catalog.Verification

// SavedQueries lists the saved queries in the order of the model, without those whose
// declaration is broken.
func (d *Describer) SavedQueries() []SavedQuery {
	out := []SavedQuery{}
	for _, s := range d.catalog.Saved {
		if s.Err != nil {
			continue
		}
		info := SavedQuery{
			Name: s.Name, Kind: string(s.Kind), Description: s.Description, Questions: s.Questions,
			Metrics: s.Metrics, Dimensions: s.Dimensions, Verified: s.Verified, Home: s.Home, Chart: s.Chart,
			Ordered: slices.ContainsFunc(s.Body, func(k catalog.SavedBodyMember) bool { return k.Name == "order_by" }),
		}
		for _, p := range s.Params {
			if info.Params == nil {
				info.Params = map[string]ParamSchema{}
			}
			info.Params[p.Name] = newParamSchema(p)
		}
		out = append(out, info)
	}
	return out
}
