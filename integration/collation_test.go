package integration_test

import (
	"testing"

	"github.com/semlayer/semlayer/integration/internal/servers"
)

// TestCorpus_RowsWithCaseInsensitiveCollation asks MariaDB with tables of a case-insensitive
// collation, through a profile that compares text by code points.
func TestCorpus_RowsWithCaseInsensitiveCollation(t *testing.T) {
	b := newSecondaryBackend(servers.CaseInsensitiveMariaDB(t, shared))
	b.connection = "by_code_point"
	g := &secondaryEngine{backend: b, unsupported: mysqlUnsupported()}
	g.testCorpus(t)
}
