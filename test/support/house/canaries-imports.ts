import { arrows, cycles } from './arrows.ts'
import { type Canary, file } from './canary.ts'
import { doors } from './doors.ts'
import type { SourceFile } from './source.ts'

function one(check: (files: SourceFile[]) => string[], path: string, line: string): string[] {
  return check([file(path, line)])
}

/** A door, a file beside it and one line that goes past it. */
const PAST_THE_DOOR: [door: string, path: string, line: string][] = [
  ['lowdb', 'src/store/memory/memory.ts', "import { Low } from 'lowdb'"],
  ['lowdb subpath', 'src/daemon/start.ts', "const { JSONFile } = await import('lowdb/node')"],
  ['PostgreSQL', 'src/store/postgres/postgres.ts', "import pg from 'pg'"],
  ['ajv', 'src/api/core/operation.ts', "import type { JSONSchemaType } from 'ajv/dist/2020.js'"],
  ['spelling', 'src/cli/output/output.ts', "import { distance } from 'fastest-levenshtein'"],
  ['koa', 'src/api/core/execute.ts', "import type { Context } from 'koa'"],
  ['router', 'src/pages/checkout.ts', "import Router from '@koa/router'"],
  ['ink', 'commands/webhooks/listen.ts', "import { render } from 'ink'"],
  ['react', 'src/cli/output/output.ts', "import * as React from 'react'"],
  ['open', 'commands/open.ts', "import open from 'open'"],
  ['oclif', 'src/client/client.ts', "import { Command } from '@oclif/core/command'"],
  ['unknown package', 'src/engine/commit.ts', "import { debounce } from 'lodash'"],
  ['unknown package by require', 'src/engine/commit.ts', "const left = require('left-pad')"],
  ['wall clock', 'src/engine/commit.ts', 'const at = Date.now()'],
  ['wall clock passed on', 'src/engine/commit.ts', 'const clock = Date.now'],
  ['wall clock by new', 'commands/serve.ts', 'const at = new Date( )'],
  ['wall clock without parentheses', 'src/cli/output/output.ts', 'const at = new Date'],
  ['monotonic clock', 'src/engine/commit.ts', 'const at = performance.now()'],
  ['randomness', 'src/domain/money.ts', 'const id = Math.random()'],
  ['random bytes', 'src/webhooks/sign.ts', 'const id = randomBytes(16)'],
  ['random uuid', 'src/daemon/app.ts', 'const id = crypto.randomUUID()'],
  ['timer', 'src/daemon/start.ts', 'setTimeout(work, 9)'],
  ['timer of the world', 'src/daemon/start.ts', 'globalThis.setInterval(work, 9)'],
  ['timer passed on', 'src/webhooks/worker.ts', 'const later = { wait: setImmediate }'],
  ['timer module', 'src/webhooks/worker.ts', "import * as timers from 'node:timers/promises'"],
  ['fetch', 'src/cli/service/service-discovery.ts', 'await fetch(url)'],
  ['undici', 'src/webhooks/worker.ts', "import { request } from 'undici'"],
  ['node:https', 'src/daemon/app.ts', "import https from 'node:https'"],
  ['node:http for a client', 'src/daemon/app.ts', 'http.request(url)'],
  ['node:http', 'src/cli/service/service-discovery.ts', "const http = process.getBuiltinModule('node:http')"],
  ['server', 'src/client/stream.ts', 'createServer()'],
  ['stdout', 'commands/events/list.ts', 'process.stdout.write(text)'],
  ['console', 'src/daemon/log.ts', 'console.error(text)'],
]

/** Lines no door may mind, in a file that is beside every door. */
const NOT_A_DOOR = file(
  'src/engine/commit.ts',
  "// console.log(Date.now()), import x from 'lodash'",
  "const said = 'call fetch(url) or new Date() or Math.random()'",
  // biome-ignore lint/suspicious/noTemplateCurlyInString: this is the text of a template
  'const page = `setTimeout( ${nested(`import "koa"`, { a: 1 })} new Date()`',
  'const pattern = /console.log("[/\'"]/.test(said) && 4 / 2 / 1',
  'const at = new Date(seconds * 1000)',
  'let timer: ReturnType<typeof setTimeout>',
  'socket.setTimeout(9); repository.fetch(id)',
  "import { createHash } from 'node:crypto'",
)

