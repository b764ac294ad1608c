// Which test files run once per store, and which ones `--quick` leaves out.
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** A test file that imports this module uses the store of the run. */
export const TEST_STORE = 'support/test-store.js'
const STORED_FOLDERS = ['api/', 'daemon/', 'engine/', 'property/', 'scenarios/']
/** Tests of documents, validation, connections, headers and printing run once: no store decides their result. */
const STORE_INDEPENDENT = [
  'api/core/validate-params',
  'api/openapi/',
  'api/schema/',
  'daemon/http/api-app.limits',
  'daemon/http/document-handler',
  'daemon/http/error-handler.headers',
  'daemon/http/host-guard',
  'daemon/http/http-listener',
  'daemon/locator',
  'daemon/system/log',
  'daemon/http/pages-app',
  'daemon/http/request-body',
  'daemon/streams/stream-routes.limits',
  'scenarios/terminal-width',
]
/** Files that start a process of the product, PostgreSQL or Chromium. */
const PROCESS_STARTS = [
  'commands/paycli.js',
  'commands/serving.js',
  'support/postgres.js',
  'support/chromium.js',
]
/** Other slow tests. */
const THOROUGH = [
  'api/api.cost',
  'api/openapi/',
  'cli/explore/run/',
  'client/index',
  'daemon/http/api-app.fuzz',
  'daemon/http/document-handler',
  'daemon/http/http-listener',
  'daemon/http/routing.access',
  'daemon/locator',
  'domain/text/card-number-masking',
  'guides/',
  'property/',
  'repository/add-a-resource',
  'repository/container',
  'runner',
  'scenarios/every-command',
  'scenarios/isolation/',
  'scenarios/old-node',
  'scenarios/terminal-width',
  'store/file/',
  'store/memory/memory-store',
  'store/salvage/',
  'support/postgres-home',
]

/** Returns whether a compiled file imports one that ends in `target`, directly or through files other than `except`. */
export function imports(file, { target, except }, seen = new Set()) {
  if (file.endsWith(target)) return true
  if (seen.has(file) || !existsSync(file) || (except && file.endsWith(except))) return false
  seen.add(file)
  const paths = readFileSync(file, 'utf8').matchAll(/^(?:import|export) [^']*?'(\.[^']+)';?$/gm)
  return [...paths].some(([, path]) => imports(join(dirname(file), path), { target, except }, seen))
}

/** Returns whether a test runs with each store. A test of servers that share a database opens that database itself. */
export function usesEachStore(name, file) {
  if (name.endsWith('.shared')) return false
  const startsWith = (start) => name.startsWith(start)
  const isStored = STORED_FOLDERS.some(startsWith) && !STORE_INDEPENDENT.some(startsWith)
  return isStored && imports(file, { target: TEST_STORE })
}

/** Returns whether a test starts processes and waits for them. */
export function startsProcess(file) {
  return PROCESS_STARTS.some((target) => imports(file, { target, except: TEST_STORE }))
}

/** Returns whether `--quick` leaves out a test. */
export function isThorough(name, file) {
  return startsProcess(file) || THOROUGH.some((start) => name.startsWith(start))
}
