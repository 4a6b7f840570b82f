// Package memorybudget tests that a server at the settings of the chart stays within the memory of its container.
//
//	hostile clients, four at once ─┐
//	neighbours: /ready, queries ───┴─► semlayer serve, in a control group of 1 GiB
//	                                        │
//	                                        └── while and afterwards: resident memory, times, survival
//
// Each attack has its own server. Every request of an attack ends with an error, a response or its first row in time,
// /ready responds throughout, and afterwards the memory falls. Control groups of version 1 and 2 need root. Where none can be
// made the tests are skipped, unless SEMLAYER_REQUIRE_CGROUP=1. SEMLAYER_TEST_LONG=1 runs every attack, else the short form runs.
//
// The machine may be busy with other work. A control thread measures how much longer work takes than the processor
// time that it needs, and the time limits are multiplied by that.
package memorybudget