/** What the rules about arrows and circles must find and leave alone. */
export const ARROW_CANARIES: Canary[] = [
  {
    rule: 'arrows follow the table',
    finds: arrows([
      file(
        'src/domain/a.ts',
        "import { b } from '../store/b.ts'",
        "import 'node:fs'",
        "import d from 'dinero.js'",
      ),
      file('src/pages/a.ts', "import type { S } from '../store/store.ts'"),
      file('src/client/a.ts', 'const x = 1', "export { y } from '../../test/support/root.ts'"),
      file('commands/serve.ts', "import { listen } from '../src/tui/screen.ts'"),
      file(
        'commands/customers/create.ts',
        "const d = await import('../../src/daemon/start.ts')",
        'import(name)',
      ),
    ]),
    says: [
      /^src\/domain\/a\.ts:1 imports .*: domain may not import store$/,
      /^src\/domain\/a\.ts:2 imports 'node:fs': domain may import no package/,
      /^src\/domain\/a\.ts:3 imports 'dinero\.js'/,
      /^src\/pages\/a\.ts:1 .* pages may not import store$/,
      /^src\/client\/a\.ts:2 .* outside src and commands$/,
      /^commands\/serve\.ts:1 .* commands may not import tui$/,
      /^commands\/customers\/create\.ts:1 .* commands may not import daemon$/,
      /^commands\/customers\/create\.ts:2 calls import\(\)/,
    ],
  },
  {
    rule: 'api takes types of the store only',
    finds: arrows([
      file(
        'src/api/a.ts',
        "import type { Store } from '../store/store.ts'",
        "import { open } from '../store/open.ts'",
      ),
    ]),
    says: [/^src\/api\/a\.ts:2 .* api may not import store, except by import type$/],
  },
  {
    rule: 'every source is in a room',
    finds: [...one(arrows, 'src/index.ts', ''), ...one(arrows, 'src/shared/a.ts', '')],
    says: [/^src\/index\.ts is in no room/, /^src\/shared\/a\.ts is in no room/],
  },
  {
    rule: 'only tests import tests',
    finds: one(arrows, 'bin/run.js', "import '../dist/test/support/root.js'"),
    says: [/only tests may import tests/],
  },
  {
    rule: 'allowed arrows are not minded',
    finds: arrows([
      file('src/engine/a.ts', "import { a } from './b.ts'", "import type { S } from '../store/store.ts'"),
      file('commands/serve.ts', "import { start } from '../src/daemon/start.ts'"),
      file('commands/webhooks/listen.ts', "const { show } = await import('../../src/tui/screen.ts')"),
      file('bin/run.js', "import { execute } from '@oclif/core'"),
    ]),
    says: [],
  },
  {
    rule: 'neither rooms nor files import in a circle',
    finds: cycles([
      file('src/api/a.ts', "import '../engine/b.ts'"),
      file('src/engine/b.ts', "import type { C } from './c.ts'"),
      file('src/engine/c.ts', "export * from '../api/d.ts'"),
      file('src/domain/x.ts', "import { y } from './y.ts'"),
      file('src/domain/y.ts', "import type { x } from './x.ts'"),
    ]),
    says: [
      /^rooms .*: api → engine → api$/,
      /^files .*: src\/domain\/x\.ts → src\/domain\/y\.ts → src\/domain\/x\.ts$/,
    ],
  },
]

/** What the rule about doors must find and leave alone. */
export const DOOR_CANARIES: Canary[] = [
  ...PAST_THE_DOOR.map(([door, path, line]) => ({
    rule: `door of ${door}`,
    finds: one(doors, path, line),
    says: [new RegExp(`^${path}:1 .*${door.startsWith('unknown') ? 'has no door' : 'whose only door is'}`)],
  })),
  { rule: 'doors mind code only', finds: doors([NOT_A_DOOR]), says: [] },
  {
    rule: 'doors are open to their own',
    finds: [
      ...one(doors, 'src/store/lowdb-journal.ts', "import 'lowdb'"),
      ...one(doors, 'src/daemon/clock.ts', 'new Date(); Date.now()'),
      ...one(doors, 'test/support/suite.ts', "import 'uvu'; setTimeout(f)"),
    ],
    says: [],
  },
]
