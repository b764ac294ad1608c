import { parseQuery } from '../../../src/api/schema/query.ts'
import * as p from '../../../src/domain/core/params.ts'
import { assert, suite } from '../../support/suite.ts'

const test = suite('api/query')

const SCHEMA = p.shape(
  {},
  {
    limit: p.integer({ min: 1 }, 'How many.'),
    customer: p.id('Whose.'),
    types: p.list(p.choice(['a', 'b'], 'A type.'), 20, 'Which.'),
    created: p.range('When.'),
    history: p.boolean('Whether.'),
  },
)

/** Columns: query string, parsed parameters. A string in place of a number stays a string, which validation rejects. */
const TABLE = `
                                         {}
  limit=5                                {"limit":5}
  limit=-5                               {"limit":-5}
  limit=05                               {"limit":5}
  limit=5.0                              {"limit":"5.0"}
  limit=0x5                              {"limit":"0x5"}
  limit=1e3                              {"limit":"1e3"}
  limit=%205                             {"limit":" 5"}
  limit=99999999999999999999             {"limit":"99999999999999999999"}
  limit                                  {"limit":""}
  limit=1&limit=2                        {"limit":2}
  customer=5                             {"customer":"5"}
  customer=a+b%26c                       {"customer":"a b&c"}
  types[]=a&types[]=b                    {"types":["a","b"]}
  types%5B%5D=a                          {"types":["a"]}
  types=a                                {"types":"a"}
  types[0]=a                             {"types[0]":"a"}
  created=7                              {"created":{"gte":7,"lte":7}}
  created=soon                           {"created":"soon"}
  created[gte]=7&created[lt]=9           {"created":{"gte":7,"lt":9}}
  created[gte]=x                         {"created":{"gte":"x"}}
  created=soon&created[gte]=7            {"created":"soon"}
  created=7&created[lt]=9                {"created":{"gte":7,"lte":7,"lt":9}}
  types=a&types[]=b                      {"types":"a"}
  customer=a&customer[x]=7               {"customer":"a","customer[x]":"7"}
  created[other]=7                       {"created":{"other":"7"}}
  created[]=7                            {"created":{"":"7"}}
  created[gte][lt]=7                     {"created[gte][lt]":"7"}
  customer[x]=7                          {"customer[x]":"7"}
  history=true&history=false             {"history":false}
  history=1                              {"history":"1"}
  unknown=1                              {"unknown":"1"}
  unknown[x]=1                           {"unknown[x]":"1"}
  [x]=1                                  {"[x]":"1"}
  %F0%9F%92%B6=1                         {"💶":"1"}
`

for (const line of TABLE.split('\n').slice(1, -1)) {
  const [search = '', meaning = ''] = line.slice(2).split(/\s{2,}/)
  test(`parses the query ?${search} as ${meaning}`, () => {
    assert.equal(parseQuery(search, SCHEMA), JSON.parse(meaning))
  })
}

test('a query parameter __proto__ does not change the prototype of the parameters', () => {
  for (const search of ['__proto__[limit]=9', '__proto__=9', 'created[__proto__]=9', 'constructor[name]=9']) {
    const params = parseQuery(search, SCHEMA)
    assert.is(Object.getPrototypeOf(params), Object.prototype)
    assert.is((params as { limit?: unknown }).limit, undefined)
    assert.is(Object.keys(params).length, 1)
  }
  assert.is(({} as { limit?: unknown }).limit, undefined)
})

test.run()
