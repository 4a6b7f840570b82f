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
	case n.Kind == importer.Scalar:
		return []string{n.Text}
	case n.Kind == importer.Map:
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

// condition makes SQL over the fields of the measure's dataset from the conditions of a
// filter; "" where there is none.
func (x *measure) condition(filters []string) (string, error) { return condition(x, filters) }

// scope finds the fields that the templates of a condition name.
type scope interface {
	dimension(path, grain string) (string, error)
	entity(path string) (string, error)
	// holds reports whether the condition can name fields of a dataset.
	holds(dataset string) bool
}

// condition joins conditions with AND, in canonical form; "" where there is none.
func condition(in scope, filters []string) (string, error) {
	var parts []string
	for _, text := range filters {
		e, err := filter(in, text)
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

// filter replaces the templates of one condition by fields, and returns it in canonical
// form.
func filter(in scope, text string) (string, error) {
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
		field, err := fieldOf(in, strings.TrimSpace(template))
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
	for _, column := range sqlexpr.Columns(e) {
		if len(column.Path) != 2 || !in.holds(column.Path[0].Text) {
			return "", fmt.Errorf("the filter names the column %s without Dimension('…')", sqlexpr.Format(column))
		}
	}
	return sqlexpr.Format(e), nil
}

// fieldOf is the expression of one template in a filter.
func fieldOf(in scope, text string) (string, error) {
	c, ok := parseCall(text)
	if !ok {
		return "", fmt.Errorf("the filter has the template %q, which is not a reference", text)
	}
	r, err := c.reference(text)
	switch {
	case err != nil:
		return "", err
	case r.isEntity:
		return in.entity(r.path)
	}
	return in.dimension(r.path, r.grain)
}

// reference names a dimension or an entity.
type reference struct {
	path, grain string
	isEntity    bool
}

// reference reads the call of a template with a text.
func (c call) reference(text string) (reference, error) {
	if len(c.args) == 0 {
		return reference{}, fmt.Errorf("it has the template %q, which is not a reference", text)
	}
	if c.name == "Metric" {
		return reference{}, errors.New("a condition on a metric has no counterpart")
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
		return reference{}, fmt.Errorf("it has the template %q with arguments that have no counterpart", text)
	}
	for _, method := range c.methods {
		if method.name != "grain" || len(method.args) != 1 {
			return reference{}, fmt.Errorf("it has the method %s of %s, which has no counterpart", method.name, c.name)
		}
		grain = method.args[0]
	}
	if len(c.keys) > 0 {
		return reference{}, fmt.Errorf("it has the template %q with arguments that have no counterpart", text)
	}
	switch c.name {
	case "Dimension", "TimeDimension":
		return reference{path, strings.ToLower(grain), false}, nil
	case "Entity":
		return reference{path, "", true}, nil
	}
	return reference{}, fmt.Errorf("it has the template %q, which is not a reference", text)
}

func (x *measure) holds(dataset string) bool { return dataset == x.model.dataset.Name }

// dimension is the field of a dimension of the measure's dataset. A time dimension is
// truncated to its granularity, as MetricFlow does.
func (x *measure) dimension(path, grain string) (string, error) {
	entity, name, qualified := cutLast(path)
	if !qualified {
		name = path
	}
	if path == "metric_time" {
		if name = x.timeDimension(); name == "" {
			return "", errors.New("the measure has no time dimension")
		}
	} else if !qualified || !x.model.owns(entity) {
		return "", fmt.Errorf("the filter names %s, which is not a dimension of the measure's own dataset %s", path, x.model.dataset.Name)
	}
	e := x.model.dimensionOf(name)
	if e == nil {
		return "", fmt.Errorf("the filter names the dimension %s, which the dataset %s does not have", path, x.model.dataset.Name)
	}
	return x.model.period(e, path, grain)
}

// dimensionOf is the dimension of a name that has a field, nil without one.
func (m *semanticModel) dimensionOf(name string) *element {
	for _, e := range m.dimensions {
		if e.name == name && e.field.Name != "" {
			return e
		}
	}
	return nil
}

// period is the field of a dimension, truncated where it is a time.
func (m *semanticModel) period(e *element, path, grain string) (string, error) {
	ref := sqlexpr.FormatPath(m.dataset.Name, e.name)
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
	if !slices.Contains(grains, grain) {
		return "", fmt.Errorf("the filter needs %s by %s, which is finer than a day", path, grain)
	}
	return "DATE_TRUNC('" + grain + "', " + ref + ")", nil
}

// grains are the granularities that queries group by, from the finest.
var grains = []string{"day", "week", "month", "quarter", "year"}

// entity is the field of an entity of the measure's dataset.
func (x *measure) entity(path string) (string, error) {
	for _, e := range x.model.entities {
		if e.name == path && e.field.Name != "" {
			return sqlexpr.FormatPath(x.model.dataset.Name, e.name), nil
		}
	}
	return "", fmt.Errorf("the filter names the entity %s, which the dataset %s does not have", path, x.model.dataset.Name)
}

// owns reports whether the dimensions of the semantic model are found under an entity.
func (m *semanticModel) owns(entity string) bool {
	return entity != "" && entity == m.primaryEntity || slices.ContainsFunc(m.entities, func(e *element) bool {
		return e.name == entity && (e.kind == "primary" || e.kind == "unique")
	})
}

// timeDimension is the time dimension of the measure, "" where it has none.
func (x *measure) timeDimension() string {
	if x.time != "" {
		return x.time
	}
	return x.model.timeDimension
}

// cutLast cuts a path at its last two underscores.
func cutLast(path string) (before, after string, found bool) {
	i := strings.LastIndex(path, "__")
	if i < 0 {
		return "", path, false
	}
	return path[:i], path[i+2:], true
}
