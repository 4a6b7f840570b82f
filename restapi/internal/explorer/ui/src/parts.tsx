// Small parts that several pages use.

import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import hljs from 'highlight.js/lib/core'
import bash from 'highlight.js/lib/languages/bash'
import go from 'highlight.js/lib/languages/go'
import json from 'highlight.js/lib/languages/json'
import python from 'highlight.js/lib/languages/python'
import sql from 'highlight.js/lib/languages/sql'
import type { ErrorBody } from './api.ts'
import { m } from './messages/index.ts'
import { fragmentOf } from './state.ts'
import { partLabel } from './timeparts.ts'

for (const [name, language] of Object.entries({ bash, go, json, python, sql })) hljs.registerLanguage(name, language)

export function Copy({ text, label = m.copy }: { text: string | (() => string); label?: string }) {
  const [done, setDone] = useState(false)
  const copy = async () => {
    const value = typeof text === 'string' ? text : text()
    try {
      await navigator.clipboard.writeText(value)
    } catch {
      // Without a secure origin there is no clipboard interface.
      const area = document.createElement('textarea')
      area.value = value
      document.body.append(area)
      area.select()
      document.execCommand('copy')
      area.remove()
    }
    setDone(true)
    setTimeout(() => setDone(false), 1500)
  }
  return (
    <button type="button" class="small" onClick={copy} aria-live="polite">
      {done ? m.copied : label}
    </button>
  )
}

/** Code is highlighted text. The highlighter escapes what it is given. */
export function Code({ text, language }: { text: string; language?: string }) {
  if (!language || text.length > 200_000) {
    return (
      <pre class="code" tabIndex={0} role="region" aria-label={m.code.text}>
        {text}
      </pre>
    )
  }
  return (
    <pre class="code" tabIndex={0} role="region" aria-label={m.code.text}>
      <code dangerouslySetInnerHTML={{ __html: hljs.highlight(text, { language }).value }} />
    </pre>
  )
}

export function Chip({ children, onRemove, title, name }: { children: ComponentChildren; onRemove: () => void; title?: string; name: string }) {
  return (
    <span class="chip" title={title}>
      {children}
      <button type="button" class="bare" aria-label={m.remove(name)} onClick={onRemove}>
        ×
      </button>
    </span>
  )
}

/** Problem shows an error in words, and each remedy as a button. */
export function Problem({
  error,
  onFragment,
  onCandidate,
  compact,
  connection,
  onAgain,
  onElsewhere,
}: {
  error: ErrorBody
  /** The connection that was asked, for errors that are its own. */
  connection?: string
  /** Asks again, where the next answer can differ. */
  onAgain?: () => void
  /** Asks the embedded database in place of a connection that is broken. */
  onElsewhere?: () => void
  /** Only the message and the suggestion. */
  compact?: boolean
  onFragment?: (f: Record<string, unknown>) => void
  onCandidate?: (name: string) => void
}) {
  const fragment = fragmentOf(error.suggested_retry)
  return (
    <section class="problem" role="alert">
      {connection && ofConnections.has(error.code) && <p>{m.problem.connection(connection)}</p>}
      <p class="message">
        {error.message} <code class="tag">{error.code}</code>
      </p>
      {error.hint && <p class="quiet">{error.hint}</p>}
      {error.location && <p class="quiet">{m.problem.at(error.location)}</p>}
      {fragment && onFragment && (
        <p>
          <button type="button" class="primary" onClick={() => onFragment(fragment)}>
            {m.problem.apply(describe(fragment))}
          </button>
        </p>
      )}
      {onFragment && error.code === 'fan_out_risk' && error.hint?.includes('once_per_group') && (
        <p>
          <button type="button" onClick={() => onFragment({ fan_out: 'once_per_group' })}>
            {m.problem.oncePerGroup}
          </button>
        </p>
      )}
      {onAgain && ofMoments.has(error.code) && (
        <p>
          <button type="button" onClick={onAgain}>
            {m.again}
          </button>{' '}
          {connection && onElsewhere && (
            <button type="button" onClick={onElsewhere}>
              {m.problem.elsewhere}
            </button>
          )}
        </p>
      )}
      {!fragment && error.suggested_retry && <p class="quiet">{error.suggested_retry}</p>}
      {!compact && error.candidates && error.candidates.length > 0 && (
        <p class="candidates">
          <span class="quiet">{onCandidate ? m.problem.instead : m.problem.known}</span>{' '}
          {error.candidates.map((c) =>
            onCandidate ? (
              <button type="button" class="small" key={c} onClick={() => onCandidate(c)}>
                {c}
              </button>
            ) : (
              <code key={c}>{c} </code>
            ),
          )}
        </p>
      )}
    </section>
  )
}

