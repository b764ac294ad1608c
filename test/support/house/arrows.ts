import { importsOf, layers, lineAt, resolveImport, type SourceFile } from './source.ts'

/** Which room may import which; the same room is always allowed. `types` after a room allows `import type` only. */
const ARROWS: Record<string, readonly string[]> = {
  domain: [],
  store: ['domain'],
  engine: ['domain', 'store'],
  api: ['domain', 'store types', 'engine'],
  webhooks: ['domain', 'store'],
  pages: ['domain', 'api', 'engine'],
  daemon: ['domain', 'store', 'engine', 'api', 'webhooks', 'pages'],
  client: ['domain', 'api'],
  cli: ['domain', 'api', 'client'],
  tui: ['domain', 'client'],
  commands: ['cli', 'client', 'api'],
}

/** What starts something: what one file may import beyond its room. */
const EXTRA_ARROWS: Record<string, readonly string[]> = {
  'src/cli/service/own-file.ts': ['store'],
  'src/cli/serve/detached.ts': ['store'],
  'commands/serve.ts': ['daemon'],
  'commands/doctor.ts': ['daemon'],
  'commands/state/diff.ts': ['daemon'],
  'commands/state/list.ts': ['daemon'],
  'commands/state/copy.ts': ['daemon'],
  'commands/state/restore.ts': ['daemon'],
  'commands/state/save.ts': ['daemon'],
  'commands/exec.ts': ['daemon'],
  'commands/events/tail.ts': ['daemon'],
  'commands/webhooks/listen.ts': ['tui', 'daemon'],
  'src/cli/listen/delivery-process-main.ts': ['webhooks', 'daemon'],
  'commands/webhooks/sign.ts': ['webhooks', 'daemon'],
  'commands/webhooks/verify.ts': ['webhooks', 'daemon'],
  'commands/webhooks/check.ts': ['webhooks', 'daemon'],
}

/** Pure libraries the domain may import; nothing else, and no builtin. */
const DOMAIN_PACKAGES: readonly string[] = []

/** The room of a path: the folder below src, `commands`, or undefined for a path outside the house. */
function roomOf(path: string): string | undefined {
  const [top, room, file] = path.split('/')
  if (top === 'commands' && room !== undefined) return 'commands'
  return top === 'src' && file !== undefined && room !== undefined ? room : undefined
}

function problemsOf(file: SourceFile, room: string): string[] {
  const allowed = [room, ...(ARROWS[room] ?? []), ...(EXTRA_ARROWS[file.path] ?? [])]
  const problems: string[] = []
  for (const { specifier, typeOnly, line } of importsOf(file)) {
    const where = `${file.path}:${line} imports '${specifier}'`
    const path = resolveImport(file.path, specifier)
    const target = path === undefined ? undefined : roomOf(path)
    const asType = allowed.includes(`${target} types`)
    if (path === undefined) {
      const isFree = room !== 'domain' || DOMAIN_PACKAGES.includes(specifier)
      if (!isFree) problems.push(`${where}: domain may import no package and no builtin`)
    } else if (target === undefined) {
      problems.push(`${where}, which is outside src and commands`)
    } else if (!allowed.includes(target) && !(typeOnly && asType)) {
      problems.push(`${where}: ${room} may not import ${target}${asType ? ', except by import type' : ''}`)
    }
  }
  return problems
}

/** What npm installs hands over to the compiled sources and needs no test. */
function binProblems(file: SourceFile): string[] {
  return importsOf(file)
    .filter(({ specifier }) => /^(?:dist\/)?test\//.test(resolveImport(file.path, specifier) ?? ''))
    .map(({ specifier, line }) => `${file.path}:${line} imports '${specifier}': only tests may import tests`)
}

/** Finds imports that the table of arrows forbids, files in no room, and import() of what is no literal. */
export function arrows(files: SourceFile[]): string[] {
  return files
    .filter(({ path }) => !path.startsWith('test/'))
    .flatMap((file) => {
      if (file.path.startsWith('bin/')) return binProblems(file)
      const room = roomOf(file.path)
      if (room === undefined || !(room in ARROWS))
        return [`${file.path} is in no room of the table of arrows`]
      const { code } = layers(file)
      const dynamic = [...code.matchAll(/\bimport\s*\(\s*(?!['"\s])/g)].map(
        ({ index }) => `${file.path}:${lineAt(code, index)} calls import() with something that is no literal`,
      )
      return [...problemsOf(file, room), ...dynamic]
    })
}

type Graph = Map<string, Set<string>>

function addEdge(graph: Graph, from: string, to: string): void {
  if (from !== to) graph.set(from, (graph.get(from) ?? new Set()).add(to))
}

/** One path per cycle met by walking the graph depth first, each ending where it began. */
function cyclesOf(graph: Graph): string[] {
  const done = new Set<string>()
  const found: string[] = []
  const walk = (node: string, path: string[]) => {
    const start = path.indexOf(node)
    if (start !== -1) {
      found.push([...path.slice(start), node].join(' → '))
      return
    }
    if (done.has(node)) return
    for (const next of graph.get(node) ?? []) walk(next, [...path, node])
    done.add(node)
  }
  for (const node of graph.keys()) walk(node, [])
  return found
}

/** Finds import cycles between rooms and between files; importing only types counts. */
export function cycles(files: SourceFile[]): string[] {
  const rooms: Graph = new Map()
  const modules: Graph = new Map()
  for (const file of files) {
    for (const { specifier } of importsOf(file)) {
      const path = resolveImport(file.path, specifier)
      if (path === undefined) continue
      addEdge(modules, file.path, path)
      const [from, to] = [roomOf(file.path), roomOf(path)]
      if (from !== undefined && to !== undefined) addEdge(rooms, from, to)
    }
  }
  return [
    ...cyclesOf(rooms).map((cycle) => `rooms import each other: ${cycle}`),
    ...cyclesOf(modules).map((cycle) => `files import each other: ${cycle}`),
  ]
}
