import type { Figure } from './figure.ts'
import { crashRows } from './sandbox-crashes.ts'
import { neighbourRows } from './sandbox-neighbours.ts'
import { postgresRows } from './sandbox-postgres.ts'

/** The figures of sandboxes: neighbours, PostgreSQL and crashes. */
export const sandboxes: Figure = async (bench) => [
  ...(await neighbourRows(bench)),
  ...(await postgresRows(bench)),
  ...(await crashRows(bench)),
]
