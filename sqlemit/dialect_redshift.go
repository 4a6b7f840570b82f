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
		divide:  operatorTemplate(precMul, "<1 / !2"),
		mod:     operatorTemplate(precMul, "CAST($1 AS DECIMAL(38, 10)) % !2"),
		modAny:  operatorTemplate(precMul, "CAST($1 AS DECIMAL(38, 10)) % NULLIF(CAST($2 AS DECIMAL(38, 10)), 0)"),
		concat:  operatorTemplate(precConcat, "~1 || ~2"),
		boolMin: primaryTemplate("BOOL_AND($1)"),
		boolMax: primaryTemplate("BOOL_OR($1)"),
		// IS TRUE is allowed in WHERE only, and IS DISTINCT FROM nowhere.
	}.truthByCoalesce().sameByCoalesce().joinByText("VARCHAR(65535)"),
	time: timeTemplates{
		instant: postgresTimeTemplates.instant,
		day:     postgresTimeTemplates.day,
		bucket:  postgresTimeTemplates.bucket,
		ordinal: grainTemplates{
			sqlexpr.GrainDay:     primaryTemplate("DATEDIFF(day, DATE '0001-01-01', $1)"),
			sqlexpr.GrainWeek:    operatorTemplate(precMul, "DATEDIFF(day, DATE '0001-01-01', $1) / 7"),
			sqlexpr.GrainMonth:   operatorTemplate(precAdd, "EXTRACT(YEAR FROM $1) * 12 + EXTRACT(MONTH FROM $1)"),
			sqlexpr.GrainQuarter: operatorTemplate(precAdd, "EXTRACT(YEAR FROM $1) * 4 + EXTRACT(QUARTER FROM $1)"),
			sqlexpr.GrainYear:    primaryTemplate("EXTRACT(YEAR FROM $1)"),
		},
		trunc: postgresTimeTemplates.trunc, otherTrunc: postgresTimeTemplates.otherTrunc,
		part: postgresTimeTemplates.part,
		otherPart: map[string]template{
			"isodow":  operatorTemplate(precAdd, "(EXTRACT(DOW FROM $1) + 6) % 7 + 1"),
			"isoyear": primaryTemplate("EXTRACT(YEAR FROM DATEADD(day, 3, DATE_TRUNC('week', $1)))"),
			"epoch":   primaryTemplate("EXTRACT(EPOCH FROM $1)"),
			// Its own leaves the seconds out.
			"millisecond": operatorTemplate(precAdd, "EXTRACT(SECOND FROM $1) * 1000 + EXTRACT(MILLISECOND FROM $1)"),
		},
		diff: eachUnit(precPrimary, "DATEDIFF({unit}, CAST($1 AS TIMESTAMP), CAST($2 AS TIMESTAMP))").
			with(partWeek, operatorTemplate(precMul, "DATEDIFF(day, DATE_TRUNC('week', CAST($1 AS TIMESTAMP)), DATE_TRUNC('week', CAST($2 AS TIMESTAMP))) / 7")),
		timestamp: postgresTimeTemplates.timestamp,
		shift:     eachUnit(precPrimary, "DATEADD({unit}, $2, $1)"),
		matches:   operatorTemplate(precCompare, "@1 ~ @2"),
		decode:    decodeByPattern,
	},
	calls: standard.with(map[sqlexpr.Func][]callTemplate{
		sqlexpr.FnCovarPop:         nil,
		sqlexpr.FnCovarSamp:        nil,
		sqlexpr.FnCorr:             nil,
		sqlexpr.FnCurrentTimestamp: callTemplates(primaryTemplate("GETDATE()")),
		sqlexpr.FnConcat:           concatTexts,
		sqlexpr.FnLength:           callTemplates(primaryTemplate("LEN($1)")),
		// Blanks at the end of a text do not count when it is compared.
		sqlexpr.FnStartsWith: callTemplates(operatorTemplate(precCompare, "LEFT($1, LEN($2)) || '|' = @2 || '|'")),
		sqlexpr.FnEndsWith:   callTemplates(operatorTemplate(precCompare, "RIGHT($1, LEN($2)) || '|' = @2 || '|'")),
	}),
	// BOOL_AND and BOOL_OR are aggregates only.
	window: windowOverZeroOne,
	union:  unionStyle{typedPairwise: true},
}

// redshiftCast rounds what casts would cut unless enable_numeric_rounding is on.
func redshiftCast(w *writer, c *sqlexpr.Cast, min precedence) {
	if t := w.typeOf(c.X); len(c.To.Args) == 2 && c.To.Type == sqlexpr.TypeDecimal && t == sqlexpr.TypeDecimal {
		c = &sqlexpr.Cast{X: newCall(sqlexpr.FnRound, c.X, integerExpr(int64(c.To.Args[1]))), To: c.To}
	}
	roundingCast(w, c, min)
}
