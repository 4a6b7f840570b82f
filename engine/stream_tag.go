package engine

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"time"

	"github.com/semlayer/semlayer/executor/arrowstream"
)

// maxTagWait is how long a stream waits for the end of a result of one batch, which then has a tag.
const maxTagWait = 100 * time.Millisecond

// ContentTag returns a hash of all that Write will write, where the rows of the stream are in memory; "" where they are not. It is called
// before Write.
func (s *Stream) ContentTag(ctx context.Context) (string, error) {
	if s.kept == nil {
		return "", nil
	}
	metadata, err := s.schemaMetadata()
	if err != nil {
		return "", err
	}
	described, err := MarshalWireJSON(metadata) // its keys are sorted
	if err != nil {
		return "", err
	}
	bounded, cancel := context.WithTimeout(ctx, maxTagWait)
	defer cancel()
	rows := s.kept.Again(bounded)
	if rows == nil {
		return "", nil
	}
	defer func() { _ = rows.Close() }()
	form := sha256.Sum256([]byte(s.Schema().String() + "\x00" + string(described)))
	return s.kept.Tag(string(form[:]), func() (string, error) {
		again, err := arrowstream.NewResultStreamFromRows(ctx, s.reshape(ctx, rows))
		if err != nil {
			return "", err
		}
		written := sha256.New()
		if _, err := again.Write(ctx, written, metadata); err != nil {
			return "", err
		}
		return hex.EncodeToString(written.Sum(nil)), nil
	})
}
