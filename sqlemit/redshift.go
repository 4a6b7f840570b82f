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
		NoRangeFrames:      true,
		Ranked:             discPercentileFuncSet,
		OnePercentileOrder: true,
		NoSketch:           approxPercentileFuncSet,
		NoWindow:           plan.NewFuncSet(sqlexpr.FnCovarPop, sqlexpr.FnCovarSamp, sqlexpr.FnCorr),
	},
	ident: identStyle{quote: '"', limit: 127, fold: foldLower, reserved: redshiftReservedWords},
	lit: literalStyle{
		backslashEscapes: true,
		date:             keywordAffixes("DATE"), clock: keywordAffixes("TIME"), stamp: keywordAffixes("TIMESTAMP"),
		zoned: literalAffixes{"TIMESTAMP WITH TIME ZONE '", "+00:00'"},
	},
	// Its ILIKE folds ASCII alone.
	like: likeStyle{backslashEscapes: true},
	sort: nullSortStyle{nullsLast: true},
	types: typeStyle{
		names: [...]string{
			sqlexpr.TypeBool: "BOOLEAN", sqlexpr.TypeInt: "BIGINT", sqlexpr.TypeDecimal: "DECIMAL",
			sqlexpr.TypeFloat: "DOUBLE PRECISION", sqlexpr.TypeString: "VARCHAR", sqlexpr.TypeDate: "DATE",
			sqlexpr.TypeTime: "TIME", sqlexpr.TypeTimestamp: "TIMESTAMP",
			sqlexpr.TypeTimestampTZ: "TIMESTAMP WITH TIME ZONE", sqlexpr.TypeInterval: "",
		},
		// VARCHAR alone is 256 bytes.
		longText: "VARCHAR(65535)",
		cast:     printRedshiftCast,
	},
	ops: operatorTemplates{
		divide:  parseTemplate("$1 / !2"),
		mod:     parseTemplate("CAST($1 AS DECIMAL(38, 10)) % !2"),
		modAny:  parseTemplate("CAST($1 AS DECIMAL(38, 10)) % NULLIF(CAST($2 AS DECIMAL(38, 10)), 0)"),
		concat:  parseTemplate("~1 || ~2"),
		boolMin: parseTemplate("BOOL_AND($1)"),
		boolMax: parseTemplate("BOOL_OR($1)"),
		// IS TRUE is allowed in WHERE only, and IS DISTINCT FROM nowhere.
	}.withTruthTestsByCoalesce().withDistinctFromByCoalesce().withTextJoinEquality("VARCHAR(65535)"),
	time: timeTemplates{
		instant: postgresTimeTemplates.instant,
		day:     postgresTimeTemplates.day,
		bucket:  postgresTimeTemplates.bucket,
		ordinal: grainTemplates{
			sqlexpr.GrainDay:     parseTemplate("DATEDIFF(day, DATE '0001-01-01', $1)"),
			sqlexpr.GrainWeek:    parseTemplate("DATEDIFF(day, DATE '0001-01-01', $1) / 7"),
			sqlexpr.GrainMonth:   parseTemplate("EXTRACT(YEAR FROM $1) * 12 + EXTRACT(MONTH FROM $1)"),
			sqlexpr.GrainQuarter: parseTemplate("EXTRACT(YEAR FROM $1) * 4 + EXTRACT(QUARTER FROM $1)"),
			sqlexpr.GrainYear:    parseTemplate("EXTRACT(YEAR FROM $1)"),
		},
		trunc: postgresTimeTemplates.trunc, otherTrunc: postgresTimeTemplates.otherTrunc, zonedTrunc: postgresTimeTemplates.zonedTrunc, zone: postgresTimeTemplates.zone,
		part: postgresTimeTemplates.part.
			withPartTemplate(partISODayOfWeek, parseTemplate("(EXTRACT(DOW FROM $1) + 6) % 7 + 1")),
		otherPart: map[string]template{
			"isoyear": parseTemplate("EXTRACT(YEAR FROM DATEADD(day, 3, DATE_TRUNC('week', $1)))"),
			"epoch":   parseTemplate("EXTRACT(EPOCH FROM $1)"),
			// Its own leaves the seconds out.
			"millisecond": parseTemplate("EXTRACT(SECOND FROM $1) * 1000 + EXTRACT(MILLISECOND FROM $1)"),
		},
		elapsed: parseTemplate("CAST(DATEDIFF(microsecond, CAST($1 AS TIMESTAMP), CAST($2 AS TIMESTAMP)) AS DOUBLE PRECISION) / 1000000"),
		diff: templatesForUnits("DATEDIFF({unit}, CAST($1 AS TIMESTAMP), CAST($2 AS TIMESTAMP))").
			withPartTemplate(partWeek, parseTemplate("DATEDIFF(day, DATE_TRUNC('week', CAST($1 AS TIMESTAMP)), DATE_TRUNC('week', CAST($2 AS TIMESTAMP))) / 7")),
		timestamp: postgresTimeTemplates.timestamp,
		shift:     templatesForUnits("DATEADD({unit}, $2, $1)"),
		matches:   parseTemplate("@1 ~ @2"),
		format:    postgresTimeFormat,
		decode:    printTimeCodeDecodeByRegexp,
	},
	sets: groupingSetsStyle{supported: true, dropsTotalOfNoRows: true},
	calls: standardCalls.withChangedCalls(map[sqlexpr.Func][]callTemplate{
		sqlexpr.FnPercentileCont:      percentileContTemplates,
		sqlexpr.FnApproxCountDistinct: newCallTemplates(parseTemplate("APPROXIMATE COUNT(DISTINCT $1)")),
		sqlexpr.FnListagg:             listaggTemplates(listaggWithinGroupPrinter(false)),
		sqlexpr.FnCovarPop:            nil,
		sqlexpr.FnCovarSamp:           nil,
		sqlexpr.FnCorr:                nil,
		sqlexpr.FnCurrentTime:         newCallTemplates(parseTemplate("CAST(GETDATE() AS TIME)")),
		sqlexpr.FnRegexpLike:          newCallTemplates(parseTemplate("@1 ~ @2")),
		sqlexpr.FnCurrentTimestamp:    newCallTemplates(parseTemplate("GETDATE()")),
		sqlexpr.FnConcat:              concatByOperatorTemplates,
		sqlexpr.FnLength:              newCallTemplates(parseTemplate("LEN($1)")),
		// Blanks at the end of a text do not count when it is compared.
		sqlexpr.FnStartsWith: newCallTemplates(parseTemplate("LEFT($1, LEN($2)) || '|' = @2 || '|'")),
		sqlexpr.FnEndsWith:   newCallTemplates(parseTemplate("RIGHT($1, LEN($2)) || '|' = @2 || '|'")),
	}),
	// BOOL_AND and BOOL_OR are aggregates only.
	window:       printConditionWindowAsZeroOne,
	framesOfRows: true,
	union:        unionTypingStyle{typedPairwise: true},
	tables: tableStyle{
		writing: TableWriting{Swap: SwapRename, Begin: "BEGIN", Grants: GrantsBefore},
		text:    standardTables.text, integer: standardTables.integer, timestamp: standardTables.timestamp,
		grant: standardGrant,
	},
}

