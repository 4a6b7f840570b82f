package reference

import (
	"context"
	"encoding/json"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/semlayer/semlayer/modelspec"
	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/compile"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/query"
)

// CompiledModel is a semantic model whose queries the reference answers. The fields and the metrics of a
// query are written into the text of the model: such a query means the same as that model.
type CompiledModel struct {
	Catalog *catalog.Catalog
	text    []byte
}

// CompileModel compiles the text of a model.
func CompileModel(ctx context.Context, text []byte) (*CompiledModel, error) {
	doc, err := modelspec.Parse(text)
	if err != nil {
		return nil, err
	}
	cat, err := compile.Compile(ctx, doc, compile.Options{})
	if err != nil {
		return nil, err
	}
	return &CompiledModel{cat, text}, nil
}

// extendCatalog returns the catalog of the model with the fields and metrics of a query.
func (m *CompiledModel) extendCatalog(e *evaluator, fields []query.LocalField, metrics []query.InlineMetric, sequences []query.Sequence) (*catalog.Catalog, error) {
	if len(sequences) > 0 {
		wider, err := m.withSequences(e, sequences)
		if err != nil || len(e.must) > 0 {
			return m.Catalog, err
		}
		return wider.extendCatalog(e, fields, metrics, nil)
	}
	if len(fields) == 0 && len(metrics) == 0 {
		return m.Catalog, nil
	}
	doc, root, err := m.yaml()
	if err != nil {
		return nil, err
	}
	for i, f := range fields {
		if !m.canDatasetHaveQueryField(e, fields[:i], f) {
			continue
		}
		for _, d := range yamlMember(root, "datasets").Content {
			if strings.EqualFold(yamlMember(d, "name").Value, f.Dataset) {
				appendToYAMLList(d, "fields", newModelObjectYAML(f.Name, f.Expression, lodPayloadOfField(f)))
			}
		}
	}
	for i, x := range metrics {
		if !m.checkInlineMetric(e, metrics[:i], x) {
			continue
		}
		payload := map[string]any{}
		for key, value := range map[string]string{"dataset": x.Dataset, "time_dimension": x.TimeDimension} {
			if value != "" {
				payload[key] = value
			}
		}
		expression := x.Expression
		if x.At != nil {
			payload["derive"] = payloadOfLevel(x.Expression, x.At)
			f := m.Catalog.Fields[0]
			expression = "COUNT(" + f.Dataset.Name + "." + f.Name + ")" // which readers without levels would see
		}
		appendToYAMLList(root, "metrics", newModelObjectYAML(x.Name, expression, payload))
	}
	if len(e.must) > 0 {
		return m.Catalog, nil
	}
	text, err := yaml.Marshal(doc)
	if err != nil {
		return nil, err
	}
	wider, err := CompileModel(context.Background(), text)
	if err != nil {
		return nil, err
	}
	return wider.Catalog, nil
}

// yaml returns the text of the model as a document, with the node of the model.
func (m *CompiledModel) yaml() (doc, root *yaml.Node, err error) {
	doc = new(yaml.Node)
	if err := yaml.Unmarshal(m.text, doc); err != nil {
		return nil, nil, err
	}
	root = doc.Content[0]
	if list := yamlMember(root, "semantic_model"); list != nil {
		root = list.Content[0]
	}
	return doc, root, nil
}

// withSequences returns the model with the sequences of a query as datasets.
func (m *CompiledModel) withSequences(e *evaluator, sequences []query.Sequence) (*CompiledModel, error) {
	doc, root, err := m.yaml()
	if err != nil {
		return nil, err
	}
	for i, q := range sequences {
		taken := func(o query.Sequence) bool { return strings.EqualFold(o.Name, q.Name) }
		if m.Catalog.Dataset(q.Name) != nil || m.Catalog.Relationship(q.Name) != nil || slices.ContainsFunc(sequences[:i], taken) {
			e.addMustRejectCode("duplicate_output_name")
			return m, nil
		}
		text, err := json.Marshal(q)
		if err != nil {
			return nil, err
		}
		payload := map[string]any{}
		if err := json.Unmarshal(text, &payload); err != nil {
			return nil, err
		}
		delete(payload, "name")
		data, err := json.Marshal(map[string]any{"v": "1.10", "sequence": payload})
		if err != nil {
			return nil, err
		}
		var node yaml.Node
		if err := node.Encode(map[string]any{
			"name": q.Name, "source": q.Name, "custom_extensions": []any{map[string]any{"vendor_name": "SEMLAYER", "data": string(data)}},
		}); err != nil {
			return nil, err
		}
		appendToYAMLList(root, "datasets", &node)
	}
	text, err := yaml.Marshal(doc)
	if err != nil {
		return nil, err
	}
	wider, err := CompileModel(context.Background(), text)
	if err != nil {
		return nil, err
	}
	for _, q := range sequences {
		if d := wider.Catalog.Dataset(q.Name); d == nil || d.Sequence == nil || d.Sequence.Err != nil || len(d.Sequence.Columns) == 0 {
			abstain("a sequence that does not compile")
		}
	}
	return wider, nil
}

