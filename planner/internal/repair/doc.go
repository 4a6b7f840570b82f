// Package repair verifies the retries that errors suggest: it plans each suggestion
// before the caller sees it.
//
//	query ──plan──► error with a fragment ──merge, plan──► suggested_retry
//
// A fragment is the part of a query that changes. Package repair keeps a fragment if the
// patched query plans. If that query fails with another error, the fragment of that error
// is added, up to a few errors.
package repair
