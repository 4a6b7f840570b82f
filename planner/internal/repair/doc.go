// Package repair verifies the retries that errors suggest: it plans each suggestion
// before the caller sees it.
//
//	query ──plan──► error with a fragment ──merge, plan──► suggested_retry
//
// A fragment is the part of a query that changes. Package repair keeps a fragment if the
// patched query plans, or if it fails with another error whose own fragments lead to a
// query that plans within a few steps.
package repair
