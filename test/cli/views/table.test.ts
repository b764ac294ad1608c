import { formatTable, joinCellsIntoLines, type TextColumn } from '../../../src/cli/views/table.ts'
import { getDisplayWidth } from '../../../src/domain/text/display-width.ts'
import { assert, suite } from '../../support/suite.ts'

const test = suite('cli/table')

const PAYMENT = 'py_uJGQpwTrWXqJ7xvA7eQr4ae0'
const CUSTOMER = 'cus_tzkAodq53jJxIKkLOuG4QRqL'

function column(heading: string, texts: readonly string[], isRightAligned = false): TextColumn {
  return { heading, isRightAligned, cells: texts.map((text) => ({ text, paint: (shown) => shown })) }
}

function linesAt(width: number, columns: readonly TextColumn[]): readonly string[] {
  return formatTable(columns, { bold: (text) => text, width }).lines
}

const COLUMNS = [
  column('id', [PAYMENT]),
  column('status', ['succeeded']),
  column('amount', ['46.75 EUR'], true),
  column('why', ['-']),
  column('created', ['3 min ago']),
  column('customer', [CUSTOMER]),
]

test('shows complete values when they fit', () => {
  const { lines, isWhole } = formatTable(COLUMNS, { bold: (text) => `*${text}*`, width: 100 })
  assert.equal(lines, [
    '*id                           status        amount  why  created    customer*',
    `${PAYMENT}  succeeded  46.75 EUR  -    3 min ago  ${CUSTOMER}`,
  ])
  assert.ok(isWhole)
})

for (const [what, width, row] of [
  [
    'shortens the ids of other objects first',
    80,
    `${PAYMENT}  succeeded  46.75 EUR  -    3 min ago  cus_…QRqL`,
  ],
  [
    'omits the last column when short ids are not enough',
    70,
    `${PAYMENT}  succeeded  46.75 EUR  -    3 min ago`,
  ],
  [
    'shortens the ids of the rows rather than show fewer than five columns',
    60,
    'py_…4ae0  succeeded  46.75 EUR  -    3 min ago  cus_…QRqL',
  ],
  ['omits further columns when one is not enough', 45, 'py_…4ae0  succeeded  46.75 EUR  -'],
] as const) {
  test(what, () => assert.is(linesAt(width, COLUMNS)[1], row))
}

test('cuts the widest cells when shortened ids are not enough, and reports that the table is incomplete', () => {
  const columns = [
    column('id', [PAYMENT]),
    column('url', [`http://a.test/${'x'.repeat(80)}`]),
    column('on', ['*']),
  ]
  const { lines, isWhole } = formatTable(columns, { bold: (text) => text, width: 40 })
  assert.equal(lines, [
    'id        url                         on',
    `py_…4ae0  http://a.test/${'x'.repeat(11)}…  *`,
  ])
  assert.not.ok(isWhole)
})

test('omits a column when its cells would be cut beyond recognition', () => {
  const columns = [
    column('id', [PAYMENT]),
    column('status', ['enabled']),
    column('url', [`http://127.0.0.1:3000/${'x'.repeat(80)}`]),
    column('events', ['refund.*, payment.failed']),
  ]
  assert.is(linesAt(60, columns)[1], `py_…4ae0  enabled  http://127.0.0.1:3000/${'x'.repeat(18)}…`)
})

test('cuts the first column, which identifies the row, only after the other columns', () => {
  const columns = [
    column('api base', ['http://127.0.0.1:14730']),
    column('database', ['/tmp/database.sqlite']),
    column('pid', ['26611']),
    column('use', ['by default']),
  ]
  assert.is(linesAt(60, columns)[1], 'http://127.0.0.1:14730  /tmp/database.sqlite  26611')
  const [, row] = linesAt(40, [column('name', ['n'.repeat(60)]), column('saved', ['now'])])
  assert.is(row, `${'n'.repeat(32)}…  now`)
})

test('never exceeds the width, and keeps the heading above its column', () => {
  const columns = [
    ...COLUMNS,
    column('name', ['山田 太郎 株式会社']),
    column('url', [`http://a.test/${'x'.repeat(80)}`]),
  ]
  for (let width = 14; width < 200; width += 1) {
    for (const line of linesAt(width, columns)) assert.ok(getDisplayWidth(line) <= width, `${width}: ${line}`)
  }
})

test('aligns columns with wide characters', () => {
  const rows = linesAt(80, [column('name', ['山田', 'Ada']), column('on', ['a', 'b'])])
  assert.equal(rows, ['name  on', '山田  a', 'Ada   b'])
})

test('formats a table of 200,000 rows', () => {
  const ids = Array.from({ length: 200_000 }, (_, index) => `row ${index}`)
  assert.is(linesAt(80, [column('id', ids)]).length, 200_001)
})

test('wraps styled cells by their width without the style', () => {
  const cells = ['ab', 'cd', 'ef'].map((text) => ({ text, paint: (shown: string) => `<${shown}>` }))
  assert.equal(joinCellsIntoLines(cells, ' · ', 7), ['<ab> · <cd>', '<ef>'])
})

test.run()
