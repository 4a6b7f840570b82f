package extension

import (
	"slices"

	"github.com/semlayer/semlayer/modelspec"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// The shapes of the blocks that are not windows.
var (
	timeShape = objectShape(
		required("format", textShape(), "layout such as yyyyMMdd, or epoch_seconds, epoch_millis, epoch_days"),
		optional("granularity", grainShape(), "the calendar period that a value stores"),
	)
	lodShape = objectShape(
		required("grain", listShape(textShape(), 1), "the fields of the dataset that make up the grain key"),
		optional("where", textShape(), "a predicate over the aggregated rows"),
		optional("via", listShape(textShape(), 1), "the relationships from the aggregated dataset to the field's own"),
	)
	measureShape = objectShape(required("name", nameShape(), "the measure's name"))
	filterShape  = objectShape(
		required("type", enumShape("filter"), "the metric is another one over fewer rows"),
		required("base", textShape(), "the metric to filter"),
		required("where", textShape(), "a predicate over fields"),
	)
	composeShape = objectShape(
		required("type", enumShape("compose"), "the metric is arithmetic over metrics"),
		required("expr", textShape(), "arithmetic over metrics"),
		optional("fill", Shape{Type: TypeNumber}, "the number in place of a null operand"),
	)
	paramShape = objectShape(
		required("name", nameShape(), "the name of the slots, without the colon"),
		required("type", enumShape(paramTypes...), "the type of the values"),
		optional("default", literalShape(), "the value of a query that binds none"),
		optional("allowed", listShape(literalShape(), 1), "the only values"),
		optional("min", literalShape(), "the smallest value"),
		optional("max", literalShape(), "the largest value"),
		optional("description", textShape(), "what the parameter means"),
	)
)

// The shapes of saved queries. A body is an object of the keys that its endpoint takes.
var (
	bodyShape     = objectShape()
	verifiedShape = objectShape(
		required("by", textShape(), "who checked the query"),
		required("on", textShape(), "the date of the check"),
	)
	savedShape = objectShape(
		required("name", Shape{Type: TypeText, Pattern: savedName.String()}, "the name that requests use"),
		optional("query", bodyShape, "the body of a metric query"),
		optional("select", bodyShape, "the body of a detail query"),
		optional("attribute", bodyShape, "the body of an attribution"),
		optional("params", listShape(paramShape, 0), "parameters; their slots are in the body"),
		optional("description", textShape(), "what the query answers"),
		optional("questions", listShape(textShape(), 0), "questions in words that the query answers"),
		optional("synonyms", listShape(textShape(), 0), "other names"),
		optional("verified", verifiedShape, "who checked the query, and when"),
	)
)

func grainShape() Shape { return enumShape(sqlexpr.GrainNames()...) }

func literalShape() Shape { return Shape{Type: TypeLiteral} }

// The shapes of windows.
var (
	pointShape = objectShape(
		required("count", countShape(1), "how many buckets away"),
		required("granularity", grainShape(), "the unit of the count"),
		optional("direction", enumShape("back", "forward"), "default back"),
	)
	calculationMember = optional("calculation", enumShape(calculations...), "what to compute from the two values; default percent_change")
	resetMember       = optional("reset", enumShape(resets...), "the calendar period at which the window begins again")
	fullWindowMember  = optional("require_full_window", Shape{Type: TypeBoolean}, "null until the window has all its buckets")
	orderMember       = optional("order", orderShape, "the order of the buckets")
	partitionMember   = optional("partition", partitionShape, "which buckets the window sees together")

	popShape = objectShape(
		required("type", enumShape("pop"), "a comparison with another period"),
		required("offset", anyShape(textShape(), pointShape), `how far away the other bucket is: "1 month", or an object`),
		calculationMember,
	)
	rollingShape = objectShape(
		required("type", enumShape("rolling"), "an aggregate over the last buckets"),
		required("function", enumShape(oneInputFunctions...), "the aggregate"),
		required("periods", countShape(1), "how many buckets the window spans"),
		fullWindowMember,
	)
	cumulativeShape = objectShape(
		required("type", enumShape("cumulative"), "an aggregate over all buckets so far"),
		optional("function", enumShape(oneInputFunctions...), "the aggregate; default sum"),
		resetMember,
	)
	offsetShape = objectShape(required("offset", pointShape, "how far away the other bucket is"), calculationMember)

	orderShape = objectShape(
		optional("by", enumShape("time", "value"), "time, or the metric's value"),
		optional("direction", enumShape("asc", "desc"), "asc for time and desc for values by default"),
	)
	partitionShape = objectShape(
		optional("mode", enumShape(partitionModes...), "default query_dimensions"),
		optional("exclude", listShape(textShape(), 1), "the dimensions to leave out, as dataset.field"),
	)
	frameShape = objectShape(
		required("function", enumShape(slices.Concat(oneInputFunctions, twoInputFunctions)...), "the aggregate"),
		optional("preceding", anyShape(enumShape("unbounded"), countShape(0)), `how many earlier buckets the frame spans, or "unbounded"`),
		optional("second", textShape(), "the metric that is the second input"),
		resetMember,
		fullWindowMember,
		orderMember,
		partitionMember,
		optional("units", enumShape("rows", "range"), "default rows"),
		optional("scope", enumShape("frame", "partition"), "default frame"),
	)
	rankShape = objectShape(
		required("function", enumShape(rankFunctions...), "the ranking function"),
		optional("buckets", countShape(1), "of ntile: how many"),
		orderMember,
		partitionMember,
	)
	valueShape = objectShape(
		required("function", enumShape(valueFunctions...), "which value of the window"),
		optional("n", countShape(1), "of nth_value: which"),
		orderMember,
		partitionMember,
	)
	familyShapes = map[string]Shape{"frame": frameShape, "rank": rankShape, "value": valueShape}
)

// windowShape is every form of a window.
func windowShape() Shape {
	forms := []Shape{popShape, rollingShape, cumulativeShape, offsetShape}
	for _, family := range windowFamilies {
		if shape, ok := familyShapes[family]; ok {
			forms = append(forms, objectShape(required(family, shape, "a window function of the family "+family)))
		}
	}
	return anyShape(forms...)
}

// shapes has the shape of every key, by carrier and name.
func shapes() map[Carrier][]Member {
	boolean, number := Shape{Type: TypeBoolean}, Shape{Type: TypeNumber}
	params := listShape(paramShape, 0)
	member := func(name string, shape Shape) Member { return Member{Name: name, Shape: shape} }
	return map[Carrier][]Member{
		OnModel:   {member("queries", listShape(savedShape, 0))},
		OnDataset: {member("time_dimension", textShape())},
		OnField: {
			member("time_granularity", grainShape()), member("params", params), member("is_dimension", boolean),
			member("time", timeShape), member("lod", lodShape),
		},
		OnRelationship: {
			member("join_type", enumShape(joinTypes...)), member("cardinality", enumShape(modelspec.Cardinalities()...)),
		},
		OnMetric: {
			member("dataset", textShape()), member("time_dimension", textShape()), member("fill_nulls_with", number),
			member("window", windowShape()), member("subject_path", anyShape(textShape(), listShape(textShape(), 0))),
			member("unit", textShape()), member("format", textShape()), member("derive", anyShape(filterShape, composeShape)),
			member("measure", measureShape), member("params", params),
		},
	}
}

// ShapeOn describes the payloads of a carrier: the keys of every payload, then those of the
// carrier in the order of Keys, with their summaries.
func ShapeOn(carrier Carrier) Shape {
	members := []Member{
		optional("v", Shape{Type: TypeText, Pattern: versionPattern}, "version of the extension that the payload is written for; newest: "+Version),
		optional("requires", listShape(textShape(), 0), "keys without which an engine must refuse the payload"),
	}
	known := shapes()[carrier]
	for _, k := range extensionKeys {
		i := slices.IndexFunc(known, func(m Member) bool { return m.Name == k.Name })
		if k.Carrier == carrier && i >= 0 {
			members = append(members, optional(k.Name, known[i].Shape, k.Summary+"; since "+k.Since))
		}
	}
	return objectShape(members...)
}

// versionPattern is the form of a version.
const versionPattern = `^[0-9]+\.[0-9]+$`
