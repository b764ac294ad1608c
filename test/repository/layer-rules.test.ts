import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { ROOT } from '../support/root.ts'
import { assert, suite } from '../support/suite.ts'

const test = suite('repository/layer-rules')

interface Override {
  readonly includes: readonly string[]
  readonly linter: {
    readonly rules?: { readonly style?: { readonly noRestrictedImports?: RestrictedImports } }
  }
}
interface RestrictedImports {
  readonly options: { readonly patterns: readonly { readonly group: readonly string[] }[] }
}

const { overrides } = JSON.parse(readFileSync(join(ROOT, 'biome.json'), 'utf8')) as {
  overrides: readonly Override[]
}

/** Returns the paths that a glob with `{a,b}` matches, with `x` in place of each star. */
function expand(glob: string): string[] {
  const braces = /\{([^}]*)\}/.exec(glob)
  if (braces?.[1] !== undefined)
    return braces[1].split(',').flatMap((word) => expand(glob.replace(braces[0], word)))
  return [
    glob
      .replace(/^\*\*\//, '../')
      .replaceAll('**', 'x.ts')
      .replaceAll('*', 's'),
  ]
}

/** Returns the import specifiers that the groups of an override forbid. */
function forbiddenBy({ linter }: Override): string[] {
  const groups = linter.rules?.style?.noRestrictedImports?.options.patterns ?? []
  return groups.flatMap(({ group }) => {
    const isAllowList = group[0] === '**'
    const globs = group.filter((glob) => glob !== '**' && !glob.startsWith('!'))
    return [...(isAllowList ? ['left-pad'] : []), ...globs.flatMap(expand)]
  })
}

/** Runs the project's linter on one file per override and returns the lines of its diagnostics. */
function lint(samples: ReadonlyMap<string, readonly string[]>): Map<string, Set<string>> {
  const folder = mkdtempSync(join(tmpdir(), 'paycli-layers-'))
  try {
    cpSync(join(ROOT, 'biome.json'), join(folder, 'biome.json'))
    for (const [path, specifiers] of samples) {
      mkdirSync(dirname(join(folder, path)), { recursive: true })
      writeFileSync(join(folder, path), specifiers.map((name) => `import '${name}'\n`).join(''))
    }
    const biome = join(ROOT, 'node_modules', '@biomejs', 'biome', 'bin', 'biome')
    const args = [
      biome,
      'lint',
      '--only=style/noRestrictedImports',
      '--reporter=json',
      '--max-diagnostics=none',
    ]
    const { stdout, stderr } = spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8' })
    assert.ok(stdout.includes('"diagnostics"'), stderr)
    return diagnosticsOf(stdout)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

interface Report {
  readonly diagnostics: readonly {
    readonly location: { readonly path: string; readonly start: { readonly line: number } }
  }[]
}

function diagnosticsOf(stdout: string): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>()
  for (const { location } of (JSON.parse(stdout) as Report).diagnostics) {
    const lines = found.get(location.path) ?? new Set()
    found.set(location.path, lines.add(String(location.start.line)))
  }
  return found
}

test('reports every forbidden import of every layer', () => {
  const restricted = overrides.filter(({ linter }) => linter.rules?.style?.noRestrictedImports)
  const samples = new Map(
    restricted.flatMap((override) =>
      override.includes
        .filter((glob) => !glob.startsWith('!'))
        .map((glob): [string, string[]] => [glob.replace('**', 'sample.ts'), forbiddenBy(override)]),
    ),
  )
  assert.ok(samples.size > 12, `${samples.size} layers`)
  const found = lint(samples)
  for (const [path, specifiers] of samples) {
    const missed = specifiers.filter((_, index) => !found.get(path)?.has(String(index + 1)))
    assert.equal(missed, [], `${path} may import what it should not`)
  }
})

test('accepts imports of the same layer and of Node.js', () => {
  const samples = new Map([
    [
      'src/store/port/sample.ts',
      ['./store.ts', '../../domain/core/money.ts', 'node:fs', 'node:fs/promises', 'lowdb'],
    ],
    ['src/api/core/sample.ts', ['../../store/port/store.ts', '../../engine/commit.ts', 'ajv/dist/2020.js']],
    ['commands/customers/sample.ts', ['../../src/cli/command/base-command.ts', '@oclif/core']],
  ])
  assert.equal([...lint(samples).keys()], [])
})

test.run()
