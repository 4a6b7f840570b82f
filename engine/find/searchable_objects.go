package find

import (
	"slices"
	"strings"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// Kind is the kind of an object. Of equal hits, the smaller kind comes first.
type Kind uint8

// The kinds.
const (
	KindMetric Kind = iota
	KindDimension
	KindSavedQuery
	KindValue
	KindDataset
	KindView
)

var kindNames = [...]string{"metric", "dimension", "saved", "value", "dataset", "view"}

// String returns the name of the kind in JSON.
func (k Kind) String() string { return kindNames[k] }

// KindNames lists the kinds by their names.
func KindNames() []string { return kindNames[:] }

// Object is something that a query can name.
type Object struct {
	Kind        Kind
	Name        string // as a query takes it; of a value, that of its field
	Value       string // of a value
	Description string

	Metric  *catalog.Metric     // of a metric
	Field   *catalog.Field      // of a dimension or a value
	Saved   *catalog.SavedQuery // of a saved query
	Dataset *catalog.Dataset    // of a dataset
	View    *catalog.View       // of a view
	// Relationship leads to the field of a value in a view that has it by the relationship alone.
	Relationship *catalog.Relationship
}

// placeKind is a part of an object that has words.
type placeKind uint8

const (
	placeKindName placeKind = iota
	placeKindSynonym
	placeKindLabel
	placeKindQuestion
	placeKindValue
	placeKindDataset
	placeKindDescription
)

var placeKindNames = [...]string{"name", "synonym", "label", "question", "value", "dataset", "description"}

// Words of some places count more.
var placeKindWeights = [...]float32{4, 4, 3, 3, 3, 1.5, 1}

// isWeightedByMatchedWordShare reports whether the share of the place's own words that a question has counts.
func (k placeKind) isWeightedByMatchedWordShare() bool { return placeKindWeights[k] >= 3 }

// placeText is a place of an object before its words are split.
type placeText struct {
	kind placeKind
	text string
}

// listSearchableObjects lists the objects of a catalog that queries can name for a dialect, with their places: the own name first.
func listSearchableObjects(c *catalog.Catalog, dialect string, add func(Object, []placeText)) {
	var places []placeText // of one object after the other
	for _, m := range c.ShownMetrics() {
		if m.ErrorForDialect(dialect) != nil {
			continue
		}
		places = append(places[:0], placeText{placeKindName, m.Name}, placeText{placeKindLabel, m.Label}, placeText{placeKindDescription, joinTexts(m.Description, m.Unit, joinNestedTexts(m.SubjectPath))})
		places = appendLabelOfView(places, c, m.Name)
		for _, d := range m.Datasets {
			places = appendDatasetNameAndSynonyms(places, d)
		}
		places = appendAIContextTexts(places, m.AIContext)
		add(Object{Kind: KindMetric, Name: m.Name, Description: m.Description, Metric: m}, places)
	}
	roles := rolesByDataset(c)
	for _, listed := range c.ShownFields() {
		f := listed.Field
		if f.ErrorForDialect(dialect) != nil || f.IsNoDimension() {
			continue
		}
		places = append(places[:0], placeText{placeKindName, f.Name}, placeText{placeKindLabel, f.Label}, placeText{placeKindDescription, f.Description})
		places = appendAIContextTexts(appendDatasetNameAndSynonyms(appendLabelOfView(places, c, listed.Text()), f.Dataset), f.AIContext)
		if listed.Rel != nil {
			add(Object{Kind: KindDimension, Name: listed.Text(), Description: f.Description, Field: f}, append(places, placeText{placeKindDataset, listed.Rel.Name}))
			continue
		}
		add(Object{Kind: KindDimension, Name: listed.Text(), Description: f.Description, Field: f}, places)
		for _, r := range roles[f.Dataset] {
			if c.FindFieldAfter(r, f.Dataset, f.Name) == nil || c.ListsFieldAfter(r, f) {
				continue
			}
			of := append(slices.Clone(places), placeText{placeKindDataset, r.Name})
			add(Object{Kind: KindDimension, Name: sqlexpr.FormatPath(r.Name, f.Name), Description: f.Description, Field: f}, of)
		}
	}
	for _, s := range c.Saved {
		if s.Err != nil {
			continue
		}
		places = append(places[:0], placeText{placeKindName, s.Name}, placeText{placeKindDescription, s.Description})
		for _, q := range s.Questions {
			places = append(places, placeText{placeKindQuestion, q})
		}
		for _, w := range s.Synonyms {
			places = append(places, placeText{placeKindSynonym, w})
		}
		add(Object{Kind: KindSavedQuery, Name: s.Name, Description: s.Description, Saved: s}, places)
	}
	for _, d := range c.ShownDatasets() {
		places = appendAIContextTexts(append(places[:0], placeText{placeKindName, d.Name}, placeText{placeKindDescription, d.Description}), d.AIContext)
		add(Object{Kind: KindDataset, Name: d.Name, Description: d.Description, Dataset: d}, places)
	}
	for _, v := range c.Views {
		if v.Err != nil {
			continue
		}
		places = append(places[:0], placeText{placeKindName, v.Name}, placeText{placeKindLabel, v.Label}, placeText{placeKindDescription, v.Description})
		add(Object{Kind: KindView, Name: v.Name, Description: v.Description, View: v}, appendAIContextTexts(places, v.AIContext))
	}
}

// appendLabelOfView adds the label that the view of a catalog gives a member.
func appendLabelOfView(places []placeText, c *catalog.Catalog, member string) []placeText {
	v := c.ScopeView()
	if v == nil || v.LabelOf(member) == "" {
		return places
	}
	return append(places, placeText{placeKindLabel, v.LabelOf(member)})
}

// rolesByDataset lists the relationships that lead to a dataset beside others from the same one.
func rolesByDataset(c *catalog.Catalog) map[*catalog.Dataset][]*catalog.Relationship {
	type pair struct{ from, to *catalog.Dataset }
	by := map[pair][]*catalog.Relationship{}
	for _, r := range c.Relationships {
		if r.Err == nil && !r.IsSelfJoin() && r.SafeForward() {
			by[pair{r.From, r.To}] = append(by[pair{r.From, r.To}], r)
		}
	}
	out := map[*catalog.Dataset][]*catalog.Relationship{}
	for _, r := range c.Relationships {
		if len(by[pair{r.From, r.To}]) > 1 && r.Err == nil {
			out[r.To] = append(out[r.To], r)
		}
	}
	return out
}

// appendAIContextTexts adds the texts of an ai_context.
func appendAIContextTexts(places []placeText, context any) []placeText {
	switch context := context.(type) {
	case string:
		return append(places, placeText{placeKindDescription, context})
	case map[string]any:
		synonyms, _ := context["synonyms"].([]any)
		for _, s := range synonyms {
			if s, ok := s.(string); ok {
				places = append(places, placeText{placeKindSynonym, s})
			}
		}
		return append(places, placeText{placeKindDescription, joinTexts(joinNestedTexts(context["examples"]), joinNestedTexts(context["instructions"]))})
	}
	return places
}

// appendDatasetNameAndSynonyms adds the name and the synonyms of the dataset of an object.
func appendDatasetNameAndSynonyms(places []placeText, d *catalog.Dataset) []placeText {
	places = append(places, placeText{placeKindDataset, d.Name})
	if d.Label != "" {
		places = append(places, placeText{placeKindDataset, d.Label})
	}
	context, _ := d.AIContext.(map[string]any)
	synonyms, _ := context["synonyms"].([]any)
	for _, s := range synonyms {
		if s, ok := s.(string); ok {
			places = append(places, placeText{placeKindDataset, s})
		}
	}
	return places
}

// joinTexts joins texts that are not empty.
func joinTexts(texts ...string) string {
	out := ""
	for _, t := range texts {
		switch {
		case out == "":
			out = t
		case t != "":
			out += " " + t
		}
	}
	return out
}

// joinNestedTexts joins the texts in a value of a document.
func joinNestedTexts(v any) string {
	switch v := v.(type) {
	case string:
		return v
	case []any:
		var b strings.Builder
		for _, x := range v {
			b.WriteString(joinNestedTexts(x) + " ")
		}
		return b.String()
	}
	return ""
}
