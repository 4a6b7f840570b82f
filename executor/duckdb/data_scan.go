package duckdb

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"io"
	"os"
	"strconv"

	"github.com/klauspost/compress/zstd"

	"github.com/semlayer/semlayer/executor/datafiles"
)

// maxSniffed is how much text of a file decides about its types.
const maxSniffed = 64 << 20

// maxZstdWindow bounds the memory that a compressed file asks for.
const maxZstdWindow = 128 << 20

// textContent is what the beginning of a text file holds.
type textContent struct {
	lines    int // that hold anything
	values   int // of the outermost array of JSON, or lines
	hasQuote bool
	// complete: the beginning is the whole file.
	complete bool
}

// sample is the option that has the sniffer read the beginning and no more.
func (t textContent) sample() string {
	if t.complete {
		return ", sample_size = -1"
	}
	return ", sample_size = " + strconv.Itoa(max(t.lines, t.values, 1))
}

// scanText reads the beginning of a text file.
func scanText(ctx context.Context, f datafiles.File) (textContent, error) {
	file, err := os.Open(f.Path)
	if err != nil {
		return textContent{}, errors.Unwrap(err)
	}
	defer file.Close()
	var r io.Reader = file
	switch f.Compression {
	case datafiles.Gzip:
		if r, err = gzip.NewReader(file); err != nil {
			return textContent{}, errors.New("it is not compressed with gzip, or its end is missing")
		}
	case datafiles.Zstd:
		z, err := zstd.NewReader(file, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(maxZstdWindow))
		if err != nil {
			return textContent{}, errors.New("it is not compressed with Zstandard")
		}
		defer z.Close()
		r = z
	}
	s := textScanner{array: f.Variant != datafiles.Lines}
	buffer := make([]byte, 256<<10)
	for read := 0; read < maxSniffed; {
		if err := ctx.Err(); err != nil {
			return textContent{}, err
		}
		n, err := r.Read(buffer[:min(len(buffer), maxSniffed-read)])
		read += n
		s.add(buffer[:n])
		if errors.Is(err, io.EOF) {
			return s.content(true), nil
		}
		if err != nil {
			return textContent{}, errors.New("its compressed text is damaged, or its end is missing")
		}
	}
	return s.content(false), nil
}

// textScanner counts lines, and the values of an outermost JSON array.
type textScanner struct {
	textContent
	array    bool
	inLine   bool
	depth    int
	inString bool
	escaped  bool
	inValue  bool
}

func (s *textScanner) add(b []byte) {
	s.hasQuote = s.hasQuote || bytes.IndexByte(b, '"') >= 0
	for _, c := range b {
		s.line(c)
		if s.array {
			s.value(c)
		}
	}
}

// line counts lines that are not empty.
func (s *textScanner) line(c byte) {
	switch c {
	case '\n', '\r':
		s.inLine = false
	case ' ', '\t':
	default:
		if !s.inLine {
			s.inLine = true
			s.lines++
		}
	}
}

// value counts the values of the outermost array.
func (s *textScanner) value(c byte) {
	if s.inString {
		switch {
		case s.escaped:
			s.escaped = false
		case c == '\\':
			s.escaped = true
		case c == '"':
			s.inString = false
		}
		return
	}
	switch c {
	case ' ', '\t', '\n', '\r':
		return
	case ',':
		s.inValue = s.inValue && s.depth > 1
		return
	case ']', '}':
		s.depth--
		return
	}
	if s.depth >= 1 && !s.inValue {
		s.inValue = true
		s.values++
	}
	switch c {
	case '[', '{':
		s.depth++
	case '"':
		s.inString = true
	}
}

func (s *textScanner) content(complete bool) textContent {
	t := s.textContent
	t.complete = complete
	if !s.array {
		t.values = t.lines
	}
	return t
}
