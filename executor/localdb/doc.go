// Package localdb starts throw-away database servers for tests.
//
//	find the binaries ─► empty data directory under /tmp ─► random port ─► ready? ─► Server
//
// A server listens on 127.0.0.1 only, has one user with a random password, keeps
// nothing on disk safe (that is what makes it start within a second) and is gone
// with its directory after Stop. It also ends when the process that started it
// dies, so that a test run that was killed leaves no server behind.
//
// Where the binaries are missing, a test that asks for a server is skipped and
// says so. SEMLAYER_REQUIRE_SERVERS=1 turns the skip into a failure, for the runs
// that are meant to cover everything.
//
//	var servers localdb.Shared
//
//	func TestMain(m *testing.M) { os.Exit(servers.Run(m)) }
//
//	func TestX(t *testing.T) { server := servers.Postgres(t); … }
package localdb
