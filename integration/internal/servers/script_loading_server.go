package servers

import (
	"context"
	"hash/fnv"
	"strconv"

	"github.com/semlayer/semlayer/executor"
)

// Server is a database server that tests share.
type Server struct {
	// Dialect is what it speaks, as a query names it: postgres, mariadb,
	// mysql, tidb, sqlite or clickhouse.
	Dialect string
	load    func(ctx context.Context, namespace, script string) (executor.Executor, error)
	drop    func(ctx context.Context, namespace string) error
}

// Load runs a script in its own namespace, emptied before, and connects to
// it. Two keys have different namespaces.
func (s *Server) Load(ctx context.Context, key, script string) (executor.Executor, error) {
	return s.load(ctx, namespaceOfDataKey(key), script)
}

// Drop removes the namespace of a key.
func (s *Server) Drop(ctx context.Context, key string) error {
	return s.drop(ctx, namespaceOfDataKey(key))
}

// namespaceOfDataKey returns a schema or database name for a data key.
func namespaceOfDataKey(key string) string {
	h := fnv.New64a()
	_, _ = h.Write([]byte(key))
	return "semlayer_" + strconv.FormatUint(h.Sum64(), 36)
}
