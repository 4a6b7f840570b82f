// Package explorer holds the page that a person sees at the root of the service:
// pick a metric, break it down, look at the chart, the SQL and the plan, and take
// the request along.
//
//	ui/src ─► npm run build ─► dist ─► embedded ─► Lookup ─► /, /explorer/*
//
// The page is an ordinary client: it calls only the routes under /v1. Its whole state is in
// the address after the '#', which a browser keeps to itself, so that a link can be shared
// and no log holds a filter. A token is kept in a variable and forgotten with the page.
//
// # Building
//
// dist is committed, so that neither a build nor a run of the service needs
// Node.js. After a change in ui/src:
//
//	cd restapi/internal/explorer/ui && npm ci && npm run check && npm test && npm run build
//
// The build writes the same bytes for the same sources and lock file, rejects to
// grow beyond 250,000 bytes gzipped, and collects the licences of what it bundles.
package explorer
