package sqlemit

import (
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
	"github.com/semlayer/semlayer/planner/plan"
)

// Redshift began as PostgreSQL 8.0: backslashes escape in text literals, and
// much that PostgreSQL learned later is missing or Redshift's own.
var redshift = &Dialect{
	name: "redshift",
	caps: plan.Capabilities{
		NoRangeFrames: true,
		NoWindow:      plan.NewFuncSet(sqlexpr.FnCovarPop, sqlexpr.FnCovarSamp, sqlexpr.FnCorr),
	},
	ident: identStyle{quote: '"', limit: 127, fold: foldLower, reserved: redshiftWords},
	lit: literalStyle{
		backslashEscapes: true,
		date:             keywordAffixes("DATE"), clock: keywordAffixes("TIME"), stamp: keywordAffixes("TIMESTAMP"),
		zoned: affixes{"TIMESTAMP WITH TIME ZONE '", "+00:00'"},
	},
	// Its ILIKE folds ASCII alone.
	like: likeStyle{backslashEscapes: true},
	sort: sortStyle{nullsLast: true},
	types: typeStyle{
		names: [...]string{
			sqlexpr.TypeBool: "BOOLEAN", sqlexpr.TypeInt: "BIGINT", sqlexpr.TypeDecimal: "DECIMAL",
			sqlexpr.TypeFloat: "DOUBLE PRECISION", sqlexpr.TypeString: "VARCHAR", sqlexpr.TypeDate: "DATE",
			sqlexpr.TypeTime: "TIME", sqlexpr.TypeTimestamp: "TIMESTAMP",
			sqlexpr.TypeTimestampTZ: "TIMESTAMP WITH TIME ZONE", sqlexpr.TypeInterval: "",
		},
		// VARCHAR alone is 256 bytes.
		longText: "VARCHAR(65535)",
		cast:     redshiftCast,
	},
	ops: operatorTemplates{
		divide:  op(precMul, "<1 / !2"),
		mod:     op(precMul, "CAST($1 AS DECIMAL(38, 10)) % !2"),
		modAny:  op(precMul, "CAST($1 AS DECIMAL(38, 10)) % NULLIF(CAST($2 AS DECIMAL(38, 10)), 0)"),
		concat:  op(precConcat, "~1 || ~2"),
		boolMin: call("BOOL_AND($1)"),
		boolMax: call("BOOL_OR($1)"),
		// IS TRUE is allowed in WHERE only, and IS DISTINCT FROM nowhere.
	}.truthByCoalesce().sameByCoalesce().joinByText("VARCHAR(65535)"),
	time: timeTemplates{
		instant: postgresTime.instant,
		day:     postgresTime.day,
		bucket:  postgresTime.bucket,
		ordinal: grainTemplates{
			sqlexpr.GrainDay:     call("DATEDIFF(day, DATE '0001-01-01', $1)"),
			sqlexpr.GrainWeek:    op(precMul, "DATEDIFF(day, DATE '0001-01-01', $1) / 7"),
			sqlexpr.GrainMonth:   op(precAdd, "EXTRACT(YEAR FROM $1) * 12 + EXTRACT(MONTH FROM $1)"),
			sqlexpr.GrainQuarter: op(precAdd, "EXTRACT(YEAR FROM $1) * 4 + EXTRACT(QUARTER FROM $1)"),
			sqlexpr.GrainYear:    call("EXTRACT(YEAR FROM $1)"),
		},
		trunc: postgresTime.trunc, otherTrunc: postgresTime.otherTrunc,
		part: postgresTime.part,
		otherPart: map[string]template{
			"isodow":  op(precAdd, "(EXTRACT(DOW FROM $1) + 6) % 7 + 1"),
			"isoyear": call("EXTRACT(YEAR FROM DATEADD(day, 3, DATE_TRUNC('week', $1)))"),
			"epoch":   call("EXTRACT(EPOCH FROM $1)"),
			// Its own leaves the seconds out.
			"millisecond": op(precAdd, "EXTRACT(SECOND FROM $1) * 1000 + EXTRACT(MILLISECOND FROM $1)"),
		},
		diff: eachUnit(precPrimary, "DATEDIFF({unit}, CAST($1 AS TIMESTAMP), CAST($2 AS TIMESTAMP))").
			with(partWeek, op(precMul, "DATEDIFF(day, DATE_TRUNC('week', CAST($1 AS TIMESTAMP)), DATE_TRUNC('week', CAST($2 AS TIMESTAMP))) / 7")),
		timestamp: postgresTime.timestamp,
		shift:     eachUnit(precPrimary, "DATEADD({unit}, $2, $1)"),
		matches:   op(precCompare, "@1 ~ @2"),
		decode:    decodeByPattern,
	},
	calls: standard.with(map[sqlexpr.Func][]callTemplate{
		sqlexpr.FnCovarPop:         nil,
		sqlexpr.FnCovarSamp:        nil,
		sqlexpr.FnCorr:             nil,
		sqlexpr.FnCurrentTimestamp: callTemplates(call("GETDATE()")),
		sqlexpr.FnConcat:           concatTexts,
		sqlexpr.FnLength:           callTemplates(call("LEN($1)")),
		// Blanks at the end of a text do not count when it is compared.
		sqlexpr.FnStartsWith: callTemplates(op(precCompare, "LEFT($1, LEN($2)) || '|' = @2 || '|'")),
		sqlexpr.FnEndsWith:   callTemplates(op(precCompare, "RIGHT($1, LEN($2)) || '|' = @2 || '|'")),
	}),
	// BOOL_AND and BOOL_OR are aggregates only.
	window: windowOfNumbers,
	union:  unionStyle{typedPairwise: true},
}

// redshiftCast rounds what casts would cut unless enable_numeric_rounding is on.
func redshiftCast(w *writer, c *sqlexpr.Cast, min prec) {
	if t := w.typeOf(c.X); len(c.To.Args) == 2 && c.To.Type == sqlexpr.TypeDecimal && t == sqlexpr.TypeDecimal {
		c = &sqlexpr.Cast{X: callOf(sqlexpr.FnRound, c.X, whole(int64(c.To.Args[1]))), To: c.To}
	}
	roundingCast(w, c, min)
}
