package extension

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/semlayer/semlayer/modelspec"
	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/document"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// Window is a window block. Names in it are unresolved: Second is a metric,
// Exclude are dimensions, Granularity and Reset periods of calendars where they are not grains.
type Window struct {
	modelspec.Place
	Spec        *catalog.Window
	Second      ObjectRef
	Exclude     []ObjectRef
	Granularity ObjectRef
	Reset       ObjectRef
	Slots       []NumberParamSlot
}

// The functions of the window families.
var (
	oneInputFrameFunctions = namesOf(
		sqlexpr.FnSum, sqlexpr.FnAvg, sqlexpr.FnMin, sqlexpr.FnMax, sqlexpr.FnCount,
		sqlexpr.FnStddevPop, sqlexpr.FnStddevSamp, sqlexpr.FnVarPop, sqlexpr.FnVarSamp,
	)
	twoInputFrameFunctions = namesOf(sqlexpr.FnCovarPop, sqlexpr.FnCovarSamp, sqlexpr.FnCorr)
	rankWindowFunctions    = namesOf(sqlexpr.FnRowNumber, sqlexpr.FnRank, sqlexpr.FnDenseRank, sqlexpr.FnNtile, sqlexpr.FnPercentRank, sqlexpr.FnCumeDist)
	valueWindowFunctions   = namesOf(sqlexpr.FnFirstValue, sqlexpr.FnLastValue, sqlexpr.FnNthValue)

	windowShorthands      = []string{"pop", "rolling", "cumulative"}
	generalWindowFamilies = []string{"offset", "frame", "rank", "value", "recompute"}
	offsetCalculations    = namesOf(catalog.OffsetCalculations()...)
	windowPartitionModes  = namesOf(catalog.PartitionModes()...)
	resetGrainNames       = sqlexpr.GrainNames()[sqlexpr.GrainHour-1:]
)

// namesOf lists the names of the values of a closed set.
func namesOf[T fmt.Stringer](values ...T) []string {
	out := make([]string, len(values))
	for i, v := range values {
		out[i] = v.String()
	}
	return out
}

// windowReader collects what the parts of one block name.
type windowReader struct {
	payloadObjectReader
	out *Window
}

func (o payloadObjectReader) readWindowBlock() *Window {
	n := o.findMember("window")
	if n == nil {
		return nil
	}
	if n.Kind != document.MappingNode {
		o.addTypeError(n, "an object")
		return nil
	}
	w := &windowReader{payloadObjectReader{o.payloadReader, n, &windowFormShape}, &Window{Place: o.placeOfNode(n), Spec: &catalog.Window{}}}
	before := len(o.Errors)
	if w.findMember("type") != nil {
		w.readShorthandWindow()
	} else {
		w.readGeneralWindow()
	}
	if n := w.findMember("population"); len(o.Errors) == before && n != nil && !w.out.Spec.TakesPopulation() {
		w.addInvalidError(n, "population is for windows without a bound: cumulative, recompute and frames of unbounded buckets, frames of scope partition, rank and value")
	}
	if len(o.Errors) > before {
		return nil
	}
	return w.out
}

// withForm returns a reader of a part of the window, which it opens.
func (w *windowReader) withForm(n *document.Node, form *ValueShape) *windowReader {
	o, _ := w.openObject(n, form)
	return &windowReader{o, w.out}
}

func (w *windowReader) readShorthandWindow() {
	switch w.readText("type") {
	case "pop":
		w.withForm(w.n, &popWindowShape).readOffsetWindow(true)
	case "rolling":
		in := w.withForm(w.n, &rollingWindowShape)
		r := &catalog.RollingWindow{Function: in.readWindowFunction(), RequireFullWindow: in.readBoolOrFalse("require_full_window")}
		w.out.Spec.Rolling = r
		r.Periods, r.Span = in.readPeriodsOrSpan("a rolling window", "how many buckets it spans")
	case "cumulative":
		in := w.withForm(w.n, &cumulativeWindowShape)
		in.readWindowPopulation()
		w.out.Spec.Cumulative = &catalog.CumulativeWindow{Function: cmp.Or(in.readWindowFunction(), sqlexpr.FnSum), Reset: in.readResetGrain()}
	}
}

