import { type Figure, type FigureRow, withUnit } from './figure.ts'
import { startRole } from './role-process.ts'
import { median } from './rounds.ts'
import type { ScreenSample } from './screen.ts'

const EVENTS_PER_SECOND = 1000
const SAMPLES = 10
const SAMPLE_SECONDS = 60
const QUICK_SAMPLE_SECONDS = 6
const MOST_CPU_PERCENT = 50
const MOST_KEY_MS = 250
/** Allowed growth of the heap after the first sample; by then the list of the screen is full. */
const MOST_GROWTH_MB = 20

/** Floods the screen of a listener with events for ten minutes, and measures its cost over time. */
export const screenLoad: Figure = async (bench) => {
  const seconds = bench.isQuick ? QUICK_SAMPLE_SECONDS : SAMPLE_SECONDS
  const screen = await startRole('screen', { eventsPerSecond: EVENTS_PER_SECOND }, { flags: ['--expose-gc'] })
  const samples: ScreenSample[] = []
  while (samples.length < SAMPLES) {
    const sample = await screen.call('watch', seconds)
    samples.push(sample)
    const { events, cpuPercent, residentMb, heapMb, keyMs } = sample
    const memory = `${residentMb} MB resident, ${heapMb} MB of heap`
    const at = `after ${samples.length * seconds} s`
    bench.note(`${at}: ${events} events, ${cpuPercent} % of a core, ${memory}, a key in ${keyMs} ms`)
  }
  await screen.kill()
  const over = (name: keyof ScreenSample) => samples.map((sample) => sample[name])
  const heap = over('heapMb')
  const growth = (heap.at(-1) ?? Number.NaN) - (heap[0] ?? Number.NaN)
  const what = `screen of listen, ${EVENTS_PER_SECOND} events/s for ${SAMPLES} × ${seconds} s`
  return [
    limitRow(`${what}: processor (median)`, median(over('cpuPercent')), {
      most: MOST_CPU_PERCENT,
      unit: '% of a core',
      each: over('cpuPercent'),
    }),
    limitRow(`${what}: heap grown since the first`, growth, { most: MOST_GROWTH_MB, unit: 'MB', each: heap }),
    limitRow(`${what}: from a key to its frame (median)`, median(over('keyMs')), {
      most: MOST_KEY_MS,
      unit: 'ms',
      each: over('keyMs'),
    }),
  ]
}

interface ScreenLimit {
  readonly most: number
  readonly unit: string
  /** Samples in order of time. */
  readonly each: readonly number[]
}

function limitRow(what: string, value: number, { most, unit, each }: ScreenLimit): FigureRow {
  const paycli = `${withUnit(value, unit)} (${each.join(', ')})`
  const row = { what, paycli, baseline: '', ratio: '', byProcessor: '' }
  return { ...row, target: `≤ ${most} ${unit}`, met: value <= most ? 'yes' : 'NO' }
}
