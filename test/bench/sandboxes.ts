import type { Figure } from './figure.ts'
import { crashRows } from './sandbox-crashes.ts'
import { creationRows, idleRow } from './sandbox-creation.ts'
import { forkRows } from './sandbox-forks.ts'
import { neighbourRows } from './sandbox-neighbours.ts'
import { postgresRows } from './sandbox-postgres.ts'
import { suiteRows } from './sandbox-suite.ts'

/** Every figure of sandboxes: creating, copying, memory, neighbours, test suites, PostgreSQL and crashes. */
export const sandboxes: Figure = async (bench) => [
  ...(await creationRows(bench)),
  ...(await forkRows(bench)),
  await idleRow(bench),
  ...(await neighbourRows(bench)),
  ...(await suiteRows(bench)),
  ...(await postgresRows(bench)),
  ...(await crashRows(bench)),
]
