package extension

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/semlayer/semlayer/modelspec"
	"github.com/semlayer/semlayer/modelspec/catalog"
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
	oneInputFrameFunctions = []string{"sum", "avg", "min", "max", "count", "stddev_pop", "stddev_samp", "var_pop", "var_samp"}
	twoInputFrameFunctions = []string{"covar_pop", "covar_samp", "corr"}
	rankWindowFunctions    = []string{"row_number", "rank", "dense_rank", "ntile", "percent_rank", "cume_dist"}
	valueWindowFunctions   = []string{"first_value", "last_value", "nth_value"}

	windowShorthands      = []string{"pop", "rolling", "cumulative"}
	generalWindowFamilies = []string{"offset", "frame", "rank", "value", "recompute"}
	offsetCalculations    = []string{"value", "delta", "percent_change", "ratio"}
	resetGrainNames       = []string{"hour", "day", "week", "month", "quarter", "year"}
)

// windowReader collects what the parts of one block name.
type windowReader struct {
	payloadObjectReader
	out *Window
}

func (o payloadObjectReader) readWindowBlock() *Window {
	o.key = "window"
	n := o.findMember("window")
	if n == nil {
		return nil
	}
	if n.kind != jsonObject {
		o.addInvalidError(n, "window must be an object, is %s", n.describeKind())
		return nil
	}
	w := &windowReader{payloadObjectReader{o.payloadReader, n}, &Window{Place: o.placeOfNode(n), Spec: &catalog.Window{}}}
	before := len(o.Errors)
	if w.findMember("type") != nil {
		w.readShorthandWindow()
	} else {
		w.readGeneralWindow()
	}
	if len(o.Errors) > before {
		return nil
	}
	return w.out
}

