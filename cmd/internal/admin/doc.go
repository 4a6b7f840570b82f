// Package admin is the second address of a server, for its operator: probes, measurements, profiles of the process, and the executions that
// run.
//
//	/health /ready ─► the interface        /metrics ─► its measurements
//	/debug/… ─► loopback, or an administrator ─► profiles and executions
package admin
