import { availableParallelism, loadavg } from 'node:os'
import { parseArgs } from 'node:util'
import { advanceWaits } from './advance-waits.ts'
import { crashes } from './crashes.ts'
import { create } from './create.ts'
import { dashboard } from './dashboard.ts'
import { type Databases, openDatabases } from './databases.ts'
import { deliveries } from './deliveries.ts'
import { deliveryCrashes } from './delivery-crashes.ts'
import { explore, exploreCorrections } from './explore.ts'
import { type Bench, type Figure, type FigureRow, plainRow } from './figure.ts'
import { fuzz } from './fuzz.ts'
import { list } from './list.ts'
import { loneCreate } from './lone-create.ts'
import { memory } from './memory.ts'
import { pages } from './pages.ts'
import { postgres } from './postgres.ts'
import { renewals } from './renewals.ts'
import { restart } from './restart.ts'
import { retrieve } from './retrieve.ts'
import { killRoles } from './role-process.ts'
import { sandboxes } from './sandboxes.ts'
import { serviceStart } from './service-start.ts'
import { skew } from './skew.ts'
import { startup } from './startup.ts'
import { renderTable } from './table.ts'

const FIGURES: Readonly<Record<string, Figure>> = {
  create,
  'lone-create': loneCreate,
  retrieve,
  list,
  pages,
  restart,
  memory,
  renewals,
  'advance-waits': advanceWaits,
  deliveries,
  crashes,
  'delivery-crashes': deliveryCrashes,
  'start-up': startup,
  'service-start': serviceStart,
  explore,
  'explore-corrections': exploreCorrections,
  fuzz,
  dashboard,
  postgres,
  skew,
  sandboxes,
}
/** Figures that take up to an hour and run only when they are named. */
const ONLY_WHEN_NAMED = new Set(['explore', 'explore-corrections'])
const EXIT_AFTER_INTERRUPT = 130

const USAGE = `Measures paycli beside baselines, in turn and in one run.
usage: npm run bench -- [${Object.keys(FIGURES).join(' | ')} …] [--quick] [--seconds N] [--folder DIR] [--profile DIR]
  --quick    fewer and shorter rounds, and nothing with a million records
  --seconds  duration of the load in skew (default: 60, with --quick 15), or of an exploration (default: 60)
  --folder   folder of the databases on a real disk (default: the system's temporary folder)
  --profile  folder of the daemons' CPU profiles
`

/** Measures the figures named on the command line and prints the table. */
export async function measure(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      quick: { type: 'boolean', default: false },
      seconds: { type: 'string' },
      folder: { type: 'string' },
      profile: { type: 'string' },
    },
  })
  const unknown = positionals.filter((name) => !(name in FIGURES))
  if (unknown.length > 0) {
    process.stderr.write(`There is no figure '${unknown[0]}'.\n${USAGE}`)
    process.exitCode = 2
    return
  }
  const ground = await openDatabases(values.folder)
  clearOnSignals(ground)
  const bench = createBench(ground, {
    isQuick: values.quick,
    profile: values.profile,
    duration: values.seconds === undefined ? null : Number(values.seconds),
  })
  try {
    const chosen = Object.entries(FIGURES).filter(
      ([name]) => positionals.includes(name) || (positionals.length === 0 && !ONLY_WHEN_NAMED.has(name)),
    )
    await report(bench, chosen)
  } finally {
    killRoles()
    ground.clear()
  }
}

function createBench(
  ground: Databases,
  {
    isQuick,
    profile,
    duration,
  }: Pick<Bench, 'isQuick' | 'duration'> & { readonly profile: string | undefined },
): Bench {
  return {
    ground,
    isQuick,
    rounds: isQuick ? 2 : 5,
    seconds: isQuick ? 1.5 : 2,
    duration,
    note: (text) => process.stderr.write(`  ${text}\n`),
    daemonFlags: profile === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${profile}`],
  }
}

async function report(bench: Bench, chosen: readonly (readonly [string, Figure])[]): Promise<void> {
  const rows: FigureRow[] = []
  const startedMs = performance.now()
  for (const [name, figure] of chosen) {
    const [load = 0] = loadavg()
    const elapsed = Math.round((performance.now() - startedMs) / 1000)
    process.stderr.write(`${name} (after ${elapsed} s, load of the machine ${load.toFixed(2)})\n`)
    try {
      rows.push(...(await figure(bench)))
    } catch (error) {
      process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`)
      rows.push(plainRow({ what: name, paycli: 'failed', met: 'NO' }))
      killRoles()
    }
  }
  process.stdout.write(`Node ${process.version}, ${availableParallelism()} cores\n\n${renderTable(rows)}`)
  process.exitCode = rows.some(({ met }) => met === 'NO') ? 1 : 0
}

function clearOnSignals(ground: Databases): void {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.once(signal, () => {
      killRoles()
      ground.clear()
      process.exit(EXIT_AFTER_INTERRUPT)
    })
  }
}
