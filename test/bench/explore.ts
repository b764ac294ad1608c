import { join } from 'node:path'
import {
  exploreHandler,
  HANDLER_PAIRS,
  type HandlerPair,
  type HandlerVariant,
} from '../explore/handler-pairs.ts'
import { newFolder } from '../support/folders.ts'
import { type Bench, type Figure, type FigureRow, plainRow } from './figure.ts'

const EXPLORATIONS_OF_CORRECTION = 3
/** Replays per finding: those of all bugs are more than 100. */
const REPLAYS = 9
const DEFAULT_SECONDS = 60
const QUICK_SECONDS_OF_CORRECTION = 15
const MS_PER_SECOND = 1000

/** The parts of the result of an exploration that the figure reads. */
interface Result {
  readonly findings: readonly {
    readonly description: string
    readonly differences: readonly { readonly text: string }[]
  }[]
  readonly explored: readonly unknown[]
  readonly duration_ms: number
}

/** The time to find the bug of each integration, and the number of replays with an equal finding. */
export const explore: Figure = async (bench) => {
  const rows: FigureRow[] = []
  for (const pair of HANDLER_PAIRS) rows.push(await findingRow(bench, pair))
  return rows
}

/** The number of findings in the corrected integrations, which must be zero. */
export const exploreCorrections: Figure = async (bench) => {
  const rows: FigureRow[] = []
  for (const pair of HANDLER_PAIRS) rows.push(await correctionRow(bench, pair))
  return rows
}

async function findingRow(bench: Bench, pair: HandlerPair): Promise<FigureRow> {
  const seconds = bench.duration ?? DEFAULT_SECONDS
  const schedule = join(newFolder(), 'schedule.json')
  const exploration = await run(pair, 'wrong', ['--json', '--time', `${seconds}s`, '--write', schedule])
  const { findings, explored } = exploration
  const [finding] = findings
  for (const { description } of findings) bench.note(`${pair.name}: ${description}`)
  const count = bench.isQuick ? 1 : REPLAYS
  const equal = finding === undefined ? 0 : await countEqualReplays(pair, { finding, schedule, count })
  return plainRow({
    what: `explore ${pair.name}`,
    paycli:
      finding === undefined
        ? 'not found'
        : `found in ${secondsOf(exploration)} s, ${explored.length} schedules`,
    ratio: `${equal} of ${count} replays equal`,
    target: `found in ${seconds} s, equal`,
    met: finding !== undefined && equal === count ? 'yes' : 'NO',
  })
}

async function correctionRow(bench: Bench, pair: HandlerPair): Promise<FigureRow> {
  const seconds = bench.duration ?? (bench.isQuick ? QUICK_SECONDS_OF_CORRECTION : DEFAULT_SECONDS)
  const explorations: Result[] = []
  for (let index = 0; index < (bench.isQuick ? 1 : EXPLORATIONS_OF_CORRECTION); index += 1)
    explorations.push(await run(pair, 'correct', ['--json', '--time', `${seconds}s`]))
  const alarms = explorations.flatMap(({ findings }) => findings)
  for (const { description } of alarms) bench.note(`${pair.name}: ${description}`)
  const schedules = explorations.reduce((sum, { explored }) => sum + explored.length, 0)
  return plainRow({
    what: `explore the correction of ${pair.name}`,
    paycli: `${alarms.length} alarms in ${schedules} schedules`,
    target: '0 alarms',
    met: alarms.length === 0 ? 'yes' : 'NO',
  })
}

async function countEqualReplays(
  pair: HandlerPair,
  {
    finding,
    schedule,
    count,
  }: { readonly finding: Result['findings'][number]; readonly schedule: string; readonly count: number },
): Promise<number> {
  let equal = 0
  for (let index = 0; index < count; index += 1) {
    const { findings } = await run(pair, 'wrong', ['--json', '--replay', schedule])
    if (textsOf(findings[0]) === textsOf(finding)) equal += 1
  }
  return equal
}

function textsOf(finding: Result['findings'][number] | undefined): string {
  return JSON.stringify(finding?.differences.map(({ text }) => text) ?? null)
}

async function run(pair: HandlerPair, variant: HandlerVariant, flags: readonly string[]): Promise<Result> {
  const { stdout, stderr } = await exploreHandler(pair, variant, flags)
  if (stdout === '') throw new Error(`the exploration of ${pair.name} failed: ${stderr}`)
  return JSON.parse(stdout) as Result
}

function secondsOf({ duration_ms }: Result): string {
  return (duration_ms / MS_PER_SECOND).toFixed(1)
}
