// One metric: its last complete period, how it changed, and its line.

import type { Metric } from '../api.ts'
import { bucket, change, number } from '../format.ts'
import { metricLabel } from '../labels.ts'
import { m } from '../messages/index.ts'
import { Problem } from '../parts.tsx'
import { addPeriods } from '../periods.ts'
import { fragmentOf } from '../state.ts'
import type { Card } from './cards.ts'
import { Sparkline } from './sparkline.tsx'

interface Props {
  metric: Metric
  card?: Card
  /** The page shows the error, or why there is no figure. */
  quiet: boolean
  /** Its parts are shown. */
  opened: boolean
  onOpen: () => void
  onApply: (grain: string) => void
}

export function MetricCard({ metric, card, quiet, opened, onOpen, onApply }: Props) {
  const name = metricLabel(metric)
  return (
    <li class="metriccard" data-metric={metric.name} aria-busy={card === undefined && !quiet}>
      <button type="button" class="open" aria-expanded={opened} title={[metric.name, metric.description].filter(Boolean).join('\n')} onClick={onOpen}>
        {name}
      </button>
      {card?.error && !quiet && <Problem error={card.error} compact onFragment={grainOf(card) ? () => onApply(grainOf(card)!) : undefined} />}
      {card?.error && quiet && <p class="quiet">{m.home.notLoaded}</p>}
      {card && !card.error && <Figures metric={metric} name={name} card={card} />}
    </li>
  )
}

/** grainOf is the grain that the suggestion of a failed card asks for. */
function grainOf(card: Card): string | undefined {
  const groups = fragmentOf(card.error?.suggested_retry)?.group_by
  return Array.isArray(groups) ? groups.find((g) => g?.grain)?.grain : undefined
}

function Figures({ metric, name, card }: { metric: Metric; name: string; card: Card }) {
  if (!card.points) {
    return (
      <>
        <div class="figure">{number(card.value, metric)}</div>
        <div class="quiet">{m.home.withoutTime}</div>
      </>
    )
  }
  const last = card.points.at(-1)
  if (!last) return <p class="quiet">{m.home.noPeriod}</p>
  return (
    <>
      <div class="figure" title={String(last.value ?? m.none)}>
        {number(last.value, metric)}
      </div>
      <div class="quiet">{bucket(last.bucket, card.grain)}</div>
      <Change metric={metric} before={card.before} last={last.value} against={bucket(addPeriods(last.bucket, -1, card.grain!), card.grain)} />
      <Sparkline points={card.points} label={m.home.spark(name, card.points.length, m.grains[card.grain ?? ''] ?? '')} />
    </>
  )
}

function Change({ metric, before, last, against }: { metric: Metric; before?: number | null; last: number | null; against: string }) {
  const c = change(before, last, metric)
  if (!c) return null
  return (
    <div class={`change ${c.mood}`}>
      <span aria-hidden="true">{c.arrow}</span> {c.text} <span class="quiet">{m.home.against(against)}</span>
    </div>
  )
}
