// Package localdb finds or starts database servers for tests.
//
//	SEMLAYER_POSTGRES_DSN, …_MARIADB_DSN, …_MYSQL_DSN set? ──► that server
//	a source that the caller adds, such as containers ───────► its server
//	find the binaries ─► empty data directory under /tmp ─► random port ─► ready? ─► Server
//
// SEMLAYER_SERVERS puts the sources in another order or leaves some out: names with
// commas between them, of dsn, containers and local.
//
// A server that is started here listens on 127.0.0.1 only, has one user with a random password, keeps
// nothing on disk safe (that is what makes it start within a second) and is gone
// with its directory after Stop. It also ends when the process that started it
// dies, so that a test run that was killed leaves no server behind.
//
// Where no source has a server, a test that requests it is skipped with the reason.
// SEMLAYER_REQUIRE_SERVERS=1 turns the skip into a failure, for the runs that are meant to
// cover everything; a list such as postgres,mariadb does so for these.
//
//	var shared localdb.SharedServers
//
//	func TestMain(m *testing.M) { os.Exit(shared.RunTests(m)) }
//
//	func TestTypes_RoundTrip(t *testing.T) { server := shared.Postgres(t); … }
package localdb
