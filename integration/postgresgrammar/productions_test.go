package postgresgrammar

import (
	"os"
	"slices"
	"strings"
	"testing"

	pgquery "github.com/pganalyze/pg_query_go/v6"
	"google.golang.org/protobuf/reflect/protoreflect"
)

// The statements that integration/statements holds to be read or rejected.
const (
	readFile    = "../statements/testdata/grammar/read.txt"
	refusedFile = "../statements/testdata/grammar/refused.txt"
)

// Every node, field and value that PostgreSQL's grammar has for SELECT is in a statement that semsql reads or in one that it
// rejects: a production that neither has would be known to no test.
func TestProductions_EachIsReadOrRefused(t *testing.T) {
	seen := map[string]bool{}
	for _, path := range []string{statementsFile, readFile, refusedFile} {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(text)) {
			statement, want, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
			if want == rejected || strings.HasPrefix(statement, "#") {
				continue
			}
			tree, err := pgquery.Parse(statement)
			if err != nil {
				t.Errorf("%s\nPostgreSQL: %v", statement, err)
				continue
			}
			collectProductions(tree.ProtoReflect(), seen)
		}
	}
	expected := productionsOf((&pgquery.SelectStmt{}).ProtoReflect().Descriptor())
	var missing []string
	for name := range expected {
		if !seen[name] && !slices.Contains(notOfTheParser, name) {
			missing = append(missing, name)
		}
	}
	slices.Sort(missing)
	if len(missing) > 0 {
		t.Errorf("no statement has\n%s", strings.Join(missing, "\n"))
	}
	for _, name := range notOfTheParser {
		if seen[name] || !expected[name] {
			t.Errorf("%s is listed and needs no entry", name)
		}
	}
	if len(expected)-len(notOfTheParser) < 200 {
		t.Errorf("%d productions", len(expected))
	}
	t.Logf("%d productions", len(expected)-len(notOfTheParser))
}

// collectProductions adds the fields of a message that are set and the values of its enumerations.
func collectProductions(m protoreflect.Message, seen map[string]bool) {
	m.Range(func(f protoreflect.FieldDescriptor, v protoreflect.Value) bool {
		name := string(m.Descriptor().Name()) + "." + string(f.Name())
		seen[name] = true
		switch {
		case f.Enum() != nil:
			seen[name+"="+string(f.Enum().Values().ByNumber(v.Enum()).Name())] = true
		case f.IsList() && f.Message() != nil:
			for i := range v.List().Len() {
				collectProductions(v.List().Get(i).Message(), seen)
			}
		case f.Message() != nil:
			collectProductions(v.Message(), seen)
		}
		return true
	})
}

// productionsOf returns the fields, and the values of enumerations, that are reached from a message through nodes of SELECT.
func productionsOf(from protoreflect.MessageDescriptor) map[string]bool {
	out, open := map[string]bool{}, []protoreflect.MessageDescriptor{from}
	visited := map[protoreflect.Name]bool{}
	for len(open) > 0 {
		m := open[0]
		open = open[1:]
		if visited[m.Name()] {
			continue
		}
		visited[m.Name()] = true
		for i := range m.Fields().Len() {
			f := m.Fields().Get(i)
			if f.Name() == "location" || m.Name() == "Node" && !isOfSelect(f.Message().Name()) {
				continue
			}
			name := string(m.Name()) + "." + string(f.Name())
			out[name] = true
			if f.Message() != nil && !slices.Contains(writingNodes, string(f.Message().Name())) {
				open = append(open, f.Message())
			}
			if f.Enum() == nil {
				continue
			}
			for j := range f.Enum().Values().Len() {
				if v := f.Enum().Values().Get(j); v.Number() != 0 { // the zero value is that of no enumeration
					out[name+"="+string(v.Name())] = true
				}
			}
		}
	}
	return out
}

// isOfSelect reports whether the grammar puts a kind of node into a SELECT.
func isOfSelect(kind protoreflect.Name) bool {
	return slices.Contains(nodesOfSelect, string(kind)) || slices.Contains(writingNodes, string(kind))
}

// writingNodes are statements in WITH. Their own productions are not those of SELECT.
var writingNodes = []string{"InsertStmt", "UpdateStmt", "DeleteStmt", "MergeStmt"}

