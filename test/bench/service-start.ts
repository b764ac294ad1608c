import { type ChildProcess, spawn } from 'node:child_process'
import { readdir, readFile } from 'node:fs/promises'
import { get } from 'node:http'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../support/ports.ts'
import { ROOT } from '../support/root.ts'
import type { DatabaseFolder } from './databases.ts'
import { type Bench, type Figure, ratioRow, withUnit } from './figure.ts'
import { interleave, mapMeasurements, median, ratiosOf } from './rounds.ts'

const POLL_MS = 1
const NANOSECONDS_PER_MS = 1_000_000
const WARM_STARTS = 2

export interface StartTimes {
  readonly wallMs: number
  /** Processor time of all threads of the process. */
  readonly cpuMs: number
}

/** The start of `paycli serve` on an empty database until its first response, beside a bare Koa server. */
export const serviceStart: Figure = async (bench) => {
  const paycli = () => startEmpty(bench)
  const baseline = () => startBare()
  // Fills the compile cache.
  for (let at = 0; at < WARM_STARTS; at += 1) await paycli()
  const pairs = await interleave(bench.isQuick ? 7 : 15, { paycli, baseline })
  const wall = mapMeasurements(pairs, ({ wallMs }) => wallMs)
  const byProcessor = median(ratiosOf(mapMeasurements(pairs, ({ cpuMs }) => cpuMs)))
  bench.note(`start of an empty service: ${byProcessor.toFixed(2)} times the processor time of bare Koa`)
  const what = 'start of an empty service ÷ bare Koa + router + body parser + ajv'
  const row = ratioRow(what, wall, { unit: 'ms', target: { atMost: 1.6 } })
  return [{ ...row, byProcessor: withUnit(byProcessor, '') }]
}

async function startEmpty({ ground }: Bench): Promise<StartTimes> {
  const place = await ground.empty()
  const times = await startService(place)
  await ground.release(place)
  return times
}

/** Starts `paycli serve` on a database, kills it after its first response, and returns its start times. */
export async function startService(place: DatabaseFolder): Promise<StartTimes> {
  const port = await freePort()
  const args = [join(ROOT, 'bin', 'run.js'), 'serve', '--port', `${port}`, '--checkout-port', '0']
  return timeStart([...args, '--db', place.file], port, { PAYCLI_HOME: place.folder })
}

async function startBare(): Promise<StartTimes> {
  const port = await freePort()
  const { pathname } = new URL('./bare-start.js', import.meta.url)
  return timeStart([pathname, `${port}`], port, {})
}

async function timeStart(args: readonly string[], port: number, env: NodeJS.ProcessEnv): Promise<StartTimes> {
  const startedMs = performance.now()
  const child = spawn(process.execPath, args, { env: { ...process.env, ...env }, stdio: 'ignore' })
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  while (!(await responds(port))) {
    if (child.exitCode !== null) throw new Error(`the server ended with ${child.exitCode}`)
    await sleep(POLL_MS)
  }
  const wallMs = performance.now() - startedMs
  const cpuMs = await processorMs(child)
  child.kill('SIGKILL')
  await ended
  return { wallMs, cpuMs }
}

/** Linux only; NaN elsewhere. */
async function processorMs({ pid }: ChildProcess): Promise<number> {
  try {
    const threads = await readdir(`/proc/${pid}/task`)
    const used = await Promise.all(
      threads.map((one) => readFile(`/proc/${pid}/task/${one}/schedstat`, 'utf8')),
    )
    return used.reduce((sum, text) => sum + Number(text.split(' ')[0]), 0) / NANOSECONDS_PER_MS
  } catch {
    return Number.NaN
  }
}

function responds(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    get({ host: '127.0.0.1', port, path: '/healthz', agent: false }, (response) => {
      response.resume().once('end', () => resolve(true))
    }).once('error', () => resolve(false))
  })
}
