package find

import (
	"strings"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// Kind is the kind of an object. Of equal hits, the smaller kind comes first.
type Kind uint8

// The kinds.
const (
	Metric Kind = iota
	Dimension
	Saved
	Value
	Dataset
)

var kindNames = [...]string{"metric", "dimension", "saved", "value", "dataset"}

// String is the name of the kind in JSON.
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
}

// placeKind is a part of an object that has words.
type placeKind uint8

const (
	placeName placeKind = iota
	placeSynonym
	placeLabel
	placeQuestion
	placeValue
	placeDataset
	placeDescription
)

var placeLabels = [...]string{"name", "synonym", "label", "question", "value", "dataset", "description"}

// Words of some places count more.
var placeWeights = [...]float32{4, 4, 3, 3, 3, 1.5, 1}

// isWhole reports whether the share of the place's own words that a question has counts.
func (k placeKind) isWhole() bool { return placeWeights[k] >= 3 }

// text is a place of an object before its words are split.
type text struct {
	kind placeKind
	text string
}

// listObjects lists the objects of a catalog that queries can name for a dialect, with their places.
func listObjects(c *catalog.Catalog, dialect string, add func(Object, []text)) {
	for _, m := range c.Metrics {
		if m.ErrorForDialect(dialect) != nil {
			continue
		}
		places := []text{{placeName, m.Name}, {placeLabel, m.Label}, {placeDescription, m.Description + " " + m.Unit + " " + flatten(m.SubjectPath)}}
		for _, d := range m.Datasets {
			places = append(places, text{placeDataset, d.Name})
		}
		add(Object{Kind: Metric, Name: m.Name, Description: m.Description, Metric: m}, withContext(places, m.AIContext))
	}
	roles := rolesOf(c)
	for _, f := range c.Fields {
		if f.ErrorForDialect(dialect) != nil || f.IsDimension != nil && !*f.IsDimension {
			continue
		}
		places := withContext([]text{{placeName, f.Name}, {placeLabel, f.Label}, {placeDataset, f.Dataset.Name}, {placeDescription, f.Description}}, f.AIContext)
		add(Object{Kind: Dimension, Name: f.QualifiedName(), Description: f.Description, Field: f}, places)
		for _, r := range roles[f.Dataset] {
			of := append([]text{{placeDataset, r.Name}}, places...)
			add(Object{Kind: Dimension, Name: sqlexpr.FormatPath(r.Name, f.Name), Description: f.Description, Field: f}, of)
		}
	}
	for _, s := range c.Saved {
		if s.Err != nil {
			continue
		}
		places := []text{{placeName, s.Name}, {placeDescription, s.Description}}
		for _, q := range s.Questions {
			places = append(places, text{placeQuestion, q})
		}
		for _, w := range s.Synonyms {
			places = append(places, text{placeSynonym, w})
		}
		add(Object{Kind: Saved, Name: s.Name, Description: s.Description, Saved: s}, places)
	}
	for _, d := range c.Datasets {
		add(Object{Kind: Dataset, Name: d.Name, Description: d.Description, Dataset: d},
			withContext([]text{{placeName, d.Name}, {placeDescription, d.Description}}, d.AIContext))
	}
}

// rolesOf lists the relationships that lead to a dataset beside others from the same one.
func rolesOf(c *catalog.Catalog) map[*catalog.Dataset][]*catalog.Relationship {
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

// withContext adds the texts of an ai_context.
func withContext(places []text, context any) []text {
	switch context := context.(type) {
	case string:
		return append(places, text{placeDescription, context})
	case map[string]any:
		synonyms, _ := context["synonyms"].([]any)
		for _, s := range synonyms {
			if s, ok := s.(string); ok {
				places = append(places, text{placeSynonym, s})
			}
		}
		return append(places, text{placeDescription, flatten(context["examples"]) + " " + flatten(context["instructions"])})
	}
	return places
}

// flatten joins the texts in a value of a document.
func flatten(v any) string {
	switch v := v.(type) {
	case string:
		return v
	case []any:
		var b strings.Builder
		for _, x := range v {
			b.WriteString(flatten(x) + " ")
		}
		return b.String()
	}
	return ""
}
