import { writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { text } from 'node:stream/consumers'
import { closeServer, listenLocally } from '../../src/cli/webhook-tools/local-server.ts'
import { createBooks } from '../cli/simulate/sample-books.ts'
import { openDaemon, type TestDaemon } from '../support/daemon.ts'
import { newFolder } from '../support/folders.ts'
import { runCommand } from '../support/run-command.ts'
import { assert, suite } from '../support/suite.ts'

const test = suite('commands/simulate database', {}, 120_000)

let daemon: TestDaemon

test.before(async () => {
  daemon = await openDaemon({ db: null })
})

test.after(() => daemon?.stop())

const folder = newFolder()
const SQL = 'select customer, month, paid, refunded, access -- the books\nfrom books order by customer'

/** Simulates with an app that stores its books in an SQLite file, and reconciles the rows of a query. */
async function reconcileDatabase(name: string, sql: string) {
  const [file, query] = [join(folder, `${name}.sqlite`), join(folder, `${name}.sql`)]
  writeFileSync(query, sql)
  const database = new DatabaseSync(file)
  database.exec('create table books (customer, month, paid, refunded, credit, tax, access)')
  const insert = database.prepare('insert into books values (?, ?, ?, ?, ?, ?, ?)')
  const books = createBooks('')
  const server = createServer(async (request, response) => {
    books.book(JSON.parse(await text(request)))
    database.exec('begin; delete from books')
    for (const line of books.print().trim().split('\n').slice(1)) {
      const [customer = '', month = '', ...values] = line.split(',')
      insert.run(customer, month, ...values.map((value) => (/^-?\d+$/.test(value) ? Number(value) : value)))
    }
    database.exec('commit')
    response.end()
  })
  const flags = ['--forward-to', String(await listenLocally(server)), '--database', file, '--query', query]
  const args = ['simulate', '--customers', '8', '--months', '2', '--seed', '7', ...flags]
  const ended = await runCommand(args, { PAYCLI_HOME: daemon.home })
  await closeServer(server)
  database.close()
  return ended
}

test('reconciles the rows of a query', async () => {
  const correct = await reconcileDatabase('correct', SQL)
  assert.is(correct.code, 0, correct.stderr)
  const { columns, customers, differing } = JSON.parse(correct.stdout).reconciliation
  assert.equal([columns, customers, differing], [['paid', 'refunded', 'access'], 8, 0])
  const wrong = await reconcileDatabase('wrong', SQL.replace('paid', 'paid + 1 as paid'))
  assert.is(wrong.code, 8, wrong.stderr)
})

test('rejects a query that fails or has other columns before the simulation', async () => {
  const failed = await reconcileDatabase('failed', 'select * from orders')
  assert.is(failed.code, 2)
  assert.match(failed.stderr, 'no such table: orders')
  const other = await reconcileDatabase('other', "select 'cus_1' as customer, 5 as paid")
  assert.is(other.code, 2)
  assert.match(
    other.stderr,
    "The accounting records of the app are not valid in line 1: the column 'month' is missing",
  )
})

test.run()
