/** An edit of the code that breaks one rule, and the test that must see it. */
export interface Mutation {
  /** Which rule, by its number in the table that lists it, such as `webhooks 5`. */
  readonly rule: string
  /** What is wrong then, in a few words. */
  readonly breaks: string
  /** The file that is edited, from the top of the checkout. */
  readonly file: string
  /** Text that stands exactly once in the file, without anything of its types, and what stands there in its place. */
  readonly find: string
  readonly put: string
  /** The test file, and a part of the title of the test that fails, or never ends. */
  readonly test: string
  readonly title: string
}

/** The mutations of one file, each in a line: what is wrong, what is found, what is put, and the title that fails. */
export function mutationsOf(
  { rule, file, test }: Pick<Mutation, 'rule' | 'file' | 'test'>,
  lines: readonly (readonly [breaks: string, find: string, put: string, title: string])[],
): Mutation[] {
  return lines.map(([breaks, find, put, title]) => ({ rule, file, test, breaks, find, put, title }))
}
