package pgwire

import (
	"bytes"
	"context"
	"encoding/binary"
	"math"
	"slices"
	"strconv"

	"github.com/jackc/pgx/v5/pgproto3"

	"github.com/semlayer/semlayer/pgwire/internal/statement"
	"github.com/semlayer/semlayer/pgwire/internal/value"
)

// answerCopyToStdout answers COPY TO STDOUT.
func (s *session) answerCopyToStdout(ctx context.Context, c *statement.Copy, query *preparedStatement, params []BindParameterValue) (string, error) {
	format := value.TextFormat
	if c.Binary {
		format = value.BinaryFormat
	}
	p, err := s.newPortal(ctx, query, params, []int16{format})
	if err != nil {
		return "", err
	}
	defer p.close()
	if err := p.openOrResumeRows(ctx); err != nil {
		return "", err
	}
	response := &pgproto3.CopyOutResponse{OverallFormat: byte(format)}
	for range p.columns {
		response.ColumnFormatCodes = append(response.ColumnFormatCodes, uint16(format))
	}
	s.out.queueMessage(response)
	if c.Binary {
		return s.copyRowsInBinary(ctx, p)
	}
	w := copyRowWriter{statement: c, columns: p.columns}
	if c.Header {
		s.out.queueMessage(&pgproto3.CopyData{Data: w.headerLine()})
	}
	n, _, err := p.fetchRows(ctx, -1, func(r statementRows) error {
		line, err := w.rowLine(r)
		if err != nil {
			return err
		}
		s.out.queueMessage(&pgproto3.CopyData{Data: line})
		return s.out.flushWhenFull()
	})
	if err != nil {
		return "", err
	}
	s.out.queueMessage(&pgproto3.CopyDone{})
	return "COPY " + strconv.FormatInt(n, 10), nil
}

// copyBinaryHeader begins the rows of COPY in binary format: a signature, no flags and no extension.
var copyBinaryHeader = []byte("PGCOPY\n\xff\r\n\x00\x00\x00\x00\x00\x00\x00\x00\x00")

// copyRowsInBinary sends the rows of a portal as COPY has them in binary format: the number of values, and each with its length. The header
// is before the first row, or before the end where there is none.
func (s *session) copyRowsInBinary(ctx context.Context, p *portal) (string, error) {
	buffer, columns := slices.Clone(copyBinaryHeader), uint16(len(p.columns))
	n, _, err := p.fetchRows(ctx, -1, func(r statementRows) error {
		var err error
		if buffer, err = r.encodeCurrentRow(binary.BigEndian.AppendUint16(buffer, columns)); err != nil {
			return err
		}
		s.out.queueMessage(&pgproto3.CopyData{Data: buffer})
		buffer = buffer[:0]
		return s.out.flushWhenFull()
	})
	if err != nil {
		return "", err
	}
	const end = math.MaxUint16
	s.out.queueMessage(&pgproto3.CopyData{Data: binary.BigEndian.AppendUint16(buffer, end)})
	s.out.queueMessage(&pgproto3.CopyDone{})
	return "COPY " + strconv.FormatInt(n, 10), nil
}

// copyRowWriter writes rows as lines of text or csv.
type copyRowWriter struct {
	statement *statement.Copy
	columns   []Column
	buffer    []byte
	value     []byte
}

func (w *copyRowWriter) headerLine() []byte {
	w.buffer = w.buffer[:0]
	for i, c := range w.columns {
		w.appendDelimiter(i)
		w.appendValue([]byte(c.Name))
	}
	return append(w.buffer, '\n')
}

func (w *copyRowWriter) appendDelimiter(column int) {
	if column > 0 {
		w.buffer = append(w.buffer, w.statement.Delimiter)
	}
}

// rowLine writes one row. The bytes are valid until the next.
func (w *copyRowWriter) rowLine(r statementRows) ([]byte, error) {
	w.buffer = w.buffer[:0]
	for i := range w.columns {
		w.appendDelimiter(i)
		value, null, err := r.encodeCurrentValueAsText(w.value[:0], i)
		if err != nil {
			return nil, err
		}
		w.value = value
		if null {
			w.buffer = append(w.buffer, w.statement.Null...)
			continue
		}
		w.appendValue(value)
	}
	w.buffer = append(w.buffer, '\n')
	return w.buffer, nil
}

func (w *copyRowWriter) appendValue(value []byte) {
	if w.statement.CSV {
		w.appendCSVValue(value)
		return
	}
	for _, b := range value {
		switch b {
		case '\b':
			w.buffer = append(w.buffer, '\\', 'b')
		case '\f':
			w.buffer = append(w.buffer, '\\', 'f')
		case '\n':
			w.buffer = append(w.buffer, '\\', 'n')
		case '\r':
			w.buffer = append(w.buffer, '\\', 'r')
		case '\t':
			w.buffer = append(w.buffer, '\\', 't')
		case '\v':
			w.buffer = append(w.buffer, '\\', 'v')
		case '\\', w.statement.Delimiter:
			w.buffer = append(w.buffer, '\\', b)
		default:
			w.buffer = append(w.buffer, b)
		}
	}
}

// appendCSVValue quotes a value that would read as something else without quotes.
func (w *copyRowWriter) appendCSVValue(value []byte) {
	c := w.statement
	needed := c.ForceAll || string(value) == c.Null || len(w.columns) == 1 && string(value) == `\.` ||
		bytes.IndexByte(value, c.Delimiter) >= 0 || bytes.IndexByte(value, c.Quote) >= 0 || bytes.ContainsAny(value, "\r\n")
	if !needed {
		w.buffer = append(w.buffer, value...)
		return
	}
	w.buffer = append(w.buffer, c.Quote)
	for _, b := range value {
		if b == c.Quote || b == c.Escape {
			w.buffer = append(w.buffer, c.Escape)
		}
		w.buffer = append(w.buffer, b)
	}
	w.buffer = append(w.buffer, c.Quote)
}
