import { assert } from '../suite.ts'

/** Asserts that a check reports exactly the expected problems, in this order. */
export function reports(problems: string[], ...expected: RegExp[]): void {
  const list = problems.join('\n')
  assert.is(problems.length, expected.length, list)
  for (const [index, pattern] of expected.entries()) assert.match(problems[index] ?? '', pattern, list)
}
