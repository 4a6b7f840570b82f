package metricflow

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/semlayer/semlayer/modelspec/importer"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// filterTexts lists the conditions of a filter: a text, a list of texts, or the form of the
// manifest.
func filterTexts(n *importer.Node) []string {
	switch {
	case n == nil:
		return nil
	case n.Kind == importer.KindScalar:
		return []string{n.Text}
	case n.Kind == importer.KindMap:
		if list := n.Get("where_filters"); list != nil {
			return filterTexts(list)
		}
		return []string{n.Get("where_sql_template").String()}
	}
	var out []string
	for _, item := range n.Items {
		out = append(out, filterTexts(item)...)
	}
	return out
}

// filterSQL makes SQL over the fields of the measure's dataset, and of those that it leads to, from the
// conditions of a filter; "" where there is none.
func (x *measure) filterSQL(filters []string) (string, error) {
	return combineFiltersWithAnd(x, filters)
}

// templateFieldResolver finds the fields that the templates of a condition name.
type templateFieldResolver interface {
	fieldOfDimensionPath(path, grain string) (string, error)
	fieldOfEntityPath(path string) (string, error)
	// holds reports whether the condition can name fields of a dataset.
	canConditionNameDataset(dataset string) bool
}

// combineFiltersWithAnd joins conditions with AND, in canonical form; "" where there is none.
func combineFiltersWithAnd(in templateFieldResolver, filters []string) (string, error) {
	var parts []string
	for _, text := range filters {
		e, err := filterConditionSQL(in, text)
		if err != nil {
			return "", err
		}
		parts = append(parts, e)
	}
	if len(parts) == 1 {
		return parts[0], nil
	}
	for i, part := range parts {
		parts[i] = "(" + part + ")"
	}
	return strings.Join(parts, " AND "), nil
}

// filterConditionSQL replaces the templates of one condition by fields, and returns it in canonical
// form.
func filterConditionSQL(in templateFieldResolver, text string) (string, error) {
	var out strings.Builder
	for rest := text; ; {
		before, after, found := strings.Cut(rest, "{{")
		out.WriteString(before)
		if !found {
			break
		}
		template, after, closed := strings.Cut(after, "}}")
		if !closed {
			return "", errors.New("the filter has a template without an end")
		}
		field, err := fieldOfTemplate(in, strings.TrimSpace(template))
		if err != nil {
			return "", err
		}
		out.WriteString(field)
		rest = after
	}
	if strings.Contains(out.String(), "{%") || strings.Contains(out.String(), "{#") {
		return "", errors.New("the filter has Jinja other than references")
	}
	e, err := sqlexpr.Parse(out.String())
	if err != nil {
		return "", fmt.Errorf("the filter is not a condition that can be read: %w", err)
	}
	for _, column := range sqlexpr.ColumnReferences(e) {
		if len(column.Path) != 2 || !in.canConditionNameDataset(column.Path[0].Text) {
			return "", fmt.Errorf("the filter names the column %s without Dimension('…')", sqlexpr.Format(column))
		}
	}
	return sqlexpr.Format(e), nil
}

// fieldOfTemplate returns the expression of one template in a filter.
func fieldOfTemplate(in templateFieldResolver, text string) (string, error) {
	c, ok := parseTemplateCall(text)
	if !ok {
		return "", fmt.Errorf("the filter has the template %q, which is not a reference", text)
	}
	r, err := c.toElementReference(text)
	switch {
	case err != nil:
		return "", err
	case r.isEntity:
		return in.fieldOfEntityPath(r.path)
	}
	return in.fieldOfDimensionPath(r.path, r.grain)
}

// elementReference names a dimension or an entity.
type elementReference struct {
	path, grain string
	isEntity    bool
}

// toElementReference reads the call of a template with a text.
func (c templateCall) toElementReference(text string) (elementReference, error) {
	if len(c.args) == 0 {
		return elementReference{}, fmt.Errorf("it has the template %q, which is not a reference", text)
	}
	if c.name == "Metric" {
		return elementReference{}, errors.New("a condition on a metric has no counterpart")
	}
	path := c.args[0]
	if entities := c.keys["entity_path"]; entities != "" {
		path = entities + "__" + path
	}
	delete(c.keys, "entity_path")
	grain := c.keys["time_granularity_name"] + c.keys["time_granularity"]
	delete(c.keys, "time_granularity_name")
	delete(c.keys, "time_granularity")
	if c.name == "TimeDimension" && len(c.args) == 2 {
		grain = c.args[1]
	} else if len(c.args) != 1 {
		return elementReference{}, fmt.Errorf("it has the template %q with arguments that have no counterpart", text)
	}
	for _, method := range c.methods {
		if method.name != "grain" || len(method.args) != 1 {
			return elementReference{}, fmt.Errorf("it has the method %s of %s, which has no counterpart", method.name, c.name)
		}
		grain = method.args[0]
	}
	if len(c.keys) > 0 {
		return elementReference{}, fmt.Errorf("it has the template %q with arguments that have no counterpart", text)
	}
	switch c.name {
	case "Dimension", "TimeDimension":
		return elementReference{path, strings.ToLower(grain), false}, nil
	case "Entity":
		return elementReference{path, "", true}, nil
	}
	return elementReference{}, fmt.Errorf("it has the template %q, which is not a reference", text)
}

