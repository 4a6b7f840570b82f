// Package generate makes a model from the tables of a database.
//
//	[]tables.Table ─► names ─► keys ─► encoded dates ─► relationships ─► roles, metrics ─► *draft.Model
//	                            │          │                 │                             and a Report
//	                            └──────────┴── Proofs ───────┘
//	                                 one SELECT for each question
//
// A key or a relationship is written where the database declares it or where the data prove it:
// a wrong key makes wrong sums. A key or relationship without a proof is a comment of the model. The
// result depends on the tables and the counts of Proofs alone, so the same source gives the same bytes.
//
// Run puts the steps together: it reads the tables of a warehouse, asks it by Queries, and checks
// that the model validates.
package generate
