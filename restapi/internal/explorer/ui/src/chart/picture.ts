// The plots of the page as one picture.

import { save } from '../table/download.ts'

/** savePicture puts the plots below each other, on the colour of the page. */
export function savePicture(name: string) {
  const plots = [...document.querySelectorAll<HTMLCanvasElement>('.plot canvas')]
  if (plots.length === 0) return
  const picture = document.createElement('canvas')
  picture.width = Math.max(...plots.map((p) => p.width))
  picture.height = plots.reduce((sum, p) => sum + p.height, 0)
  const pen = picture.getContext('2d')!
  pen.fillStyle = getComputedStyle(document.body).backgroundColor
  pen.fillRect(0, 0, picture.width, picture.height)
  let y = 0
  for (const p of plots) {
    pen.drawImage(p, 0, y)
    y += p.height
  }
  save(name + '.png', picture.toDataURL('image/png'), '')
}