// nodesOfSelect are the nodes that PostgreSQL's gram.y makes for SELECT. Its other nodes are of other statements, or made
// by the analysis and the planner.
var nodesOfSelect = strings.Fields(`
Alias RangeVar IntoClause GroupingFunc MergeSupportFunc NamedArgExpr BoolExpr SubLink CollateClause CaseExpr CaseWhen
A_ArrayExpr RowExpr CoalesceExpr MinMaxExpr SQLValueFunction XmlExpr XmlSerialize JsonFormat JsonReturning JsonValueExpr
JsonIsPredicate JsonBehavior JsonFuncExpr JsonTable JsonTableColumn JsonTablePathSpec JsonOutput JsonArgument JsonKeyValue
JsonParseExpr JsonScalarExpr JsonSerializeExpr JsonObjectConstructor JsonArrayConstructor JsonArrayQueryConstructor
JsonAggConstructor JsonObjectAgg JsonArrayAgg NullTest BooleanTest SetToDefault JoinExpr SelectStmt
TypeName ColumnRef ParamRef A_Expr TypeCast FuncCall A_Star A_Indices A_Indirection ResTarget SortBy WindowDef RangeSubselect
RangeFunction RangeTableFunc RangeTableFuncCol RangeTableSample ColumnDef LockingClause GroupingSet WithClause CTESearchClause
CTECycleClause CommonTableExpr Integer Float Boolean String BitString List A_Const`)

// notOfTheParser are what gram.y never sets in a SELECT: the analysis of a query and its planner do, or other statements
// have it, such as the columns of CREATE TABLE and the options of CREATE TABLE AS.
var notOfTheParser = strings.Fields(`
BoolExpr.xpr BooleanTest.xpr CaseExpr.xpr CaseWhen.xpr CoalesceExpr.xpr GroupingFunc.xpr MergeSupportFunc.xpr MinMaxExpr.xpr
NamedArgExpr.xpr NullTest.xpr RowExpr.xpr SQLValueFunction.xpr SetToDefault.xpr SubLink.xpr XmlExpr.xpr
CTECycleClause.cycle_mark_collation CTECycleClause.cycle_mark_neop CTECycleClause.cycle_mark_type CTECycleClause.cycle_mark_typmod
CaseExpr.casecollid CaseExpr.casetype CoalesceExpr.coalescecollid CoalesceExpr.coalescetype
ColumnDef.coll_oid ColumnDef.compression ColumnDef.constraints ColumnDef.cooked_default ColumnDef.fdwoptions ColumnDef.generated
ColumnDef.identity ColumnDef.identity_sequence ColumnDef.inhcount ColumnDef.is_from_type ColumnDef.is_not_null
ColumnDef.raw_default ColumnDef.storage ColumnDef.storage_name
CommonTableExpr.ctecolcollations CommonTableExpr.ctecolnames CommonTableExpr.ctecoltypes CommonTableExpr.ctecoltypmods
CommonTableExpr.cterecursive CommonTableExpr.cterefcount
FuncCall.funcformat=COERCE_EXPLICIT_CAST FuncCall.funcformat=COERCE_IMPLICIT_CAST
GroupingFunc.agglevelsup GroupingFunc.refs GroupingSet.kind=GROUPING_SET_SIMPLE
IntoClause.access_method IntoClause.col_names IntoClause.on_commit=ONCOMMIT_DELETE_ROWS IntoClause.on_commit=ONCOMMIT_DROP
IntoClause.on_commit=ONCOMMIT_PRESERVE_ROWS IntoClause.options IntoClause.skip_data IntoClause.table_space_name IntoClause.view_query
JoinExpr.jointype=JOIN_ANTI JoinExpr.jointype=JOIN_RIGHT_ANTI JoinExpr.jointype=JOIN_SEMI JoinExpr.jointype=JOIN_UNIQUE_INNER
JoinExpr.jointype=JOIN_UNIQUE_OUTER JoinExpr.rtindex
JsonBehavior.btype=JSON_BEHAVIOR_EMPTY JsonBehavior.coerce JsonFormat.format_type=JS_FORMAT_JSONB JsonFuncExpr.column_name
JsonFuncExpr.op=JSON_TABLE_OP JsonParseExpr.output JsonReturning.typid JsonReturning.typmod JsonScalarExpr.output
JsonValueExpr.formatted_expr LockingClause.strength=LCS_NONE MergeSupportFunc.msfcollid
MinMaxExpr.inputcollid MinMaxExpr.minmaxcollid MinMaxExpr.minmaxtype
Node.alias Node.bit_string Node.boolean Node.ctecycle_clause Node.ctesearch_clause Node.float Node.into_clause
Node.json_agg_constructor Node.json_behavior Node.json_format Node.json_output Node.json_returning Node.json_table_path_spec
Node.type_name Node.with_clause
NullTest.argisrow ResTarget.indirection RowExpr.colnames RowExpr.row_format=COERCE_EXPLICIT_CAST
RowExpr.row_format=COERCE_SQL_SYNTAX RowExpr.row_typeid SQLValueFunction.type SetToDefault.collation SetToDefault.type_id
SetToDefault.type_mod SubLink.sub_link_id SubLink.sub_link_type=CTE_SUBLINK SubLink.sub_link_type=MULTIEXPR_SUBLINK
SubLink.sub_link_type=ROWCOMPARE_SUBLINK TypeName.pct_type TypeName.type_oid
XmlExpr.arg_names XmlExpr.indent XmlExpr.op=IS_XMLSERIALIZE XmlExpr.type XmlExpr.typmod`)
