package sqlemit

import (
	"cmp"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/plan"
)

// Dialect is how one warehouse spells SQL. Values are immutable and come from
// Lookup.
type Dialect struct {
	name string
	caps plan.Capabilities

	ident    identStyle
	lit      literalStyle
	like     likeStyle
	sort     nullSortStyle
	limit    limitStyle
	types    typeStyle
	ops      operatorTemplates
	time     timeTemplates
	validity joinValidityStyle
	calls    *callTemplatesByFunc
	union    unionTypingStyle
	sets     groupingSetsStyle
	tables   tableStyle

	// windowSpecs is how many windows that differ in partition or order one SELECT
	// may hold; 0 is any number.
	windowSpecs int
	// wholePartExtremesAreSlow: MAX(x) OVER (PARTITION BY p) reads all rows of the part again for each of them.
	wholePartExtremesAreSlow bool
	// framesOfRows: every frame is one of ROWS, and an aggregate with an order needs one. None of them has
	// the rows that tie with the current one, as a window without a frame has.
	framesOfRows bool
	// outputNamesHideTables: in GROUP BY and HAVING, a name is an output column before
	// it is a table.
	outputNamesHideTables bool
	// havingAmbiguousDuplicateNames: HAVING finds neither of two group keys whose
	// columns have one name.
	havingAmbiguousDuplicateNames bool
	// zeroDates: a stored date may have the month 0.
	zeroDates bool
	// leftCollationDecides: of two columns that are compared, the collation of the left one decides.
	leftCollationDecides bool
	// codePoints is the collation of texts that compare by code points, trailing spaces
	// included; "" where texts compare so by themselves, or cannot.
	codePoints string
	// settings end the statement where an engine follows the standard on request only.
	settings string
	// version is the call of the version of the warehouse, where it is not version(); noVersion marks an engine without one.
	version   string
	noVersion bool

	// The functions below print what a template cannot; each is nil if the engine does not
	// need it.

	// window prints a window call that is more than the call and its window.
	window func(w *writer, e *sqlexpr.WindowCall)
	// key rewrites a group key so that equality follows the SQL standard.
	key func(in *columnScope, e sqlexpr.Expr) sqlexpr.Expr
	// rewrite replaces an expression by one that the engine evaluates by the standard.
	rewrite func(w *writer, e sqlexpr.Expr) sqlexpr.Expr
	// branches casts the result values of a CASE to types that the engine can combine.
	branches func(w *writer, values []sqlexpr.Expr) []sqlexpr.Expr
	// integerKey casts an integer by which tables are joined to the type of every integer.
	integerKey func(x sqlexpr.Expr) sqlexpr.Expr
	// selected replaces the expression of a column where the engine sends its values in another form than those of other columns.
	selected func(c *outputColumn) sqlexpr.Expr
	// members casts the value of a semi-join and its rows to a type in which the engine compares them exactly.
	members func(n *plan.SemiJoin) *plan.SemiJoin
	// inspect reads the blocks of a statement before they are printed.
	inspect func(w *writer, b *selectBlock)
	// unionsRoundDecimals: UNION rounds decimals whose scales differ.
	unionsRoundDecimals bool
}

// VersionQuery returns a statement whose one value is the version of the warehouse, or any value where the warehouse has no function for that.
func (d *Dialect) VersionQuery() (sql string, hasVersion bool) {
	if d.noVersion {
		return "SELECT 1", false
	}
	return "SELECT " + cmp.Or(d.version, "version()"), true
}

// identStyle is how names are written.
type identStyle struct {
	quote byte
	// escape precedes a quote character inside a quoted name; most dialects
	// double it.
	escape   byte
	fold     unquotedNameFold
	reserved wordSet
	// alwaysQuotes: every name is quoted, which costs nothing where letters are not
	// folded, and spares the list of reserved words.
	alwaysQuotes bool
	// limit is how many bytes of a name the engine keeps; 0: all of them.
	limit int
	// label is a name as a column of the result may have it; nil where it may have
	// any.
	label func(name string) string
}

