// Package barrier keeps conditions from being computed on rows that the reader of a query may not see.
//
//	plan ──Guard──► plan, in which no condition that can fail stands unguarded beside a rule
//
// Engines compute the conditions of a WHERE in the order that they like, and move them into the tables below. The message of one that
// fails holds the value: `Could not convert string 'canary51200'`. So a condition that can fail waits for the rules of all rows that it
// is computed on: CASE WHEN rule THEN condition END.
package barrier
