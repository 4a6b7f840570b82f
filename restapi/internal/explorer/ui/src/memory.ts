// What a browser keeps from visit to visit: the theme, the last model and the views of a person. Never a token.

type Key = 'theme' | 'model' | `views.${string}`

export function remember(key: Key, value: string) {
  try {
    localStorage.setItem('semlayer.' + key, value)
  } catch {
    // a browser that keeps nothing
  }
}

export function remembered(key: Key): string | null {
  try {
    return localStorage.getItem('semlayer.' + key)
  } catch {
    return null
  }
}
