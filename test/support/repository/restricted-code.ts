import { layers, lineAt } from './code-text.ts'
import type { SourceFile } from './source-files.ts'

/** A language or Node.js feature that only a few files may use. Biome restricts imports; it cannot restrict these. */
type Restriction = {
  feature: string
  pattern: RegExp
  /** The reason, and the replacement in other files. */
  reason: string
  /** The files that may use the feature, and folders, which end with a slash. */
  allowed: readonly string[]
}

const RESTRICTIONS: readonly Restriction[] = [
  {
    feature: 'wall clock',
    pattern: /\bDate\.now\b|\bnew Date\b(?!\s*\(\s*[^)\s])|\bTemporal\.Now\b/,
    reason: 'tests move the clock, so take the time as a parameter',
    allowed: ['src/daemon/system/clock.ts', 'src/dashboard/data/'],
  },
  {
    feature: 'monotonic clock',
    pattern: /\bperformance\.(?:now|timeOrigin)\b|\bhrtime\b/,
    reason: 'tests move the clock, so take the time as a parameter',
    allowed: ['src/daemon/', 'src/dashboard/'],
  },
  {
    feature: 'randomness',
    pattern: /\bMath\.random\b|\b(?:randomBytes|randomFill(?:Sync)?|randomInt|randomUUID|getRandomValues)\b/,
    reason: '`serve --deterministic` repeats a run, so take ids and random bytes as a parameter',
    allowed: [
      'src/daemon/system/ids.ts',
      'src/client/idempotency-key.ts',
      'src/client/server-proof.ts',
      'src/dashboard/data/api-client.ts',
    ],
  },
  {
    feature: 'timer',
    pattern:
      /(?<!\btypeof |\w|(?<!globalThis)\.)set(?:Timeout|Interval|Immediate)\b|\bAbortSignal\.timeout\b/,
    reason: 'tests fire the timers, so use the injected scheduler',
    allowed: [
      'src/daemon/system/task-scheduling.ts',
      'src/webhooks/exchange.ts',
      'src/client/',
      'src/pages/browser/',
      'src/dashboard/',
    ],
  },
  {
    feature: 'outbound HTTP',
    pattern:
      /(?<![\w.]|function )fetch\s*\(|\bglobalThis\.fetch\b|\bhttps?\.(?:request|get)\b|\b(?:net|tls)\.connect\b/,
    reason: 'only the webhook sender, which checks addresses, and the client may connect',
    allowed: ['src/webhooks/send.ts', 'src/client/', 'src/pages/browser/', 'src/dashboard/data/'],
  },
  {
    feature: 'HTTP server',
    pattern: /\bcreateServer\b|\bnew (?:http\.)?Server\b/,
    reason: 'a server needs the limits and the host guard of the daemon',
    allowed: [
      'src/daemon/',
      'src/cli/webhook-tools/demo-handler.ts',
      'src/cli/fixtures/recording-proxy.ts',
      'src/cli/explore/run/local-servers.ts',
    ],
  },
  {
    feature: 'standard output',
    pattern: /\bprocess\.stdout\b/,
    reason: 'one module sanitises and prints output',
    allowed: ['src/cli/output/output.ts'],
  },
]

function isAllowed(path: string, { allowed }: Restriction): boolean {
  return allowed.some((place) => (place.endsWith('/') ? path.startsWith(place) : path === place))
}

/** Returns a problem for each use of a restricted feature outside the files that may use it. */
export function restrictedCode(files: SourceFile[]): string[] {
  const product = files.filter(({ path }) => path.startsWith('src/') || path.startsWith('commands/'))
  return product.flatMap((file) => {
    const { code } = layers(file)
    return RESTRICTIONS.filter((restriction) => !isAllowed(file.path, restriction)).flatMap(
      ({ feature, pattern, reason }) =>
        [...code.matchAll(new RegExp(pattern, 'g'))].map(
          ({ index, 0: use }) =>
            `${file.path}:${lineAt(code, index)} uses ${use.trim()} (${feature}): ${reason}`,
        ),
    )
  })
}
