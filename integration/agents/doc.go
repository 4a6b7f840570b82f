// Package agents measures, without a language model, how well questions in plain words lead to queries: whether the
// questions have a query, whether find returns the names that it needs, whether a broken call can be corrected from its
// errors, and the size of the first responses.
//
//	testdata/MODEL/questions.txt ─► question, names, body, SQL by hand
//	        │                          │
//	        ├─ body ─► rows ═══ rows of the SQL, on small and on generated data
//	        ├─ question ─► find ─► share of the names
//	        └─ body, broken in ten ways ─► robot ─► rows ═══ rows of the body
//
// The models are examples/retail, examples/tpcds and a clinic with 26 datasets.
package agents
