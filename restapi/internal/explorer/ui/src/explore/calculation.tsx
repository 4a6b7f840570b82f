// A metric of the query alone, made of those of the model.

import { useState } from 'preact/hooks'
import { api, type Compiled } from '../api.ts'
import type { Catalog } from '../catalog.ts'
import { useAnswer } from '../hooks.ts'
import { nameMetric } from '../labels.ts'
import { m } from '../messages/index.ts'
import { Problem } from '../parts.tsx'
import { keysOf } from './range.ts'
import type { State } from '../state.ts'

interface Props {
  catalog: Catalog
  state: State
  set: (p: Partial<State>) => void
}

const forms = {
  difference: (a: string, b: string) => `${a} - ${b}`,
  sum: (a: string, b: string) => `${a} + ${b}`,
  ratio: (a: string, b: string) => `${a} / NULLIF(${b}, 0)`,
  percent: (a: string, b: string) => `100.0 * ${a} / NULLIF(${b}, 0)`,
} as const
type Form = keyof typeof forms

/** Calculation offers the usual forms over two metrics, and takes any expression of metrics. The service reports what is wrong with it. */
export function Calculation({ catalog, state, set }: Props) {
  const [open, setOpen] = useState(false)
  const [name, setName] = useState('')
  const [text, setText] = useState('')
  const expression = text.trim()
  const query = { metrics: [...state.metrics, ...state.calculations, { name: name || m.form.calculationName, expression }], ...(state.groups.length > 0 && { group_by: state.groups }), ...keysOf(catalog, state) }
  const checked = useAnswer<Compiled>(open && expression ? JSON.stringify(query) : undefined, (signal) => api.compile(query, signal), 250)
  if (!open) {
    return (
      <button type="button" class="small" onClick={() => setOpen(true)}>
        {m.form.calculate}
      </button>
    )
  }
  const write = (form: Form, a: string, b: string) => {
    setText(forms[form](a, b))
    setName(`${form}_${a}_${b}`.slice(0, 100))
  }
  const ready = expression !== '' && /^[A-Za-z_]\w*$/.test(name) && !checked.running && checked.data !== undefined
  return (
    <fieldset class="lines calculation">
      <legend>{m.form.calculation}</legend>
      <Forms {...{ catalog, state }} onForm={write} />
      <label>
        {m.form.expression} <input class="wide" type="text" spellcheck={false} placeholder={m.form.expressionHint} value={text} onInput={(e) => setText(e.currentTarget.value)} />
      </label>
      <label>
        {m.form.name} <input type="text" spellcheck={false} pattern="[A-Za-z_][A-Za-z0-9_]*" value={name} onInput={(e) => setName(e.currentTarget.value)} />
      </label>
      {checked.error && <Problem error={checked.error} compact />}
      <button
        type="button"
        class="small"
        disabled={!ready}
        onClick={() => {
          set({ calculations: [...state.calculations, { name, expression }] })
          setOpen(false)
          setText('')
          setName('')
        }}
      >
        {m.form.addCalculation}
      </button>
    </fieldset>
  )
}

function Forms({ catalog, state, onForm }: Pick<Props, 'catalog' | 'state'> & { onForm: (form: Form, a: string, b: string) => void }) {
  const [form, setForm] = useState<Form>('percent')
  const first = state.metrics[0] ?? catalog.metricList[0]?.name ?? ''
  const [a, setA] = useState(first)
  const [b, setB] = useState(state.metrics[1] ?? '')
  const change = (next: { form?: Form; a?: string; b?: string }) => {
    const all = { form, a, b, ...next }
    setForm(all.form)
    setA(all.a)
    setB(all.b)
    if (all.a && all.b) onForm(all.form, all.a, all.b)
  }
  const metrics = (
    <>
      <option value="">{m.why.choose}</option>
      {catalog.metricList.map((x) => (
        <option key={x.name} value={x.name}>
          {nameMetric(catalog, x.name)}
        </option>
      ))}
    </>
  )
  return (
    <span>
      <select aria-label={m.form.firstMetric} value={a} onChange={(e) => change({ a: e.currentTarget.value })}>
        {metrics}
      </select>{' '}
      <select aria-label={m.form.calculation} value={form} onChange={(e) => change({ form: e.currentTarget.value as Form })}>
        {(Object.keys(forms) as Form[]).map((f) => (
          <option key={f} value={f}>
            {m.form.forms[f]}
          </option>
        ))}
      </select>{' '}
      <select aria-label={m.form.secondMetric} value={b} onChange={(e) => change({ b: e.currentTarget.value })}>
        {metrics}
      </select>
    </span>
  )
}
