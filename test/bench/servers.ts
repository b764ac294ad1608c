import { type Child, startChild } from './child.ts'
import type { DaemonPlace } from './daemon.ts'
import { type Bench, type Row, ratioRow, type Target, withUnit } from './figure.ts'
import type { LoadOptions, LoadResult } from './load.ts'
import type { Roles } from './roles.ts'
import { each, median, type Pairs, ratiosOf } from './rounds.ts'

/** A server in a process of its own. */
export interface Server {
  readonly port: number
  readonly key: string
  /** Microseconds of processor time the thread that answers has used so far. */
  readonly cpuMicroseconds: () => Promise<number>
  readonly end: () => Promise<void>
}

/** A real daemon that can also be asked about itself. */
export interface DaemonServer extends Server {
  readonly child: Child<Awaited<ReturnType<Roles['daemon']>>>
}

/** Starts the bare Koa server. */
export async function startBareServer(): Promise<Server> {
  const child = await startChild('bare', {})
  return {
    port: await child.call('port'),
    key: 'none',
    cpuMicroseconds: () => child.call('cpuMicroseconds'),
    end: () => child.kill(),
  }
}

/** Starts the daemon on a database; ending it kills it, because its files are thrown away. */
export async function startDaemonServer({ daemonFlags }: Bench, place: DaemonPlace): Promise<DaemonServer> {
  const child = await startChild('daemon', place, { flags: daemonFlags })
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

export type Traffic = Pick<LoadOptions, 'connections' | 'numbers'> & {
  readonly asked: Omit<LoadOptions['asked'], 'key'>
}

export interface Measured extends LoadResult {
  /** Microseconds of processor time the thread that answers spent on each request. */
  readonly cpuEach: number
}

/** Lets a server answer as fast as it can for some seconds. */
export async function measure(server: Server, traffic: Traffic, seconds: number): Promise<Measured> {
  const load = await startChild('load', {})
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

/** One measurement in a few words. */
export function describeLoad(name: string, { perSecond, cpuEach, ownLoad }: Measured): string {
  const rate = Math.round(perSecond).toLocaleString('en')
  return `${name} ${rate}/s, ${cpuEach.toFixed(0)} µs of processor each, generator ${Math.round(ownLoad * 100)} % busy`
}

/** A line of rates; beside the ratio of what was answered stands that of what a second of processor time was enough for. */
export function rateRow(
  what: string,
  pairs: Pairs<Pick<Measured, 'perSecond' | 'cpuEach'>>,
  target: Target | null,
): Row {
  const rates = ratioRow(
    what,
    each(pairs, ({ perSecond }) => perSecond),
    { unit: '/s', target },
  )
  const byProcessor = median(ratiosOf(each(pairs, ({ cpuEach }) => 1 / cpuEach)))
  return { ...rates, byProcessor: withUnit(byProcessor, '') }
}
