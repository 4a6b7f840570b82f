package extension

import (
	"slices"
	"strconv"
	"strings"

	"github.com/semlayer/semlayer/modelspec"
	"github.com/semlayer/semlayer/modelspec/catalog"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// Window is a window block. Names in it are unresolved: Second is a metric,
// Exclude are dimensions.
type Window struct {
	modelspec.Place
	Spec    *catalog.Window
	Second  Ref
	Exclude []Ref
	Slots   []Slot
}

// The functions of the window families.
var (
	oneInputFunctions = []string{"sum", "avg", "min", "max", "count", "stddev_pop", "stddev_samp", "var_pop", "var_samp"}
	twoInputFunctions = []string{"covar_pop", "covar_samp", "corr"}
	rankFunctions     = []string{"row_number", "rank", "dense_rank", "ntile", "percent_rank", "cume_dist"}
	valueFunctions    = []string{"first_value", "last_value", "nth_value"}

	windowShorthands = []string{"pop", "rolling", "cumulative"}
	windowFamilies   = []string{"offset", "frame", "rank", "value"}
	calculations     = []string{"value", "delta", "percent_change", "ratio"}
	resets           = []string{"week", "month", "quarter", "year"}
)

// windowReader collects what the parts of one block name.
type windowReader struct {
	object
	out *Window
}

func (o object) window() *Window {
	o.key = "window"
	n := o.get("window")
	if n == nil {
		return nil
	}
	if n.kind != kindObject {
		o.invalid(n, "window must be an object, is %s", n.describe())
		return nil
	}
	w := &windowReader{object{o.reader, n}, &Window{Place: o.placeOf(n), Spec: &catalog.Window{}}}
	before := len(o.Errors)
	if w.get("type") != nil {
		w.readShorthand()
	} else {
		w.readGeneral()
	}
	if len(o.Errors) > before {
		return nil
	}
	return w.out
}

func (w *windowReader) readShorthand() {
	switch form := w.enum("type", "", windowShorthands...); form {
	case "pop":
		w.keys(popShape)
		w.offset(true)
	case "rolling":
		w.keys(rollingShape)
		r := &catalog.RollingWindow{Function: w.function(oneInputFunctions, ""), RequireFullWindow: w.flag("require_full_window")}
		if n := w.requireKey("periods", "how many buckets it spans"); n != nil {
			r.Periods = w.count(n, 1, &w.out.Slots)
		}
		w.out.Spec.Rolling = r
	case "cumulative":
		w.keys(cumulativeShape)
		w.out.Spec.Cumulative = &catalog.CumulativeWindow{Function: w.function(oneInputFunctions, "sum"), Reset: w.readReset()}
	}
}

func (w *windowReader) readGeneral() {
	var given []string
	for _, family := range windowFamilies {
		if w.get(family) != nil {
			given = append(given, family)
		}
	}
	if len(given) != 1 {
		what := "none"
		if len(given) > 1 {
			what = strings.Join(given, " and ")
		}
		w.fail(CodeInvalid, w.n, "", "a window is either one of the forms {\"type\": %s} or one of the families %s; this one gives %s",
			strings.Join(quoteAll(windowShorthands), "|"), strings.Join(windowFamilies, ", "), what)
		return
	}
	family := given[0]
	w.warnNewerKey(w.n.member(family), "window."+family, "1.3")
	if family == "offset" {
		w.keys(offsetShape)
		w.offset(false)
		return
	}
	w.object.reader.object(w.n, family)
	inner := w.get(family)
	if inner.kind != kindObject {
		w.invalid(inner, "%s must be an object, is %s", valueLabel(inner), inner.describe())
		return
	}
	part := &windowReader{object{w.reader, inner}, w.out}
	switch family {
	case "frame":
		part.frame()
	case "rank":
		part.rank()
	case "value":
		part.value()
	}
}

func quoteAll(list []string) []string {
	out := make([]string, len(list))
	for i, s := range list {
		out[i] = strconv.Quote(s)
	}
	return out
}

// extensionKeys refuses members that the form does not take.
func (w *windowReader) keys(form Shape) {
	w.object.reader.object(w.n, form.keys()...)
}

// function reads the required function out of a closed set.
func (w *windowReader) function(allowed []string, otherwise string) string {
	if otherwise == "" && w.requireKey("function", "one of "+strings.Join(allowed, ", ")) == nil {
		return ""
	}
	return w.enum("function", otherwise, allowed...)
}

func (w *windowReader) readReset() sqlexpr.Grain {
	g, _ := sqlexpr.ParseGrain(w.enum("reset", "", resets...))
	return g
}

// offset reads a comparison with another bucket: "1 month", or count,
// granularity and direction.
func (w *windowReader) offset(pop bool) {
	out := &catalog.OffsetWindow{Pop: pop, Calculation: w.enum("calculation", "percent_change", calculations...)}
	w.out.Spec.Offset = out
	n := w.requireKey("offset", `how far away the other bucket is, such as {"count": 1, "granularity": "month"}`)
	switch {
	case n == nil:
	case n.kind == kindString && pop:
		w.offsetText(n, out)
	default:
		o, ok := w.object.reader.object(n, pointShape.keys()...)
		if !ok {
			return
		}
		out.Count = catalog.Count{N: 1}
		if c := o.requireKey("count", "an integer of at least 1"); c != nil {
			out.Count = o.count(c, 1, &w.out.Slots)
		}
		if o.requireKey("granularity", "one of "+strings.Join(sqlexpr.GrainNames(), ", ")) != nil {
			out.Grain = o.grain("granularity")
		}
		out.Forward = o.enum("direction", "back", "back", "forward") == "forward"
	}
}

func (w *windowReader) offsetText(n *node, out *catalog.OffsetWindow) {
	fields := strings.Fields(n.text)
	if len(fields) == 2 {
		count, err := strconv.Atoi(fields[0])
		grain, ok := sqlexpr.ParseGrain(strings.TrimSuffix(strings.ToLower(fields[1]), "s"))
		if err == nil && count >= 1 && ok {
			out.Count, out.Grain = catalog.Count{N: count}, grain
			return
		}
	}
	w.invalid(n, "%s must be a number and a granularity, such as \"1 month\"; it is %s", valueLabel(n), n.describe())
}

func (w *windowReader) frame() {
	w.keys(frameShape)
	f := &catalog.FrameWindow{
		Function: w.function(append(slices.Clone(oneInputFunctions), twoInputFunctions...), ""), Reset: w.readReset(),
		RequireFullWindow: w.flag("require_full_window"), Order: w.order(false), Partition: w.partition(),
		Range:          w.enum("units", "rows", "rows", "range") == "range",
		PartitionScope: w.enum("scope", "frame", "frame", "partition") == "partition",
	}
	w.out.Spec.Frame = f
	w.readSecondInput(f.Function)
	preceding := w.get("preceding")
	if f.PartitionScope {
		w.warnNewerKey(w.get("scope"), "window.frame.scope", "1.9")
		for _, key := range []string{"preceding", "reset"} {
			if n := w.get(key); n != nil {
				w.fail(CodeInvalid, n, "leave it out", "a frame of scope partition takes the whole partition and no %s", key)
			}
		}
		return
	}
	switch {
	case preceding == nil:
		w.requireKey("preceding", `how many earlier buckets it spans, or "unbounded"`)
	case preceding.kind == kindString && preceding.text == "unbounded":
		f.Unbounded = true
	default:
		f.Preceding = w.count(preceding, 0, &w.out.Slots)
	}
	if f.Reset != sqlexpr.GrainNone && f.Order != nil && !f.Order.ByTime {
		w.invalid(w.get("reset"), "a frame ordered by value has no calendar to reset by")
	}
}

// readSecondInput reads the other input of a two-input function.
func (w *windowReader) readSecondInput(function string) {
	n := w.get("second")
	two := slices.Contains(twoInputFunctions, function)
	switch {
	case two && n == nil:
		w.requireKey("second", "the metric that is the function's second input")
	case !two && n != nil && function != "":
		w.invalid(n, "the function %s has one input; second is for %s", function, strings.Join(twoInputFunctions, ", "))
	case n != nil:
		w.out.Second = w.readRef(n)
	}
}

func (w *windowReader) rank() {
	w.keys(rankShape)
	r := &catalog.RankWindow{Function: w.function(rankFunctions, ""), Order: w.order(true), Partition: w.partition()}
	w.out.Spec.Rank = r
	r.Buckets = w.readFunctionNumber("ntile", r.Function, "buckets")
}

func (w *windowReader) value() {
	w.keys(valueShape)
	v := &catalog.ValueWindow{Function: w.function(valueFunctions, ""), Order: w.order(false), Partition: w.partition()}
	w.out.Spec.Value = v
	v.N = w.readFunctionNumber("nth_value", v.Function, "n")
}

// readFunctionNumber reads the number that one function needs and no other takes.
func (w *windowReader) readFunctionNumber(owner, function, key string) (c catalog.Count) {
	n := w.get(key)
	switch {
	case function == owner:
		if n = w.requireKey(key, "an integer of at least 1"); n != nil {
			return w.count(n, 1, &w.out.Slots)
		}
	case n != nil && function != "":
		w.invalid(n, "%s is for %s, not for %s", key, owner, function)
	}
	return c
}

// order reads what the window orders by; nil leaves it to the family.
func (w *windowReader) order(byValue bool) *catalog.WindowOrder {
	n := w.get("order")
	if n == nil {
		return nil
	}
	o, ok := w.object.reader.object(n, orderShape.keys()...)
	if !ok {
		return nil
	}
	usual := "time"
	if byValue {
		usual = "value"
	}
	order := &catalog.WindowOrder{ByTime: o.enum("by", usual, "time", "value") == "time"}
	direction := "desc"
	if order.ByTime {
		direction = "asc"
	}
	order.Desc = o.enum("direction", direction, "asc", "desc") == "desc"
	return order
}

var partitionModes = []string{"query_dimensions", "query_dimensions_except", "time_bucket", "none"}

func (w *windowReader) partition() catalog.Partition {
	n := w.get("partition")
	if n == nil {
		return catalog.Partition{}
	}
	o, ok := w.object.reader.object(n, partitionShape.keys()...)
	if !ok {
		return catalog.Partition{}
	}
	const except = "query_dimensions_except"
	exclude := o.get("exclude")
	p := catalog.Partition{Mode: o.enum("mode", "", partitionModes...)}
	switch {
	case p.Mode == except && exclude == nil:
		o.requireKey("exclude", "the dimensions to leave out, as dataset.field")
	case p.Mode != "" && p.Mode != except && exclude != nil:
		o.invalid(exclude, "%s is for the mode %s", valueLabel(exclude), except)
	case exclude != nil:
		w.excludes(exclude)
	}
	return p
}

func (w *windowReader) excludes(n *node) {
	if n.kind != kindList || len(n.list) == 0 {
		w.invalid(n, "%s must be a list of dimensions, is %s", valueLabel(n), n.describe())
		return
	}
	for _, item := range n.list {
		w.out.Exclude = append(w.out.Exclude, w.readRef(item))
	}
}
