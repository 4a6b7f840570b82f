package servers

import (
	"context"
	"fmt"
	"hash/fnv"
	"regexp"
	"strconv"
	"strings"

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

var tableNamePattern = regexp.MustCompile(`\b(CREATE TABLE|INSERT INTO) (\w+)`)

// execScript runs a script on an engine that takes one statement at a time. Names of
// tables get quotes, which a word that one engine reserves needs.
func execScript(ctx context.Context, script string, exec func(ctx context.Context, text string) error) error {
	for text := range strings.SplitSeq(script, ";\n") {
		if text = strings.TrimSuffix(strings.TrimSpace(text), ";"); text == "" {
			continue
		}
		text = tableNamePattern.ReplaceAllString(text, `$1 "$2"`)
		if err := exec(ctx, text); err != nil {
			return fmt.Errorf("%w\n%s", err, text)
		}
	}
	return nil
}
