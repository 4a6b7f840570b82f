// A condition in SQL: names are completed, and the parser's errors are shown at their place.

import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { api, errorOf, type ErrorBody } from '../api.ts'
import { useAnswer } from '../hooks.ts'
import { m } from '../messages/index.ts'
import type { State } from '../state.ts'

interface Props {
  state: State
  names: string[]
  onCondition: (where: string) => void
}

const most = 8

export function ConditionBox({ state, names, onCondition }: Props) {
  const [draft, setDraft] = useState(state.where)
  const [caret, setCaret] = useState(state.where.length)
  const box = useRef<HTMLTextAreaElement>(null)
  const latest = useRef(onCondition)
  latest.current = onCondition
  // A condition that comes from elsewhere, as from a step back, takes the place of the draft: else the draft would be set again.
  const applied = useRef(state.where)
  const apply = (where: string) => {
    applied.current = where
    latest.current(where)
  }
  useLayoutEffect(() => {
    if (state.where === applied.current) return
    applied.current = state.where
    setDraft(state.where)
    setCaret(state.where.length)
  }, [state.where])
  // Only what compiles becomes a part of the question.
  const checked = useAnswer<{ text: string; error: ErrorBody } | null>(
    JSON.stringify([state.metrics, state.groups, draft]),
    async (signal) => {
      if (draft.trim() === '') {
        if (state.where !== '') apply('')
        return null
      }
      try {
        await api.compile({ metrics: state.metrics, ...(state.groups.length > 0 && { group_by: state.groups }), where_sql: draft }, signal)
      } catch (e) {
        if (signal.aborted) throw e
        return { text: draft, error: errorOf(e) }
      }
      if (draft !== state.where && !signal.aborted) apply(draft)
      return null
    },
    250,
  )
  const word = /[A-Za-z_][\w.]*$/.exec(draft.slice(0, caret))?.[0] ?? ''
  const offered = word.length > 0 ? names.filter((n) => n !== word && n.toLowerCase().includes(word.toLowerCase())).slice(0, most) : []
  const complete = (name: string) => {
    const before = draft.slice(0, caret - word.length) + name
    const text = before + draft.slice(caret)
    // The text and the caret change before the next key is read: a later change would move the caret of who types on.
    if (box.current) {
      box.current.value = text
      box.current.focus()
      box.current.setSelectionRange(before.length, before.length)
    }
    setDraft(text)
    setCaret(before.length)
  }
  const fault = checked.data
  return (
    <div class="condition">
      <textarea
        ref={box}
        rows={2}
        spellcheck={false}
        aria-label={m.form.sqlFilter}
        aria-invalid={Boolean(fault)}
        placeholder={m.form.sqlHint}
        value={draft}
        onInput={(e) => {
          setDraft(e.currentTarget.value)
          setCaret(e.currentTarget.selectionStart)
        }}
        onClick={(e) => setCaret(e.currentTarget.selectionStart)}
        onKeyUp={(e) => setCaret(e.currentTarget.selectionStart)}
        onKeyDown={(e) => {
          if (e.key !== 'Tab' || offered.length === 0 || e.shiftKey) return
          e.preventDefault()
          complete(offered[0])
        }}
      />
      {offered.length > 0 && (
        <p class="offered">
          <span class="quiet">{m.form.complete}</span>{' '}
          {offered.map((n) => (
            <button type="button" class="small" key={n} onClick={() => complete(n)}>
              {n}
            </button>
          ))}
        </p>
      )}
      {fault && <Fault {...fault} onText={setDraft} />}
    </div>
  )
}

/** Fault shows the text with the place that the parser stopped at. */
export function Fault({ text, error, onText }: { text: string; error: ErrorBody; onText: (text: string) => void }) {
  const chars = [...text]
  const at = (error.position ?? Number(/at position (\d+)/.exec(error.message)?.[1])) - 1
  // A place of a statement is where a word begins.
  const length = error.position === undefined ? 1 : Math.max(1, /^\w*/.exec(chars.slice(at).join(''))![0].length)
  const [from, to] = Number.isInteger(at) && at >= 0 && at <= chars.length ? [at, at + length] : wrongName(text, error)
  const candidates = to > from && (error.position !== undefined || !Number.isInteger(at)) ? (error.candidates ?? []).slice(0, most) : []
  return (
    <div role="alert" class="fault">
      {to > from && (
        <code>
          {chars.slice(0, from).join('')}
          <mark>{chars.slice(from, to).join('') || ' '}</mark>
          {chars.slice(to).join('')}
        </code>
      )}
      <span>
        {error.message} {error.hint}
      </span>
      {candidates.length > 0 && (
        <span class="offered">
          <span class="quiet">{m.problem.instead}</span>{' '}
          {candidates.map((c) => (
            <button type="button" class="small" key={c} onClick={() => onText(chars.slice(0, from).join('') + c + chars.slice(to).join(''))}>
              {c}
            </button>
          ))}
        </span>
      )}
    </div>
  )
}

/** wrongName is where a condition has the name that an error ends with, alone or behind its dataset; nowhere is [0, 0]. */
function wrongName(text: string, error: ErrorBody): [number, number] {
  const name = /(?:field named|metric named|named) ([\w.]+)$/.exec(error.message)?.[1]
  if (!name) return [0, 0]
  const found = new RegExp(`(?<![\\w.])(?:\\w+\\.)*${name.replaceAll('.', '\\.')}(?![\\w.])`).exec(text)
  if (!found) return [0, 0]
  const from = [...text.slice(0, found.index)].length
  return [from, from + [...found[0]].length]
}
