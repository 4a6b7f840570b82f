package integration_test

import (
	"testing"

	"github.com/semlayer/semlayer/integration/internal/servers"
)

// TestCorpus_RowsWithCaseInsensitiveCollation asks MariaDB with tables of a case-insensitive
// collation, through a profile that compares text by code points. The short form asks it one case in three.
func TestCorpus_RowsWithCaseInsensitiveCollation(t *testing.T) {
	b := newSecondaryBackend(servers.CaseInsensitiveMariaDB(t, shared))
	b.connection = "by_code_point"
	g := &secondaryEngine{backend: b, unsupported: mysqlUnsupported(), share: 3}
	if isLongForm() {
		g.share = 1
	}
	g.testCorpus(t)
}
