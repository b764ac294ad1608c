import { assert } from '../../support/suite.ts'

/** Strings that differ between sandboxes with equal contents, each with its placeholder. */
export type Placeholders = readonly (readonly [text: string, placeholder: string])[]

/** Returns lines in which placeholders replace the address and id of the sandbox, and real times. */
export function comparable(lines: readonly string[], placeholders: Placeholders): string[] {
  return lines.map((line) =>
    placeholders
      .reduce((text, [own, placeholder]) => text.replaceAll(own, placeholder), line)
      .replace(/"duration_ms":\d+/g, '"duration_ms":0')
      // The time of the last use is stored in the background.
      .replace(/"last_used_at":\d+/g, '"last_used_at":null'),
  )
}

/** Throws with the first line that differs. */
export function assertSameLines(actual: readonly string[], expected: readonly string[], what: string): void {
  const at = expected.findIndex((line, index) => line !== actual[index])
  if (at !== -1) assert.is(actual[at], expected[at], `${what}: line ${at + 1} differs`)
  assert.is(actual.length, expected.length, `${what}: number of lines`)
}
