import { startChild } from './child.ts'
import { type Figure, type Row, withUnit } from './figure.ts'
import { median } from './rounds.ts'
import type { ScreenSample } from './screen.ts'

const EVENTS_PER_SECOND = 1000
const SAMPLES = 10
const SAMPLE_SECONDS = 60
const QUICK_SAMPLE_SECONDS = 6
const MOST_CPU_PERCENT = 50
const MOST_KEY_MS = 250
/** What the heap may be larger by at the end than after the first sample: its rows are full long before that. */
const MOST_GROWTH_MB = 20

/** Drowns the screen of a listener for ten minutes, and tells what that costs as time passes. */
export const drowning: Figure = async (bench) => {
  const seconds = bench.isQuick ? QUICK_SAMPLE_SECONDS : SAMPLE_SECONDS
  const screen = await startChild(
    'screen',
    { eventsPerSecond: EVENTS_PER_SECOND },
    { flags: ['--expose-gc'] },
  )
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

interface Limit {
  readonly most: number
  readonly unit: string
  /** What was seen as time passed. */
  readonly each: readonly number[]
}

function limitRow(what: string, value: number, { most, unit, each }: Limit): Row {
  const paycli = `${withUnit(value, unit)} (${each.join(', ')})`
  const row = { what, paycli, baseline: '', ratio: '', byProcessor: '' }
  return { ...row, target: `≤ ${most} ${unit}`, met: value <= most ? 'yes' : 'NO' }
}
