package metricflow

import (
	"slices"

	"github.com/semlayer/semlayer/modelspec/importer"
)

// Since version 1.12 of dbt a model declares its semantic model itself: its columns name entities and dimensions, and
// its metrics have their keys at the top. It is read as the semantic model and the metrics that older
// versions write.

// addDBTModel adds what a dbt model declares, and reports whether it declares anything.
func (p *projectImport) addDBTModel(n *importer.Node) bool {
	declared, metrics := n.Get("semantic_model"), n.Get("metrics")
	if spine := n.Get("time_spine"); spine != nil {
		p.readTimeSpine(timeSpineOfDBTModel(n, spine), n.Get("name").String())
	}
	name := ""
	if declared != nil && (declared.Kind == importer.KindMap || declared.IsTrue()) {
		model := semanticModelOfDBTModel(n, declared)
		name = model.Get("name").String()
		p.readSemanticModel(model)
	}
	if metrics != nil {
		for _, item := range metrics.Items {
			if name == "" && item.Get("type").String() == "simple" {
				p.report.AddDropped(item, "metric", item.Get("name").String(), "its dbt model has no semantic_model")
				continue
			}
			p.readMetric(withTypeParams(item, name))
		}
	}
	return declared != nil || metrics != nil || n.Get("time_spine") != nil
}

// newMapNode returns a map at the place of another node. Values that are nil are left out.
func newMapNode(at *importer.Node, members ...importer.MapEntry) *importer.Node {
	out := *at
	out.Kind, out.Text, out.Items, out.Members = importer.KindMap, "", nil, nil
	for _, m := range members {
		if m.Value != nil {
			m.Line = m.Value.Line
			out.Members = append(out.Members, m)
		}
	}
	return &out
}

func newMapEntry(key string, value *importer.Node) importer.MapEntry {
	return importer.MapEntry{Key: key, Value: value}
}

func newListNodeFromItems(at *importer.Node, items []*importer.Node) *importer.Node {
	out := *at
	out.Kind, out.Text, out.Items, out.Members = importer.KindList, "", items, nil
	return &out
}

func newTextNode(at *importer.Node, text string) *importer.Node {
	out := *at
	out.Kind, out.Text, out.Items, out.Members = importer.KindScalar, text, nil, nil
	return &out
}

// firstNonNilNode returns the first node that is not nil.
func firstNonNilNode(nodes ...*importer.Node) *importer.Node {
	i := slices.IndexFunc(nodes, func(n *importer.Node) bool { return n != nil })
	if i < 0 {
		return nil
	}
	return nodes[i]
}

// semanticModelOfDBTModel returns the semantic model of a dbt model.
func semanticModelOfDBTModel(n, declared *importer.Node) *importer.Node {
	var entities, dimensions []*importer.Node
	if columns := n.Get("columns"); columns != nil {
		for _, column := range columns.Items {
			if of := column.Get("entity"); of != nil {
				entities = append(entities, elementOfColumn(column, of))
			}
			if of := column.Get("dimension"); of != nil {
				dimensions = append(dimensions, withGranularityAndValidity(elementOfColumn(column, of), column.Get("granularity"), of.Get("validity_params")))
			}
		}
	}
	if derived := n.Get("derived_semantics"); derived != nil {
		if list := derived.Get("entities"); list != nil {
			entities = append(entities, list.Items...)
		}
		if list := derived.Get("dimensions"); list != nil {
			for _, item := range list.Items {
				dimensions = append(dimensions, withGranularityAndValidity(item, item.Get("granularity"), item.Get("validity_params")))
			}
		}
	}
	name := firstNonNilNode(declared.Get("name"), n.Get("name"))
	defaults := n.Get("agg_time_dimension")
	if defaults != nil {
		defaults = newMapNode(defaults, newMapEntry("agg_time_dimension", defaults))
	}
	return newMapNode(declared,
		newMapEntry("name", name), newMapEntry("description", n.Get("description")), newMapEntry("model", newTextNode(n, "ref('"+n.Get("name").String()+"')")),
		newMapEntry("defaults", defaults), newMapEntry("primary_entity", n.Get("primary_entity")),
		newMapEntry("config", newMapNode(declared, newMapEntry("enabled", declared.Get("enabled")), newMapEntry("meta", declared.Get("config").Get("meta")))),
		newMapEntry("entities", newListNodeFromItems(n, entities)), newMapEntry("dimensions", newListNodeFromItems(n, dimensions)))
}

// timeSpineOfDBTModel returns the time spine of a dbt model, as a manifest writes it: the column has its granularity.
func timeSpineOfDBTModel(n, spine *importer.Node) *importer.Node {
	day := spine.Get("standard_granularity_column")
	var granularity *importer.Node
	if columns := n.Get("columns"); columns != nil {
		for _, column := range columns.Items {
			if column.Get("name").String() == day.String() {
				granularity = column.Get("granularity")
			}
		}
	}
	members := []importer.MapEntry{
		newMapEntry("model", newTextNode(n, "ref('"+n.Get("name").String()+"')")),
		newMapEntry("primary_column", newMapNode(spine, newMapEntry("name", day), newMapEntry("time_granularity", granularity))),
	}
	for _, m := range spine.Members {
		if m.Key != "standard_granularity_column" {
			members = append(members, m)
		}
	}
	return newMapNode(spine, members...)
}

