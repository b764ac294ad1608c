import { findStatusTone, type StatusTone } from '../../presentation/status-tones.ts'
import type { Style } from '../output/style.ts'

const STYLES: Readonly<Record<StatusTone, keyof Style>> = {
  good: 'green',
  waiting: 'yellow',
  bad: 'red',
  quiet: 'dim',
}

/** Returns the style of a status, which is a word such as `paid` or the status of an HTTP response. */
export function getStatusStyle(status: string | number, style: Style): (text: string) => string {
  const tone = findStatusTone(status)
  return tone === null ? (text) => text : style[STYLES[tone]]
}
