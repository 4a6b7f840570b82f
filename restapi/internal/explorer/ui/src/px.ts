// Lengths of styles. Preact writes a style as it is given: a number without its unit is not a length.

export const px = (n: number) => `${n}px`
