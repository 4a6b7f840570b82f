// A condition in SQL: names are completed, and the parser's errors are shown at their place.

import { useRef, useState } from 'preact/hooks'
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
  // Only what compiles becomes a part of the question.
  const checked = useAnswer<{ text: string; error: ErrorBody } | null>(
    JSON.stringify([state.metrics, draft]),
    async (signal) => {
      if (draft.trim() === '') {
        if (state.where !== '') latest.current('')
        return null
      }
      try {
        await api.compile({ metrics: state.metrics, where_sql: draft }, signal)
      } catch (e) {
        if (signal.aborted) throw e
        return { text: draft, error: errorOf(e) }
      }
      if (draft !== state.where && !signal.aborted) latest.current(draft)
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
      {fault && <Fault {...fault} />}
    </div>
  )
}

/** Fault shows the text with the place that the parser stopped at. */
function Fault({ text, error }: { text: string; error: ErrorBody }) {
  const chars = [...text]
  const at = Number(/at position (\d+)/.exec(error.message)?.[1]) - 1
  return (
    <div role="alert" class="fault">
      {Number.isInteger(at) && at >= 0 && at <= chars.length && (
        <code>
          {chars.slice(0, at).join('')}
          <mark>{chars[at] ?? ' '}</mark>
          {chars.slice(at + 1).join('')}
        </code>
      )}
      <span>{error.message}</span>
    </div>
  )
}
