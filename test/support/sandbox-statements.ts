import pg from 'pg'
import { afterEachSuite } from './suite.ts'

/** The first statement of every connection of a store. */
const SESSION = /^SET enable_seqscan = off; SET jit = off/
const TABLE = /\b(?:FROM|JOIN|INTO|UPDATE|USING)\s+(?:records|head|sandbox_leases|sandbox_presences)\b/g
const BOUND = /\bsandbox = \$1\b/g
/** An INSERT whose every row begins with the sandbox. */
const INSERTED =
  /INSERT INTO \w+ (?:AS \w+ )?\(sandbox,[^()]*\)\s*(?:SELECT \$1,|VALUES (?:\(\$1,[^()]*\)(?:, )?)+\s*(?:ON CONFLICT|$))/
/** The tables themselves belong to no sandbox. */
const DEFINITION = /\b(?:CREATE|DROP)\b/
/** The statement that reads the ids of all sandboxes, which a process sends once. */
const LISTING = 'SELECT sandbox FROM head WHERE sandbox <> $1'

/**
 * Returns why a statement may read or change several sandboxes, or null for a statement that is bound to one sandbox.
 */
export function findUnboundTable(text: string, values: readonly unknown[]): string | null {
  if (text === LISTING || DEFINITION.test(text)) return null
  const tables = text.match(TABLE)?.length ?? 0
  if (tables === 0) return null
  const bound = (text.match(BOUND)?.length ?? 0) + (INSERTED.test(text) ? 1 : 0)
  if (bound < tables) return `${tables} tables and only ${bound} bound to a sandbox: ${text}`
  const [sandbox] = values
  if (typeof sandbox === 'string' && /^[\w-]+$/.test(sandbox)) return null
  return `no sandbox in the first parameter: ${text}`
}

const storeConnections = new WeakSet<object>()
const found: string[] = []
let inspected = 0

/** Returns the number of statements that all stores of this process have sent since `inspectStatements`. */
export const countInspected = () => inspected

function inspect(client: object, statement: unknown): void {
  const { text, values = [] } =
    typeof statement === 'string' ? { text: statement } : (statement as pg.QueryConfig)
  if (SESSION.test(text)) storeConnections.add(client)
  if (!storeConnections.has(client)) return
  inspected += 1
  const problem = findUnboundTable(text, values)
  if (problem !== null) found.push(problem)
}

/**
 * Inspects every statement of the stores in this process; a suite fails when it sends a statement for several
 * sandboxes.
 */
export function inspectStatements(): void {
  const { prototype } = pg.Client
  const query = prototype.query as (...args: unknown[]) => unknown
  prototype.query = function (this: object, ...args: unknown[]) {
    inspect(this, args[0])
    return query.apply(this, args)
  } as typeof prototype.query
  afterEachSuite(async () => {
    const problems = [...new Set(found.splice(0))]
    if (problems.length > 0) throw new Error(`Statements not bound to one sandbox:\n${problems.join('\n')}`)
  })
}

inspectStatements()