/** The codes of errors that are a connection's, not the query's. */
export const ofConnections = new Set(['connection', 'auth', 'config', 'driver'])

/** The codes of errors that may disappear when the request is sent again. */
const ofMoments = new Set([...ofConnections, 'unreachable', 'busy', 'timeout', 'rate_limited', 'internal'])

/** Cancelled is shown instead of a result that a person has stopped. */
export const Cancelled = ({ onAgain }: { onAgain: () => void }) => (
  <p class="note">
    {m.cancelled}{' '}
    <button type="button" class="small" onClick={onAgain}>
      {m.runAgain}
    </button>
  </p>
)

/** describe returns in a few words what a fragment changes. */
function describe(fragment: Record<string, unknown>): string {
  return Object.entries(fragment)
    .map(([key, v]) => (v === null || (Array.isArray(v) && v.length === 0) ? m.problem.without(words(key)) : `${words(key)} ${short(v)}`))
    .join(', ')
}

const words = (key: string) => m.problem.keys[key] ?? key

function short(v: unknown): string {
  if (Array.isArray(v)) return v.map(short).join(', ')
  if (v && typeof v === 'object') {
    const o = v as Record<string, unknown>
    if (typeof o.field === 'string') return o.grain ? `${o.field} by ${o.grain}` : o.part ? `${o.field} by ${partLabel(String(o.part))}` : o.field
    if (typeof o.key === 'string') return o.key
    return Object.entries(o)
      .map(([k, x]) => `${k} ${short(x)}`)
      .join(' ')
  }
  return String(v)
}

/** Tabs with the keys that tabs have: arrows, Home and End. */
export function Tabs<T extends string>({ names, current, onPick, label }: { names: [T, string][]; current: T; onPick: (t: T) => void; label: string }) {
  const row = useRef<HTMLDivElement>(null)
  const move = (e: KeyboardEvent) => {
    const at = names.findIndex(([n]) => n === current)
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: names.length - 1 }[e.key]
    if (to === undefined) return
    e.preventDefault()
    const next = (to + names.length) % names.length
    onPick(names[next][0])
    ;(row.current?.children[next] as HTMLElement | undefined)?.focus()
  }
  return (
    <div class="tabs" role="tablist" aria-label={label} ref={row} onKeyDown={move}>
      {names.map(([name, text]) => (
        <button type="button" role="tab" key={name} id={`tab-${name}`} aria-selected={name === current} tabIndex={name === current ? 0 : -1} onClick={() => onPick(name)}>
          {text}
        </button>
      ))}
    </div>
  )
}

/** Busy shows the elapsed time of a long request. Its place stays when it is empty, so that nothing below moves. */
export function Busy({ running, onCancel }: { running: boolean; onCancel?: () => void }) {
  const [since, setSince] = useState(0)
  useEffect(() => {
    if (!running) {
      setSince(0)
      return
    }
    const begin = performance.now()
    const timer = setInterval(() => setSince(performance.now() - begin), 200)
    return () => clearInterval(timer)
  }, [running])
  return (
    <div class="busy" role="status">
      {running && <progress aria-label={m.running} />}
      {running && since > 800 && <span>{(since / 1000).toFixed(1)} s</span>}
      {running && since > 2000 && onCancel && (
        <button type="button" class="small" onClick={onCancel}>
          {m.cancel}
        </button>
      )}
    </div>
  )
}
