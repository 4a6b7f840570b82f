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

// maxSniffedBytes is how much text of a file decides about its types.
const maxSniffedBytes = 64 << 20

// maxZstdWindow bounds the memory that a compressed file requests.
const maxZstdWindow = 128 << 20

// textFileSample is what the beginning of a text file holds.
type textFileSample struct {
	lines    int // that hold anything
	values   int // of the outermost array of JSON, or lines
	hasQuote bool
	// complete: the beginning is the whole file.
	complete bool
}

// sampleSizeOption returns the option that has the sniffer read the beginning and no more.
func (t textFileSample) sampleSizeOption() string {
	if t.complete {
		return ", sample_size = -1"
	}
	return ", sample_size = " + strconv.Itoa(max(t.lines, t.values, 1))
}

// sampleTextFile reads the beginning of a text file.
func sampleTextFile(ctx context.Context, f datafiles.File) (textFileSample, error) {
	file, err := os.Open(f.Path)
	if err != nil {
		return textFileSample{}, errors.Unwrap(err)
	}
	defer file.Close()
	var r io.Reader = file
	switch f.Compression {
	case datafiles.CompressionGzip:
		if r, err = gzip.NewReader(file); err != nil {
			return textFileSample{}, errors.New("it is not compressed with gzip, or its end is missing")
		}
	case datafiles.CompressionZstd:
		z, err := zstd.NewReader(file, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(maxZstdWindow))
		if err != nil {
			return textFileSample{}, errors.New("it is not compressed with Zstandard")
		}
		defer z.Close()
		r = z
	}
	s := lineAndJSONValueCounter{array: f.Variant != datafiles.RecordLayoutJSONLines}
	buffer := make([]byte, 256<<10)
	for read := 0; read < maxSniffedBytes; {
		if err := ctx.Err(); err != nil {
			return textFileSample{}, err
		}
		n, err := r.Read(buffer[:min(len(buffer), maxSniffedBytes-read)])
		read += n
		s.countLinesAndValues(buffer[:n])
		if errors.Is(err, io.EOF) {
			return s.sampleSoFar(true), nil
		}
		if err != nil {
			return textFileSample{}, errors.New("its compressed text is damaged, or its end is missing")
		}
	}
	return s.sampleSoFar(false), nil
}

// lineAndJSONValueCounter counts lines, and the values of an outermost JSON array.
type lineAndJSONValueCounter struct {
	textFileSample
	array    bool
	inLine   bool
	depth    int
	inString bool
	escaped  bool
	inValue  bool
}

func (s *lineAndJSONValueCounter) countLinesAndValues(b []byte) {
	s.hasQuote = s.hasQuote || bytes.IndexByte(b, '"') >= 0
	for _, c := range b {
		s.countNonEmptyLine(c)
		if s.array {
			s.countOutermostArrayValue(c)
		}
	}
}

// countNonEmptyLine counts lines that are not empty.
func (s *lineAndJSONValueCounter) countNonEmptyLine(c byte) {
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

// countOutermostArrayValue counts the values of the outermost array.
func (s *lineAndJSONValueCounter) countOutermostArrayValue(c byte) {
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

func (s *lineAndJSONValueCounter) sampleSoFar(complete bool) textFileSample {
	t := s.textFileSample
	t.complete = complete
	if !s.array {
		t.values = t.lines
	}
	return t
}
