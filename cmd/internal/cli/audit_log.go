package cli

import (
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/semlayer/semlayer/cmd/internal/logqueue"
	"github.com/semlayer/semlayer/engine/audit"
)

const (
	auditLogFlag      = "audit-log"
	auditLiteralsFlag = "audit-literals"
	auditOnlyFlag     = "audit-only"
	slowQueryFlag     = "slow-query-ms"
)

// readAuditConfig reads the settings of the audit log; without a path there is none.
func (s settingsReader) readAuditConfig() (c audit.Config, err error) {
	c.Path, c.Only = s.readText(auditLogFlag), audit.Lines(s.readText(auditOnlyFlag))
	switch c.Only {
	case audit.AllLines, audit.ErrorLines, audit.SlowLines:
	default:
		return c, newUsageError(s.settingText(auditOnlyFlag) + " must be all, errors or slow")
	}
	if c.Literals, err = s.readBoolean(auditLiteralsFlag); err != nil {
		return c, err
	}
	slow, err := s.readCount(slowQueryFlag)
	c.Slow = time.Duration(slow) * time.Millisecond
	return c, err
}

// openAuditLog opens the audit log of a server, nil where it has none. Lines for standard output wait in a queue: no request waits for
// their reader.
func (a *app) openAuditLog(c *serverSettings) (closeLog func(), err error) {
	if c.audit.Path == "" {
		return func() {}, nil
	}
	c.audit.Logger = c.log
	closeQueue := func() {}
	if c.audit.Path == audit.Stdout {
		lines := logqueue.New(a.std.Out)
		c.audit.Stdout, c.audit.Lost, closeQueue = lines, lines.Dropped, lines.Close
	}
	log, err := audit.Open(c.audit)
	if err != nil {
		closeQueue()
		return nil, newUsageError(flagAndEnvVariableText(auditLogFlag) + ": " + err.Error())
	}
	c.http.Audit = log
	c.http.Collectors = append(c.http.Collectors, prometheus.NewCounterFunc(prometheus.CounterOpts{
		Name: "semlayer_audit_failures_total", Help: "Lines of the audit log that could not be written.",
	}, func() float64 { return float64(log.Failures()) }))
	return func() {
		_ = log.Close()
		closeQueue()
	}, nil
}
