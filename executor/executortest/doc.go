// Package executortest is the one conformance suite that every driver family
// runs. What the rest of the service relies on is stated here once:
//
//	values      each type of the warehouse arrives as the JSON and Arrow it should, nulls too
//	results     an empty result keeps its columns; many rows arrive once, in order, in batches
//	refusals    one statement only; a syntax error is sql_rejected in the warehouse's words;
//	            a failure after the first rows is an error, never a quiet end
//	time        a cancelled call and a missed deadline return soon; the context of
//	            one call does not end the next
//	connections queries run side by side; closing rows early frees their connection; nothing
//	            that was started is left running
//
// A family describes itself with a Backend: how to open it, and a few statements in its
// dialect. Proxy forwards the connections between a driver and its server and breaks them on
// request; RunFaultTests requests it. ServerBackend and TestServerFaults are for the families whose server
// a test can start.
//
// CollectJSON, QueryRowsJSON, OpenForTest, ExpectError and TestRejectedOptions are for the further tests of a
// family.
package executortest
