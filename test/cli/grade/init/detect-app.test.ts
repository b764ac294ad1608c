import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { detectApp } from '../../../../src/cli/grade/init/detect-app.ts'
import { newFolder } from '../../../support/folders.ts'
import { assert, suite } from '../../../support/suite.ts'

const test = suite('cli/grade/detect-app')

/** Returns a folder with files of the given texts. */
function folderWith(files: Readonly<Record<string, string>>): string {
  const folder = newFolder()
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
  return folder
}

test('detects an Express app, its SQLite file and its routes', () => {
  const folder = folderWith({
    'package.json': '{"dependencies":{"express":"^5.0.0"}}',
    'shop.sqlite': '',
    'src/app.js': `app.post('/hooks/pay', a); app.get('/access/:userId', b); app.get("/paid", c); app.get('/books/:id', d)`,
    'node_modules/x/index.js': `app.post('/webhooks')`,
    'test/app.test.js': `post('/webhook')`,
  })
  assert.equal(detectApp(folder, {}), {
    ...{ framework: 'Express', database: 'shop.sqlite', webhookPaths: ['/hooks/pay'] },
    ...{ access: ['/access/{user}'], paid: ['/paid?customer={customer}', '/books/{customer}'] },
  })
})

test('detects a Next.js app by its route files, and names DATABASE_URL without its value', () => {
  const folder = folderWith({
    'package.json': '{"dependencies":{"next":"15.0.0","express":"5.0.0"}}',
    '.env': 'DATABASE_URL=postgres://me:s3cret@localhost/shop',
    'prisma/dev.db': '',
    'src/app/(shop)/api/webhooks/route.ts': 'export async function POST() {}',
    'src/app/api/access/[customer]/route.ts': '',
  })
  assert.equal(detectApp(folder, {}), {
    ...{ framework: 'Next.js', database: '$DATABASE_URL', webhookPaths: ['/api/webhooks'] },
    ...{ access: ['/api/access/{customer}'], paid: [] },
  })
})

for (const [name, text, framework] of [
  ['requirements.txt', 'Flask==3.0.0\npsycopg', 'Flask'],
  ['pyproject.toml', 'dependencies = ["fastapi>=0.110"]', 'FastAPI'],
] as const) {
  test(`detects ${framework} in ${name}, and no database when there are several files`, () => {
    const code = `@app.post("/webhooks/paycli")\n@app.get("/access/<string:customer>")`
    const folder = folderWith({ [name]: text, 'app.py': code, 'a.db': '', 'b.sqlite3': '' })
    const { framework: found, database, webhookPaths, access } = detectApp(folder, {})
    assert.equal([found, database, webhookPaths], [framework, null, ['/webhooks/paycli']])
    assert.equal(access, ['/access/{customer}'])
    assert.is(detectApp(folder, { DATABASE_URL: 'postgres://localhost/x' }).database, '$DATABASE_URL')
  })
}

test('detects Flask by an import, and a route that receives events by POST', () => {
  const code = `import os\nfrom flask import Flask\n@app.post("/paycli/events")\n@app.get("/events")\n@app.post("/buy")`
  const { framework, webhookPaths } = detectApp(folderWith({ 'shop.py': code }), {})
  assert.equal([framework, webhookPaths], ['Flask', ['/paycli/events']])
})

test('detects nothing in an empty folder', () => {
  const nothing = { framework: null, database: null, webhookPaths: [], access: [], paid: [] }
  assert.equal(detectApp(newFolder(), {}), nothing)
})

test.run()