func (w *windowReader) readGeneralWindow() {
	var given []string
	for _, family := range generalWindowFamilies {
		if w.findMember(family) != nil && w.isWindowFamilyAllowedForVendor(family) {
			given = append(given, family)
		}
	}
	if len(given) != 1 {
		what := "none"
		if len(given) > 1 {
			what = strings.Join(given, " and ")
		}
		w.addError(CodeInvalidPayload, w.n, "", "a window is either one of the forms {\"type\": %s} or one of the families %s; this one gives %s",
			strings.Join(quoteNames(windowShorthands), "|"), strings.Join(generalWindowFamilies, ", "), what)
		return
	}
	family := given[0]
	w.warnIfKeyNewerThanDeclaredVersion(w.n.Member(family), "window."+family, w.versionOfWindowFamily(family))
	if family == "offset" {
		w.withForm(w.n, &offsetWindowShape).readOffsetWindow(false)
		return
	}
	shape := windowFamilyShapes[family]
	outer := windowShapeOfFamily(family, shape)
	block := w.withForm(w.n, &outer)
	block.readWindowPopulation()
	inner := block.findMember(family)
	if inner.Kind != document.MappingNode {
		w.addTypeError(inner, "an object")
		return
	}
	part := w.withForm(inner, &shape)
	switch family {
	case "frame":
		part.readFrameWindow()
	case "rank":
		w.out.Spec.Rank = &catalog.RankWindow{
			Function: part.readWindowFunction(), Order: part.readWindowOrder(true), Partition: part.readWindowPartition(),
		}
		w.out.Spec.Rank.Buckets = part.readFunctionArgument(sqlexpr.FnNtile, w.out.Spec.Rank.Function, "buckets")
	case "value":
		w.out.Spec.Value = &catalog.ValueWindow{
			Function: part.readWindowFunction(), Order: part.readWindowOrder(false), Partition: part.readWindowPartition(),
		}
		w.out.Spec.Value.N = part.readFunctionArgument(sqlexpr.FnNthValue, w.out.Spec.Value.Function, "n")
	case "recompute":
		part.readRecomputeWindow()
	}
}

// isWindowFamilyAllowedForVendor reports whether a payload under the entry's vendor name may hold a family.
func (w *windowReader) isWindowFamilyAllowedForVendor(family string) bool {
	return !mustParseVersion(w.versionOfWindowFamily(family)).isNewerThan(w.newest)
}

// versionOfWindowFamily returns the version that introduced a family: that of the key of the family, else 1.3.
func (w *windowReader) versionOfWindowFamily(family string) string {
	key, _ := findKeyDefinition(w.carrier, "window."+family)
	return cmp.Or(key.Since, "1.3")
}

func quoteNames(list []string) []string {
	out := make([]string, len(list))
	for i, s := range list {
		out[i] = strconv.Quote(s)
	}
	return out
}

// readWindowPopulation reads which rows the window sees when a query has a range.
func (w *windowReader) readWindowPopulation() {
	w.out.Spec.Population = catalog.WindowPopulation(w.readText("population"))
}

// readWindowFunction reads a function of the set of the window's shape.
func (w *windowReader) readWindowFunction() sqlexpr.Func {
	info, _ := sqlexpr.LookupFunc(w.readText("function"))
	return info.Fn
}

func (w *windowReader) readResetGrain() sqlexpr.Grain {
	g, period := w.readGrainOrPeriod("reset")
	w.out.Reset = period
	return g
}