func (x *measure) canConditionNameDataset(dataset string) bool {
	return dataset == x.model.dataset.Name || slices.ContainsFunc(x.model.joins, func(j toOneModelJoin) bool { return j.relationship == dataset })
}

// fieldOfDimensionPath returns the field of a dimension of the measure's dataset, or of one that an entity of it
// leads to. A time dimension is truncated to its granularity, as MetricFlow does.
func (x *measure) fieldOfDimensionPath(path, grain string) (string, error) {
	entity, name, qualified := cutAtLastDoubleUnderscore(path)
	if !qualified {
		name = path
	}
	if path == "metric_time" {
		if name = x.timeDimension(); name == "" {
			return "", errors.New("the measure has no time dimension")
		}
	} else if !qualified || !x.model.hasEntityAsKey(entity) {
		return x.joinedField(path, entity, name, grain)
	}
	e := x.model.findDimension(name)
	if e == nil {
		return "", fmt.Errorf("the filter names the dimension %s, which the dataset %s does not have", path, x.model.dataset.Name)
	}
	return fieldSQLTruncatedToGrain(x.model.dataset.Name, e, path, grain)
}

// joinedField returns the field of a dimension of the one semantic model that an entity of the measure's leads to.
func (x *measure) joinedField(path, entity, name, grain string) (string, error) {
	var field *entityOrDimension
	relationship := ""
	for _, j := range x.model.joins {
		e := j.target.findDimension(name)
		switch {
		case j.entity != entity || e == nil:
		case field != nil:
			return "", fmt.Errorf("the filter names %s, which several semantic models have", path)
		default:
			field, relationship = e, j.relationship
		}
	}
	if field == nil {
		return "", fmt.Errorf("the filter names %s, which is not a dimension of the measure's own dataset %s, nor of one that its entities lead to", path, x.model.dataset.Name)
	}
	return fieldSQLTruncatedToGrain(relationship, field, path, grain)
}

// findDimension returns the dimension of a name that has a field, nil without one.
func (m *semanticModel) findDimension(name string) *entityOrDimension {
	for _, e := range m.dimensions {
		if e.name == name && e.field.Name != "" {
			return e
		}
	}
	return nil
}

// fieldSQLTruncatedToGrain returns the field of a dimension behind a dataset or a relationship, truncated where it is
// a time.
func fieldSQLTruncatedToGrain(qualifier string, e *entityOrDimension, path, grain string) (string, error) {
	ref := sqlexpr.FormatPath(qualifier, e.name)
	if e.kind != "time" {
		if grain != "" {
			return "", fmt.Errorf("the filter gives %s a granularity, and it is not a time dimension", path)
		}
		return ref, nil
	}
	if grain == "" {
		grain = e.granularity
	}
	if grain == "" {
		return ref, nil
	}
	if _, ok := sqlexpr.ParseGrain(grain); !ok {
		return "", fmt.Errorf("the filter needs %s by %s, which is finer than a second", path, grain)
	}
	return "DATE_TRUNC('" + grain + "', " + ref + ")", nil
}

// fieldOfEntityPath returns the field of an entity of the measure's dataset.
func (x *measure) fieldOfEntityPath(path string) (string, error) {
	for _, e := range x.model.entities {
		if e.name == path && e.field.Name != "" {
			return sqlexpr.FormatPath(x.model.dataset.Name, e.name), nil
		}
	}
	return "", fmt.Errorf("the filter names the entity %s, which the dataset %s does not have", path, x.model.dataset.Name)
}

// hasEntityAsKey reports whether the dimensions of the semantic model are found under an entity.
func (m *semanticModel) hasEntityAsKey(entity string) bool {
	return entity != "" && entity == m.primaryEntity || slices.ContainsFunc(m.entities, func(e *entityOrDimension) bool {
		return e.name == entity && (e.kind == "primary" || e.kind == "unique")
	})
}

// timeDimension returns the time dimension of the measure, "" where it has none.
func (x *measure) timeDimension() string {
	if x.time != "" {
		return x.time
	}
	return x.model.timeDimension
}

// cutAtLastDoubleUnderscore cuts a path at its last two underscores.
func cutAtLastDoubleUnderscore(path string) (before, after string, found bool) {
	i := strings.LastIndex(path, "__")
	if i < 0 {
		return "", path, false
	}
	return path[:i], path[i+2:], true
}
