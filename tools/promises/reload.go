package main

func modelReloadUnderTrafficPromise() promise {
	return promise{
		name: "reload", sentence: "A model that changes under traffic fails no request and mixes no revisions",
		method: `200 requests a second over HTTP and MCP, of rows, Arrow, the model and its metrics, to
` + "`semlayer serve --watch`" + ` for 30 s while the file changes 50 times; every tenth text is broken and must be
rejected. The rows, the SQL and the description hold the number of their revision. A response counts as matched
if all of it is of exactly one good revision; a request of both lists has two responses. The heap is
compared after a collection, early on and at the end.`,
		run: measurementCommand{
			dir: "cmd", pkg: "./internal/cli", test: "^TestServe_ReloadsUnderTrafficWithoutAnError$",
			env: longTestsEnv, shortEnv: shortServiceTestsEnv,
		},
		rows: `^TestServe_ReloadsUnderTrafficWithoutAnError$`,
		figures: []figureDefinition{
			{name: "failed requests", key: "failed", aims: exactTarget(0)},
			{name: "responses of no good revision, or of several", key: "unmatched", aims: exactTarget(0)},
			{name: "responses matched", key: "matched", aims: withShortFormBound(atLeastTarget(5000), 300)},
			{name: "requests", key: "requests", aims: withShortFormBound(atLeastTarget(5000), 300)},
			{name: "changes", key: "changes", aims: withShortFormBound(atLeastTarget(50), 11)},
			{name: "rejected texts", key: "rejected", aims: withShortFormBound(exactTarget(5), 1)},
			{name: "heap at the end, of that early on", key: "heap-ratio", aims: atMostTarget(1.3)},
		},
	}
}
