import { type Client, createClient } from '../../src/client/client.ts'
import type { MeasuredDaemonOptions } from './daemon.ts'
import { type Bench, type FigureRow, type FigureTarget, ratioRow, withUnit } from './figure.ts'
import type { LoadOptions, LoadResult } from './load-generator.ts'
import { type RoleProcess, startRole } from './role-process.ts'
import type { Roles } from './roles.ts'
import { type Measurements, mapMeasurements, median, ratiosOf } from './rounds.ts'

/** A server in a separate process. */
export interface Server {
  readonly port: number
  readonly key: string
  /** Processor time that the main thread has used so far, in microseconds. */
  readonly cpuMicroseconds: () => Promise<number>
  readonly end: () => Promise<void>
}

/** A real daemon with commands that measure it. */
export interface DaemonServer extends Server {
  readonly child: RoleProcess<Awaited<ReturnType<Roles['daemon']>>>
}

/** Starts the bare Koa server. */
export async function startBareServer(): Promise<Server> {
  return baselineOf(await startRole('bare', {}))
}

/** Starts the server of node:http with group commit, on a file. */
export async function startJournalServer(file: string): Promise<Server> {
  return baselineOf(await startRole('bare-journal', { file }))
}

async function baselineOf(
  child: RoleProcess<Awaited<ReturnType<Roles['bare' | 'bare-journal']>>>,
): Promise<Server> {
  return {
    port: await child.call('port'),
    key: 'none',
    cpuMicroseconds: () => child.call('cpuMicroseconds'),
    end: () => child.kill(),
  }
}

/** Starts the daemon on a database; `end` kills it, or lets it exit normally when Node flags are set. */
export async function startDaemonServer(
  { daemonFlags }: Bench,
  place: MeasuredDaemonOptions,
): Promise<DaemonServer> {
  const child = await startRole('daemon', place, { flags: daemonFlags })
  return {
    child,
    port: await child.call('port'),
    key: await child.call('key'),
    cpuMicroseconds: () => child.call('cpuMicroseconds'),
    end: async () => {
      if (daemonFlags.length === 0) return child.kill()
      await child.call('exit')
      await child.gone
    },
  }
}

/** Returns a client of the default sandbox, or of the sandbox that a key names. */
export function clientOf({ port, key }: Pick<Server, 'port' | 'key'>): Client {
  return createClient({ apiBase: `http://127.0.0.1:${port}`, apiKey: key, timeoutMs: 120_000 })
}

/** Runs work with a new daemon on an empty database, or with `file: null` in memory. */
export async function withDaemon<T>(
  bench: Bench,
  options: Partial<MeasuredDaemonOptions>,
  work: (daemon: DaemonServer) => Promise<T>,
): Promise<T> {
  const place = await bench.ground.empty()
  const daemon = await startDaemonServer(bench, { ...place, ...options })
  try {
    return await work(daemon)
  } finally {
    await daemon.end()
    await bench.ground.release(place)
  }
}

export type Traffic = Pick<LoadOptions, 'connections' | 'numbers'> & {
  readonly asked: Omit<LoadOptions['asked'], 'key'>
}

export interface MeasuredLoad extends LoadResult {
  /** Processor time of the main thread per request, in microseconds. */
  readonly cpuEach: number
}

/** Measures the maximum request rate of a server for some seconds. */
export async function measure(server: Server, traffic: Traffic, seconds: number): Promise<MeasuredLoad> {
  const load = await startRole('load', {})
  try {
    const asked = { ...traffic.asked, key: server.key }
    const before = await server.cpuMicroseconds()
    const result = await load.call('run', { ...traffic, asked, port: server.port, seconds })
    const cpuEach = ((await server.cpuMicroseconds()) - before) / result.requests
    return { ...result, cpuEach }
  } finally {
    await load.kill()
  }
}

/** Measures a server for the seconds of the bench, and notes the result with a name. */
export async function measureAndNote(
  bench: Bench,
  server: Server,
  {
    name,
    seconds = bench.seconds,
    ...traffic
  }: Traffic & { readonly name: string; readonly seconds?: number },
): Promise<MeasuredLoad> {
  const measured = await measure(server, traffic, seconds)
  bench.note(describeLoad(name, measured))
  return measured
}

/** Describes one measurement in a line. */
function describeLoad(name: string, { perSecond, cpuEach, ownLoad, p99Ms }: MeasuredLoad): string {
  const rate = Math.round(perSecond).toLocaleString('en')
  return `${name} ${rate}/s, ${cpuEach.toFixed(0)} µs of processor each, p99 ${p99Ms.toFixed(1)} ms, generator ${Math.round(ownLoad * 100)} % busy`
}

/** Returns a row of processor time per request, with the rates; the target is of the ratio, which a busy machine hardly changes. */
export function processorRow(
  what: string,
  pairs: Measurements<Pick<MeasuredLoad, 'perSecond' | 'cpuEach'>>,
  target: FigureTarget,
): FigureRow {
  const held = { unit: 'µs', target }
  const row = ratioRow(
    what,
    mapMeasurements(pairs, ({ cpuEach }) => cpuEach),
    held,
  )
  const rates = mapMeasurements(pairs, ({ perSecond }) => perSecond)
  const withRate = (time: string, rate: readonly number[]) => `${time}, ${withUnit(median(rate), '/s')}`
  return {
    ...row,
    paycli: withRate(row.paycli, rates.paycli),
    baseline: withRate(row.baseline, rates.baseline),
  }
}

/** Returns a row of rates, with the ratio of requests and the ratio per second of processor time. */
export function rateRow(
  what: string,
  pairs: Measurements<Pick<MeasuredLoad, 'perSecond' | 'cpuEach'>>,
  target: FigureTarget | null,
): FigureRow {
  const rates = ratioRow(
    what,
    mapMeasurements(pairs, ({ perSecond }) => perSecond),
    { unit: '/s', target },
  )
  const byProcessor = median(ratiosOf(mapMeasurements(pairs, ({ cpuEach }) => 1 / cpuEach)))
  return { ...rates, byProcessor: withUnit(byProcessor, '') }
}
