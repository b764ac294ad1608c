import { type Canary, file } from './canary.ts'
import type { SourceFile } from './source.ts'
import { commentShare, names, promises, sentences, sizes, suites } from './words.ts'

const DOCUMENTED = file(
  'src/domain/money.ts',
  '/** Adds two amounts in minor units. */',
  'export function add(a: number, b: number): number',
  'export function add(a: bigint, b: bigint): bigint',
  'export type Money = { amount: number }',
  '/**',
  ' * The most one payment may be, in minor units.',
  ' */',
  'export const MOST = 99_999_999',
)

const UNDOCUMENTED = file(
  'src/domain/money.ts',
  '// not a doc comment',
  'export function add() {}',
  '/** Too far away. */',
  '',
  'export const MOST = 1',
  '/** Of something else. */',
  'const inner = 2',
  'export async function later() {}',
  'function listed() {}',
  'export { listed }',
  'export class Refusal {}',
)

function lines(count: number, comments: number): SourceFile {
  const each = (index: number) => (index < comments ? '  // why' : 'work()')
  return file('src/engine/commit.ts', ...Array.from({ length: count }, (_, index) => each(index)), '', ' ')
}

/** What the rules about sizes, names, comments and suites must find and leave alone. */
export const WORD_CANARIES: Canary[] = [
  {
    rule: 'files are short',
    finds: sizes([lines(298, 9), lines(299, 9)]),
    says: [/ has 301 lines, the most is 300/],
  },
  {
    rule: 'names say something',
    finds: names([
      file('src/api/string-utils.ts', 'a'),
      file('src/common/a.ts', 'a'),
      file('src/api/fooBar.ts', 'a'),
    ]),
    says: [/'utils' says nothing/, /'common' says nothing/, /fooBar\.ts is not kebab-case/],
  },
  {
    rule: 'no barrels',
    finds: names([
      file('src/domain/all.ts', "export * from './a.ts' // everything", "export type { B } from './b.ts'"),
      file('src/api/index.ts', "export { customers } from './customers.ts'"),
      file('src/domain/mixed.ts', "export * from './a.ts'", 'export const a = 1'),
    ]),
    says: [/^src\/domain\/all\.ts only passes on/],
  },
  { rule: 'enough is said', finds: commentShare([lines(100, 3)]), says: [/^3 of 100 lines .* 3\.0 %/] },
  {
    rule: 'not too much is said',
    finds: commentShare([lines(100, 13)]),
    says: [/^13 of 100 lines .* 13\.0 %/],
  },
  { rule: 'the right share is not minded', finds: commentShare([lines(100, 4), lines(100, 12)]), says: [] },
  {
    rule: 'nothing is put off',
    finds: promises([
      file('test/a.ts', "const said = 'TODO'", 'work() // FIXME later', '/* one', ' TODO */'),
    ]),
    says: [/^test\/a\.ts:2 says FIXME/, /^test\/a\.ts:4 says TODO/],
  },
  {
    rule: 'exports carry a sentence',
    finds: sentences([UNDOCUMENTED]),
    says: [
      /:2 exports add /,
      /:5 exports MOST /,
      /:8 exports later /,
      /:11 exports Refusal /,
      /:9 exports listed /,
    ],
  },
  { rule: 'a sentence is enough', finds: sentences([DOCUMENTED]), says: [] },
  {
    rule: 'suites run',
    finds: suites([
      file(
        'test/a.test.ts',
        "const test = suite('a')",
        "const b = suite<{ a: 1 }>('b')",
        '// test.run()',
        'b.run()',
      ),
      file('test/b.test.ts', "suite('b')('c', () => {})"),
      file('test/c.test.ts', "import { test } from 'uvu'", "test.only('d', e)"),
    ]),
    says: [
      /^test\/a\.test\.ts .* never calls test\.run\(\)/,
      /^test\/b\.test\.ts makes a suite without keeping it/,
      /^test\/c\.test\.ts:1 imports 'uvu'/,
      /^test\/c\.test\.ts:2 leaves every other test out/,
    ],
  },
]
