package executor

import (
	"fmt"
	"log/slog"
)

const redactedText = "[secret]"

// Secret is a password or token. Printing it, logging it and marshalling it
// all yield a placeholder; Reveal alone returns the text, so that every use is
// found by searching for one word.
type Secret struct{ text string }

// NewSecret hides text.
func NewSecret(text string) Secret { return Secret{text} }

// Reveal returns the hidden text, for the call that authenticates.
func (s Secret) Reveal() string { return s.text }

// IsZero reports whether there is no secret.
func (s Secret) IsZero() bool { return s.text == "" }

// Format prints the placeholder for every verb and flag, %#v included.
func (s Secret) Format(f fmt.State, _ rune) { _, _ = f.Write([]byte(redactedText)) }

// String returns the placeholder.
func (s Secret) String() string { return redactedText }

// GoString returns the placeholder.
func (s Secret) GoString() string { return redactedText }

// LogValue returns the placeholder.
func (s Secret) LogValue() slog.Value { return slog.StringValue(redactedText) }

// MarshalText returns the placeholder, for JSON, YAML and every other encoder
// that asks for text.
func (s Secret) MarshalText() ([]byte, error) { return []byte(redactedText), nil }