func (w *windowReader) readShorthandWindow() {
	switch form := w.readTextOfClosedSet("type", "", windowShorthands...); form {
	case "pop":
		w.rejectOtherMembers(popWindowShape)
		w.readOffsetWindow(true)
	case "rolling":
		w.rejectOtherMembers(rollingWindowShape)
		r := &catalog.RollingWindow{Function: w.readWindowFunctionName(oneInputFrameFunctions, ""), RequireFullWindow: w.readBoolOrFalse("require_full_window")}
		if n := w.findRequiredMember("periods", "how many buckets it spans"); n != nil {
			r.Periods = w.readCountOrParamSlot(n, 1, &w.out.Slots)
		}
		w.out.Spec.Rolling = r
	case "cumulative":
		w.rejectOtherMembers(cumulativeWindowShape)
		w.out.Spec.Cumulative = &catalog.CumulativeWindow{Function: w.readWindowFunctionName(oneInputFrameFunctions, "sum"), Reset: w.readResetGrain()}
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
	w.warnIfKeyNewerThanDeclaredVersion(w.n.findMember(family), "window."+family, w.versionOfWindowFamily(family))
	if family == "offset" {
		w.rejectOtherMembers(offsetWindowShape)
		w.readOffsetWindow(false)
		return
	}
	w.payloadObjectReader.payloadReader.openObject(w.n, family)
	inner := w.findMember(family)
	if inner.kind != jsonObject {
		w.addInvalidError(inner, "%s must be an object, is %s", pathForMessage(inner), inner.describeKind())
		return
	}
	part := &windowReader{payloadObjectReader{w.payloadReader, inner}, w.out}
	switch family {
	case "frame":
		part.readFrameWindow()
	case "rank":
		part.readRankWindow()
	case "value":
		part.readValueWindow()
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

// rejectOtherMembers rejects members that the form does not take.
func (w *windowReader) rejectOtherMembers(form ValueShape) {
	w.payloadObjectReader.payloadReader.openObject(w.n, form.memberNames()...)
}

// readWindowFunctionName reads the required function out of a closed set.
func (w *windowReader) readWindowFunctionName(allowed []string, otherwise string) string {
	if otherwise == "" && w.findRequiredMember("function", "one of "+strings.Join(allowed, ", ")) == nil {
		return ""
	}
	return w.readTextOfClosedSet("function", otherwise, allowed...)
}

func (w *windowReader) readResetGrain() sqlexpr.Grain {
	g, period := w.readGrainOrPeriod("reset", resetGrainNames)
	w.out.Reset = period
	return g
}

// readGrainOrPeriod reads a grain out of a list, or the name of a period of a calendar, which is
// resolved when all calendars are known.
func (o payloadObjectReader) readGrainOrPeriod(key string, grains []string) (sqlexpr.Grain, ObjectRef) {
	n := o.findMember(key)
	if n != nil && n.kind == jsonString && identifierPattern.MatchString(n.text) {
		if _, isGrain := sqlexpr.ParseGrain(n.text); !isGrain {
			return sqlexpr.GrainNone, o.readObjectRef(n)
		}
	}
	g, _ := sqlexpr.ParseGrain(o.readTextOfClosedSet(key, "", grains...))
	return g, ObjectRef{}
}

// readOffsetWindow reads a comparison with another bucket: "1 month", or count,
// granularity and direction.
func (w *windowReader) readOffsetWindow(pop bool) {
	out := &catalog.OffsetWindow{Pop: pop, Calculation: w.readTextOfClosedSet("calculation", "percent_change", offsetCalculations...)}
	w.out.Spec.Offset = out
	n := w.findRequiredMember("offset", `how far away the other bucket is, such as {"count": 1, "granularity": "month"}`)
	switch {
	case n == nil:
	case n.kind == jsonString && pop:
		w.readOffsetText(n, out)
	default:
		o, ok := w.payloadObjectReader.payloadReader.openObject(n, bucketDistanceShape.memberNames()...)
		if !ok {
			return
		}
		out.Count = catalog.WindowCountOrParam{N: 1}
		if c := o.findRequiredMember("count", "an integer of at least 1"); c != nil {
			out.Count = o.readCountOrParamSlot(c, 1, &w.out.Slots)
		}
		if o.findRequiredMember("granularity", "one of "+strings.Join(sqlexpr.GrainNames(), ", ")) != nil {
			out.Grain, w.out.Granularity = o.readGrainOrPeriod("granularity", sqlexpr.GrainNames())
		}
		out.Forward = o.readTextOfClosedSet("direction", "back", "back", "forward") == "forward"
	}
}

func (w *windowReader) readOffsetText(n *jsonNode, out *catalog.OffsetWindow) {
	fields := strings.Fields(n.text)
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
	w.addInvalidError(n, "%s must be a number and a granularity, such as \"1 month\"; it is %s", pathForMessage(n), n.describeKind())
}

func (w *windowReader) readFrameWindow() {
	w.rejectOtherMembers(frameWindowShape)
	f := &catalog.FrameWindow{
		Function: w.readWindowFunctionName(append(slices.Clone(oneInputFrameFunctions), twoInputFrameFunctions...), ""), Reset: w.readResetGrain(),
		RequireFullWindow: w.readBoolOrFalse("require_full_window"), Order: w.readWindowOrder(false), Partition: w.readWindowPartition(),
		Range:          w.readTextOfClosedSet("units", "rows", "rows", "range") == "range",
		PartitionScope: w.readTextOfClosedSet("scope", "frame", "frame", "partition") == "partition",
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
	case preceding.kind == jsonString && preceding.text == "unbounded":
		f.Unbounded = true
	default:
		f.Preceding = w.readCountOrParamSlot(preceding, 0, &w.out.Slots)
	}
	if (f.Reset != sqlexpr.GrainNone || w.out.Reset.IsSet()) && f.Order != nil && !f.Order.ByTime {
		w.addInvalidError(w.findMember("reset"), "a frame ordered by value has no calendar to reset by")
	}
}

// readSecondFunctionInput reads the other input of a two-input function.
func (w *windowReader) readSecondFunctionInput(function string) {
	n := w.findMember("second")
	two := slices.Contains(twoInputFrameFunctions, function)
	switch {
	case two && n == nil:
		w.findRequiredMember("second", "the metric that is the function's second input")
	case !two && n != nil && function != "":
		w.addInvalidError(n, "the function %s has one input; second is for %s", function, strings.Join(twoInputFrameFunctions, ", "))
	case n != nil:
		w.out.Second = w.readObjectRef(n)
	}
}

func (w *windowReader) readRankWindow() {
	w.rejectOtherMembers(rankWindowShape)
	r := &catalog.RankWindow{Function: w.readWindowFunctionName(rankWindowFunctions, ""), Order: w.readWindowOrder(true), Partition: w.readWindowPartition()}
	w.out.Spec.Rank = r
	r.Buckets = w.readFunctionArgument("ntile", r.Function, "buckets")
}

func (w *windowReader) readValueWindow() {
	w.rejectOtherMembers(valueWindowShape)
	v := &catalog.ValueWindow{Function: w.readWindowFunctionName(valueWindowFunctions, ""), Order: w.readWindowOrder(false), Partition: w.readWindowPartition()}
	w.out.Spec.Value = v
	v.N = w.readFunctionArgument("nth_value", v.Function, "n")
}

// readFunctionArgument reads the number that one function needs and no other takes.
func (w *windowReader) readFunctionArgument(owner, function, key string) (c catalog.WindowCountOrParam) {
	n := w.findMember(key)
	switch {
	case function == owner:
		if n = w.findRequiredMember(key, "an integer of at least 1"); n != nil {
			return w.readCountOrParamSlot(n, 1, &w.out.Slots)
		}
	case n != nil && function != "":
		w.addInvalidError(n, "%s is for %s, not for %s", key, owner, function)
	}
	return c
}

// readWindowOrder reads what the window orders by; nil leaves it to the family.
func (w *windowReader) readWindowOrder(byValue bool) *catalog.WindowOrder {
	n := w.findMember("order")
	if n == nil {
		return nil
	}
	o, ok := w.payloadObjectReader.payloadReader.openObject(n, windowOrderShape.memberNames()...)
	if !ok {
		return nil
	}
	usual := "time"
	if byValue {
		usual = "value"
	}
	order := &catalog.WindowOrder{ByTime: o.readTextOfClosedSet("by", usual, "time", "value") == "time"}
	direction := "desc"
	if order.ByTime {
		direction = "asc"
	}
	order.Desc = o.readTextOfClosedSet("direction", direction, "asc", "desc") == "desc"
	return order
}

var windowPartitionModes = []string{"query_dimensions", "query_dimensions_except", "time_bucket", "none"}

func (w *windowReader) readWindowPartition() catalog.WindowPartition {
	n := w.findMember("partition")
	if n == nil {
		return catalog.WindowPartition{}
	}
	o, ok := w.payloadObjectReader.payloadReader.openObject(n, windowPartitionShape.memberNames()...)
	if !ok {
		return catalog.WindowPartition{}
	}
	const except = "query_dimensions_except"
	exclude := o.findMember("exclude")
	p := catalog.WindowPartition{Mode: o.readTextOfClosedSet("mode", "", windowPartitionModes...)}
	switch {
	case p.Mode == except && exclude == nil:
		o.findRequiredMember("exclude", "the dimensions to leave out, as dataset.field")
	case p.Mode != "" && p.Mode != except && exclude != nil:
		o.addInvalidError(exclude, "%s is for the mode %s", pathForMessage(exclude), except)
	case exclude != nil:
		w.readExcludedDimensions(exclude)
	}
	return p
}

func (w *windowReader) readExcludedDimensions(n *jsonNode) {
	if n.kind != jsonList || len(n.list) == 0 {
		w.addInvalidError(n, "%s must be a list of dimensions, is %s", pathForMessage(n), n.describeKind())
		return
	}
	for _, item := range n.list {
		w.out.Exclude = append(w.out.Exclude, w.readObjectRef(item))
	}
}
