// Package runbooktest holds the tests of what an operator reads at night: each symptom of docs/runbook.md is produced on a
// real server, whose log and metrics must then have the lines of the page; and the dashboard and the alerts of deploy
// name only metrics that a server has, and sections that the page has.
//
//	docs/runbook.md ─► sections ─► symptom ─► server ─► log, GET /metrics ─► the lines of the section
//
// In the lines of the page, … stands for any text.
package runbooktest
