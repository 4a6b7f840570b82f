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
	maxLine   = 16 << 20         // bytes of a message
	owedGrace = 10 * time.Second // that the end of the input waits for answers
)

// ServeLines answers messages, one a line, until in or ctx ends. Nothing else is
// written to out.
func (s *Server) ServeLines(ctx context.Context, in io.Reader, out io.Writer) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	from, to := io.Pipe()
	l := &lines{in: bufio.NewReaderSize(in, 64<<10), to: to, out: out, grace: owedGrace}
	l.settled = sync.NewCond(&l.mu)
	go l.run(ctx)
	err := s.s.sdk.Run(under(ctx, ctx), &sdk.IOTransport{Reader: from, Writer: answers{l}, MaxLineLength: -1})
	_ = from.Close()
	if ctx.Err() != nil || errors.Is(err, io.EOF) {
		return nil // told to stop, or nobody is left
	}
	return err
}

// lines reads messages and passes on what is one.
type lines struct {
	in    *bufio.Reader
	to    *io.PipeWriter
	grace time.Duration

	mu      sync.Mutex
	settled *sync.Cond
	out     io.Writer
	owed    int // calls without an answer
}

// run reads until the input ends, then waits for what is owed and ends the
// connection.
func (l *lines) run(ctx context.Context) {
	for {
		line, tooLong, err := l.next()
		switch text := bytes.TrimSpace(line); {
		case tooLong:
			l.refuse(jsonrpc.CodeInvalidRequest, "the message is longer than 16 MiB")
		case len(text) > 0:
			if !l.pass(text) {
				return // the connection has ended
			}
		}
		if err != nil {
			break
		}
	}
	l.settle(ctx)
	_ = l.to.Close()
}

// next reads a line of any length and keeps it unless it is too long.
func (l *lines) next() (line []byte, tooLong bool, err error) {
	for {
		part, err := l.in.ReadSlice('\n')
		if tooLong = tooLong || len(line)+len(part) > maxLine; tooLong {
			line = nil
		} else {
			line = append(line, part...)
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return line, tooLong, err
		}
	}
}

// pass hands the message of a line on, or the messages of an array: who sends
// several at once is answered one by one.
func (l *lines) pass(text []byte) (open bool) {
	if !json.Valid(text) {
		l.refuse(jsonrpc.CodeParseError, "the line is not valid JSON; a message is one line")
		return true
	}
	messages := []json.RawMessage{text}
	if text[0] == '[' {
		messages = nil
		_ = json.Unmarshal(text, &messages) // it is valid, and an array
	}
	if len(messages) == 0 {
		l.refuse(jsonrpc.CodeInvalidRequest, "the array holds no message")
	}
	for _, m := range messages {
		decoded, err := jsonrpc.DecodeMessage(m)
		if err != nil {
			l.refuse(jsonrpc.CodeInvalidRequest, "the line is not a JSON-RPC message: "+err.Error())
			continue
		}
		if r, ok := decoded.(*jsonrpc.Request); ok && r.IsCall() {
			l.owe(1)
		}
		if _, err := l.to.Write(append(bytes.Clone(m), '\n')); err != nil {
			return false
		}
	}
	return true
}

// refuse answers a line that is no message, which has no id to answer to.
func (l *lines) refuse(code int, message string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	_, _ = l.out.Write(append(rpcError(nil, code, message), '\n')) // a reader that is gone ends the connection elsewhere
}

func (l *lines) owe(n int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.owed += n
	l.settled.Broadcast()
}

// settle waits until nothing is owed, but not long, and not when told to stop.
func (l *lines) settle(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, l.grace)
	defer cancel()
	stop := context.AfterFunc(ctx, func() { l.owe(0) })
	defer stop()
	l.mu.Lock()
	defer l.mu.Unlock()
	for l.owed > 0 && ctx.Err() == nil {
		l.settled.Wait()
	}
}

// answers is the output as the SDK sees it: a line for each write.
type answers struct{ l *lines }

func (a answers) Write(line []byte) (int, error) {
	n, err := a.write(line)
	var m struct {
		ID     json.RawMessage `json:"id"`
		Method string          `json:"method"`
	}
	if json.Unmarshal(line, &m) == nil && len(m.ID) > 0 && m.Method == "" {
		a.l.owe(-1)
	}
	return n, err
}

func (a answers) write(line []byte) (int, error) {
	a.l.mu.Lock()
	defer a.l.mu.Unlock()
	return a.l.out.Write(line)
}

// Close leaves the output to whoever gave it.
func (a answers) Close() error { return nil }
