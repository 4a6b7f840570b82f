// Package warehousefake holds what the fake servers of the cloud warehouses share: the results of the
// statements of executortest.
//
//	statement ─► Interpret ─► Answer ─► the fake's own protocol
//
// Those warehouses cannot be had on a developer's machine. Each package tests its
// executor against a server that speaks the documented protocol, and the rows of
// that server come from here. It computes nothing: an expression is looked up in
// the fake's table of values.
//
// The Service of a fake records its statements and misbehaves by a Fault. Run, Failures, Cuts
// and TestRetriesWhenBusy are the tests that every executor of such a warehouse runs against its fake.
package warehousefake
