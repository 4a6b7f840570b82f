package plan

import (
	"slices"
	"strings"

	"github.com/semlayer/semlayer/modelspec/lexical"
	"github.com/semlayer/semlayer/modelspec/sqlexpr"
)

// IsVolatile reports whether two executions of a plan over the same rows can have different results: an expression reads the present
// time or calls a function outside of the language, or the query text of a dataset may do so.
func IsVolatile(root Node) bool {
	seen := map[Node]bool{}
	var visit func(Node) bool
	visit = func(n Node) bool {
		if n == nil || seen[n] {
			return false
		}
		seen[n] = true
		if scan, ok := n.(*Scan); ok && scan.Source.Query != "" && isVolatileQueryText(scan.Source.Query) {
			return true
		}
		return slices.ContainsFunc(expressionsOf(n), sqlexpr.IsVolatile) || slices.ContainsFunc(n.Inputs(), visit)
	}
	return visit(root)
}

// expressionsOf returns the expressions of a node, without those of its inputs.
func expressionsOf(n Node) []sqlexpr.Expr {
	switch n := n.(type) {
	case *Scan:
		if n.Freshness != nil {
			return []sqlexpr.Expr{n.Freshness}
		}
		return nil
	case *Join:
		var out []sqlexpr.Expr
		for _, on := range n.On {
			out = append(out, on.Left, on.Right)
		}
		if n.Valid != nil {
			out = append(out, n.Valid.At, n.Valid.From, n.Valid.To)
		}
		return out
	case *Filter:
		return n.Conds
	case *Aggregate:
		return namedExprs(n.Keys, n.Measures)
	case *GroupingSets:
		return namedExprs(n.Keys, n.Measures)
	case *HomeRows:
		return namedExprs(n.Groups, n.Key, n.Args, n.Counts)
	case *Snapshots:
		return namedExprs(n.Cols)
	case *Window:
		return namedExprs(n.Funcs)
	case *Project:
		return namedExprs(n.Cols)
	case *SemiJoin:
		return []sqlexpr.Expr{n.Value}
	default: // the other nodes name columns
		return nil
	}
}

func namedExprs(lists ...[]NamedExpr) (out []sqlexpr.Expr) {
	for _, list := range lists {
		for _, c := range list {
			out = append(out, c.Expr)
		}
	}
	return out
}

// wordsBeforeParentheses are words of SQL that a parenthesis may follow beside functions.
var wordsBeforeParentheses = wordSet(`ALL AND ANY AS BETWEEN BY CASE CROSS CUBE DISTINCT ELSE END EXCEPT EXISTS FILTER FROM GROUPING HAVING IN INNER
	INTERSECT IS JOIN LATERAL LEFT LIKE LIMIT MATERIALIZED NOT OFFSET ON OR OVER PARTITION QUALIFY RECURSIVE RIGHT ROLLUP SELECT SETS SOME THEN UNION
	UNNEST USING VALUES WHEN WHERE WITH WITHIN GROUP ARRAY ROW STRUCT
	CAST DATE_PART DENSE_RANK EXTRACT FIRST_VALUE LAG LAST_VALUE LEAD NTILE NTH_VALUE PERCENT_RANK RANK ROW_NUMBER SAFE_CAST TRY_CAST
	BIGINT BINARY BIT CHAR CHARACTER DATETIME DECIMAL DOUBLE FLOAT INT INTEGER NCHAR NUMERIC NVARCHAR SMALLINT TIME TIMESTAMP VARBINARY VARCHAR VARYING`)

// volatileWords are words of SQL that read the present time, the session or a random sample without parentheses.
var volatileWords = wordSet(`CURRENT_CATALOG CURRENT_DATE CURRENT_ROLE CURRENT_SCHEMA CURRENT_TIME CURRENT_TIMESTAMP CURRENT_USER LOCALTIME LOCALTIMESTAMP
	SAMPLE SESSION_USER SYSDATE SYSTEM_USER SYSTIMESTAMP TABLESAMPLE USER`)

// volatileTexts are the texts that PostgreSQL and DuckDB read as a present time.
var volatileTexts = wordSet("NOW TODAY TOMORROW YESTERDAY")

func wordSet(words string) map[string]bool {
	out := map[string]bool{}
	for word := range strings.FieldsSeq(words) {
		out[word] = true
	}
	return out
}

// isVolatileQueryText reports whether a query of a warehouse may have other rows at each execution: it calls what is not in the
// language. A function that the language lacks counts, because nothing is known of it, and so does a text whose strings end in
// different places on different engines.
func isVolatileQueryText(text string) bool {
	if strings.Contains(text, `\`) || strings.Contains(text, "$$") {
		return true
	}
	for pos := 0; pos < len(text); {
		c := text[pos]
		switch {
		case lexical.SpaceEnd(text, pos) > pos:
			pos = lexical.SpaceEnd(text, pos)
		case lexical.IsWordStart(c):
			end := lexical.WordEnd(text, pos)
			word := strings.ToUpper(text[pos:end])
			if volatileWords[word] || isCallAt(text, end) && !wordsBeforeParentheses[word] && isVolatileName(word) {
				return true
			}
			pos = end
		case c == '\'' || c == '"' || c == '`':
			end := max(lexical.QuotedEnd(text, pos), pos+1)
			quoted := strings.ToUpper(strings.Trim(text[pos:end], string(c)+" "))
			if c == '\'' && volatileTexts[quoted] || c != '\'' && isCallAt(text, end) {
				return true
			}
			pos = end
		default:
			pos++
		}
	}
	return false
}

// isCallAt reports whether a parenthesis follows at a position, maybe after comments.
func isCallAt(text string, pos int) bool {
	for {
		pos = lexical.SpaceEnd(text, pos)
		if !strings.HasPrefix(text[pos:], "/*") {
			return strings.HasPrefix(text[pos:], "(")
		}
		end := strings.Index(text[pos+2:], "*/")
		if end < 0 {
			return false
		}
		pos += 2 + end + 2
	}
}

func isVolatileName(name string) bool {
	info, ok := sqlexpr.LookupFunc(name)
	return !ok || info.Fn.IsVolatile()
}