// canDatasetHaveQueryField reports whether a dataset can have a field of a query.
func (m *CompiledModel) canDatasetHaveQueryField(e *evaluator, earlier []query.LocalField, f query.LocalField) bool {
	d := m.Catalog.Dataset(f.Dataset)
	switch {
	case d == nil:
		e.addMustRejectCode("unknown_dataset")
	case d.Field(f.Name) != nil, slices.ContainsFunc(earlier, func(o query.LocalField) bool {
		return strings.EqualFold(o.Dataset, f.Dataset) && strings.EqualFold(o.Name, f.Name)
	}):
		e.addMustRejectCode("duplicate_output_name")
	default:
		return e.checkExpressionText(f.Expression, f.LOD != nil)
	}
	return false
}

// checkExpressionText rejects what the text of a query may not have: a slot of a parameter and, outside of
// a level of detail, an aggregate.
func (e *evaluator) checkExpressionText(text string, aggregates bool) bool {
	x, err := sqlexpr.ParseLimited(text, sqlexpr.QueryLimits())
	switch {
	case err != nil:
		e.addMustRejectCode("unparseable_expression")
		e.addMayRejectCode("unsupported_expression")
	case len(sqlexpr.ParamSlots(x)) > 0, len(sqlexpr.UnknownFunctionCalls(x)) > 0, !aggregates && sqlexpr.FirstAggregate(x) != nil:
		e.addMustRejectCode("unsupported_expression")
	default:
		return true
	}
	return false
}

// checkInlineMetric reports whether a query can add a metric.
func (m *CompiledModel) checkInlineMetric(e *evaluator, earlier []query.InlineMetric, x query.InlineMetric) bool {
	switch {
	case m.Catalog.Metric(x.Name) != nil, slices.ContainsFunc(earlier, func(o query.InlineMetric) bool { return strings.EqualFold(o.Name, x.Name) }):
		e.addMustRejectCode("duplicate_output_name")
	case x.Dataset != "" && m.Catalog.Dataset(x.Dataset) == nil:
		e.addMustRejectCode("unknown_dataset")
	default:
		return e.checkExpressionText(x.Expression, true)
	}
	return false
}

// checkLocalFields rejects the fields of a query that do not compile.
func (e *evaluator) checkLocalFields(fields []query.LocalField) {
	for _, f := range fields {
		d := e.cat.Dataset(f.Dataset)
		if d == nil || d.Field(f.Name) == nil {
			continue
		}
		if err := d.Field(f.Name).ErrorForDialect(expressionDialect); err != nil {
			e.addMustRejectCode(err.Code)
			e.addMayRejectCode("unsupported_expression")
		}
	}
}

// allowRejectionOfInlineMetric adds the codes of a faulty inline metric: outside an aggregate it may name
// metrics only, and some constructs are allowed in models only.
func (e *evaluator) allowRejectionOfInlineMetric(name string) {
	if slices.ContainsFunc(e.q.InlineMetrics, func(x query.InlineMetric) bool { return strings.EqualFold(x.Name, name) }) {
		e.addMayRejectCode("unknown_metric")
		e.addMayRejectCode("unsupported_expression")
		e.addMayRejectCode("bad_request")
		e.addMayRejectCode("unknown_dimension")
	}
}

// refuseUnreachableInlineMetricAxes rejects an axis of an inline metric that none of its rows has.
func (e *evaluator) refuseUnreachableInlineMetricAxes() {
	for _, x := range e.q.InlineMetrics {
		m := e.cat.Metric(x.Name)
		if m == nil || m.TimeAxis == nil || m.ErrorForDialect(expressionDialect) != nil {
			continue
		}
		reached := slices.ContainsFunc(homesOfMetric(m), func(d *catalog.Dataset) bool {
			return len(pathsBetween(e.cat, d, m.TimeAxis.Dataset, isSafeStep)) > 0
		})
		if !reached {
			e.addMustRejectCode("bad_request")
		}
	}
}

func lodPayloadOfField(f query.LocalField) map[string]any {
	if f.LOD == nil {
		return nil
	}
	lod := map[string]any{"grain": f.LOD.Grain}
	if f.LOD.Where != "" {
		lod["where"] = f.LOD.Where
	}
	if len(f.LOD.Via) > 0 {
		lod["via"] = f.LOD.Via
	}
	return map[string]any{"lod": lod}
}

// newModelObjectYAML returns a metric or a field of a model.
func newModelObjectYAML(name, expression string, payload map[string]any) *yaml.Node {
	object := map[string]any{
		"name":       name,
		"expression": map[string]any{"dialects": []any{map[string]any{"dialect": "ANSI_SQL", "expression": expression}}},
	}
	if len(payload) > 0 {
		payload["v"] = "1.10"
		data, err := json.Marshal(payload)
		if err != nil {
			failUnsupported("the payload of %s", name)
		}
		object["custom_extensions"] = []any{map[string]any{"vendor_name": "SEMLAYER", "data": string(data)}}
	}
	var node yaml.Node
	if err := node.Encode(object); err != nil {
		failUnsupported("the object %s", name)
	}
	return &node
}

// yamlMember returns the value of a key; nil when the object does not have it.
func yamlMember(object *yaml.Node, key string) *yaml.Node {
	for i := 0; i+1 < len(object.Content); i += 2 {
		if object.Content[i].Value == key {
			return object.Content[i+1]
		}
	}
	return nil
}

func appendToYAMLList(object *yaml.Node, key string, item *yaml.Node) {
	list := yamlMember(object, key)
	if list == nil {
		list = &yaml.Node{Kind: yaml.SequenceNode}
		object.Content = append(object.Content, &yaml.Node{Kind: yaml.ScalarNode, Value: key}, list)
	}
	list.Content = append(list.Content, item)
}
