// Package docs is the page at /docs: Swagger UI, which shows /openapi.json and
// sends requests.
//
//	swagger-ui/  as published, compressed; tools/scripts/swagger-ui.sh fetches it
//	page.*       the page around it
//
// The page has no script and no style within its HTML, so that its policy can
// forbid both, and everything it loads comes from the server itself: it works
// without a network, and what is typed into it goes nowhere else.
//
// Most browsers take the compressed files as they are stored. For a client that
// does not, a file is unpacked while it is sent.
package docs
