package extension

import (
	"slices"

	"github.com/semlayer/semlayer/modelspec"
	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// The shapes of the blocks that are not windows.
var (
	timeBlockShape = objectShape(
		requiredMember("format", textShape(), "layout such as yyyyMMdd, or epoch_seconds, epoch_millis, epoch_days"),
		optionalMember("granularity", grainShape(), "the calendar period that a value stores"),
	)
	lodShape = objectShape(
		requiredMember("grain", listShape(textShape(), 1), "the fields of the dataset that make up the grain key"),
		optionalMember("where", textShape(), "a predicate over the aggregated rows"),
		optionalMember("via", listShape(textShape(), 1), "the relationships from the aggregated dataset to the field's own"),
	)
	nonAdditiveShape = objectShape(
		requiredMember("by", textShape(), "a time field of the aggregated dataset; its values are the snapshots"),
		requiredMember("take", enumShape(catalog.SnapshotTakeNames()...), "how the snapshots of a bucket make its value"),
		optionalMember("per", listShape(textShape(), 1), "of first and last: the fields whose values each have a snapshot"),
	)
	validityShape = objectShape(
		requiredMember("at", textShape(), "a time field of the dataset from: the time of each row"),
		requiredMember("from", textShape(), "a time field of the dataset to: a row is valid from this time on"),
		optionalMember("to", textShape(), "a time field of the dataset to: a row is valid before this time; without it, until the next row of its key begins"),
	)
	measureRefShape  = objectShape(requiredMember("name", identifierShape(), "the measure's name"))
	filterBlockShape = objectShape(
		requiredMember("type", enumShape("filter"), "the metric is another one over fewer rows"),
		requiredMember("base", textShape(), "the metric to filter"),
		requiredMember("where", textShape(), "a predicate over fields"),
	)
	composeBlockShape = objectShape(
		requiredMember("type", enumShape("compose"), "the metric is arithmetic over metrics"),
		requiredMember("expr", textShape(), "arithmetic over metrics"),
		optionalMember("fill", ValueShape{Type: TypeNumber}, "the number in place of a null operand"),
	)
	paramShape = objectShape(
		requiredMember("name", identifierShape(), "the name of the slots, without the colon"),
		requiredMember("type", enumShape(paramTypeNames...), "the type of the values"),
		optionalMember("default", paramLiteralShape(), "the value of a query that binds none"),
		optionalMember("allowed", listShape(paramLiteralShape(), 1), "the only values"),
		optionalMember("min", paramLiteralShape(), "the smallest value"),
		optionalMember("max", paramLiteralShape(), "the largest value"),
		optionalMember("description", textShape(), "what the parameter means"),
	)
)

// calendarShape is the shape of a calendar. Its periods are an object of names of fields.
var (
	calendarPeriodsShape = ValueShape{Type: TypeObject, Item: &ValueShape{Type: TypeText}}
	calendarShape        = objectShape(
		requiredMember("date", textShape(), "the field of the days, one row for each"),
		requiredMember("periods", calendarPeriodsShape, "the field of each period, by the name that queries use"),
	)
)

// The shapes of saved queries. A body is an object of the keys that its endpoint takes.
var (
	savedQueryBodyShape = objectShape()
	verificationShape   = objectShape(
		requiredMember("by", textShape(), "who checked the query"),
		requiredMember("on", textShape(), "the date of the check"),
	)
	savedQueryShape = objectShape(
		requiredMember("name", ValueShape{Type: TypeText, Pattern: savedQueryNamePattern.String()}, "the name that requests use"),
		optionalMember("query", savedQueryBodyShape, "the body of a metric query"),
		optionalMember("select", savedQueryBodyShape, "the body of a detail query"),
		optionalMember("attribute", savedQueryBodyShape, "the body of an attribution"),
		optionalMember("params", listShape(paramShape, 0), "parameters; their slots are in the body"),
		optionalMember("description", textShape(), "what the query answers"),
		optionalMember("questions", listShape(textShape(), 0), "questions in words that the query answers"),
		optionalMember("synonyms", listShape(textShape(), 0), "other names"),
		optionalMember("verified", verificationShape, "who checked the query, and when"),
	)
)

func grainShape() ValueShape { return enumShape(sqlexpr.GrainNames()...) }

// grainOrPeriodShape is the shape of a grain out of a list, or of the name of a period of a calendar.
func grainOrPeriodShape(grains []string) ValueShape {
	return anyOfShape(enumShape(grains...), identifierShape())
}

func paramLiteralShape() ValueShape { return ValueShape{Type: TypeLiteral} }

// The shapes of windows.
var (
	bucketDistanceShape = objectShape(
		requiredMember("count", countOrParamSlotShape(1), "how many buckets away"),
		requiredMember("granularity", grainOrPeriodShape(sqlexpr.GrainNames()), "the unit of the count"),
		optionalMember("direction", enumShape("back", "forward"), "default back"),
	)
	windowCalculationMember = optionalMember("calculation", enumShape(offsetCalculations...), "what to compute from the two values; default percent_change")
	windowResetMember       = optionalMember("reset", grainOrPeriodShape(resetGrainNames), "the calendar period at which the window begins again")
	requireFullWindowMember = optionalMember("require_full_window", ValueShape{Type: TypeBoolean}, "null until the window has all its buckets")
	windowOrderMember       = optionalMember("order", windowOrderShape, "the order of the buckets")
	windowPartitionMember   = optionalMember("partition", windowPartitionShape, "which buckets the window sees together")

	popWindowShape = objectShape(
		requiredMember("type", enumShape("pop"), "a comparison with another period"),
		requiredMember("offset", anyOfShape(textShape(), bucketDistanceShape), `how far away the other bucket is: "1 month", or an object`),
		windowCalculationMember,
	)
	rollingWindowShape = objectShape(
		requiredMember("type", enumShape("rolling"), "an aggregate over the last buckets"),
		requiredMember("function", enumShape(oneInputFrameFunctions...), "the aggregate"),
		requiredMember("periods", countOrParamSlotShape(1), "how many buckets the window spans"),
		requireFullWindowMember,
	)
	cumulativeWindowShape = objectShape(
		requiredMember("type", enumShape("cumulative"), "an aggregate over all buckets so far"),
		optionalMember("function", enumShape(oneInputFrameFunctions...), "the aggregate; default sum"),
		windowResetMember,
	)
	offsetWindowShape = objectShape(requiredMember("offset", bucketDistanceShape, "how far away the other bucket is"), windowCalculationMember)

	windowOrderShape = objectShape(
		optionalMember("by", enumShape("time", "value"), "time, or the metric's value"),
		optionalMember("direction", enumShape("asc", "desc"), "asc for time and desc for values by default"),
	)
	windowPartitionShape = objectShape(
		optionalMember("mode", enumShape(windowPartitionModes...), "default query_dimensions"),
		optionalMember("exclude", listShape(textShape(), 1), "the dimensions to leave out, as dataset.field"),
	)
	frameWindowShape = objectShape(
		requiredMember("function", enumShape(slices.Concat(oneInputFrameFunctions, twoInputFrameFunctions)...), "the aggregate"),
		optionalMember("preceding", anyOfShape(enumShape("unbounded"), countOrParamSlotShape(0)), `how many earlier buckets the frame spans, or "unbounded"`),
		optionalMember("second", textShape(), "the metric that is the second input"),
		windowResetMember,
		requireFullWindowMember,
		windowOrderMember,
		windowPartitionMember,
		optionalMember("units", enumShape("rows", "range"), "default rows"),
		optionalMember("scope", enumShape("frame", "partition"), "default frame"),
	)
	rankWindowShape = objectShape(
		requiredMember("function", enumShape(rankWindowFunctions...), "the ranking function"),
		optionalMember("buckets", countOrParamSlotShape(1), "of ntile: how many"),
		windowOrderMember,
		windowPartitionMember,
	)
	valueWindowShape = objectShape(
		requiredMember("function", enumShape(valueWindowFunctions...), "which value of the window"),
		optionalMember("n", countOrParamSlotShape(1), "of nth_value: which"),
		windowOrderMember,
		windowPartitionMember,
	)
	recomputeWindowShape = objectShape(
		optionalMember("periods", anyOfShape(enumShape("unbounded"), countOrParamSlotShape(1)), `how many buckets the window spans, or "unbounded"`),
		optionalMember("span", windowSpanShape, "how far back the window reaches, instead of periods"),
		optionalMember("reset", grainOrPeriodShape(resetGrainNames), `of unbounded periods: the calendar period at which the window begins again`),
		requireFullWindowMember,
	)
	windowSpanShape = objectShape(
		requiredMember("count", countOrParamSlotShape(1), "how many"),
		requiredMember("granularity", grainOrPeriodShape(sqlexpr.GrainNames()), "the unit of the count"),
	)
	windowFamilyShapes = map[string]ValueShape{"frame": frameWindowShape, "rank": rankWindowShape, "value": valueWindowShape, "recompute": recomputeWindowShape}
)

// anyWindowShape is every form of a window.
func anyWindowShape() ValueShape {
	forms := []ValueShape{popWindowShape, rollingWindowShape, cumulativeWindowShape, offsetWindowShape}
	for _, family := range generalWindowFamilies {
		if shape, ok := windowFamilyShapes[family]; ok {
			forms = append(forms, objectShape(requiredMember(family, shape, "a window function of the family "+family)))
		}
	}
	return anyOfShape(forms...)
}

// keyShapesByCarrier has the shape of every key, by carrier and name.
func keyShapesByCarrier() map[Carrier][]ObjectMemberDefinition {
	boolean, number := ValueShape{Type: TypeBoolean}, ValueShape{Type: TypeNumber}
	params := listShape(paramShape, 0)
	member := func(name string, shape ValueShape) ObjectMemberDefinition {
		return ObjectMemberDefinition{Name: name, Shape: shape}
	}
	return map[Carrier][]ObjectMemberDefinition{
		CarrierModel: {
			member("queries", listShape(savedQueryShape, 0)), member("time_zone", textShape()), member("week_start", enumShape(weekdays...)),
		},
		CarrierDataset: {member("time_dimension", textShape()), member("calendar", calendarShape)},
		CarrierField: {
			member("time_granularity", grainShape()), member("params", params), member("is_dimension", boolean),
			member("time", timeBlockShape), member("lod", lodShape),
		},
		CarrierRelationship: {
			member("join_type", enumShape(joinTypes...)), member("cardinality", enumShape(modelspec.Cardinalities()...)),
			member("valid", validityShape),
		},
		CarrierMetric: {
			member("dataset", textShape()), member("time_dimension", textShape()), member("fill_nulls_with", number),
			member("window", anyWindowShape()), member("subject_path", anyOfShape(textShape(), listShape(textShape(), 0))),
			member("unit", textShape()), member("format", textShape()), member("label", textShape()), member("headline", boolean),
			member("better", enumShape(betterDirectionValues...)), member("sql_aggregates", listShape(enumShape(allowedSQLAggregates...), 0)),
			member("derive", anyOfShape(filterBlockShape, composeBlockShape)),
			member("measure", measureRefShape), member("params", params), member("non_additive", nonAdditiveShape),
		},
	}
}

// PayloadShape describes the payloads of a carrier: the keys of every payload, then those of the
// carrier in the order of Keys, with their summaries.
func PayloadShape(carrier Carrier) ValueShape {
	members := []ObjectMemberDefinition{
		optionalMember("v", ValueShape{Type: TypeText, Pattern: versionPattern}, "version of the extension that the payload is written for; newest: "+Version),
		optionalMember("requires", listShape(textShape(), 0), "keys without which an engine must refuse the payload"),
	}
	known := keyShapesByCarrier()[carrier]
	for _, k := range keyDefinitions {
		i := slices.IndexFunc(known, func(m ObjectMemberDefinition) bool { return m.Name == k.Name })
		if k.Carrier == carrier && i >= 0 {
			members = append(members, optionalMember(k.Name, known[i].Shape, k.Summary+"; since "+k.Since))
		}
	}
	return objectShape(members...)
}

// versionPattern is the form of a version.
const versionPattern = `^[0-9]+\.[0-9]+$`
