import { importsOf, isAt, layers, lineAt, type SourceFile } from './source.ts'

type Door = {
  name: string
  /** Modules this door alone may import; a subpath belongs to its package. */
  modules?: readonly string[]
  /** Code this door alone may contain. */
  code?: RegExp
  /** Where the door is: folders end in a slash, `*` stands for part of a file name. */
  at: readonly string[]
}

/** One door each, for src and commands. A package that is in no line may not be imported at all. */
const DOORS: readonly Door[] = [
  { name: 'lowdb', modules: ['lowdb', 'steno'], at: ['src/store/file/lowdb.ts', 'src/store/lowdb-*.ts'] },
  {
    name: 'PostgreSQL',
    modules: ['pg', 'pg-pool', 'pg-protocol'],
    at: ['src/store/postgres/postgres-connection.ts'],
  },
  { name: 'ajv', modules: ['ajv'], at: ['src/api/schema/validate.ts'] },
  { name: 'spelling', modules: ['fastest-levenshtein'], at: ['src/api/schema/spelling.ts'] },
  { name: 'koa', modules: ['koa', '@koa/router', 'koa-bodyparser'], at: ['src/daemon/'] },
  { name: 'ink', modules: ['ink', 'react', '@inkjs/ui'], at: ['src/tui/'] },
  { name: 'open', modules: ['open'], at: ['src/cli/sessions/browser.ts'] },
  { name: 'oclif', modules: ['@oclif/core'], at: ['src/cli/', 'commands/'] },
  {
    name: 'wall clock',
    code: /\bDate\.now\b|\bnew Date\b(?!\s*\(\s*[^)\s])|\bTemporal\.Now\b/,
    at: ['src/daemon/clock.ts'],
  },
  { name: 'monotonic clock', code: /\bperformance\.(?:now|timeOrigin)\b|\bhrtime\b/, at: ['src/daemon/'] },
  {
    name: 'randomness',
    code: /\bMath\.random\b|\b(?:randomBytes|randomFill(?:Sync)?|randomInt|randomUUID|getRandomValues)\b/,
    at: ['src/daemon/ids.ts', 'src/client/idempotency-key.ts'],
  },
  {
    name: 'timers',
    modules: ['node:timers', 'node:timers/promises'],
    code: /(?<!\btypeof |\w|(?<!globalThis)\.)set(?:Timeout|Interval|Immediate)\b|\bAbortSignal\.timeout\b/,
    at: ['src/daemon/ticker.ts', 'src/webhooks/send.ts', 'src/client/'],
  },
  {
    name: 'outbound HTTP',
    modules: ['undici', 'node:https', 'node:http2'],
    code: /(?<![\w.]|function )fetch\s*\(|\bglobalThis\.fetch\b|\bhttps?\.(?:request|get)\b|\b(?:net|tls)\.connect\b/,
    at: ['src/webhooks/send.ts', 'src/client/'],
  },
  {
    name: 'node:http',
    modules: ['node:http'],
    at: [
      'src/daemon/',
      'src/webhooks/send.ts',
      'src/client/',
      'src/cli/webhook-tools/receiver.ts',
      'src/cli/fixtures/recorder.ts',
    ],
  },
  {
    name: 'HTTP server',
    code: /\bcreateServer\b|\bnew (?:http\.)?Server\b/,
    at: ['src/daemon/', 'src/cli/webhook-tools/receiver.ts', 'src/cli/fixtures/recorder.ts'],
  },
  { name: 'stdout', code: /\bprocess\.stdout\b|\bconsole\s*\./, at: ['src/cli/output/output.ts'] },
]

/** The package a specifier belongs to; a builtin is named with its subpath, always with `node:`. */
function packageOf(specifier: string): string {
  if (specifier.startsWith('node:')) return specifier
  const [scope, name] = specifier.split('/')
  return specifier.startsWith('@') ? `${scope}/${name}` : (scope ?? specifier)
}

function isBeside(door: Door, file: SourceFile): boolean {
  return !door.at.some((place) => isAt(file.path, place))
}

function moduleProblems(file: SourceFile): string[] {
  return importsOf(file).flatMap(({ specifier, line }) => {
    if (specifier.startsWith('.')) return []
    const name = packageOf(specifier)
    const door = DOORS.find(({ modules }) => modules?.includes(name))
    if (door && isBeside(door, file)) {
      return [`${file.path}:${line} imports '${specifier}', whose only door is ${door.at.join(', ')}`]
    }
    const known = door || name.startsWith('node:')
    return known
      ? []
      : [`${file.path}:${line} imports '${specifier}', which has no door: add it to DOORS or drop it`]
  })
}

function codeProblems(file: SourceFile): string[] {
  const { code } = layers(file)
  return DOORS.filter((door) => door.code && isBeside(door, file)).flatMap((door) => {
    const uses = code.matchAll(new RegExp(door.code ?? /$^/, 'g'))
    return [...uses].map(
      ({ index, 0: use }) =>
        `${file.path}:${lineAt(code, index)} uses ${use.trim()} (${door.name}), whose only door is ${door.at.join(', ')}`,
    )
  })
}

/** Finds packages and powers (clock, randomness, timers, network, stdout) used beside their one door. */
export function doors(files: SourceFile[]): string[] {
  return files
    .filter(({ path }) => path.startsWith('src/') || path.startsWith('commands/'))
    .flatMap((file) => [...moduleProblems(file), ...codeProblems(file)])
}
