package extension

import (
	"regexp"
	"slices"

	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/limits"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// The shapes of the blocks that are not windows.
var (
	timeBlockShape = newObjectShape(
		newRequiredMemberDefinition("format", newTextShape(), "layout such as yyyyMMdd, or epoch_seconds, epoch_millis, epoch_days").
			withAbsence("a layout such as yyyyMMdd, or epoch_seconds, epoch_millis, epoch_days"),
		newOptionalMemberDefinition("granularity", grainShape(), "the calendar period that a value stores"),
	)
	lodShape = newObjectShape(
		newRequiredMemberDefinition("grain", newRefListShape("fields"), "the fields of the dataset that make up the grain key"),
		newOptionalMemberDefinition("where", newTextShape(), "a predicate over the aggregated rows"),
		newOptionalMemberDefinition("via", newRefListShape("relationships"), "the relationships from the aggregated dataset to the field's own").withKey("lod.via"),
	)
	nonAdditiveShape = newObjectShape(
		newRequiredMemberDefinition("by", newTextShape(), "a time field of the aggregated dataset; its values are the snapshots").withAbsence("a time field of the aggregated dataset"),
		newRequiredMemberDefinition("take", newEnumShape(catalog.SnapshotTakeNames()...), "how the snapshots of a bucket make its value").withAbsence("first, last, min, max or avg"),
		newOptionalMemberDefinition("per", newRefListShape("fields"), "of first and last: the fields whose values each have a snapshot"),
	)
	validityShape = newObjectShape(
		newRequiredMemberDefinition("at", newTextShape(), "a time field of the dataset from: the time of each row").
			withAbsence("a time field of the dataset that the relationship leaves"),
		newRequiredMemberDefinition("from", newTextShape(), "a time field of the dataset to: a row is valid from this time on").
			withAbsence("a time field of the dataset that the relationship leads to"),
		newOptionalMemberDefinition("to", newTextShape(), "a time field of the dataset to: a row is valid before this time; without it, until the next row of its key begins"),
	)
	subjectPathStepsShape = newListShape(newTextShape(), 0)
	measureNameBlockShape = newObjectShape(newRequiredMemberDefinition("name", newIdentifierShape("measure"), "the measure's name"))
	filterBlockShape      = newObjectShape(
		newRequiredMemberDefinition("type", newEnumShape("filter"), "the metric is another one over fewer rows"),
		newRequiredMemberDefinition("base", newTextShape(), "the metric to filter"),
		newRequiredMemberDefinition("where", newTextShape(), "a predicate over fields"),
	)
	composeBlockShape = newObjectShape(
		newRequiredMemberDefinition("type", newEnumShape("compose"), "the metric is arithmetic over metrics"),
		newRequiredMemberDefinition("expr", newTextShape(), "arithmetic over metrics"),
		newOptionalMemberDefinition("fill", ValueShape{Type: PayloadValueNumber}, "the number in place of a null operand"),
	)
	atBlockShape = newObjectShape(
		newRequiredMemberDefinition("type", newEnumShape("at"), "the metric is computed for other groups than those of a query"),
		newRequiredMemberDefinition("expr", newTextShape(), "the metric; with include, aggregates over metrics and aggregates of the included groups"),
		newOptionalMemberDefinition("include", newIncludeListShape(), "fields that are grouped beside those of a query").withKey("derive.include"),
		newOptionalMemberDefinition("exclude", newRefListShape("fields"), "grouped fields that are left out").withKey("derive.exclude"),
		newOptionalMemberDefinition("only", newListShape(newTextShape(), 0), "the only grouped fields that are kept").withKey("derive.only"),
		newOptionalMemberDefinition("unfiltered", newAnyOfShape(ValueShape{Type: PayloadValueBoolean}, unfilteredListShape), "the fields whose row conditions are dropped, or true for all").withKey("derive.unfiltered"),
	)
	unfilteredListShape = newRefListShape("fields")
	atFormMember        = ObjectMemberDefinition{Name: "type", key: "derive.include"}
	paramShape          = newObjectShape(
		newRequiredMemberDefinition("name", newIdentifierShape("parameter"), "the name of the slots, without the colon").withAbsence("a name"),
		newRequiredMemberDefinition("type", newEnumShape(catalog.ParamTypeNames()...), "the type of the values"),
		newOptionalMemberDefinition("default", paramLiteralShape(), "the value of a query that binds none"),
		newOptionalMemberDefinition("allowed", newListShape(paramLiteralShape(), 1), "the only values"),
		newOptionalMemberDefinition("min", paramLiteralShape(), "the smallest value"),
		newOptionalMemberDefinition("max", paramLiteralShape(), "the largest value"),
		newOptionalMemberDefinition("description", newTextShape(), "what the parameter means"),
	)
)

// calendarShape is the shape of a calendar. Its periods are an object of names of fields.
var (
	periodNameShape  = ValueShape{Type: PayloadValueText, Pattern: identifierPattern, Except: sqlexpr.GrainNames()}
	wholeGrainNames  = sqlexpr.GrainNames()[sqlexpr.GrainDay-1:]
	periodBlockShape = newObjectShape(
		newRequiredMemberDefinition("field", newTextShape(), "the field whose values identify the period of a day").withAbsence("the field of the period"),
		newOptionalMemberDefinition("whole", newEnumShape(wholeGrainNames...), "the grain of which each period has whole buckets").withKey("calendar.periods.whole"),
	)
	periodShape          = newAnyOfShape(newTextShape(), periodBlockShape)
	calendarPeriodsShape = ValueShape{Type: PayloadValueObject, Item: &periodShape, Name: &periodNameShape, Least: 1, Most: maxCalendarPeriods}
	calendarShape        = newObjectShape(
		newRequiredMemberDefinition("date", newTextShape(), "the field of the days, one row for each").withAbsence("the field of the days"),
		newRequiredMemberDefinition("periods", calendarPeriodsShape, "the field of each period, by the name that queries use").
			withAbsence(`the fields of the periods by name, such as {"fiscal_month": "fm"}`),
	)
)

// The shapes of saved queries. A body is an object of the keys that its endpoint takes.
var (
	savedQueryBodyShape = newObjectShape()
	verificationShape   = newObjectShape(
		newRequiredMemberDefinition("by", newTextShape(), "who checked the query"),
		newRequiredMemberDefinition("on", newTextShape(), "the date of the check"),
	)
	savedQueryNameShape = ValueShape{Type: PayloadValueText, Pattern: savedQueryNamePattern, patternError: "%q is not a name for a saved query: letters, digits, _ and - only"}
	savedQueryShape     = newObjectShape(
		newRequiredMemberDefinition("name", savedQueryNameShape, "the name that requests use"),
		newOptionalMemberDefinition("query", savedQueryBodyShape, "the body of a metric query"),
		newOptionalMemberDefinition("select", savedQueryBodyShape, "the body of a detail query"),
		newOptionalMemberDefinition("attribute", savedQueryBodyShape, "the body of an attribution"),
		newOptionalMemberDefinition("params", newListShape(paramShape, 0), "parameters; their slots are in the body"),
		newOptionalMemberDefinition("description", newTextShape(), "what the query answers"),
		newOptionalMemberDefinition("questions", newListShape(newTextShape(), 0), "questions in words that the query answers"),
		newOptionalMemberDefinition("synonyms", newListShape(newTextShape(), 0), "other names"),
		newOptionalMemberDefinition("verified", verificationShape, "who checked the query, and when"),
		newOptionalMemberDefinition("home", ValueShape{Type: PayloadValueBoolean}, "whether a page of the model shows the result first"),
		newOptionalMemberDefinition("chart", newEnumShape(savedQueryCharts...), "the chart of the result; by default one that fits it"),
	)
)

func grainShape() ValueShape { return newEnumShape(sqlexpr.GrainNames()...) }

// grainOrPeriodShape returns the shape of a grain out of a list, or of the name of a period of a calendar, which is
// resolved when all calendars are known.
func grainOrPeriodShape(grains []string) ValueShape {
	return ValueShape{Type: PayloadValueText, Enum: grains, Name: &periodNameShape}
}

func paramLiteralShape() ValueShape { return ValueShape{Type: PayloadValueScalar} }

// distanceExample is what a comparison with another bucket lacks without an offset.
const distanceExample = `how far away the other bucket is, such as {"count": 1, "granularity": "month"}`

// unboundedText is the one text in place of a number of buckets.
var unboundedText = []string{"unbounded"}

// The types of windows and of derived metrics, of which a block has one.
var (
	windowFormShape  = newObjectShape(newRequiredMemberDefinition("type", newEnumShape(windowShorthands...), "the short form of the window"))
	derivedFormShape = newObjectShape(newRequiredMemberDefinition("type", newEnumShape("filter", "compose", "at", "reagg"), "filter, compose or at").withAbsence("filter or compose"))
)

// The shapes of windows.
var (
	bucketDistanceShape = newObjectShape(
		newRequiredMemberDefinition("count", newCountOrParamSlotShape(), "how many buckets away").withAbsence("an integer of at least 1"),
		newRequiredMemberDefinition("granularity", grainOrPeriodShape(sqlexpr.GrainNames()), "the unit of the count"),
		newOptionalMemberDefinition("direction", newEnumShape("back", "forward"), "default back"),
	)
	windowCalculationMember    = newOptionalMemberDefinition("calculation", newEnumShape(offsetCalculations...), "what to compute from the two values; default percent_change")
	windowResetMember          = newOptionalMemberDefinition("reset", grainOrPeriodShape(resetGrainNames), "the calendar period at which the window begins again")
	requireFullWindowKeyMember = newOptionalMemberDefinition("require_full_window", ValueShape{Type: PayloadValueBoolean}, "null until the window has all its buckets")
	windowPopulationMember     = newOptionalMemberDefinition("population", newEnumShape(namesOf(catalog.WindowPopulations()...)...), "whether the window sees all rows, or those in range").withKey("window.population")
	windowOrderMember          = newOptionalMemberDefinition("order", windowOrderShape, "the order of the buckets")
	windowPartitionMember      = newOptionalMemberDefinition("partition", windowPartitionShape, "which buckets the window sees together")

	popWindowShape = newObjectShape(
		newRequiredMemberDefinition("type", newEnumShape("pop"), "a comparison with another period"),
		newRequiredMemberDefinition("offset", newAnyOfShape(newTextShape(), bucketDistanceShape), `how far away the other bucket is: "1 month", or an object`).
			withAbsence(distanceExample),
		windowCalculationMember,
	)
	rollingTypeMember     = newRequiredMemberDefinition("type", newEnumShape("rolling"), "an aggregate over the last buckets")
	rollingFunctionMember = newRequiredMemberDefinition("function", newEnumShape(oneInputFrameFunctions...), "the aggregate")
	rollingWindowShape    = newOneOfShape(
		newObjectShape(
			rollingTypeMember, rollingFunctionMember, requireFullWindowKeyMember,
			newRequiredMemberDefinition("periods", newCountOrParamSlotShape(), "how many buckets the window spans").withAbsence("how many buckets it spans"),
		),
		newObjectShape(
			rollingTypeMember, rollingFunctionMember, requireFullWindowKeyMember,
			newRequiredMemberDefinition("span", windowSpanShape, "the length of time of the window, in place of periods; the function is over the values of its units").withKey("window.span"),
		),
	)
	cumulativeWindowShape = newObjectShape(
		newRequiredMemberDefinition("type", newEnumShape("cumulative"), "an aggregate over all buckets so far"),
		newOptionalMemberDefinition("function", newEnumShape(oneInputFrameFunctions...), "the aggregate; default sum"),
		windowResetMember,
		windowPopulationMember,
	)
	offsetWindowShape = newObjectShape(
		newRequiredMemberDefinition("offset", bucketDistanceShape, "how far away the other bucket is").withAbsence(distanceExample),
		windowCalculationMember,
	)

	windowOrderShape = newObjectShape(
		newOptionalMemberDefinition("by", newEnumShape("time", "value"), "time, or the metric's value"),
		newOptionalMemberDefinition("direction", newEnumShape("asc", "desc"), "asc for time and desc for values by default"),
	)
	windowPartitionShape = newObjectShape(
		newOptionalMemberDefinition("mode", newEnumShape(windowPartitionModes...), "default query_dimensions"),
		newOptionalMemberDefinition("exclude", newListShape(newTextShape(), 1), "the dimensions to leave out, as dataset.field"),
	)
	frameWindowShape = newObjectShape(
		newRequiredMemberDefinition("function", newEnumShape(slices.Concat(oneInputFrameFunctions, twoInputFrameFunctions)...), "the aggregate"),
		newOptionalMemberDefinition("preceding", ValueShape{Type: PayloadValueCountOrParamSlot, Enum: unboundedText}, `how many earlier buckets the frame spans, or "unbounded"`),
		newOptionalMemberDefinition("second", newTextShape(), "the metric that is the second input"),
		windowResetMember,
		requireFullWindowKeyMember,
		windowOrderMember,
		windowPartitionMember,
		newOptionalMemberDefinition("units", newEnumShape("rows", "range"), "default rows"),
		newOptionalMemberDefinition("scope", newEnumShape("frame", "partition"), "default frame"),
	)
	rankWindowShape = newObjectShape(
		newRequiredMemberDefinition("function", newEnumShape(rankWindowFunctions...), "the ranking function"),
		newOptionalMemberDefinition("buckets", newCountOrParamSlotShape(), "of ntile: how many"),
		windowOrderMember,
		windowPartitionMember,
	)
	valueWindowShape = newObjectShape(
		newRequiredMemberDefinition("function", newEnumShape(valueWindowFunctions...), "which value of the window"),
		newOptionalMemberDefinition("n", newCountOrParamSlotShape(), "of nth_value: which"),
		windowOrderMember,
		windowPartitionMember,
	)
	recomputeWindowShape = newOneOfShape(
		newObjectShape(
			newRequiredMemberDefinition("periods", ValueShape{Type: PayloadValueCountOrParamSlot, Enum: unboundedText, Least: 1, Most: limits.RecomputedWindowPeriods}, `how many buckets the window spans, or "unbounded"`),
			newOptionalMemberDefinition("reset", grainOrPeriodShape(resetGrainNames), `of unbounded periods: the calendar period at which the window begins again`),
			requireFullWindowKeyMember,
		),
		newObjectShape(newRequiredMemberDefinition("span", windowSpanShape, "how far back the window reaches, instead of periods")),
	)
	recomputedCountShape = ValueShape{Type: PayloadValueCountOrParamSlot, Least: 1, Most: limits.RecomputedWindowPeriods}
	windowSpanShape      = newObjectShape(
		newRequiredMemberDefinition("count", recomputedCountShape, "how many").withAbsence("an integer of at least 1"),
		newRequiredMemberDefinition("granularity", grainOrPeriodShape(sqlexpr.GrainNames()), "the unit of the count").withAbsence("a calendar unit"),
	)
	windowFamilyShapes = map[string]ValueShape{"frame": frameWindowShape, "rank": rankWindowShape, "value": valueWindowShape, "recompute": recomputeWindowShape}
)

func windowShapeOfFamily(family string, shape ValueShape) ValueShape {
	return newObjectShape(newRequiredMemberDefinition(family, shape, "a window function of the family "+family), windowPopulationMember)
}

// anyWindowShape returns every form of a window.
func anyWindowShape() ValueShape {
	forms := append([]ValueShape{popWindowShape, cumulativeWindowShape, offsetWindowShape}, rollingWindowShape.Forms...)
	for _, family := range generalWindowFamilies {
		if shape, ok := windowFamilyShapes[family]; ok {
			forms = append(forms, windowShapeOfFamily(family, shape))
		}
	}
	return newAnyOfShape(forms...)
}

// payloadShapes has the shape of the payloads of every carrier.
var payloadShapes = func() map[Carrier]*ValueShape {
	out := map[Carrier]*ValueShape{}
	for _, k := range keyDefinitions {
		if out[k.Carrier] == nil {
			out[k.Carrier] = shapeOf(payloadShapeOfKeys(k.Carrier))
		}
	}
	return out
}()

// PayloadShape describes the payloads of a carrier: the keys of every payload, then those of the
// carrier in the order of Keys, with their summaries.
func PayloadShape(carrier Carrier) ValueShape { return *payloadShapes[carrier] }

func payloadShapeOfKeys(carrier Carrier) ValueShape {
	members := []ObjectMemberDefinition{
		newOptionalMemberDefinition("v", ValueShape{Type: PayloadValueText, Pattern: versionPattern}, "version of the extension that the payload is written for; newest: "+Version),
		newOptionalMemberDefinition("requires", newListShape(newTextShape(), 0), "keys without which an engine must refuse the payload"),
	}
	for _, k := range keyDefinitions {
		if k.Carrier == carrier && k.shape != nil {
			members = append(members, newOptionalMemberDefinition(k.Name, *k.shape, k.Summary+"; since "+k.Since))
		}
	}
	return newObjectShape(members...)
}

// versionPattern is the form of a version.
var versionPattern = regexp.MustCompile(`^[0-9]+\.[0-9]+$`)
