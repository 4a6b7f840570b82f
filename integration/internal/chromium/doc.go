// Package chromium opens pages in a headless Chromium for tests and collects their errors.
//
//	Start ─► Browser ─► Open(url) ─► Page ─► Run, Screenshot
//	                                   └─► Problems, Requests
//
// A page remembers every address that it requested, and everything that a
// developer would see in red: errors on the console, exceptions, violations of
// the content security policy, files that could not be loaded. Names of hosts
// resolve to nothing, so that a page which needs another server than the one at
// 127.0.0.1 does not work here either.
//
// Each browser has a new and empty profile. Without Chromium the tests are
// skipped, or fail where SEMLAYER_REQUIRE_BROWSER=1 is set.
package chromium