// elementOfColumn returns the entity or dimension of a column, which writes its type alone or a map.
func elementOfColumn(column, of *importer.Node) *importer.Node {
	name := firstNonNilNode(of.Get("name"), column.Get("name"))
	kind := of.Get("type")
	if of.Kind == importer.KindScalar {
		kind = of
	}
	members := []importer.MapEntry{
		newMapEntry("name", name), newMapEntry("type", kind), newMapEntry("description", firstNonNilNode(of.Get("description"), column.Get("description"))), newMapEntry("expr", column.Get("name")),
	}
	for _, m := range of.Members {
		if !slices.Contains([]string{"name", "type", "description", "validity_params"}, m.Key) {
			members = append(members, m)
		}
	}
	return newMapNode(column, members...)
}

// withGranularityAndValidity returns a dimension with the granularity and the validity_params that older versions write in type_params.
func withGranularityAndValidity(dimension, granularity, validity *importer.Node) *importer.Node {
	members := slices.DeleteFunc(slices.Clone(dimension.Members), func(m importer.MapEntry) bool {
		return m.Key == "granularity" || m.Key == "validity_params"
	})
	if granularity != nil || validity != nil {
		members = append(members, newMapEntry("type_params", newMapNode(dimension, newMapEntry("time_granularity", granularity), newMapEntry("validity_params", validity))))
	}
	return newMapNode(dimension, members...)
}

// The keys that older versions write in type_params.
var (
	typeParamKeys       = []string{"expr", "numerator", "denominator", "fill_nulls_with", "join_to_timespine", "is_private"}
	aggregateKeys       = []string{"agg", "agg_time_dimension"}
	percentileKeys      = []string{"percentile", "percentile_type"}
	cumulativeKeys      = []string{"input_metric", "window", "grain_to_date", "period_agg"}
	conversionKeys      = []string{"entity", "calculation", "base_metric", "conversion_metric", "constant_properties"}
	metricInputListKeys = []string{"input_metrics"}
)

// withTypeParams returns a metric with the type_params that older versions write, for a metric without them.
func withTypeParams(n *importer.Node, semanticModel string) *importer.Node {
	if n.Kind != importer.KindMap || n.Get("type_params") != nil {
		return n
	}
	var kept, params, aggregate, cumulative, conversion []importer.MapEntry
	isConversion := n.Get("type").String() == "conversion"
	for _, m := range n.Members {
		switch {
		case isConversion && m.Key == "window":
			conversion = append(conversion, m)
		case slices.Contains(typeParamKeys, m.Key):
			params = append(params, m)
		case m.Key == "non_additive_dimension":
			aggregate = append(aggregate, newMapEntry(m.Key, withOlderNonAdditiveKeys(m.Value)))
		case slices.Contains(aggregateKeys, m.Key):
			aggregate = append(aggregate, m)
		case m.Key == "input_metric":
			cumulative = append(cumulative, newMapEntry("metric", m.Value))
		case slices.Contains(cumulativeKeys, m.Key):
			cumulative = append(cumulative, m)
		case slices.Contains(conversionKeys, m.Key):
			conversion = append(conversion, m)
		case slices.Contains(metricInputListKeys, m.Key):
			params = append(params, newMapEntry("metrics", m.Value))
		case !slices.Contains(percentileKeys, m.Key):
			kept = append(kept, m)
		}
	}
	switch kind := n.Get("type").String(); {
	case kind == "simple" && n.Get("agg") != nil:
		expr := firstNonNilNode(n.Get("expr"), n.Get("name"))
		aggregate = append(aggregate, newMapEntry("semantic_model", newTextNode(n, semanticModel)), newMapEntry("expr", expr), newMapEntry("agg_params", percentileParams(n)))
		params = append(params, newMapEntry("metric_aggregation_params", newMapNode(n, aggregate...)))
	case kind == "cumulative":
		params = append(params, newMapEntry("cumulative_type_params", newMapNode(n, cumulative...)))
	case kind == "conversion":
		params = append(params, newMapEntry("conversion_type_params", newMapNode(n, conversion...)))
	}
	if len(params) == 0 {
		return n
	}
	return newMapNode(n, append(kept, newMapEntry("type_params", newMapNode(n, params...)))...)
}

// olderNonAdditiveKeys are the names that older versions have for keys of a non_additive_dimension.
var olderNonAdditiveKeys = map[string]string{"window_agg": "window_choice", "group_by": "window_groupings"}

// withOlderNonAdditiveKeys returns a non_additive_dimension with the keys of older versions.
func withOlderNonAdditiveKeys(n *importer.Node) *importer.Node {
	if n.Kind != importer.KindMap {
		return n
	}
	members := slices.Clone(n.Members)
	for i, m := range members {
		if older, renamed := olderNonAdditiveKeys[m.Key]; renamed {
			members[i].Key = older
		}
	}
	return newMapNode(n, members...)
}

// percentileParams returns the agg_params of a metric that is a percentile, nil of any other one.
func percentileParams(n *importer.Node) *importer.Node {
	percentile := n.Get("percentile")
	if percentile == nil {
		return nil
	}
	discrete := "false"
	if n.Get("percentile_type").String() == "discrete" {
		discrete = "true"
	}
	return newMapNode(n, newMapEntry("percentile", percentile), newMapEntry("use_discrete_percentile", newTextNode(n, discrete)))
}
