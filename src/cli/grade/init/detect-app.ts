import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { parseEnv } from 'node:util'

/** The names of frameworks by package. The first package that an app uses counts. */
const FRAMEWORKS: Readonly<Record<string, string>> = {
  ...{ next: 'Next.js', '@nestjs/core': 'NestJS', '@remix-run/node': 'Remix', '@sveltejs/kit': 'SvelteKit' },
  ...{ fastify: 'Fastify', hono: 'Hono', koa: 'Koa', express: 'Express' },
  ...{ fastapi: 'FastAPI', flask: 'Flask', django: 'Django' },
}
const DATABASE_URL = 'DATABASE_URL'
const SQLITE_FILE = /\.(?:sqlite3?|db)$/
const CODE_FILE = /\.(?:[cm]?[jt]sx?|py)$/
const SKIPPED_FOLDER = /^(?:\..+|node_modules|dist|build|out|coverage|venv|env|__pycache__|tests?)$/
const MAX_FILES = 2000
const MAX_FILE_BYTES = 300_000
/** Matches a path in quotes with parameters such as `:id`, `{id}`, `<int:id>` or `[id]`. */
const ROUTE = /['"`](\/(?:[\w./-]|:\w+|\{\w+\}|<[\w:]+>|\[\w+\])*)['"`]/g
/** Matches the path of a file of Next.js or SvelteKit that handles requests. */
const ROUTE_FILE = /^(?:src\/)?(?:app|pages|routes)\/(.+?)(?:\/(?:route|\+server))?\.[jt]s$/
/** Matches the start of a route for POST requests, before its path. */
const POST = /\bpost\(\s*$/
const MAX_START = 20
const POSTED_EVENTS = /\/(?:events?|paycli)$/i
/** Matches an import in Python code. */
const IMPORT = /^\s*(?:from|import)\s+(\w+)/gm
const WEBHOOK = /(?:^|[/_-])(?:web)?hooks?(?:$|[/_-])/i
const FIELD_ROUTES = {
  access: /\/(?:has-?)?(?:access|entitlements?|membership|is-?active)(?:$|\/)/i,
  paid: /\/(?:paid|balance|books|revenue|total-?paid)(?:$|\/)/i,
} as const

/** The properties of an app that its files show. */
export type DetectedApp = ReturnType<typeof detectApp>

/** Detects the framework, the database and the routes of the app in a folder. The values of `.env` are not read. */
export function detectApp(folder: string, env: NodeJS.ProcessEnv) {
  const files = listFiles(folder)
  const code = files.filter((file) => CODE_FILE.test(file)).map((file) => readCode(folder, file))
  const routes = new Set(code.flatMap((one) => one.routes))
  const find = (pattern: RegExp) => [...routes].filter((route) => pattern.test(route))
  const packages = new Set([...listPackages(folder), ...code.flatMap(({ imports }) => imports)])
  const [, framework = null] = Object.entries(FRAMEWORKS).find(([name]) => packages.has(name)) ?? []
  const variables = existsSync(join(folder, '.env'))
    ? parseEnv(readFileSync(join(folder, '.env'), 'utf8'))
    : {}
  const databases = files.filter((file) => SQLITE_FILE.test(file))
  const isNamed = DATABASE_URL in variables || (env[DATABASE_URL] ?? '') !== ''
  return {
    framework,
    /** The value of `database`; null without a database or with several database files. */
    database: isNamed ? `$${DATABASE_URL}` : databases.length === 1 ? (databases[0] ?? null) : null,
    webhookPaths: [...new Set([...find(WEBHOOK), ...code.flatMap((one) => one.eventPaths)])].filter(
      (route) => !/[:{<[]/.test(route),
    ),
    access: find(FIELD_ROUTES.access).map(toTemplate),
    paid: find(FIELD_ROUTES.paid).map(toTemplate),
  }
}

/** Returns the paths of the files of a folder, without the files of packages, builds and tests. */
function listFiles(folder: string): string[] {
  const found: string[] = []
  const visit = (place: string) => {
    for (const entry of readdirSync(place, { withFileTypes: true })) {
      if (found.length === MAX_FILES) return
      const path = join(place, entry.name)
      if (entry.isDirectory() && !SKIPPED_FOLDER.test(entry.name)) visit(path)
      else if (entry.isFile()) found.push(relative(folder, path))
    }
  }
  visit(folder)
  return found
}

/** Returns the routes of a file of code, the paths to which events may be posted, and the packages that Python imports. */
function readCode(folder: string, file: string) {
  const path = join(folder, file)
  if (statSync(path).size > MAX_FILE_BYTES) return { routes: [], eventPaths: [], imports: [] }
  const [, route] = ROUTE_FILE.exec(file.split(sep).join('/')) ?? []
  const own = route === undefined ? [] : [`/${route.replace(/\([^)]*\)\//g, '')}`]
  const text = readFileSync(path, 'utf8')
  const found = [...text.matchAll(ROUTE)].map(({ 1: name = '', index }) => ({
    ...{ name, isPost: POST.test(text.slice(Math.max(0, index - MAX_START), index)) },
  }))
  return {
    routes: [...own, ...found.map(({ name }) => name)],
    eventPaths: found.flatMap(({ name, isPost }) => (isPost && POSTED_EVENTS.test(name) ? [name] : [])),
    imports: file.endsWith('.py') ? [...text.matchAll(IMPORT)].map(([, name = '']) => name) : [],
  }
}

function listPackages(folder: string): ReadonlySet<string> {
  const read = (name: string) =>
    existsSync(join(folder, name)) ? readFileSync(join(folder, name), 'utf8') : ''
  const words = ['package.json', 'pyproject.toml', 'requirements.txt'].flatMap(
    (name) =>
      read(name)
        .toLowerCase()
        .match(/@?[\w/-]+/g) ?? [],
  )
  return new Set(words)
}

/** Returns a route for the configuration, with placeholders for the customer, the user or the email. */
function toTemplate(route: string): string {
  const path = route.replace(/:(\w+)|\{(\w+)\}|<(?:\w+:)?(\w+)>|\[(\w+)\]/g, (_, ...names: unknown[]) => {
    const name = names.slice(0, 4).find((one) => one !== undefined)
    const [known = 'customer'] = /user|email|customer/i.exec(String(name)) ?? []
    return `{${known.toLowerCase()}}`
  })
  return path.includes('{') ? path : `${path}?customer={customer}`
}
