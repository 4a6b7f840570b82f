// Package sqltype determines the types of the columns of SQL results: those of PostgreSQL.
//
//	declared datatype ──► FromLogicalType ──┐
//	expression ─────────► Of ───────┼──► Type
//	plan ───────────────► ColumnTypesOfPlan ───┘
//
// The types are known without a warehouse. A type that cannot be known is Unknown, which a result
// shows as text. A plan has logical types (sqlexpr.Type), which are what printing needs: SUM of
// integers is an integer there, and numeric here.
package sqltype