// printRedshiftCast rounds what casts would cut unless enable_numeric_rounding is on.
func printRedshiftCast(w *writer, c *sqlexpr.Cast, min precedence) {
	if t := w.typeOf(c.X); len(c.To.Args) == 2 && c.To.Type == sqlexpr.TypeDecimal && t == sqlexpr.TypeDecimal {
		c = &sqlexpr.Cast{X: newCall(sqlexpr.FnRound, c.X, newIntegerConstant(int64(c.To.Args[1]))), To: c.To}
	}
	printRoundingCast(w, c, min)
}

var redshiftReservedWords = newWordSet(`aes128 aes256 all allowoverwrite analyse analyze and any array as asc authorization az64
	backup between binary blanksasnull both bytedict bzip2 case cast check collate column constraint create credentials
	cross current_date current_time current_timestamp current_user current_user_id default deferrable deflate defrag
	delta delta32k desc disable distinct do else emptyasnull enable encode encrypt encryption end except explicit false
	for foreign freeze from full globaldict256 globaldict64k grant group gzip having identity ignore ilike in initially
	inner intersect interval into is isnull join leading left like limit localtime localtimestamp lun luns lzo lzop
	minus mostly16 mostly32 mostly8 natural new not notnull null nulls off offline offset oid old on only open or order
	outer overlaps parallel partition percent permissions pivot placing primary raw readratio recover references
	rejectlog resort respect restore right select session_user similar snapshot some sysdate system table tag tdes
	text255 text32k then timestamp to top trailing true truncatecolumns union unique unnest unpivot user using verbose
	wallet when where with without`)
