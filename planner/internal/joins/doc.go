// Package joins builds the FROM part of one branch: a tree of datasets joined
// along relationships, shared by everything that needs them.
//
//	root (the branch's home)
//	├── customers            via orders_customer
//	│   └── regions          via customer_region
//	└── ship                 via orders_ship_date   (a role: its own join)
//
// Two references that travel the same path share the join; two paths to one
// dataset are two joins. The tree holds only the joins that a caller requested.
//
// Bind turns a field into the expression that reads it through its join. A
// field is a column of its dataset, as if the dataset were a view: over a row
// without a match it is NULL for every expression. Bind adds a guard where
// the expression alone would not return NULL.
package joins
