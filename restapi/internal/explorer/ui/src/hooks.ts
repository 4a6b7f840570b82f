import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { ApiError, type ErrorBody } from './api.ts'

export interface Answer<T> {
  data?: T
  error?: ErrorBody
  status?: number
  running: boolean
  /** Milliseconds from sending to the end of the response. */
  took?: number
  /** The key of the request of this response: the former one while the next runs. */
  of?: string
}

/**
 * useAnswer asks after every change of key and cancels what it asked before. The
 * former answer stays until the next has come, so that the page does not flicker; it
 * counts as running from the change on.
 */
export function useAnswer<T>(key: string | undefined, ask: (signal: AbortSignal) => Promise<T>, delay = 0): Answer<T> & { again: () => void } {
  const [answer, setAnswer] = useState<Omit<Answer<T>, 'running'> & { turn?: number }>({})
  const [turn, setTurn] = useState(0)
  const latest = useRef(ask)
  latest.current = ask
  useEffect(() => {
    if (key === undefined) {
      setAnswer({})
      return
    }
    const control = new AbortController()
    const settle = (a: Omit<Answer<T>, 'running' | 'of'>) => !control.signal.aborted && setAnswer({ ...a, of: key, turn })
    const timer = setTimeout(async () => {
      const begin = performance.now()
      try {
        const data = await latest.current(control.signal)
        settle({ data, took: performance.now() - begin })
      } catch (e) {
        const body = e instanceof ApiError ? e.body : { code: 'internal', message: e instanceof Error ? e.message : String(e) }
        settle({ error: body, status: e instanceof ApiError ? e.status : 0 })
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
  const again = () => setTurn((t) => t + 1)
  if (key === undefined) return { running: false, again }
  const { turn: answered, ...rest } = answer
  return { ...rest, running: answer.of !== key || answered !== turn, again }
}

/** useCancelled makes an effect of a task: leaving the page, or the next run, ends what it asked for. */
export function useCancelled(task: (signal: AbortSignal) => void): () => () => void {
  return () => {
    let control = new AbortController()
    const leave = () => control.abort()
    // A page that the browser kept asks again.
    const back = (e: PageTransitionEvent) => {
      if (!e.persisted) return
      control = new AbortController()
      task(control.signal)
    }
    addEventListener('pagehide', leave)
    addEventListener('pageshow', back)
    task(control.signal)
    return () => {
      removeEventListener('pagehide', leave)
      removeEventListener('pageshow', back)
      leave()
    }
  }
}

/** useSignal returns the signal for a single request of a part of the page: leaving that part, or the page, ends the request. */
export function useSignal(): { current: AbortSignal } {
  const control = useRef(new AbortController())
  const signal = useRef(control.current.signal)
  useLayoutEffect(() => {
    const renew = () => {
      if (!control.current.signal.aborted) return
      control.current = new AbortController()
      signal.current = control.current.signal
    }
    const leave = () => control.current.abort()
    renew()
    addEventListener('pagehide', leave)
    addEventListener('pageshow', renew)
    return () => {
      removeEventListener('pagehide', leave)
      removeEventListener('pageshow', renew)
      leave()
    }
  }, [])
  return signal
}

/** useSeen is whether an element was in sight, or near it. */
export function useSeen(place: { current: Element | null }): boolean {
  const [seen, setSeen] = useState(false)
  useLayoutEffect(() => {
    if (seen || !place.current) return
    const watch = new IntersectionObserver((all) => all.some((e) => e.isIntersecting) && setSeen(true), { rootMargin: '200px' })
    watch.observe(place.current)
    return () => watch.disconnect()
  }, [seen])
  return seen
}

/** useMedia reports whether a media query holds, now and when that changes. */
export function useMedia(query: string): boolean {
  const [holds, setHolds] = useState(() => matchMedia(query).matches)
  useEffect(() => {
    const media = matchMedia(query)
    const update = () => setHolds(media.matches)
    update() // it may have changed since the first look
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
    update() // it may have changed since the first look
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
