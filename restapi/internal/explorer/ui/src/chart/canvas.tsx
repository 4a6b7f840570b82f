// A drawing of Chart.js that lives as long as its part of the page.

import { BarController, BarElement, CategoryScale, Chart, Filler, Legend, LinearScale, LineController, LineElement, PointElement, Tooltip, type ChartConfiguration } from 'chart.js'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { useDark } from '../hooks.ts'
import { onDark, onLight } from './colours.ts'

Chart.register(BarController, BarElement, CategoryScale, Filler, Legend, LinearScale, LineController, LineElement, PointElement, Tooltip)

export type Drawn = Chart<'line' | 'bar', (number | [number, number] | null)[], string>
export type Config = ChartConfiguration<'line' | 'bar', (number | [number, number] | null)[], string>

/** Theme holds the colours of the style sheet, which a canvas does not inherit. */
export interface Theme {
  ink: string
  line: string
  back: string
  accent: string
  up: string
  down: string
  colours: string[]
  /** The colour of what the service put together. */
  rest: string
}

function themeOf(dark: boolean): Theme {
  const style = getComputedStyle(document.documentElement)
  const of = (name: string) => style.getPropertyValue(name).trim()
  return { ink: of('--quiet'), line: of('--line'), back: of('--back'), accent: of('--accent'), up: of('--up'), down: of('--down'), colours: dark ? onDark : onLight, rest: of('--faint') }
}

interface Props {
  /** The drawing is made again when its name changes. */
  name: string
  label: string
  class: string
  config: (theme: Theme) => Config
  chart?: { current: Drawn | undefined }
}

export function Canvas({ name, label, class: style, config, chart }: Props) {
  const canvas = useRef<HTMLCanvasElement>(null)
  const dark = useDark()
  // Drawn in the turn in which it joins the page: a canvas in sight is never empty.
  useLayoutEffect(() => {
    const drawn = new Chart(canvas.current!, config(themeOf(dark))) as Drawn
    if (chart) chart.current = drawn
    return () => {
      drawn.destroy()
      if (chart) chart.current = undefined
    }
  }, [name, dark])
  return (
    <div class={style}>
      <canvas ref={canvas} role="img" aria-label={label} />
    </div>
  )
}
