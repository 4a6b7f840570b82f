package client

import (
	"context"
	"fmt"
	"io"

	"github.com/semlayer/semlayer/clients/go/internal/ipc"
)

// ArrowStream is a result as an Arrow IPC stream, read as it arrives. Read ends
// in io.EOF after the end-of-stream marker of the format and in
// io.ErrUnexpectedEOF where the stream breaks off before: what was read until
// then is not the whole result, and the query has to be asked again.
type ArrowStream struct {
	Dialect  string
	SQL      string
	Metadata map[string]string // of the schema, Dialect and SQL included

	messages *ipc.Reader
	body     io.Closer
}

// Read reads the bytes of the stream, markers included.
func (s *ArrowStream) Read(p []byte) (int, error) { return s.messages.Read(p) }

// Close gives the connection back. The stream need not have been read to its
// end.
func (s *ArrowStream) Close() error { return s.body.Close() }

func (c *Client) openArrowStream(ctx context.Context, path string, q any) (*ArrowStream, error) {
	r, err := newPostRequest(path, q)
	if err != nil {
		return nil, err
	}
	r.accept = mediaTypeArrow
	res, err := c.sendAndCheckResponse(ctx, r)
	if err != nil {
		return nil, err
	}
	messages, metadata, err := ipc.NewReader(res.Body)
	if err != nil {
		res.Body.Close()
		return nil, fmt.Errorf("%s: reading the Arrow stream: %w", r, err)
	}
	return &ArrowStream{
		Dialect: metadata["dialect"], SQL: metadata["sql"], Metadata: metadata,
		messages: messages, body: res.Body,
	}, nil
}
