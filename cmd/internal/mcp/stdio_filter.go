package mcp

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

const (
	maxMessageLineBytes    = 16 << 20         // bytes of a message
	replyWaitAfterInputEnd = 10 * time.Second // to wait for pending replies at the end of the input
)

// ServeMessageLines answers messages, one a line, until in or ctx ends. Nothing else is
// written to out.
func (s *Server) ServeMessageLines(ctx context.Context, in io.Reader, out io.Writer) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	from, to := io.Pipe()
	l := &stdioMessageFilter{in: bufio.NewReaderSize(in, 64<<10), to: to, out: out, grace: replyWaitAfterInputEnd}
	l.changed = sync.NewCond(&l.mu)
	go l.forwardMessages(ctx)
	err := s.s.sdk.Run(withCancellableRequestContext(ctx, ctx), &sdk.IOTransport{Reader: from, Writer: replyWriter{l}, MaxLineLength: -1})
	_ = from.Close()
	if ctx.Err() != nil || errors.Is(err, io.EOF) {
		return nil // the context or the input has ended
	}
	return err
}

// stdioMessageFilter reads lines and forwards those that are messages.
type stdioMessageFilter struct {
	in    *bufio.Reader
	to    *io.PipeWriter
	grace time.Duration

	mu      sync.Mutex
	changed *sync.Cond
	out     io.Writer
	pending int // calls without a reply
}

// forwardMessages reads until the input ends, then waits for pending replies and ends the connection.
func (l *stdioMessageFilter) forwardMessages(ctx context.Context) {
	for {
		line, tooLong, err := l.readLine()
		switch text := bytes.TrimSpace(line); {
		case tooLong:
			l.writeError(jsonrpc.CodeInvalidRequest, "the message is longer than 16 MiB")
		case len(text) > 0:
			if !l.forwardLine(text) {
				return // the connection has ended
			}
		}
		if err != nil {
			break
		}
	}
	l.waitForReplies(ctx)
	_ = l.to.Close()
}

// readLine reads a line of any length and keeps it unless it is too long.
func (l *stdioMessageFilter) readLine() (line []byte, tooLong bool, err error) {
	for {
		part, err := l.in.ReadSlice('\n')
		if tooLong = tooLong || len(line)+len(part) > maxMessageLineBytes; tooLong {
			line = nil
		} else {
			line = append(line, part...)
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return line, tooLong, err
		}
	}
}

// forwardLine forwards the message of a line.
func (l *stdioMessageFilter) forwardLine(text []byte) (open bool) {
	if !json.Valid(text) {
		l.writeError(jsonrpc.CodeParseError, "the line is not valid JSON; a message is one line")
		return true
	}
	if isBatch(text) {
		l.writeError(jsonrpc.CodeInvalidRequest, batchProblem)
		return true
	}
	decoded, err := jsonrpc.DecodeMessage(text)
	if err != nil {
		l.writeError(jsonrpc.CodeInvalidRequest, "the line is not a JSON-RPC message: "+err.Error())
		return true
	}
	if r, ok := decoded.(*jsonrpc.Request); ok && r.IsCall() {
		l.changePendingReplies(1)
	}
	_, err = l.to.Write(append(bytes.Clone(text), '\n'))
	return err == nil
}

// writeError replies to a line that is not a message, and so has no id.
func (l *stdioMessageFilter) writeError(code int, message string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	_, _ = l.out.Write(append(rpcErrorJSON(nil, code, message, ""), '\n')) // a reader that is gone ends the connection elsewhere
}

func (l *stdioMessageFilter) changePendingReplies(n int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.pending += n
	l.changed.Broadcast()
}

// waitForReplies waits until no reply is pending, at most for the grace period and until ctx ends.
func (l *stdioMessageFilter) waitForReplies(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, l.grace)
	defer cancel()
	stop := context.AfterFunc(ctx, func() { l.changePendingReplies(0) })
	defer stop()
	l.mu.Lock()
	defer l.mu.Unlock()
	for l.pending > 0 && ctx.Err() == nil {
		l.changed.Wait()
	}
}

// replyWriter is the output as the SDK sees it: a line for each write.
type replyWriter struct{ l *stdioMessageFilter }

func (a replyWriter) Write(line []byte) (int, error) {
	n, err := a.write(line)
	var m struct {
		ID     json.RawMessage `json:"id"`
		Method string          `json:"method"`
	}
	if json.Unmarshal(line, &m) == nil && len(m.ID) > 0 && m.Method == "" {
		a.l.changePendingReplies(-1)
	}
	return n, err
}

func (a replyWriter) write(line []byte) (int, error) {
	a.l.mu.Lock()
	defer a.l.mu.Unlock()
	return a.l.out.Write(line)
}

// Close does not close the output, which belongs to the caller.
func (a replyWriter) Close() error { return nil }
