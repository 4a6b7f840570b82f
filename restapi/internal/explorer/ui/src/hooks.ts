import { useEffect, useRef, useState } from 'preact/hooks'
import { ApiError, type ErrorBody } from './api.ts'

export interface Answer<T> {
  data?: T
  error?: ErrorBody
  status?: number
  running: boolean
  /** Milliseconds from sending to the whole answer. */
  took?: number
}

/**
 * useAnswer asks after every change of key and cancels what it asked before. The
 * former answer stays until the next has come, so that the page does not flicker.
 */
export function useAnswer<T>(key: string | undefined, ask: (signal: AbortSignal) => Promise<T>, delay = 0): Answer<T> & { again: () => void } {
  const [answer, setAnswer] = useState<Answer<T>>({ running: false })
  const [turn, setTurn] = useState(0)
  const latest = useRef(ask)
  latest.current = ask
  useEffect(() => {
    if (key === undefined) {
      setAnswer({ running: false })
      return
    }
    const control = new AbortController()
    setAnswer((a) => ({ ...a, running: true }))
    const timer = setTimeout(async () => {
      const begin = performance.now()
      try {
        const data = await latest.current(control.signal)
        setAnswer({ data, running: false, took: performance.now() - begin })
      } catch (e) {
        if (control.signal.aborted) return
        const body = e instanceof ApiError ? e.body : { code: 'internal', message: e instanceof Error ? e.message : String(e) }
        setAnswer({ error: body, status: e instanceof ApiError ? e.status : 0, running: false })
      }
    }, delay)
    // Who leaves the page no longer waits. A page that the browser kept asks again.
    const leave = () => {
      clearTimeout(timer)
      control.abort()
    }
    const back = (e: PageTransitionEvent) => {
      if (e.persisted) setTurn((t) => t + 1)
    }
    addEventListener('pagehide', leave)
    addEventListener('pageshow', back)
    return () => {
      removeEventListener('pagehide', leave)
      removeEventListener('pageshow', back)
      leave()
    }
  }, [key, turn])
  return { ...answer, again: () => setTurn((t) => t + 1) }
}

/** useCancelled makes an effect of a task: leaving the page, or the next run, ends what it asked for. */
export function useCancelled(task: (signal: AbortSignal) => void): () => () => void {
  return () => {
    const control = new AbortController()
    const leave = () => control.abort()
    addEventListener('pagehide', leave)
    task(control.signal)
    return () => {
      removeEventListener('pagehide', leave)
      leave()
    }
  }
}

/** useMedia tells whether a media query holds, now and when that changes. */
export function useMedia(query: string): boolean {
  const [holds, setHolds] = useState(() => matchMedia(query).matches)
  useEffect(() => {
    const media = matchMedia(query)
    const update = () => setHolds(media.matches)
    media.addEventListener('change', update)
    return () => media.removeEventListener('change', update)
  }, [query])
  return holds
}

/** useDark follows the theme that is in force. */
export function useDark(): boolean {
  const read = () => {
    const own = document.documentElement.dataset.theme
    return own ? own === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches
  }
  const [dark, setDark] = useState(read)
  useEffect(() => {
    const update = () => setDark(read())
    const media = matchMedia('(prefers-color-scheme: dark)')
    media.addEventListener('change', update)
    const watch = new MutationObserver(update)
    watch.observe(document.documentElement, { attributes: true, attributeFilter: ['data-theme'] })
    return () => {
      media.removeEventListener('change', update)
      watch.disconnect()
    }
  }, [])
  return dark
}