// readOffsetWindow reads a comparison with another bucket: "1 month", or count,
// granularity and direction.
func (w *windowReader) readOffsetWindow(pop bool) {
	out := &catalog.OffsetWindow{Pop: pop, Calculation: cmp.Or(catalog.OffsetCalculation(w.readText("calculation")), catalog.CalculationPercentChange)}
	w.out.Spec.Offset = out
	n := w.readMember("offset")
	switch {
	case n == nil:
	case n.IsText() && pop:
		w.readOffsetText(n, out)
	default:
		if o, ok := w.openObject(n, &bucketDistanceShape); ok {
			out.Count = o.readCountOrParamSlot("count", &w.out.Slots)
			out.Grain, w.out.Granularity = o.readGrainOrPeriod("granularity")
			out.Forward = o.readText("direction") == "forward"
		}
	}
}

func (w *windowReader) readOffsetText(n *document.Node, out *catalog.OffsetWindow) {
	fields := strings.Fields(n.Value)
	if len(fields) == 2 {
		count, err := strconv.Atoi(fields[0])
		grain, ok := sqlexpr.ParseGrain(strings.TrimSuffix(strings.ToLower(fields[1]), "s"))
		if isName := identifierPattern.MatchString(fields[1]); err == nil && count >= 1 && (ok || isName) {
			out.Count, out.Grain = catalog.WindowCountOrParam{N: count}, grain
			if !ok {
				w.out.Granularity = ObjectRef{Name: fields[1], Place: w.placeOfNode(n)}
			}
			return
		}
	}
	w.addInvalidError(n, "%s must be a number and a granularity, such as \"1 month\"; it is %s", w.pathForMessage(n), describeValue(n))
}

func (w *windowReader) readFrameWindow() {
	f := &catalog.FrameWindow{
		Function: w.readWindowFunction(), Reset: w.readResetGrain(), RequireFullWindow: w.readBoolOrFalse("require_full_window"),
		Order: w.readWindowOrder(false), Partition: w.readWindowPartition(),
		Range: w.readText("units") == "range", PartitionScope: w.readText("scope") == "partition",
	}
	w.out.Spec.Frame = f
	w.readSecondFunctionInput(f.Function)
	preceding := w.findMember("preceding")
	if f.PartitionScope {
		w.warnIfKeyNewerThanDeclaredVersion(w.findMember("scope"), "window.frame.scope", "1.9")
		for _, key := range []string{"preceding", "reset"} {
			if n := w.findMember(key); n != nil {
				w.addError(CodeInvalidPayload, n, "leave it out", "a frame of scope partition takes the whole partition and no %s", key)
			}
		}
		return
	}
	switch {
	case preceding == nil:
		w.findRequiredMember("preceding", `how many earlier buckets it spans, or "unbounded"`)
	case preceding.IsText() && preceding.Value == "unbounded":
		f.Unbounded = true
	default:
		f.Preceding = w.readCountOrParamSlot("preceding", &w.out.Slots)
	}
	if (f.Reset != sqlexpr.GrainNone || w.out.Reset.IsSet()) && f.Order != nil && !f.Order.ByTime {
		w.addInvalidError(w.findMember("reset"), "a frame ordered by value has no calendar to reset by")
	}
}

// readSecondFunctionInput reads the other input of a two-input function.
func (w *windowReader) readSecondFunctionInput(function sqlexpr.Func) {
	n := w.findMember("second")
	two := slices.Contains(twoInputFrameFunctions, function.String())
	switch {
	case two && n == nil:
		w.findRequiredMember("second", "the metric that is the function's second input")
	case !two && n != nil && function != sqlexpr.FnUnknown:
		w.addInvalidError(n, "the function %s has one input; second is for %s", function, strings.Join(twoInputFrameFunctions, ", "))
	case n != nil:
		w.out.Second = w.readObjectRef("second")
	}
}

