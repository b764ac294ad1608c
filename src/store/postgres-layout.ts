import type { Stored } from '../domain/changes.ts'
import type { Site } from './postgres-batch.ts'
import { BEGIN, type Connection } from './postgres-connection.ts'
import { putStatement, rowOf } from './postgres-writes.ts'

const RECORDS_PER_STEP = 500

/** Computes the columns of all records anew when the rules for them have changed since they were written. */
export async function layOut(
  connection: Connection,
  { schema, layout }: Pick<Site, 'schema' | 'layout'>,
): Promise<void> {
  await connection.run(BEGIN)
  try {
    const [head] = await connection.run(`SELECT layout FROM "${schema}".head WHERE id = 1 FOR UPDATE`)
    if (head?.layout !== layout) {
      if (head?.layout !== '') await rewriteAll(connection, schema)
      await connection.run(`UPDATE "${schema}".head SET layout = '${layout}' WHERE id = 1`)
    }
    await connection.run('COMMIT')
  } catch (error) {
    await connection.run('ROLLBACK').catch(() => {})
    throw error
  }
}

async function rewriteAll(connection: Connection, schema: string): Promise<void> {
  let after: readonly [string, string] = ['', '']
  for (;;) {
    const rows = await connection.ask(
      `SELECT collection, id, record, place::float8 AS place FROM "${schema}".records
       WHERE (collection, id) > ($1, $2) ORDER BY collection, id LIMIT $3`,
      [...after, RECORDS_PER_STEP],
    )
    const puts = rows.map(({ record, place }) =>
      putStatement(schema, [rowOf(record as Stored, Number(place))]),
    )
    // Those of one step are sent together, and answered in their order.
    await Promise.all(puts.map(({ text, values }) => connection.ask(text, values)))
    const last = rows.at(-1)
    if (last === undefined) return
    after = [String(last.collection), String(last.id)]
  }
}
