package postgres

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"regexp"
	"time"

	"github.com/hashicorp/golang-lru/v2/simplelru"
	"github.com/jackc/pgx/v5/pgconn"
)

const (
	// mostKept is how many statements a connection keeps prepared on the server.
	mostKept = 32
	// keptFor is how long the server may run a statement by the plan it made for it. The
	// plan follows every change of what it reads; but a function that is declared
	// immutable and is not was computed with it, and a table may have grown since.
	keptFor = time.Minute
	// keptIn is the key under which a connection carries its statements.
	keptIn = "semlayer.kept"
)

// SQLSTATE values of a statement that is not where it was left, or is where it was not:
// a pooler hands the sessions of the server around.
const (
	noSuchStatement    = "26000"
	duplicateStatement = "42P05"
)

// momentary finds words that PostgreSQL reads in a literal as a time of the clock, once,
// when it parses the statement: DATE 'today'. A statement with one of them is parsed
// each time.
var momentary = regexp.MustCompile(`(?i)\b(now|today|tomorrow|yesterday)\b`)

// kept are the statements that one connection has prepared, by their text.
type kept struct {
	pg         *pgconn.PgConn
	statements *simplelru.LRU[string, preparedStatement]
}

type preparedStatement struct {
	name  string
	since time.Time
}

func keptBy(pg *pgconn.PgConn) *kept {
	data := pg.CustomData()
	if k, ok := data[keptIn].(*kept); ok {
		return k
	}
	statements, err := simplelru.NewLRU[string, preparedStatement](mostKept, nil)
	if err != nil {
		panic(err) // the size is a constant
	}
	k := &kept{pg, statements}
	data[keptIn] = k
	return k
}

// name returns the name of a statement, which it prepares where none has been for so
// long.
func (k *kept) name(ctx context.Context, sql string, keptFor time.Duration) (string, error) {
	if p, ok := k.statements.Get(sql); ok {
		if time.Since(p.since) < keptFor {
			return p.name, nil
		}
		k.statements.Remove(sql)
		if err := k.pg.Deallocate(ctx, p.name); err != nil {
			return "", err
		}
	}
	if k.statements.Len() == mostKept {
		_, oldest, _ := k.statements.RemoveOldest()
		if err := k.pg.Deallocate(ctx, oldest.name); err != nil {
			return "", err
		}
	}
	// Named by the text: where a pooler mixes up sessions, a name can never stand for
	// the statement of another.
	sum := sha256.Sum256([]byte(sql))
	p := preparedStatement{"semlayer_" + hex.EncodeToString(sum[:20]), time.Now()}
	if _, err := k.pg.Prepare(ctx, p.name, sql, nil); err != nil {
		return "", err
	}
	k.statements.Add(sql, p)
	return p.name, nil
}

// forget lets go of a statement that the server did not run.
func (k *kept) forget(ctx context.Context, sql string) {
	if p, ok := k.statements.Peek(sql); ok {
		k.statements.Remove(sql)
		_ = k.pg.Deallocate(ctx, p.name)
	}
}

// misplaced reports whether an error says that statements do not stay where they are.
func misplaced(err error) bool {
	var refused *pgconn.PgError
	return errors.As(err, &refused) && (refused.Code == noSuchStatement || refused.Code == duplicateStatement)
}