// readFunctionArgument reads the number that one function needs and no other takes.
func (w *windowReader) readFunctionArgument(owner, function sqlexpr.Func, key string) (c catalog.WindowCountOrParam) {
	n := w.findMember(key)
	switch {
	case function == owner:
		w.findRequiredMember(key, "an integer of at least 1")
		return w.readCountOrParamSlot(key, &w.out.Slots)
	case n != nil && function != sqlexpr.FnUnknown:
		w.addInvalidError(n, "%s is for %s, not for %s", key, owner, function)
	}
	return c
}

// readWindowOrder reads what the window orders by; nil leaves it to the family.
func (w *windowReader) readWindowOrder(byValue bool) *catalog.WindowOrder {
	o, ok := w.openMember("order")
	if !ok {
		return nil
	}
	order := &catalog.WindowOrder{ByTime: !byValue}
	if by := o.readText("by"); by != "" {
		order.ByTime = by == "time"
	}
	direction := o.readText("direction")
	order.Desc = direction == "desc" || direction == "" && !order.ByTime
	return order
}

func (w *windowReader) readWindowPartition() catalog.WindowPartition {
	o, ok := w.openMember("partition")
	if !ok {
		return catalog.WindowPartition{}
	}
	const except = catalog.PartitionDimensionsExcept
	exclude := o.findMember("exclude")
	p := catalog.WindowPartition{Mode: catalog.PartitionMode(o.readText("mode"))}
	switch {
	case p.Mode == except && exclude == nil:
		o.findRequiredMember("exclude", "the dimensions to leave out, as dataset.field")
	case p.Mode != catalog.PartitionDefault && p.Mode != except && exclude != nil:
		o.addInvalidError(exclude, "%s is for the mode %s", o.pathForMessage(exclude), except)
	case exclude != nil:
		w.readExcludedDimensions(o, exclude)
	}
	return p
}

func (w *windowReader) readExcludedDimensions(o payloadObjectReader, n *document.Node) {
	if n.Kind != document.SequenceNode || len(n.Content) == 0 {
		o.addTypeError(n, "a list of dimensions")
		return
	}
	w.out.Exclude = o.readObjectRefList("exclude")
}

// readRecomputeWindow reads the family recompute: how many buckets the metric is computed over.
func (w *windowReader) readRecomputeWindow() {
	r := &catalog.RecomputeWindow{Reset: w.readResetGrain(), RequireFullWindow: w.readBoolOrFalse("require_full_window")}
	w.out.Spec.Recompute = r
	if n := w.findMember("periods"); n != nil && n.IsText() && n.Value == "unbounded" && w.findMember("span") == nil {
		r.Unbounded = true
	} else {
		r.Periods, r.Span = w.readPeriodsOrSpan("a recomputed window", `how many buckets the window spans, or "unbounded"`)
	}
	if n := w.findMember("reset"); n != nil && !r.Unbounded {
		w.addInvalidError(n, `reset is for "periods": "unbounded"`)
	}
	if n := w.findMember("require_full_window"); n != nil && (r.Unbounded || r.Span != nil) {
		w.addInvalidError(n, "require_full_window is for a number of periods")
	}
}

// readPeriodsOrSpan reads how far a window reaches: a number of buckets, or in its place a length of time.
func (w *windowReader) readPeriodsOrSpan(subject, absence string) (periods catalog.WindowCountOrParam, span *catalog.WindowSpan) {
	n := w.findMember("span")
	switch {
	case n == nil && w.findMember("periods") == nil:
		w.findRequiredMember("periods", absence)
	case n == nil:
		return w.readCountOrParamSlot("periods", &w.out.Slots), nil
	case w.findMember("periods") != nil:
		w.addInvalidError(n, "%s has periods or a span, not both", subject)
	default:
		if o, ok := w.openMember("span"); ok {
			span = &catalog.WindowSpan{Count: o.readCountOrParamSlot("count", &w.out.Slots)}
			span.Grain, w.out.Granularity = o.readGrainOrPeriod("granularity")
		}
	}
	return periods, span
}