// unquotedNameFold is what an engine does to the letters of a name without quotes.
type unquotedNameFold uint8

const (
	foldNone unquotedNameFold = iota
	foldLower
	foldUpper
)

// nullSortStyle is how nulls are kept last.
type nullSortStyle struct {
	// nullsLast: NULLS LAST is understood. Otherwise the engine puts nulls
	// first in ascending and last in descending order by itself.
	nullsLast bool
	// rangeWithoutNullsLast: beside a frame of RANGE the order key takes no NULLS
	// LAST.
	rangeWithoutNullsLast bool
}

// Name returns the canonical name.
func (d *Dialect) Name() string { return d.name }

// Aliases lists the other names by which Lookup finds the dialect.
func (d *Dialect) Aliases() []string { return sqlexpr.DialectAliases(d.name) }

// HasOneTimestampType reports whether a cast to a timestamp with a zone and one without name the same type.
func (d *Dialect) HasOneTimestampType() bool {
	return d.types.names[sqlexpr.TypeTimestamp] == d.types.names[sqlexpr.TypeTimestampTZ]
}

// HasZeroDates reports whether a stored date may have the month 0, such as 0000-00-00.
func (d *Dialect) HasZeroDates() bool { return d.zeroDates }

// Capabilities returns the features that the dialect lacks and on which planning depends.
func (d *Dialect) Capabilities() plan.Capabilities {
	caps := d.caps
	caps.MergesTexts = d.codePoints != ""
	caps.NoFunction = plan.NewFuncSet(d.missingFunctions()...)
	return caps
}

// missingFunctions lists the scalar functions that the dialect lacks.
func (d *Dialect) missingFunctions() []sqlexpr.Func {
	var missing []sqlexpr.Func
	for fn, templates := range d.calls {
		if len(templates) == 0 && sqlexpr.InfoOfFunction(sqlexpr.Func(fn)).Class == sqlexpr.ClassScalar && sqlexpr.Func(fn) != sqlexpr.FnUnknown {
			missing = append(missing, sqlexpr.Func(fn))
		}
	}
	return missing
}

// HasFunction reports whether the dialect has a scalar function, or an aggregate of metrics. Aggregates that are computed from
// others, as percentiles from ranks, count.
func (d *Dialect) HasFunction(fn sqlexpr.Func) bool {
	if sqlexpr.InfoOfFunction(fn).Class == sqlexpr.ClassAggregate {
		return !d.caps.NoAggregate.Has(fn)
	}
	return len(d.calls[fn]) > 0
}

// What engines lack of the aggregates.
var (
	allPercentileFuncSet        = plan.NewFuncSet(sqlexpr.FnMedian, sqlexpr.FnPercentileCont, sqlexpr.FnPercentileDisc)
	discPercentileFuncSet       = plan.NewFuncSet(sqlexpr.FnPercentileDisc)
	approximateAggregateFuncSet = plan.NewFuncSet(sqlexpr.FnApproxCountDistinct, sqlexpr.FnApproxPercentile)
	approxPercentileFuncSet     = plan.NewFuncSet(sqlexpr.FnApproxPercentile)
	stddevAndVarianceFuncSet    = plan.NewFuncSet(sqlexpr.FnStddevPop, sqlexpr.FnStddevSamp, sqlexpr.FnVarPop, sqlexpr.FnVarSamp)
)

// textCastCollation is the clauses of a cast to text about its collation: within the parentheses, and
// after them.
type textCastCollation struct{ charset, collate string }

// WithCodePointCollation returns the dialect of the same name whose casts to text give a string that
// compares by code points, independent of the collation of its column. It reports false
// for a dialect without such a variant: its strings compare by their collation.
func (d *Dialect) WithCodePointCollation() (*Dialect, bool) {
	if d.codePoints == "" {
		return d, false
	}
	exact := *d
	// A collation belongs to one character set, and the column may have another one.
	exact.types.text = textCastCollation{" CHARACTER SET utf8mb4", " COLLATE " + d.codePoints}
	return &exact, true
}
